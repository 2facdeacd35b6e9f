//! Whose menu of commands has which forms. Telegram tells chats and their members apart, so that a menu shows nobody a
//! form that the rules keep from them, as far as a rule names chats or people.

use std::collections::BTreeSet;

use formwright_chat::{Access, Asker};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::api::ApiError;
use crate::commands;
use crate::core::{Core, held};

/// Menus beside everybody's that are set. Whoever has none of their own sees the forms that all may use; commands that
/// are written count all the same.
const MOST: usize = 60;
/// Tries after which a menu stays as it is.
const TRIES: u32 = 5;

/// Whose a menu is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Scope {
    /// Of everybody who has no other.
    Everybody,
    /// Of everybody in a chat; a private chat has its person's id.
    Chat(i64),
    /// Of a person in a group.
    Member(i64, i64),
}

impl Scope {
    /// As `scope` of a call; none for everybody.
    fn json(self) -> Option<Value> {
        match self {
            Self::Everybody => None,
            Self::Chat(chat) => Some(json!({"type": "chat", "chat_id": chat})),
            Self::Member(chat, user) => Some(json!({"type": "chat_member", "chat_id": chat, "user_id": user})),
        }
    }

    /// The forms that its people may use there; none where they may use all.
    pub(crate) fn forms(self, access: &Access) -> Option<Vec<String>> {
        let (chat, user) = match self {
            Self::Everybody => (String::new(), String::new()),
            Self::Chat(id) if id > 0 => (id.to_string(), id.to_string()),
            Self::Chat(chat) => (chat.to_string(), String::new()),
            Self::Member(chat, user) => (chat.to_string(), user.to_string()),
        };
        access.forms(&Asker { workspace: None, channels: &[&chat], roles: None, user: &user })
    }
}

/// The menus that the rules need: everybody's, and those that differ from what would be seen without them.
pub(crate) fn scopes(access: &Access) -> BTreeSet<Scope> {
    let ids = |list: &[String]| list.iter().filter_map(|id| id.parse::<i64>().ok()).collect::<BTreeSet<_>>();
    let chats: BTreeSet<i64> = access.rules.iter().flat_map(|rule| ids(&rule.channels)).collect();
    let users: BTreeSet<i64> = access.rules.iter().flat_map(|rule| ids(&rule.users)).collect();
    let all = Scope::Everybody.forms(access);
    let own = chats.iter().chain(&users).map(|id| Scope::Chat(*id)).filter(|scope| scope.forms(access) != all);
    let groups = chats.iter().filter(|chat| **chat < 0);
    let members = groups.flat_map(|chat| users.iter().map(|user| (*chat, *user)));
    let members =
        members.filter(|(chat, user)| Scope::Member(*chat, *user).forms(access) != Scope::Chat(*chat).forms(access));
    let narrow = own.chain(members.map(|(chat, user)| Scope::Member(chat, user))).take(MOST);
    std::iter::once(Scope::Everybody).chain(narrow).collect()
}

impl Core {
    /// Sets the menus of commands in every language, and takes away those that the rules no longer need.
    pub(crate) async fn set_menus(&self) {
        let scopes = scopes(&self.settings.access);
        let before: BTreeSet<Scope> = self.recall("menus").await.ok().flatten().unwrap_or_default();
        if let Err(error) = self.remember("menus", None, Some(&scopes)).await {
            tracing::debug!(%error, "which menus there are could not be noted");
        }
        for gone in before.difference(&scopes) {
            for language in commands::languages() {
                self.call_patiently("deleteMyCommands", &scoped(json!({}), *gone, language)).await;
            }
        }
        for scope in scopes {
            if !self.set_menu(scope).await && scope == Scope::Everybody {
                tracing::warn!("telegram: the menu of commands could not be set");
                return;
            }
        }
    }

    /// Sets the menu of a person who has just opened their chat, where they have one of their own: Telegram takes none
    /// for a chat that was never opened.
    pub(crate) async fn set_menu_of(&self, user: i64) {
        let scope = Scope::Chat(user);
        if !held(&self.menus).contains(&scope) && scopes(&self.settings.access).contains(&scope) {
            self.set_menu(scope).await;
        }
    }

    async fn set_menu(&self, scope: Scope) -> bool {
        let forms = self.host.forms();
        let allowed = scope.forms(&self.settings.access);
        for language in commands::languages() {
            let menu = commands::menu(&forms, allowed.as_deref(), language.unwrap_or_default());
            if !self.call_patiently("setMyCommands", &scoped(json!({"commands": menu}), scope, language)).await {
                return false;
            }
        }
        held(&self.menus).insert(scope);
        true
    }

    /// Calls until Telegram does it, within reason; tells whether it did.
    async fn call_patiently(&self, method: &str, body: &Value) -> bool {
        for failures in 1..=TRIES {
            let wait = match self.api.call(method, body).await {
                Ok(_) => return true,
                Err(ApiError::Wait(after)) => after,
                Err(ApiError::Unreachable(_) | ApiError::Lost(_)) => crate::poll::backoff(failures),
                Err(error) => {
                    // The chat is gone, or was never opened.
                    tracing::debug!(%error, method, "a menu of commands stays as it is");
                    return false;
                }
            };
            tokio::time::sleep(wait).await;
        }
        false
    }
}

fn scoped(mut body: Value, scope: Scope, language: Option<&str>) -> Value {
    if let Some(scope) = scope.json() {
        body["scope"] = scope;
    }
    if let Some(language) = language {
        body["language_code"] = json!(language);
    }
    body
}

#[cfg(test)]
mod tests {
    use formwright_chat::AccessRule;

    use super::*;

    fn rule(form: &str, chats: &[&str], users: &[&str]) -> AccessRule {
        let list = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        AccessRule { forms: vec![form.to_owned()], channels: list(chats), users: list(users), ..AccessRule::default() }
    }

    #[test]
    fn whom_a_rule_names_has_a_menu_of_their_own() {
        let access =
            Access { rules: vec![rule("pizza", &[], &[]), rule("visit", &["-5"], &[]), rule("injury", &[], &["7"])] };
        let scopes = scopes(&access);
        let shown: Vec<_> = scopes.iter().map(|scope| (*scope, scope.forms(&access).unwrap().join(" "))).collect();
        assert_eq!(
            shown,
            [
                (Scope::Everybody, "pizza".to_owned()),
                (Scope::Chat(-5), "pizza visit".to_owned()),
                (Scope::Chat(7), "pizza injury".to_owned()),
                (Scope::Member(-5, 7), "pizza visit injury".to_owned()),
            ]
        );
    }

    #[test]
    fn without_rules_and_with_names_that_change_nothing_one_menu_is_enough() {
        assert_eq!(scopes(&Access::default()), BTreeSet::from([Scope::Everybody]));
        let all = AccessRule::default();
        let access = Access { rules: vec![all, rule("pizza", &["-5"], &["7"])] };
        assert_eq!(scopes(&access), BTreeSet::from([Scope::Everybody]));
    }
}
