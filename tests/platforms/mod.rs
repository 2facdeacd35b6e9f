//! The real program against all chat platforms at once: people fill in forms by sentences, by widgets and by both, and the
//! same answers give the same submission wherever they were given.

mod complete;
mod forged;
mod hostile;
mod interleaved;
pub(crate) mod lunch;
pub(crate) mod person;
mod scripts;
pub(crate) mod stage;

/// Waits for all of them at once.
async fn all<T>(deeds: Vec<impl Future<Output = T>>) -> Vec<T> {
    let mut deeds: Vec<_> = deeds.into_iter().map(|deed| (Box::pin(deed), None)).collect();
    std::future::poll_fn(|context| {
        for (deed, done) in deeds.iter_mut().filter(|(_, done)| done.is_none()) {
            if let std::task::Poll::Ready(result) = deed.as_mut().poll(context) {
                *done = Some(result);
            }
        }
        if deeds.iter().all(|(_, done)| done.is_some()) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    deeds.into_iter().filter_map(|(_, done)| done).collect()
}
