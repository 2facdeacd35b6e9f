//! Whose a menu of commands is.

use std::collections::BTreeSet;

use formwright_chat::{Access, Asker};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Menus beside everybody's that are set. Whoever has none of their own sees the forms that all may use; commands that
/// are written count all the same.
const MOST: usize = 60;

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
    pub(super) fn json(self) -> Option<Value> {
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
