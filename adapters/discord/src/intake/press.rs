//! Components and windows: looked up on their screen, checked to be the person's own, and taken or redrawn.

use chat::words::{Word, say};
use chat::{Action, HostError, Input, Nonce, Place, Press, Pressed, Screen, Token, Wire};
use formwright_chat as chat;
use jiff::Timestamp;

use super::{Answer, Intake, Waits};
use crate::api::ORIGINAL;
use crate::intake::notes::Draft;
use crate::limits;
use crate::render::{self, Canvas, Turned, modal};
use crate::translate::{Act, Filled, Interaction, Who, Widget, act, presses};
use crate::wire_op::Op;

impl Intake {
    pub(super) async fn used(
        &self,
        interaction: &Interaction,
        widget: &Widget,
        now: Timestamp,
    ) -> Result<Answer, HostError> {
        let who = &interaction.who;
        let (wire, screen) =
            match self.screen(interaction, widget.wire.as_ref(), widget.message.as_deref(), now).await? {
                Ok(found) => found,
                Err(answer) => return Ok(answer),
            };
        let lang = screen.reply.lang.as_str();
        let Some(act) = act(widget, wire, &screen.reply) else { return Ok(Answer::word(Word::Over, lang)) };
        match act {
            Act::Press(press) => self.take(interaction, screen, vec![press], widget.message.as_deref(), now).await,
            Act::Send => {
                let press = screen.send_ticked(&wire.token);
                if !is_enough(&screen, &press) {
                    return Ok(Answer::word(Word::TickSomething, lang));
                }
                self.take(interaction, screen, vec![press], widget.message.as_deref(), now).await
            }
            Act::Turn(turned) => Ok(redraw(&screen, wire.token.slot, turned, who, now)),
            Act::Tick { shown, ticked, page } => self.tick(&wire.token, &shown, &ticked, page, who, now).await,
            Act::Open(op) => {
                Ok(self.open(&screen, &op, &wire.token).await?.unwrap_or_else(|| Answer::word(Word::Over, lang)))
            }
            Act::Reveal => {
                self.open_hook(interaction, &screen.place, Waits::Not, now).await?;
                // The question stands in the answer to this press too.
                let shown = format!("{}/{}/{ORIGINAL}", interaction.token, who.place.channel);
                self.change(&wire.token.nonce, |screen| {
                    screen.messages.retain(|known| !known.ends_with(ORIGINAL));
                    screen.messages.push(shown);
                })
                .await?;
                Ok(reveal(&screen, who, now))
            }
        }
    }

    pub(super) async fn window(
        &self,
        interaction: &Interaction,
        wire: Option<&Wire>,
        fields: &[(Wire, Filled)],
        message: Option<&str>,
        now: Timestamp,
    ) -> Result<Answer, HostError> {
        let who = &interaction.who;
        let (wire, screen) = match self.screen(interaction, wire, message, now).await? {
            Ok(found) => found,
            Err(answer) => return Ok(answer),
        };
        let lang = screen.reply.lang.as_str();
        let op = wire.op.as_deref().and_then(Op::read);
        match op {
            Some(Op::Search) => Ok(found(&screen, &wire.token, fields, who, now)),
            Some(op @ (Op::Form | Op::Type)) => {
                let presses = presses(fields, &screen.reply);
                if presses.is_empty() {
                    return Ok(Answer::bare(6));
                }
                let event = self.event(interaction, &screen.place, presses.clone(), now);
                let mut faults = self.host.rehearse(&event).await.unwrap_or_default();
                let unticked = presses.iter().filter(|press| !is_enough(&screen, press));
                for press in
                    unticked.filter(|press| faults.iter().all(|fault| fault.token != press.token)).collect::<Vec<_>>()
                {
                    let problem = say(Word::TickSomething, lang).to_owned();
                    faults.push(chat::Fault { token: press.token.clone(), problem });
                }
                if !faults.is_empty() {
                    let draft = Draft {
                        page: op == Op::Form,
                        token: wire.token.clone(),
                        presses: open_presses(&screen, presses),
                    };
                    self.notes.keep_draft(&wire.token.nonce, &who.user.id, Some(&draft)).await?;
                    let named = |fault: &chat::Fault| match screen.reply.question(&fault.token) {
                        Some(question) => format!("{}: {}", question.label, fault.problem),
                        None => fault.problem.clone(),
                    };
                    let problems: Vec<String> = faults.iter().map(named).collect();
                    return Ok(Answer::new(4, render::problems(&problems, &screen.reply, &wire.token)));
                }
                self.take(interaction, screen, presses, message, now).await
            }
            _ => Ok(Answer::word(Word::Over, lang)),
        }
    }

