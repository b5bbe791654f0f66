//! Usage that the service asked a stream for and its caller did not.
//!
//! Removes the chunk with the usage, and the null member for it in every other chunk. The
//! rest stays unchanged.

use std::borrow::Cow;
use std::sync::LazyLock;

use bytes::{Bytes, BytesMut};
use memchr::memmem::Finder;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::sse::{Block, blocks, field};

/// The member with the usage.
const USAGE: &str = "usage";
/// Finds chunks that may have it.
static FIND_USAGE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"usage\""));

/// Events of a chat without the usage, which the caller did not request; empty if no event
/// is left.
pub fn without_usage(events: &Bytes) -> Bytes {
    if FIND_USAGE.find(events).is_none() {
        return events.clone();
    }
    let mut kept = BytesMut::with_capacity(events.len());
    for block in blocks(events) {
        match read(block) {
            Usage::None => kept.extend_from_slice(block.bytes()),
            Usage::Alone => {}
            Usage::Empty(chunk) => {
                let others = block.lines().filter(|line| !line.is_empty());
                for line in others.filter(|line| field(line, b"data").is_none()) {
                    kept.extend_from_slice(line);
                    kept.extend_from_slice(b"\n");
                }
                kept.extend_from_slice(format!("data: {chunk}\n\n").as_bytes());
            }
        }
    }
    kept.freeze()
}

/// What a chunk says of usage.
enum Usage {
    /// Nothing that was not meant for the caller.
    None,
    /// Nothing else.
    Alone,
    /// That there is none yet; and the chunk without that.
    Empty(String),
}

fn read(block: Block<'_>) -> Usage {
    let data = block.data();
    let Some(chunk) = data
        .as_deref()
        .and_then(|data| serde_json::from_slice::<Members<'_>>(data).ok())
    else {
        return Usage::None;
    };
    match (chunk.get(USAGE), chunk.get("choices")) {
        (Some("null"), _) => Usage::Empty(chunk.without(USAGE)),
        (Some(_), Some(choices)) if is_empty_list(choices) => Usage::Alone,
        // Some model servers add it to a chunk of the response without a request for it.
        _ => Usage::None,
    }
}

fn is_empty_list(json: &str) -> bool {
    serde_json::from_str::<[(); 0]>(json).is_ok()
}

/// The members of an object, each as it was written.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}

impl Members<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(one, _)| one == name);
        found.map(|(_, value)| value.get())
    }

    /// The object on one line, without a member.
    fn without(&self, name: &str) -> String {
        let others = self.0.iter().filter(|(one, _)| one != name);
        let members = others.map(|(name, value)| {
            // White space between tokens may hold line ends; texts do not.
            let value = value.get().replace(['\r', '\n'], " ");
            format!("{}:{value}", serde_json::Value::from(&**name))
        });
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(events: &str) -> String {
        let left = without_usage(&Bytes::from(events.to_owned()));
        String::from_utf8_lossy(&left).into_owned()
    }

    #[test]
    fn the_chunk_that_tells_the_usage_is_left_out() {
        let chunk = "data: {\"choices\":[{\"delta\":{\"content\":\"\\\"usage\\\"\"}}]}\n\n";
        let usage = "data: {\"id\":\"c\",\"choices\": [ ],\"usage\":{\"prompt_tokens\":1}}\n\n";
        let done = "data: [DONE]\n\n";
        assert_eq!(
            left(&format!("{chunk}{usage}{done}")),
            format!("{chunk}{done}")
        );
        assert_eq!(left(usage), "");
        // Beside an answer, it is the model server's own way.
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
    fn a_chunk_does_not_say_that_there_is_no_usage_yet() {
        let chunk =
            "id: 7\ndata: {\"a\":1.50,\"usage\":null,\ndata: \"b\\\"\":[1e2,\"\\u00e4\"]}\n\n";
        let expected = "id: 7\ndata: {\"a\":1.50,\"b\\\"\":[1e2,\"\\u00e4\"]}\n\n";
        assert_eq!(left(chunk), expected);
    }
}
