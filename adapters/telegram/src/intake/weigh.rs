//! Sizes of files that an update does not tell: they are optional in the Bot API.

use std::time::Duration;

use formwright_chat::{Action, Input, Screen};
use serde_json::json;

use crate::core::Core;
use crate::limits;

/// How long a size may take. Without an answer the file is taken all the same, of unknown size.
const PATIENCE: Duration = Duration::from_secs(3);

impl Core {
    /// Asks Telegram for the sizes that are missing. Of a file that is too large to be fetched only that is told: it
    /// counts where what is asked takes no file so large, and is unknown elsewhere.
    pub(crate) async fn weigh(&self, action: &mut Action, asked: Option<&Screen>) {
        let Action::Attach { files, .. } = action else { return };
        for file in files.iter_mut().filter(|file| file.bytes.is_none()) {
            match self.api.call_within("getFile", &json!({"file_id": file.id}), PATIENCE).await {
                Ok(known) => file.bytes = known["file_size"].as_u64(),
                Err(error) if error.is_too_big() => {
                    let least = limits::FETCHABLE + 1;
                    file.bytes = asked.and_then(most).filter(|most| *most < least).map(|_| least);
                }
                Err(error) => tracing::debug!(%error, "the size of a file is not known"),
            }
        }
    }
}

/// Greatest size that the question takes.
fn most(screen: &Screen) -> Option<u64> {
    let question = screen.reply.questions.first()?;
    if let Input::File { max_bytes, .. } = question.input { max_bytes } else { None }
}
