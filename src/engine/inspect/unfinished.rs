//! Whether a message looks as if its writer goes on: then it is worth a moment's wait for the rest.

use formwright_chat as chat;
use jiff::Timestamp;

use crate::draft::filling::Filling;
use crate::engine::Engine;
use crate::input::{Happening, Input};
use crate::session::Session;
use crate::world::World;
use formwright_form::kind::{Reading, Said};
use formwright_form::{Kind, Path};
use formwright_lexicon::{Language, Phrases};
use formwright_nlu as nlu;
use formwright_nlu::Pending;
use formwright_text::Class;

/// Marks after which somebody goes on.
const OPEN: [char; 14] = [',', ';', ':', '-', '–', '—', '…', '(', '/', '&', '+', '،', '؛', '、'];

/// Marks that end a sentence.
const END: [char; 6] = ['.', '!', '?', '؟', '。', ')'];

/// Whether a message looks unfinished to whoever knows what is asked: it ends where a sentence goes on, it only greets, or
/// it is the beginning of a text. What the asked field reads as a whole is finished, unless a mark says otherwise.
pub(crate) fn is_unfinished(engine: &Engine, session: &Session, text: &str) -> bool {
    let (said, input) = (Said::new(text), at_any_time());
    let Some(last) = text.trim_end().chars().next_back() else { return false };
    let dots = text.trim_end().ends_with("..");
    if OPEN.contains(&last) || dots {
        return true;
    }
    let world = World::new(session, &input, None);
    let open_end = |lang: &'static Language| ends_open(lang, &said) || nlu::courteous_in(&said, lang).is_some();
    let Some((form, draft)) = session.draft.as_ref().and_then(|draft| Some((engine.form_of(draft)?, draft))) else {
        return open_end(world.lang);
    };
    let world = world.speaking(&form);
    let asked = match &draft.pending {
        Pending::Field { path, .. } => Some(path.clone()),
        _ => None,
    };
    let filling = Filling::new(&form, &world, draft.clone());
    match asked.as_ref().and_then(|path| form.field_at(path)).map(|field| &field.kind) {
        Some(Kind::LongText(_)) => !END.contains(&last),
        Some(_) if asked.is_some_and(|path| reads_all(&filling, &path, &said)) => false,
        _ => open_end(world.lang),
    }
}

/// Whether a field's own parser reads all of a message: of words that may be anything, only one by itself.
fn reads_all(filling: &Filling<'_>, path: &Path, said: &Said) -> bool {
    let Some(field) = filling.form.field_at(path) else { return false };
    let words = said.words.iter().filter(|word| word.class != Class::Mark).count();
    let any_words = matches!(field.kind, Kind::Text(_) | Kind::Person(_) | Kind::Address(_) | Kind::Channel(_));
    if any_words && words > 1 {
        return false;
    }
    let offered = filling.offered(field, path);
    match field.kind.behaviour().read(said, &filling.context(field, &offered)) {
        Reading::Value(found) => found.span.len() >= said.raw.trim().trim_end_matches(END).len(),
        Reading::Ambiguous(_) | Reading::Refused(..) | Reading::Nothing => false,
    }
}

/// Whether a message ends with words that something follows: "and", "or", "the", "is", "from", "instead of", "I want to".
fn ends_open(lang: &'static Language, said: &Said) -> bool {
    let Some(end) = said.words.iter().rposition(|word| word.class != Class::Mark).map(|last| last + 1) else {
        return false;
    };
    let leads = |lang: &Language| {
        let words = &lang.sentence;
        let tables: [&Phrases<()>; 9] = [
            &words.join,
            &words.or,
            &words.articles,
            &words.is,
            &words.into,
            &words.first,
            &words.instead,
            &words.request,
            &words.intends,
        ];
        let ends = |table: &Phrases<()>| (0..end).any(|no| table.at(said, no).is_some_and(|(len, ())| no + len == end));
        tables.into_iter().any(ends)
    };
    lang.and_english().any(leads)
}

