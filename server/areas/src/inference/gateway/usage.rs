//! The number of tokens of a response.
//!
//! The model server's own counts are used if it reports any. It reports none if the request did not
//! ask for usage, or if the stream was interrupted. Then the service estimates: one token for each
//! event of a stream, and one for each four bytes of the request or of a whole response, as in the
//! usual vocabularies.

use std::sync::LazyLock;

use bytes::Bytes;
use memchr::memmem::Finder;
use serde::Deserialize;
use serde_json::Value;

use super::sse::{Block, blocks};

/// Finds events that may report tokens.
static FIND_TOKENS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"_tokens\""));
/// Bytes of a request or a whole response that count as one token.
const BYTES_PER_TOKEN: i64 = 4;

/// The maximum of tokens of one response. The service ignores a report of more.
pub const MAX_TOKENS: i64 = 1 << 40;

/// Tokens of one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, Deserialize)]
pub struct Tokens {
    /// Tokens of the request.
    pub input: i64,
    /// Tokens of the response.
    pub output: i64,
}

impl Tokens {
    /// The sum of both.
    pub fn total(self) -> i64 {
        self.input.saturating_add(self.output)
    }
}

/// Counts the tokens of a response while it passes.
#[derive(Debug)]
pub struct Counter {
    estimate: Tokens,
    reported: Option<Tokens>,
}

impl Counter {
    /// A counter for the response to a request of this many bytes.
    pub fn new(request_bytes: usize) -> Self {
        let bytes = i64::try_from(request_bytes).unwrap_or(i64::MAX);
        Counter {
            estimate: Tokens {
                input: bytes / BYTES_PER_TOKEN,
                output: 0,
            },
            reported: None,
        }
    }

    /// Counts a whole response.
    pub fn whole(&mut self, body: &Bytes) {
        let reported = serde_json::from_slice(body).ok();
        self.reported = reported.and_then(ReportedUsage::tokens);
        let bytes = i64::try_from(body.len()).unwrap_or(i64::MAX);
        self.estimate.output = bytes / BYTES_PER_TOKEN;
    }

    /// Counts whole events of a stream.
    pub fn events(&mut self, piece: &[u8]) {
        for data in blocks(piece).filter_map(Block::data) {
            self.estimate.output = self.estimate.output.saturating_add(1);
            if FIND_TOKENS.find(&data).is_none() {
                continue;
            }
            let reported = serde_json::from_slice::<ReportedUsage>(&data).ok();
            self.reported = reported.and_then(ReportedUsage::tokens).or(self.reported);
        }
    }

    /// The tokens so far.
    pub fn tokens(&self) -> Tokens {
        self.reported.unwrap_or(self.estimate)
    }
}

/// The members of a response, or of an event, with the usage.
#[derive(Deserialize)]
struct ReportedUsage {
    usage: Option<Usage>,
    response: Option<Within>,
}

/// The response in an event.
#[derive(Deserialize)]
struct Within {
    usage: Option<Usage>,
}

/// The counts, in the names of the conventions. Some model servers send both names.
#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: Value,
    #[serde(default)]
    input_tokens: Value,
    #[serde(default)]
    completion_tokens: Value,
    #[serde(default)]
    output_tokens: Value,
}

/// The larger count of two names, because the one of the other convention may be 0. The result is 0
/// without any count, and `None` if a value cannot be one.
fn larger(one: &Value, other: &Value) -> Option<i64> {
    let given = [one, other].into_iter().filter(|value| !value.is_null());
    given
        .map(count)
        .try_fold(0, |most, count| Some(count?.max(most)))
}

/// A count of tokens; `None` if the value cannot be one.
pub fn count(value: &Value) -> Option<i64> {
    let Value::Number(number) = value else {
        return None;
    };
    let whole = |number: f64| (number.fract() == 0.0).then_some(number as i64);
    let count = number
        .as_i64()
        .or_else(|| number.as_f64().and_then(whole))?;
    (0..=MAX_TOKENS).contains(&count).then_some(count)
}