    /// The screen that a widget is of, if it is live and the person's own; else what to tell them.
    async fn screen<'a>(
        &self,
        interaction: &Interaction,
        wire: Option<&'a Wire>,
        message: Option<&str>,
        now: Timestamp,
    ) -> Result<Result<(&'a Wire, Screen), Answer>, HostError> {
        let who = &interaction.who;
        let lang = who.user.locale.as_deref().unwrap_or_default();
        let Some(wire) = wire else { return Ok(Err(Answer::word(Word::Over, lang))) };
        Ok(match self.screens.find(&wire.token.nonce).await? {
            Some(screen) if !screen.may_press(&who.user.id) => Err(Answer::word(Word::NotYours, lang)),
            // It was taken, and comes again because the process ended before it could say so: no press of an old button.
            Some(screen) if screen.seen.contains(&event_id(interaction)) => Err(match message {
                Some(_) => Answer::new(7, render::over(&screen, &canvas(&screen, who, now))),
                None => Answer::bare(6),
            }),
            Some(screen) if screen.over || screen.answer.is_some() => {
                Err(self.late(interaction, &screen.place, wire, &screen.reply.lang, now).await?)
            }
            Some(screen) => Ok((wire, screen)),
            None => Err(self.late(interaction, &who.place, wire, lang, now).await?),
        })
    }

    /// A widget that does not count any more. Of a case at a desk, the product tells who was faster.
    async fn late(
        &self,
        interaction: &Interaction,
        place: &Place,
        wire: &Wire,
        lang: &str,
        now: Timestamp,
    ) -> Result<Answer, HostError> {
        if wire.token.nonce.case().is_none() || !self.host.is_desk(place) {
            return Ok(Answer::word(Word::Over, lang));
        }
        self.open_hook(interaction, place, Waits::Not, now).await?;
        let presses = vec![Press { token: wire.token.clone(), value: Pressed::Button }];
        self.host.accept(self.event(interaction, place, presses, now)).await?;
        Ok(Answer::bare(6))
    }

    /// Hands presses to the product; after that the message shows the answer in place of its widgets.
    async fn take(
        &self,
        interaction: &Interaction,
        mut screen: Screen,
        presses: Vec<Press>,
        message: Option<&str>,
        now: Timestamp,
    ) -> Result<Answer, HostError> {
        let words = words(&screen, &presses);
        self.open_hook(interaction, &screen.place, Waits::Not, now).await?;
        let event = self.event(interaction, &screen.place, presses, now);
        let nonce = screen.reply.nonce().cloned().filter(|_| screen.reply.case.is_none());
        let Some(nonce) = nonce else {
            // Others at the desk may press too: the widgets stay until the case takes them away.
            self.host.accept(event).await?;
            return Ok(Answer::bare(6));
        };
        let drawn = match message {
            Some(message) => self.drawn(&screen, &nonce, interaction, message).await?,
            None => None,
        };
        // From here on nobody else draws it: the reply may come before this press is answered.
        if let Some(drawn) = &drawn {
            self.looks.press(drawn);
        }
        if let Err(error) = self.host.accept(event).await {
            drawn.iter().for_each(|drawn| drop(self.looks.pressed(drawn, false)));
            return Err(error);
        }
        self.notes.keep_draft(&nonce, &screen.owner, None).await?;
        let kept = words.clone();
        let id = event_id(interaction);
        let answered = |screen: &mut Screen| {
            screen.answer = Some(kept);
            screen.sees(&id);
        };
        self.change(&nonce, answered).await?;
        screen.answer = Some(words);
        if message.is_none() {
            return Ok(Answer::whisper("✓"));
        }
        let Some(drawn) = drawn else { return Ok(Answer::new(7, render::done())) };
        let answer = Answer::new(7, render::over(&screen, &canvas(&screen, &interaction.who, now)));
        Ok(Answer { draws: Some(drawn), ..answer })
    }

    /// The message of a screen on which something was pressed, as screens spell it. None where it is another message: an
    /// answer that a window was opened for a second time was given on that.
    async fn drawn(
        &self,
        screen: &Screen,
        nonce: &Nonce,
        interaction: &Interaction,
        message: &str,
    ) -> Result<Option<String>, HostError> {
        let ends = |end: String| screen.messages.iter().find(|known| known.ends_with(&end)).cloned();
        if let Some(own) = ends(format!("/{message}")) {
            return Ok(Some(own));
        }
        if screen.messages.is_empty() {
            return Ok(Some(format!("{}/{message}", interaction.who.place.channel)));
        }
        let revealed = ends(format!("/{ORIGINAL}"));
        Ok(if revealed.is_some() && self.notes.draft(nonce).await?.is_none() { revealed } else { None })
    }

    /// Presses as the product is told of them: at the place of the screen's session.
    fn event(&self, interaction: &Interaction, place: &Place, presses: Vec<Press>, now: Timestamp) -> chat::Event {
        let who = Who { place: place.clone(), ..interaction.who.clone() };
        let mut event = who.event(event_id(interaction).to_string(), now, Action::Press { presses });
        event.terms = self.terms(&interaction.who, place, None);
        event
    }

    async fn tick(
        &self,
        token: &Token,
        shown: &[u16],
        ticked: &[u16],
        page: Option<u16>,
        who: &Who,
        now: Timestamp,
    ) -> Result<Answer, HostError> {
        let mut after = None;
        self.change(&token.nonce, |screen| {
            let mut all = screen.ticked_of(token);
            all.retain(|no| !shown.contains(no));
            all.extend(ticked);
            all.sort_unstable();
            all.dedup();
            screen.ticked.insert(token.slot, all);
            after = Some(screen.clone());
        })
        .await?;
        let lang = who.user.locale.as_deref().unwrap_or_default();
        let Some(screen) = after else { return Ok(Answer::word(Word::Over, lang)) };
        let turned = page.map_or_else(|| Turned::Found(shown.to_vec()), Turned::Page);
        Ok(redraw(&screen, token.slot, turned, who, now))
    }

    /// The window that an operation opens; none where there is nothing to open.
    async fn open(&self, screen: &Screen, op: &Op, token: &Token) -> Result<Option<Answer>, HostError> {
        let reply = &screen.reply;
        let window = match op {
            Op::Search => reply.question(token).map(|question| modal::search(question, &reply.lang)),
            Op::Fix => {
                let draft = self.notes.draft(&token.nonce).await?;
                let (page, token, presses) = match draft {
                    Some(draft) => (draft.page, draft.token, draft.presses),
                    None => (modal::is_page(reply), token.clone(), Vec::new()),
                };
                modal::window(reply, if page { &Op::Form } else { &Op::Type }, &token, &presses)
            }
            op => modal::window(reply, op, token, &[]),
        };
        Ok(window.map(|window| Answer::new(9, window)))
    }
}

