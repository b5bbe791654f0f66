//! What forms with a limit of attempts share: the name that attempts count for.

use super::page_request::PageRequest;
use crate::identity::throttle::NAME;
use crate::identity::users::username;

/// The name of an attempt, as a keyed hash, because it can be any typed text.
pub fn name_mac(request: &PageRequest, email_address: &str) -> String {
    let name = username(email_address);
    let mac = request.app.server_keys.mac(NAME, name.as_bytes());
    base16ct::lower::encode_string(&mac)
}
