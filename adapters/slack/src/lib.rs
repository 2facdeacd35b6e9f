//! Formwright in Slack.