/// The event of an interaction, the same if it comes again.
pub(super) fn event_id(interaction: &Interaction) -> chat::EventId {
    chat::EventId::new(format!("interaction/{}", interaction.id))
}

fn canvas(screen: &Screen, who: &Who, now: Timestamp) -> Canvas {
    Canvas::new(who.direct(), screen.reply.day(now))
}

fn redraw(screen: &Screen, slot: u16, turned: Turned, who: &Who, now: Timestamp) -> Answer {
    let canvas = Canvas { ticked: screen.ticked.clone(), ..canvas(screen, who, now) }.turn(slot, turned);
    match render::messages(&screen.reply, &canvas).pop() {
        Some(message) => Answer::new(7, message),
        None => Answer::bare(6),
    }
}

fn reveal(screen: &Screen, who: &Who, now: Timestamp) -> Answer {
    let canvas = Canvas { ticked: screen.ticked.clone(), ..canvas(screen, who, now) };
    match render::messages(&screen.reply, &canvas).pop() {
        Some(message) => Answer::new(4, render::hidden(message)),
        None => Answer::bare(6),
    }
}

/// The list with what a search found in it.
fn found(screen: &Screen, token: &Token, fields: &[(Wire, Filled)], who: &Who, now: Timestamp) -> Answer {
    let lang = screen.reply.lang.as_str();
    let words = fields.iter().find_map(|(_, filled)| if let Filled::Text(words) = filled { Some(words) } else { None });
    let Some(Input::Options { options, .. }) = screen.reply.question(token).map(|question| &question.input) else {
        return Answer::word(Word::Over, lang);
    };
    let found = render::search(options, words.map_or("", String::as_str));
    if found.is_empty() {
        return Answer::word(Word::NothingFound, lang);
    }
    redraw(screen, token.slot, Turned::Found(found), who, now)
}

