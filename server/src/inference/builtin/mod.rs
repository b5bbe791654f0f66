//! Models that need no model server: they repeat what they are told, at once,
//! slowly or not without a failure.
//!
//! Their answers depend on nothing but the request, apart from ids and times,
//! and keep the conventions to the letter, so that clients can be tried and
//! tested offline.

mod chat;
mod course;
mod echo;
mod responses;

use std::time::Duration;

use crate::config::inference::InferenceConfig;

pub use chat::chat;
pub use course::Manner;
pub use echo::Stamp;
pub use responses::respond;

/// What `accord.echo` can be called as well.
pub const ECHO: (&str, &str) = ("builtin/echo", "accord.echo");

/// Names, families and manners. The second exists because responses refuses its
/// family.
pub fn models(config: &InferenceConfig) -> [(&'static str, &'static str, Manner); 4] {
    let pace = Duration::from_millis(config.builtin_pace_milliseconds.into());
    [
        ("accord.echo", "accord", Manner::Echo),
        ("meta.echo", "meta", Manner::Echo),
        ("builtin/slow", "accord", Manner::Slow { pace }),
        ("builtin/broken", "accord", Manner::Broken),
    ]
}
