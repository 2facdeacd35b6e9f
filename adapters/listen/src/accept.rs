//! Takes connections in, also while the process has no file left for one.

use std::io::{self, ErrorKind};
use std::time::Duration;

/// How long nothing is taken in after an error of the listener's: files come free meanwhile.
const PAUSE: Duration = Duration::from_millis(100);

/// Errors in a row after which the operator hears of them: a second of trouble.
const TELLING: u32 = 10;

/// The next connection. A connection that ended before it was taken in is passed over; after other errors, such as no
/// file being left, there is a pause.
pub(crate) async fn next<T, F>(mut accept: impl FnMut() -> F) -> T
where
    F: Future<Output = io::Result<T>>,
{
    let mut troubles = 0;
    loop {
        match accept().await {
            Ok(connection) => return connection,
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                troubles += 1;
                if troubles % TELLING == 0 {
                    tracing::error!(%error, "connections cannot be taken in; trying on");
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

fn is_the_clients(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionRefused
            | ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
            | ErrorKind::Interrupted
    )
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn no_file_being_left_stops_nothing_and_spins_on_nothing() {
        let no_file = || io::Error::from_raw_os_error(rustix::io::Errno::MFILE.raw_os_error());
        let mut results = vec![Ok(7), Err(no_file()), Err(ErrorKind::ConnectionAborted.into()), Err(no_file())];
        let began = Instant::now();
        let taken: i32 = next(|| std::future::ready(results.pop().unwrap())).await;
        assert_eq!((taken, began.elapsed()), (7, PAUSE * 2));
    }
}
