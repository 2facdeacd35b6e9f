//! Who may use which form where.

use serde::{Deserialize, Serialize};

use crate::Terms;

/// Who may use which form where. Without rules everybody may use every form everywhere; with rules, what one of them
/// allows is allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Access {
    /// The rules.
    pub rules: Vec<AccessRule>,
}

/// What a rule allows: what all its lists name. An empty list names everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AccessRule {
    /// Ids of forms.
    pub forms: Vec<String>,
    /// Slack's workspaces, Discord's servers; a direct message on Discord is in none.
    pub workspaces: Vec<String>,
    /// Channels and chats by the platform's ids.
    pub channels: Vec<String>,
    /// Discord's roles, one of which is needed.
    pub roles: Vec<String>,
    /// People by the platform's ids.
    pub users: Vec<String>,
}

/// Who asks, and from where.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// None on a platform without workspaces, where rules do not count them.
    pub workspace: Option<&'a str>,
    /// The channel, and where it is a thread with an id of its own, the channel that it belongs to.
    pub channels: &'a [&'a str],
    /// None on a platform without roles, where rules do not count them.
    pub roles: Option<&'a [String]>,
    /// The person.
    pub user: &'a str,
}

impl Access {
    /// Whether somebody may use a form; without one, whether any.
    pub fn allows(&self, asker: &Asker<'_>, form: Option<&str>) -> bool {
        self.rules.is_empty() || self.rules.iter().any(|rule| rule.allows(asker, form))
    }

    /// The forms that somebody may use; none where they may use all.
    pub fn forms(&self, asker: &Asker<'_>) -> Option<Vec<String>> {
        let fitting = || self.rules.iter().filter(|rule| rule.allows(asker, None));
        if self.rules.is_empty() || fitting().any(|rule| rule.forms.is_empty()) {
            return None;
        }
        Some(fitting().flat_map(|rule| rule.forms.iter().cloned()).collect())
    }

    /// The terms on which somebody acts.
    pub fn terms(&self, asker: &Asker<'_>) -> Terms {
        Terms { forms: self.forms(asker), ..Terms::default() }
    }

    /// The keys that rules use, each once: not every platform knows what each of them names.
    pub fn keys(&self) -> Vec<&'static str> {
        let used = |list: fn(&AccessRule) -> &Vec<String>| self.rules.iter().any(|rule| !list(rule).is_empty());
        let keys: [(&str, bool); 5] = [
            ("forms", used(|rule| &rule.forms)),
            ("workspaces", used(|rule| &rule.workspaces)),
            ("channels", used(|rule| &rule.channels)),
            ("roles", used(|rule| &rule.roles)),
            ("users", used(|rule| &rule.users)),
        ];
        keys.into_iter().filter(|(_, used)| *used).map(|(key, _)| key).collect()
    }
}

impl AccessRule {
    fn allows(&self, asker: &Asker<'_>, form: Option<&str>) -> bool {
        form.is_none_or(|form| names(&self.forms, [form]))
            && asker.workspace.is_none_or(|workspace| names(&self.workspaces, [workspace]))
            && names(&self.channels, asker.channels.iter().copied())
            && asker.roles.is_none_or(|roles| names(&self.roles, roles.iter().map(String::as_str)))
            && names(&self.users, [asker.user])
    }
}

/// Whether a list names one of these; an empty one names everything.
fn names<'a>(list: &[String], ids: impl IntoIterator<Item = &'a str>) -> bool {
    list.is_empty() || ids.into_iter().any(|id| list.iter().any(|named| named == id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(id: &str) -> Vec<String> {
        vec![id.to_owned()]
    }

    fn asks<'a>(channels: &'a [&'a str], user: &'a str, roles: Option<&'a [String]>) -> Asker<'a> {
        Asker { workspace: Some("T"), channels, roles, user }
    }

    #[test]
    fn a_rule_allows_what_all_its_lists_name() {
        let access = Access {
            rules: vec![
                AccessRule { forms: list("injury"), users: list("U1"), ..AccessRule::default() },
                AccessRule { forms: list("pizza"), channels: list("C1"), ..AccessRule::default() },
            ],
        };
        assert!(Access::default().allows(&asks(&["C"], "U", None), Some("any")));
        assert!(access.allows(&asks(&["C9"], "U1", None), Some("injury")));
        assert!(!access.allows(&asks(&["C1"], "U2", None), Some("injury")));
        assert!(access.allows(&asks(&["C1"], "U2", None), None));
        assert!(!access.allows(&asks(&["C2"], "U2", None), None));
    }

    #[test]
    fn the_forms_of_all_fitting_rules_may_be_used() {
        let of = |form: &str, user: &str| AccessRule { forms: list(form), users: list(user), ..AccessRule::default() };
        let mut access = Access { rules: vec![of("injury", "U1"), of("pizza", "U1"), of("visit", "U2")] };
        let asker = |user| asks(&["C"], user, None);
        assert_eq!(access.forms(&asker("U1")), Some([list("injury"), list("pizza")].concat()));
        assert_eq!(access.forms(&asker("U3")), Some(Vec::new()));
        assert_eq!(Access::default().forms(&asker("U3")), None);
        access.rules.push(AccessRule { channels: list("C"), ..AccessRule::default() });
        assert_eq!(access.forms(&asker("U3")), None, "a rule without forms allows all");
        assert_eq!(access.keys(), ["forms", "channels", "users"]);
    }

    #[test]
    fn a_thread_is_in_its_channel_and_one_role_is_enough() {
        let rule = AccessRule { channels: list("C1"), roles: list("R1"), ..AccessRule::default() };
        let access = Access { rules: vec![rule] };
        let (both, none) = ([list("R1"), list("R2")].concat(), []);
        assert!(access.allows(&asks(&["thread", "C1"], "U", Some(&both)), None));
        assert!(!access.allows(&asks(&["thread", "C1"], "U", Some(&none)), None));
        assert!(!access.allows(&asks(&["thread"], "U", Some(&both)), None));
    }
}
