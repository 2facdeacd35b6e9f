//! Words in company: which of them are said to another person, and so are nobody's answer.

use crate::{Input, Screen};

/// Whom a message is aimed at, as far as the platform tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aim {
    /// The bot is mentioned, or its message is replied to.
    pub bot: bool,
    /// Somebody else's message is replied to.
    pub reply: bool,
    /// It calls somebody else by name: see [`calls_another`].
    pub name: bool,
    /// What is asked here is shown to this person alone, while what they write is read by all: it is no answer.
    pub aside: bool,
}

impl Aim {
    /// Whether the words are for other people, so that the bot takes nothing from them and says nothing. In a chat with
    /// the bot alone nothing is. `live` is what the person is asked there: a person's name is an answer where one is asked
    /// for right now.
    pub fn is_for_others(self, live: Option<&Screen>) -> bool {
        let asks_for_a_person =
            |screen: &Screen| screen.reply.questions.iter().any(|question| matches!(question.input, Input::Person));
        !self.bot && (self.aside || self.reply || (self.name && !live.is_some_and(asks_for_a_person)))
    }
}

/// Words that people put before a name.
const GREETINGS: [&str; 24] = [
    "hey",
    "hi",
    "hello",
    "ok",
    "okay",
    "thanks",
    "thx",
    "please",
    "ciao",
    "grazie",
    "scusa",
    "hola",
    "gracias",
    "oye",
    "hallo",
    "danke",
    "bitte",
    "bonjour",
    "salut",
    "merci",
    "cc",
    "مرحبا",
    "شكرا",
    "يا",
];

/// Whether a message calls somebody by one of these mentions, spelled as they stand in it: it begins with one, at most
/// with a greeting before, or it is a question that ends with one.
pub fn calls_another(text: &str, mentions: &[&str]) -> bool {
    let bare = |words: &str| words.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let called = |mention: &&&str| {
        let Some((before, after)) = text.split_once(**mention) else { return false };
        let (before, after) = (before.trim(), after.trim());
        let first = bare(before).is_empty() || GREETINGS.contains(&bare(before).as_str());
        let asks = |words: &str| words.ends_with(['?', '؟']);
        let last = bare(after).is_empty() && (asks(after) || asks(before));
        first || last
    };
    mentions.iter().filter(|mention| !mention.is_empty()).any(|mention| called(&mention))
}

/// The mentions of persons in a text that spells them `<@id>`, `<@!id>` or `<@id|name>`.
pub fn mentions(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("<@") {
        rest = &rest[at..];
        let Some(end) = rest.find('>') else { break };
        // Roles are no persons.
        if !rest.starts_with("<@&") {
            found.push(&rest[..=end]);
        }
        rest = &rest[end + 1..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{UserId, conformance};

    #[test]
    fn who_is_called_by_name_is_meant() {
        let cases = [
            ("<@U2> can you look?", true),
            ("<@U2|ben>: what do you say", true),
            ("Hey <@!2>, is that right", true),
            ("thanks, <@U2>!", true),
            ("can you look, <@U2>?", true),
            ("is that right? <@U2>", true),
            ("<@U2>", true),
            ("ask <@U2> for the key", false),
            ("from <@U2>", false),
            ("<@&7> everybody", false),
            ("a < b @ c", false),
            ("<@U2", false),
            ("", false),
        ];
        for (text, called) in cases {
            assert_eq!(calls_another(text, &mentions(text)), called, "{text}");
        }
        assert!(calls_another("@ben_b can you look?", &["@ben_b"]));
    }

    #[test]
    fn words_for_others_are_no_answer_unless_a_person_is_asked_for() {
        let (name, reply) = (Aim { name: true, ..Aim::default() }, Aim { reply: true, ..Aim::default() });
        let asked = |input| {
            let (user, place) = (UserId::new("ada"), conformance::place("test"));
            Screen::new(user, place, conformance::asking(input), Vec::new())
        };
        let (who, when) = (asked(Input::Person), asked(Input::Email));
        assert!(!Aim::default().is_for_others(Some(&when)));
        assert!(name.is_for_others(Some(&when)) && name.is_for_others(None));
        assert!(!name.is_for_others(Some(&who)));
        // A field further down the page is not what is asked.
        let page = conformance::page(vec![Input::Email, Input::Person]);
        let page = Screen::new(UserId::new("ada"), conformance::place("test"), page, Vec::new());
        assert!(name.is_for_others(Some(&page)));
        assert!(reply.is_for_others(Some(&who)));
        assert!(!Aim { bot: true, ..reply }.is_for_others(Some(&when)));
        let aside = Aim { aside: true, ..Aim::default() };
        assert!(aside.is_for_others(Some(&who)) && !Aim { bot: true, ..aside }.is_for_others(Some(&who)));
    }
}
