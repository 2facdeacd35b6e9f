//! Where submissions go.

/// A sink declared in a form or in the settings.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Sink {
    /// Appends one JSON object a line to a file in the data directory.
    Jsonl {
        /// File name; `{form}.jsonl` by default.
        file: Option<String>,
    },
    /// Appends a row to a CSV file in the data directory.
    Csv {
        /// File name; `{form}.csv` by default.
        file: Option<String>,
    },
    /// Inserts a row into a table of a SQLite file in the data directory.
    Sqlite {
        /// File name; `submissions.db` by default.
        file: Option<String>,
        /// Table; the form's id by default.
        table: Option<String>,
    },
    /// Posts JSON, signed as Standard Webhooks describes.
    Webhook {
        /// `https://…` to a public address, or one that the operator allows in `http.local`.
        url: String,
        /// `env:NAME` or `file:PATH` of the signing secret; none sends unsigned.
        secret: Option<String>,
        /// A second secret, signed with as well while secrets rotate.
        secret_next: Option<String>,
    },
    /// Runs a tool of the form, under an id that stays the same until it has arrived. Written `tool.NAME` in `submit`.
    #[schemars(skip)]
    Tool {
        /// Which.
        tool: String,
    },
}
