//! Messages: what a person wrote, with the bot's own name taken out.

use formwright_chat::company::{self, Aim};
use formwright_chat::{Action, FileRef, MessageId};
use serde_json::Value;

use super::json::{file, person, place, text, texts};
use super::who::Who;

/// A message of a person.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Heard {
    /// Its id.
    pub(crate) id: String,
    /// Who wrote it, and where.
    pub(crate) who: Who,
    /// What was written, without the mention of the bot.
    pub(crate) text: String,
    /// Files sent along.
    pub(crate) files: Vec<FileRef>,
    /// It is for the bot: its name is in it, or it replies to the bot.
    pub(crate) addressed: bool,
    /// It replies to somebody else's message.
    pub(crate) to_other: bool,
    /// When it was changed, where this tells of the change.
    pub(crate) edited: Option<String>,
}

impl Heard {
    /// Whom it is for.
    pub(crate) fn aim(&self) -> Aim {
        let name = company::calls_another(&self.text, &company::mentions(&self.text));
        Aim { bot: self.addressed, reply: self.to_other, name, aside: false }
    }

    /// What the product is told; none where there is nothing to tell.
    pub(crate) fn action(&self) -> Option<Action> {
        let text = self.text.clone();
        if self.edited.is_some() {
            return (!text.is_empty()).then(|| Action::Edit { message: self.message(), text });
        }
        if !self.files.is_empty() {
            return Some(Action::Attach { files: self.files.clone(), text });
        }
        if !text.is_empty() {
            return Some(Action::Say { text });
        }
        self.addressed.then_some(Action::Open { form: None })
    }

    /// What the message and its changes have in common.
    pub(crate) fn message(&self) -> MessageId {
        MessageId::new(self.id.as_str())
    }

    /// Tells this from every other event, and is the same if it comes again.
    pub(crate) fn event_id(&self) -> String {
        match &self.edited {
            Some(at) => format!("edit/{}/{at}", self.id),
            None => format!("message/{}", self.id),
        }
    }
}

/// Reads what a message is now. None where no person changed it: Discord tells so too of previews that it draws.
pub(crate) fn edit(raw: &Value, bot: &str) -> Option<Heard> {
    let edited = text(&raw["edited_timestamp"])?;
    Some(Heard { edited: Some(edited), ..message(raw, None, bot)? })
}

/// Reads a message, from the gateway or from a channel's history. None where it is not a person's: bots, webhooks, the
/// platform's own notices. `bot` is the id of this one.
pub(crate) fn message(raw: &Value, guild: Option<&str>, bot: &str) -> Option<Heard> {
    let author = &raw["author"];
    // A plain message or a reply to one.
    let written = matches!(raw["type"].as_u64().unwrap_or(0), 0 | 19);
    if !written || author["bot"].as_bool() == Some(true) || text(&raw["webhook_id"]).is_some() {
        return None;
    }
    let user = person(author, &raw["member"])?;
    if user.id.as_str() == bot {
        return None;
    }
    let names = [format!("<@{bot}>"), format!("<@!{bot}>")];
    let content = raw["content"].as_str().unwrap_or_default();
    let mentioned = raw["mentions"].as_array().into_iter().flatten().any(|user| user["id"].as_str() == Some(bot))
        || names.iter().any(|name| content.contains(name.as_str()));
    let referred = raw["referenced_message"]["author"]["id"].as_str();
    let replied = referred == Some(bot);
    let said = names.iter().fold(content.to_owned(), |said, name| said.replace(name.as_str(), " "));
    let place = place(raw["guild_id"].as_str().or(guild).filter(|id| !id.is_empty()), raw["channel_id"].as_str()?);
    Some(Heard {
        id: text(&raw["id"])?,
        addressed: mentioned || replied || place.workspace.is_empty(),
        // Who replies to a message of their own adds to it.
        to_other: referred.is_some_and(|author| author != bot && author != user.id.as_str()),
        who: Who { place, user, roles: texts(&raw["member"]["roles"]), parent: None },
        text: said.trim().to_owned(),
        files: raw["attachments"].as_array().into_iter().flatten().filter_map(file).collect(),
        edited: None,
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn raw() -> Value {
        json!({"id": "10", "type": 0, "channel_id": "5", "guild_id": "7", "content": "hi", "mentions": [],
            "author": {"id": "1", "username": "ada", "global_name": "Ada"}, "attachments": []})
    }

    #[rstest]
    #[case::mention(json!({"content": "<@!99> order a pizza", "mentions": [{"id": "99"}]}), "order a pizza", true)]
    #[case::plain(json!({}), "hi", false)]
    #[case::reply(json!({"type": 19, "referenced_message": {"author": {"id": "99"}}}), "hi", true)]
    #[case::reply_to_others(json!({"type": 19, "referenced_message": {"author": {"id": "2"}}}), "hi", false)]
    #[case::direct(json!({"guild_id": null}), "hi", true)]
    fn words_are_taken_without_the_bots_name(#[case] change: Value, #[case] text: &str, #[case] addressed: bool) {
        let mut raw = raw();
        change.as_object().unwrap().iter().for_each(|(key, value)| raw[key] = value.clone());
        let heard = message(&raw, None, "99").unwrap();
        assert_eq!((heard.text.as_str(), heard.addressed), (text, addressed));
    }

    #[test]
    fn a_message_that_a_person_changed_reads_as_it_is_now() {
        let mut raw = raw();
        assert_eq!(edit(&raw, "99"), None, "a preview was drawn");
        raw["edited_timestamp"] = "2026-11-20T10:00:00+00:00".into();
        let edited = edit(&raw, "99").unwrap();
        let id = MessageId::new("10");
        assert_eq!(edited.action(), Some(Action::Edit { message: id.clone(), text: "hi".to_owned() }));
        assert_eq!((edited.message(), edited.event_id().as_str()), (id, "edit/10/2026-11-20T10:00:00+00:00"));
    }

    #[rstest]
    #[case::bot(json!({"author": {"id": "2", "bot": true}}))]
    #[case::webhook(json!({"webhook_id": "3"}))]
    #[case::itself(json!({"author": {"id": "99"}}))]
    #[case::joined(json!({"type": 7}))]
    #[case::no_author(json!({"author": {}}))]
    fn what_no_person_wrote_is_no_event(#[case] change: Value) {
        let mut raw = raw();
        change.as_object().unwrap().iter().for_each(|(key, value)| raw[key] = value.clone());
        assert_eq!(message(&raw, None, "99"), None);
    }
}
