//! Commands: which form is meant, which are offered while somebody types, and what is said where there is none.

use chat::Action;
use chat::HostError;
use chat::Shown;
use chat::words::{Word, say};
use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::json;

use super::{Answer, Intake, Waits, press};
use crate::limits;
use crate::render::{self, commands};
use crate::translate::{Interaction, Who};

impl Intake {
    /// The forms that are offered to who types in the command.
    pub(super) fn choices(&self, who: &Who, typed: &str) -> Answer {
        let lang = who.user.locale.as_deref().unwrap_or_default();
        let mut forms = self.host.forms();
        forms.retain(|form| self.settings.allows(who, Some(&form.id)));
        Answer::new(8, json!({"choices": commands::choices(&forms, typed, lang)}))
    }

    /// Says, to the person alone, why there is no form, and which they may use instead.
    fn offer(&self, who: &Who, why: &str, lang: &str) -> Answer {
        const LISTED: usize = 20;
        let mut forms = self.host.forms();
        forms.retain(|form| self.settings.allows(who, Some(&form.id)));
        let mut lines: Vec<String> = forms.iter().take(LISTED).map(|form| commands::listed(form, lang)).collect();
        lines.extend((forms.len() > LISTED).then(|| "…".to_owned()));
        let rest = if lines.is_empty() { say(Word::NothingHere, lang) } else { say(Word::WhichForm, lang) };
        Answer::whisper(&format!("{why}\n{rest}\n{}", lines.join("\n")))
    }

    pub(super) async fn command(
        &self,
        interaction: &Interaction,
        name: &str,
        form: Option<&str>,
        now: Timestamp,
    ) -> Result<Answer, HostError> {
        let who = &interaction.who;
        let lang = who.user.locale.as_deref().unwrap_or_default();
        let place = self.begun_at(&who.place, &who.user.id).await?.unwrap_or_else(|| who.place.clone());
        let forms = self.host.forms();
        let action = match form {
            None if name == commands::ANY => Action::Open { form: None },
            _ if name == commands::FORGET => Action::Say { text: say(Word::SayForget, lang).to_owned() },
            Some(named) if name == commands::ANY => {
                let same = |form: &&chat::FormCard| {
                    let titles = [form.title.to_lowercase(), form.words_in(lang).title.to_lowercase()];
                    form.id == named || titles.contains(&named.to_lowercase())
                };
                match forms.iter().find(same) {
                    Some(form) => Action::Open { form: Some(form.id.clone()) },
                    // A sentence may ask for a form too; a name alone is one that there is none of.
                    None if named.trim().contains(char::is_whitespace) => Action::Say { text: named.to_owned() },
                    None => return Ok(self.offer(who, &no_such_form(named, lang), lang)),
                }
            }
            _ => match commands::form(name, &forms) {
                Some(form) => Action::Open { form: Some(form.id.clone()) },
                None => return Ok(self.offer(who, &no_such_form(name, lang), lang)),
            },
        };
        let form = if let Action::Open { form } = &action { form.as_deref() } else { None };
        // Whoever may fill in nothing here may be forgotten all the same.
        if name != commands::FORGET && !self.settings.allows(who, form) {
            return Ok(self.offer(who, say(Word::NotAllowed, lang), lang));
        }
        let hidden = !place.workspace.is_empty() && self.shown_form(form) != Shown::Here;
        let terms = self.terms(who, &who.place, form);
        let waits = if hidden { Waits::Alone } else { Waits::Openly };
        self.open_hook(interaction, &place, waits, now).await?;
        let mut event = who.event(press::event_id(interaction).to_string(), now, action);
        event.terms = terms;
        event.place = place.clone();
        if let Err(error) = self.host.accept(event).await {
            self.close_hook(interaction, &place, now).await?;
            return Err(error);
        }
        Ok(if hidden { Answer::new(5, json!({"flags": limits::FLAG_EPHEMERAL})) } else { Answer::bare(5) })
    }
}

fn no_such_form(name: &str, lang: &str) -> String {
    say(Word::NoSuchForm, lang).replace("{name}", &render::text::clip(name, 64))
}
