//! The language model: there is one where an address or a key is set.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{number, truth};

/// The server of `OpenAI` itself, and the model that is asked there where none is named.
const OPENAI: &str = "https://api.openai.com/v1";
const OPENAI_MODEL: &str = "gpt-4o-mini";

/// A server compatible with `OpenAI`'s. What is not set here is taken from `OPENAI_BASE_URL`, `OPENAI_API_KEY` and `OPENAI_MODEL`,
/// or from `CUSTOM_LLM_API_ENDPOINT`, `CUSTOM_LLM_API_KEY` and `CUSTOM_LLM_MODEL_NAME`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Model {
    /// Whether it is used where there is one.
    #[serde(deserialize_with = "truth")]
    pub enabled: bool,
    /// Address that `/chat/completions` is put after.
    pub base_url: Option<String>,
    /// The key, `env:NAME` or `file:PATH`.
    pub key: Option<String>,
    /// The model's name.
    pub name: Option<String>,
    /// Longest time in seconds that a message waits for the model: second attempts and corrections included.
    #[serde(deserialize_with = "number")]
    pub timeout: u64,
    /// How often it is asked once more after a reply that cannot be read.
    #[serde(deserialize_with = "number")]
    pub retries: u32,
    /// Calls in a minute for one person.
    #[serde(deserialize_with = "number")]
    pub per_person: u32,
    /// Calls in a minute for all.
    #[serde(deserialize_with = "number")]
    pub per_minute: u32,
    /// About how many tokens of a form a prompt may have.
    #[serde(deserialize_with = "number")]
    pub prompt_tokens: usize,
    /// Keep e-mail addresses, telephone numbers and bank accounts out of prompts.
    #[serde(deserialize_with = "truth")]
    pub redact: bool,
    /// A folder of recordings, played in place of a server.
    pub recordings: Option<PathBuf>,
    /// Ask the server for recordings that are missing, and keep them.
    #[serde(deserialize_with = "truth")]
    pub record: bool,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            enabled: true,
            base_url: None,
            key: None,
            name: None,
            timeout: 8,
            retries: 1,
            per_person: 20,
            per_minute: 600,
            prompt_tokens: 6_000,
            redact: false,
            recordings: None,
            record: false,
        }
    }
}

/// Where a model is and what it is called, the environment's usual names included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Address that `/chat/completions` is put after.
    pub base_url: String,
    /// The key: named, or as the environment has it.
    pub key: Option<String>,
    /// The model's name.
    pub name: String,
}

impl Model {
    /// Where the model is; none where nothing names one. `env` reads a variable.
    pub fn reach(&self, env: impl Fn(&str) -> Option<String>) -> Option<Reach> {
        let env = |name: &str| env(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let endpoint = env("CUSTOM_LLM_API_ENDPOINT");
        let endpoint = endpoint.map(|url| url.trim_end_matches('/').trim_end_matches("/chat/completions").to_owned());
        let base_url = self.base_url.clone().or_else(|| env("OPENAI_BASE_URL")).or(endpoint);
        let key = self.key.clone().or_else(|| env("OPENAI_API_KEY")).or_else(|| env("CUSTOM_LLM_API_KEY"));
        if !self.enabled || (base_url.is_none() && key.is_none()) {
            return None;
        }
        let name = self.name.clone().or_else(|| env("OPENAI_MODEL")).or_else(|| env("CUSTOM_LLM_MODEL_NAME"));
        let usual = if base_url.is_some() { "default" } else { OPENAI_MODEL };
        Some(Reach {
            base_url: base_url.unwrap_or_else(|| OPENAI.to_owned()),
            key,
            name: name.unwrap_or_else(|| usual.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::nothing(&[], None)]
    #[case::openai_alone(&[("OPENAI_API_KEY", "k")], Some(("https://api.openai.com/v1", Some("k"), "gpt-4o-mini")))]
    #[case::openai(&[("OPENAI_API_KEY", "k"), ("OPENAI_MODEL", "m")], Some(("https://api.openai.com/v1", Some("k"), "m")))]
    #[case::local(&[("OPENAI_BASE_URL", "http://localhost:11434/v1")], Some(("http://localhost:11434/v1", None, "default")))]
    #[case::formpilot(
        &[("CUSTOM_LLM_API_ENDPOINT", "https://llm.example/v1/chat/completions"), ("CUSTOM_LLM_API_KEY", "k"), ("CUSTOM_LLM_MODEL_NAME", "m")],
        Some(("https://llm.example/v1", Some("k"), "m"))
    )]
    #[case::empty_is_not_set(&[("OPENAI_API_KEY", " ")], None)]
    fn the_usual_variables_are_known(
        #[case] vars: &[(&str, &str)],
        #[case] expected: Option<(&str, Option<&str>, &str)>,
    ) {
        let env = |name: &str| vars.iter().find(|(var, _)| *var == name).map(|(_, value)| (*value).to_owned());
        let reach = Model::default().reach(env);
        let reach = reach.as_ref().map(|reach| (reach.base_url.as_str(), reach.key.as_deref(), reach.name.as_str()));
        assert_eq!(reach, expected);
    }

    #[test]
    fn a_model_that_is_turned_off_is_not_used() {
        let model = Model { enabled: false, base_url: Some("http://localhost:1/v1".to_owned()), ..Model::default() };
        assert_eq!(model.reach(|_| None), None);
    }
}