impl ReportedUsage {
    fn tokens(self) -> Option<Tokens> {
        let within = self.response.and_then(|response| response.usage);
        let usage = self.usage.or(within)?;
        if usage.prompt_tokens.is_null() && usage.input_tokens.is_null() {
            return None;
        }
        Some(Tokens {
            input: larger(&usage.prompt_tokens, &usage.input_tokens)?,
            output: larger(&usage.completion_tokens, &usage.output_tokens)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(pieces: &[&str]) -> (i64, i64) {
        let mut counter = Counter::new(40);
        for piece in pieces {
            counter.events(piece.as_bytes());
        }
        (counter.tokens().input, counter.tokens().output)
    }

    #[test]
    fn tokens_that_the_model_server_reports_are_counted() {
        let chat =
            r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9,"total_tokens":16}}"#;
        let mut counter = Counter::new(40);
        counter.whole(&Bytes::from_static(chat.as_bytes()));
        assert_eq!((counter.tokens().input, counter.tokens().output), (7, 9));
        for response in [
            // Others follow, and one of the same name comes before.
            r#"{"a":{"usage":{"input_tokens":1}},"usage":{"input_tokens":2},"b":[{}]}"#,
            // Only within another member, or within a text.
            r#"{"usage":{"input_tokens":2},"a":{"usage":{"input_tokens":1}}}"#,
            r#"{"usage":{"input_tokens":2},"a":"\"usage\":{\"input_tokens\":1}"}"#,
            r#"{"usage" : {"input_tokens":2},"a\"usage":{"input_tokens":1}}"#,
            r#"{"usage":{"input_tokens":2},"a":[{"usage":null}]}"#,
        ] {
            let mut counter = Counter::new(40);
            counter.whole(&Bytes::from_static(response.as_bytes()));
            assert_eq!(counter.tokens().input, 2, "{response}");
        }
        let last = format!("data: {chat}\n\ndata: [DONE]\n\n");
        assert_eq!(counted(&["data: {}\n\n", &last]), (7, 9));
        let both = r#"{"usage":{"prompt_tokens":7,"completion_tokens":9,"input_tokens":0,"output_tokens":0}}"#;
        assert_eq!(counted(&[&format!("data: {both}\n\n")]), (7, 9));
        let done = r#"event: response.completed
data: {"type":"response.completed","response":{"usage":{"input_tokens":3,"output_tokens":4}}}

"#;
        assert_eq!(counted(&[done]), (3, 4));
    }

    #[test]
    fn unreported_tokens_are_estimated_by_bytes_and_events() {
        let piece = "data: {\"choices\":[{\"delta\":{\"content\":\"data:\"}}]}\n\n";
        assert_eq!(counted(&[piece, piece]), (10, 2));
        // An event is one token, with any number of lines and any line ends.
        assert_eq!(counted(&["data: {\rdata: }\r\rdata: 1\r\r"]), (10, 2));
        assert_eq!(
            counted(&["data: {\"usage\":{\"x_tokens\":1}}\n\n"]),
            (10, 1)
        );
        assert_eq!(counted(&[]), (10, 0));
    }

    #[test]
    fn an_impossible_count_is_ignored() {
        for (input, output) in [
            ("9223372036854775807", "9223372036854775807"),
            ("1", "1099511627777"),
            ("-1", "1"),
            ("1e300", "1"),
            ("18446744073709551615", "1"),
            ("1.5", "1"),
            ("\"7\"", "1"),
        ] {
            let usage = format!(r#"{{"prompt_tokens":{input},"completion_tokens":{output}}}"#);
            let response = format!(r#"{{"usage":{usage}}}"#);
            let mut counter = Counter::new(40);
            counter.whole(&Bytes::from(response.clone()));
            assert_eq!(counter.tokens().input, 10, "{response}");
            assert_eq!(
                counted(&[&format!("data: {response}\n\n")]),
                (10, 1),
                "{response}"
            );
        }
        let exact = r#"{"usage":{"prompt_tokens":7.0,"completion_tokens":1099511627776}}"#;
        assert_eq!(counted(&[&format!("data: {exact}\n\n")]), (7, 1 << 40));
        let most = Tokens {
            input: i64::MAX,
            output: i64::MAX,
        };
        assert_eq!(most.total(), i64::MAX);
    }
}
