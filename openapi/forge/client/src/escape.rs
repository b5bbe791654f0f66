//! Escapes texts in addresses and cookies.

/// A value as one segment of a path: every byte but the unreserved ones of RFC 3986, section 2.3, is encoded.
///
/// progenitor does not encode `|` and the backslash: the former is not valid in an address, and the latter is read as a
/// slash. No address can have a segment `.` or `..`, encoded or not, and servers ignore an empty one: all three mean
/// another path, such as that of the whole list. In their place is a segment that does not exist.
pub fn encode_path(value: &str) -> String {
    match value {
        "" => "%2500".to_owned(),
        "." | ".." => value.replace('.', "%252E"),
        value => encode(value),
    }
}

/// Escapes every byte but the unreserved ones of RFC 3986, section 2.3.
pub(crate) fn encode(value: &str) -> String {
    escaped(value, |byte| {
        byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
    })
}

/// Escapes the characters that a cookie cannot have (RFC 6265, section 4.1.1), the comma between the elements of a
/// list, and `%`.
pub(crate) fn encode_cookie(value: &str) -> String {
    escaped(value, |byte| {
        byte.is_ascii_graphic() && !b"\",;\\%".contains(&byte)
    })
}

/// Writes each byte that is not plain as `%` and two digits. A plain byte is ASCII.
fn escaped(value: &str, is_plain: impl Fn(u8) -> bool) -> String {
    let mut escaped = String::with_capacity(value.len());
    for byte in value.bytes() {
        match is_plain(byte) {
            true => escaped.push(char::from(byte)),
            false => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}