/// Whether as many options are picked as the question needs: one at least where an answer is needed. What asks for no
/// options needs none.
fn is_enough(screen: &Screen, press: &Press) -> bool {
    let Some(question) = screen.reply.question(&press.token) else { return true };
    let Input::Options { multiple: true, min, .. } = &question.input else { return true };
    let picked = match &press.value {
        Pressed::Options { tokens } => tokens.len(),
        Pressed::Empty => 0,
        _ => return true,
    };
    let least = usize::try_from(*min).unwrap_or(usize::MAX).max(usize::from(question.required));
    picked >= least || (picked == 0 && !question.required)
}

/// What was answered, in the words of the screen; sensitive answers are not repeated.
fn words(screen: &Screen, presses: &[Press]) -> String {
    let lang = screen.reply.lang.as_str();
    let hidden = || say(Word::Answered, lang).to_owned();
    if screen.reply.private && presses.iter().any(|press| screen.reply.question(&press.token).is_some()) {
        return hidden();
    }
    let line = |press: &Press| {
        if is_secret(screen, press) {
            return hidden();
        }
        let question = screen.reply.question(&press.token);
        let day = match (&press.value, question) {
            (Pressed::Text { text }, Some(question)) => render::answer(&question.input, text, lang),
            _ => None,
        };
        let words = day.or_else(|| screen.words(std::slice::from_ref(press))).filter(|words| !words.is_empty());
        mention_name(&words.unwrap_or_else(hidden))
    };
    let filled: Vec<&Press> = presses.iter().filter(|press| press.value != Pressed::Empty).collect();
    let [one] = filled.as_slice() else {
        let named = |press: &Press| match screen.reply.question(&press.token) {
            Some(question) => format!("{}: {}", question.label, line(press)),
            None => line(press),
        };
        return if filled.is_empty() { hidden() } else { filled.into_iter().map(named).collect::<Vec<_>>().join("\n") };
    };
    line(one)
}

/// `<@123|Ada>` as `@Ada`.
fn mention_name(words: &str) -> String {
    let inner =
        words.strip_prefix("<@").map(|rest| ('@', rest)).or_else(|| words.strip_prefix("<#").map(|rest| ('#', rest)));
    let Some((sign, (_, name))) = inner.and_then(|(sign, rest)| Some((sign, rest.strip_suffix('>')?.split_once('|')?)))
    else {
        return words.to_owned();
    };
    format!("{sign}{name}")
}

fn is_secret(screen: &Screen, press: &Press) -> bool {
    let question = screen.reply.question(&press.token);
    question.is_some_and(|question| matches!(question.input, Input::Text { secret: true, .. }))
}

/// What may be kept until the window is opened again.
fn open_presses(screen: &Screen, presses: Vec<Press>) -> Vec<Press> {
    let kept = presses.into_iter().filter(|press| !screen.reply.private && !is_secret(screen, press));
    kept.take(limits::MODAL_COMPONENTS).collect()
}
