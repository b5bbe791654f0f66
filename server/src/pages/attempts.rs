//! What forms with a limit of attempts share: the name that attempts count for, and the message.

use super::page_request::PageRequest;
use crate::identity::throttle::NAME;
use crate::kernel::texts::Seconds;

/// The name of an attempt, as a keyed hash, because it can be any typed text.
pub fn name_mac(request: &PageRequest, username: &str) -> String {
    let name = username.trim().to_lowercase();
    let mac = request.app.server_keys.mac(NAME, name.as_bytes());
    base16ct::lower::encode_string(&mac)
}

/// The message after too many attempts.
pub fn too_many(seconds: i64) -> String {
    format!("Too many attempts. Try again in {}.", Seconds(seconds))
}
