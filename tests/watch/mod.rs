//! What operators see of the real program: health, metrics, traces, the log, and that nothing which people say or which is
//! secret is in any of them.

mod canary;
mod collector;
mod ready;
mod traces;