/// What a message means to go on does not depend on the time.
fn at_any_time() -> Input {
    Input { now: Timestamp::UNIX_EPOCH, nonce: chat::Nonce::new(0), event: Happening::Expiry }
}

#[cfg(test)]
mod tests {
    use formwright_chat as chat;
    use jiff::Timestamp;
    use rstest::rstest;

    use crate::engine::Engine;
    use crate::input::{Happening, Input};

    use crate::session::Session;
    use formwright_form::Catalog;
    use formwright_load::{Syntax, load};

    use super::*;

    /// Whether a message looks unfinished where a field of this kind is asked; where none is, before any form.
    fn looks_unfinished(lang: &str, kind: Option<&str>, text: &str) -> bool {
        let mut catalog = Catalog::default();
        let mut session = Session::new(chat::conformance::place("telegram"), chat::UserId::new("ada"));
        session.lang = Some(lang.to_owned());
        if let Some(kind) = kind {
            let form = format!(
                "schema = 1\nid = \"f\"\ntitle = \"F\"\nlanguages = [\"{lang}\"]\n[[field]]\nid = \"asked\"\n{kind}"
            );
            let loaded = load(&form, Syntax::Toml);
            catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems)));
        }
        let engine = Engine::new(catalog);
        if kind.is_some() {
            let open = chat::Action::Open { form: Some("f".to_owned()) };
            let user = chat::User { id: session.owner.clone(), name: None, locale: Some(lang.to_owned()), zone: None };
            let (id, place) = (chat::EventId::new("1"), session.place.clone());
            let event =
                chat::Event { id, place, user, at: Timestamp::UNIX_EPOCH, action: open, terms: chat::Terms::default() };
            let input = Input { event: Happening::Event(Box::new(event)), ..at_any_time() };
            session = engine.step(session, input).session;
        }
        engine.is_unfinished(&session, text)
    }

    const COUNT: Option<&str> = Some("kind = \"integer\"");
    const YES_NO: Option<&str> = Some("kind = \"yes_no\"");
    const NAME: Option<&str> = Some("kind = \"text\"");
    const STORY: Option<&str> = Some("kind = \"long_text\"");
    const CHOICE: Option<&str> = Some("kind = \"choice\"\noptions = [\"This and that and\", \"Other\"]");

    #[rstest]
    #[case::a_number("en", COUNT, "2")]
    #[case::yes("en", YES_NO, "yes")]
    #[case::a_sentence("en", COUNT, "we will be 12 people")]
    #[case::a_control_word("en", COUNT, "back")]
    #[case::a_name("en", NAME, "Ada Lovelace")]
    #[case::a_name_like_an_article("en", NAME, "An")]
    #[case::a_label("en", CHOICE, "this and that and")]
    #[case::a_text_that_ends("en", STORY, "The printer on floor 3 is broken.")]
    #[case::what_opens_a_form("en", None, "I would like a table for 4")]
    #[case::a_day("de", Some("kind = \"date\""), "am 24. Dezember")]
    fn a_whole_answer_does_not_wait(#[case] lang: &str, #[case] kind: Option<&str>, #[case] text: &str) {
        assert!(!looks_unfinished(lang, kind, text));
    }

    #[rstest]
    #[case::a_comma("en", COUNT, "2,")]
    #[case::a_conjunction("en", COUNT, "2 adults and")]
    #[case::an_article("en", NAME, "I want the")]
    #[case::is("en", NAME, "my name is")]
    #[case::a_wish("en", None, "I want to")]
    #[case::a_greeting("en", None, "hello")]
    #[case::a_greeting_in_a_form("en", COUNT, "hi there")]
    #[case::dots("en", NAME, "well...")]
    #[case::the_beginning_of_a_text("en", STORY, "the printer on floor 3")]
    #[case::german("de", COUNT, "zwei Erwachsene und")]
    #[case::italian("it", NAME, "mi chiamo Ada e")]
    #[case::arabic("ar", NAME, "اسمي آدا،")]
    fn what_goes_on_waits(#[case] lang: &str, #[case] kind: Option<&str>, #[case] text: &str) {
        assert!(looks_unfinished(lang, kind, text));
    }
}
