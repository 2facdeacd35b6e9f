//! Whose menu of commands has which forms. Telegram tells chats and their members apart, so that a menu shows nobody a
//! form that the rules keep from them, as far as a rule names chats or people.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::scope::{Scope, scopes};
use crate::api::ApiError;
use crate::commands;
use crate::core::{Core, held};

/// Tries after which a menu stays as it is.
const TRIES: u32 = 5;

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
                Err(ApiError::Unreachable(_) | ApiError::Lost(_)) => crate::receive::backoff::backoff(failures),
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
