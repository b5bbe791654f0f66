//! Models that need no model server: they repeat the text of a request, at once, slowly or with a
//! failure.
//!
//! Their responses depend only on the request, apart from identifiers and times. Without a failure,
//! they conform to the conventions exactly, so that authors can test clients offline.

mod behavior;
mod chat;
mod echo;
mod responses;

use std::time::Duration;

use crate::config::inference::InferenceConfig;

pub use behavior::BuiltinKind;
pub use chat::chat;
pub use echo::Stamp;
pub use responses::respond;

/// Another name of `accord.echo`.
pub const ECHO: (&str, &str) = ("builtin/echo", "accord.echo");

/// Names, families and kinds. The second model exists because responses reject its family.
pub fn models(config: &InferenceConfig) -> [(&'static str, &'static str, BuiltinKind); 4] {
    let pace = Duration::from_millis(config.builtin_pace_milliseconds.into());
    [
        ("accord.echo", "accord", BuiltinKind::Echo),
        ("meta.echo", "meta", BuiltinKind::Echo),
        ("builtin/slow", "accord", BuiltinKind::Slow { pace }),
        ("builtin/broken", "accord", BuiltinKind::Broken),
    ]
}
