//! Removes usage that the service requested and the caller did not.
//!
//! Removes the chunk with the usage, and the null member for it in every other chunk. All other
//! bytes stay unchanged.

use std::sync::LazyLock;

use bytes::{Bytes, BytesMut};
use memchr::memmem::Finder;
use serde_json::value::RawValue;

use super::members::Members;
use super::sse::{Block, blocks, field};

/// The member with the usage.
const USAGE: &str = "usage";
/// Finds chunks that may have the member.
static FIND_USAGE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"usage\""));

/// Events of a chat without the usage, which the caller did not request. Empty if no event is left.
pub fn without_usage(events: &Bytes) -> Bytes {
    if FIND_USAGE.find(events).is_none() {
        return events.clone();
    }
    let mut passed = BytesMut::with_capacity(events.len());
    for block in blocks(events) {
        match read(block) {
            Usage::None => passed.extend_from_slice(block.bytes()),
            Usage::Alone => {}
            Usage::Null(chunk) => {
                let others = block.lines().filter(|line| !line.is_empty());
                for line in others.filter(|line| field(line, b"data").is_none()) {
                    passed.extend_from_slice(line);
                    passed.extend_from_slice(b"\n");
                }
                passed.extend_from_slice(format!("data: {chunk}\n\n").as_bytes());
            }
        }
    }
    passed.freeze()
}

/// The usage in a chunk.
enum Usage {
    /// No usage, or usage for the caller.
    None,
    /// Only usage.
    Alone,
    /// A null usage. The value is the chunk without it.
    Null(String),
}

fn read(block: Block<'_>) -> Usage {
    let data = block.data();
    let Some(chunk) = data
        .as_deref()
        .and_then(|data| serde_json::from_slice::<Members<'_>>(data).ok())
    else {
        return Usage::None;
    };
    let text = |name| chunk.all(name).next().map(RawValue::get);
    match (text(USAGE), text("choices")) {
        (Some("null"), _) => Usage::Null(without(&chunk, USAGE)),
        (Some(_), Some(choices)) if is_empty_list(choices) => Usage::Alone,
        // Some model servers add unrequested usage to a chunk of the response.
        _ => Usage::None,
    }
}

fn is_empty_list(json: &str) -> bool {
    serde_json::from_str::<[(); 0]>(json).is_ok()
}

/// The object on one line, without a member.
fn without(Members(members): &Members<'_>, name: &str) -> String {
    let others = members.iter().filter(|(one, _)| one != name);
    let members = others.map(|(name, value)| {
        // White space between tokens may contain line ends. Texts cannot.
        let value = value.get().replace(['\r', '\n'], " ");
        format!("{}:{value}", serde_json::Value::from(&**name))
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(events: &str) -> String {
        let left = without_usage(&Bytes::from(events.to_owned()));
        String::from_utf8_lossy(&left).into_owned()
    }

    #[test]
    fn a_chunk_with_usage_alone_is_removed() {
        let chunk = "data: {\"choices\":[{\"delta\":{\"content\":\"\\\"usage\\\"\"}}]}\n\n";
        let usage = "data: {\"id\":\"c\",\"choices\": [ ],\"usage\":{\"prompt_tokens\":1}}\n\n";
        let done = "data: [DONE]\n\n";
        assert_eq!(
            left(&format!("{chunk}{usage}{done}")),
            format!("{chunk}{done}")
        );
        assert_eq!(left(usage), "");
        // Usage in a chunk with content is the model server's own choice.
        let beside = "data: {\"choices\":[{\"delta\":{}}],\"usage\":{\"prompt_tokens\":1}}\n\n";
        for same in [
            beside,
            ": \"usage\"\n\n",
            "data: \"usage\"\n\n",
            "data: {\"usage\n\n",
        ] {
            assert_eq!(left(same), same);
        }
    }

    #[test]
    fn a_null_usage_is_removed_from_its_chunk() {
        let chunk =
            "id: 7\ndata: {\"a\":1.50,\"usage\":null,\ndata: \"b\\\"\":[1e2,\"\\u00e4\"]}\n\n";
        let expected = "id: 7\ndata: {\"a\":1.50,\"b\\\"\":[1e2,\"\\u00e4\"]}\n\n";
        assert_eq!(left(chunk), expected);
    }
}
