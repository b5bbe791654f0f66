//! The comparison itself: a reply, and the events of a stream as they pass.

use std::cmp::Reverse;

use dropforge_events::{Event, EventParser};
use http::{HeaderMap, Method, StatusCode, header};
use serde_json::Value;

use super::Finding;
use crate::check::{self, Direction};
use crate::coerce::{self, coerce, coerce_if_known};
use crate::media::MediaRange;
use crate::reply::{Reply, ReplyBody};
use crate::table::{Codec, Header, MediaType, Response};
use crate::violation::Location;

/// The maximum of events of one stream that are reported.
const MAX_EVENTS: usize = 20;

/// Compares a reply with the table of its status, if the document has one. For a stream, the second
/// part of the result watches its events.
pub(crate) fn inspect(
    listed: Option<&'static Response>,
    method: &Method,
    reply: &Reply,
) -> (Vec<Finding>, Option<StreamGuard>) {
    let Some(response) = listed else {
        return (vec![Finding::StatusNotListed], None);
    };
    let mut findings = Vec::new();
    for header in response.headers {
        findings.extend(inspect_header(header, &reply.headers));
    }
    let mut stream = None;
    if bears_body(method, reply.status) {
        match inspect_media_type(response, reply) {
            Ok(Some(media)) => match &reply.body {
                ReplyBody::Empty => {}
                ReplyBody::Whole(bytes) => findings.extend(inspect_body(media, bytes)),
                ReplyBody::Stream(_) => stream = StreamGuard::new(media),
            },
            Ok(None) => {}
            Err(finding) => findings.push(finding),
        }
    }
    (findings, stream)
}

/// Whether a response has a body at all (RFC 9110, section 6.4.1).
fn bears_body(method: &Method, status: StatusCode) -> bool {
    method != Method::HEAD
        && !status.is_informational()
        && status != StatusCode::NO_CONTENT
        && status != StatusCode::NOT_MODIFIED
}

fn inspect_header(listed: &'static Header, headers: &HeaderMap) -> Vec<Finding> {
    let name = listed.name;
    // Content-Type is described by `content` (OpenAPI 3.0.3, "Response Object").
    if name.eq_ignore_ascii_case("content-type") {
        return Vec::new();
    }
    let Some(value) = headers.get(name) else {
        let missing = listed.required.then_some(Finding::HeaderMissing { name });
        return missing.into_iter().collect();
    };
    let value = match name.eq_ignore_ascii_case(header::SET_COOKIE.as_str()) {
        true => cookies(listed, headers),
        false => header_value(listed, &String::from_utf8_lossy(value.as_bytes())),
    };
    check::check(listed.schema, &value, Direction::Response, Location::Header)
        .into_iter()
        .map(|violation| Finding::Header { name, violation })
        .collect()
}

/// The values of all `Set-Cookie` headers: commas do not separate them.
fn cookies(listed: &'static Header, headers: &HeaderMap) -> Value {
    let lines = headers.get_all(header::SET_COOKIE).iter();
    let mut lines = lines.map(|line| Value::from(String::from_utf8_lossy(line.as_bytes())));
    match coerce::is_array(listed.schema) {
        true => lines.collect(),
        false => lines.next().unwrap_or_default(),
    }
}

/// A header's value by its schema, in style `simple`. Empty elements do not count, as in the header
/// of an empty list (RFC 9110, section 5.6.1).
fn header_value(listed: &'static Header, text: &str) -> Value {
    if coerce::is_array(listed.schema) {
        let element = coerce::items(listed.schema);
        let elements = text.split(',').map(str::trim);
        return elements
            .filter(|text| !text.is_empty())
            .map(|text| coerce_if_known(element, text))
            .collect();
    }
    coerce(listed.schema, text)
}

/// The entry of `content` for a reply. `None` if the reply has no body, as the document says.
fn inspect_media_type(
    response: &'static Response,
    reply: &Reply,
) -> Result<Option<&'static MediaType>, Finding> {
    let empty = match &reply.body {
        ReplyBody::Empty => true,
        ReplyBody::Whole(bytes) => bytes.is_empty(),
        ReplyBody::Stream(_) => false,
    };
    let content_type = reply.headers.get(header::CONTENT_TYPE);
    if empty && content_type.is_none() {
        return if response.media.is_empty() {
            Ok(None)
        } else {
            Err(Finding::BodyMissing)
        };
    }
    if response.media.is_empty() {
        return Err(Finding::BodyNotListed);
    }
    let sent = content_type.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let parsed = sent.as_deref().and_then(MediaRange::parse);
    let listed = parsed.and_then(|sent| {
        let including = response.media.iter().filter_map(|media| {
            let listed = MediaRange::parse(media.name)?;
            listed
                .includes(&sent)
                .then(|| (media, listed.specificity()))
        });
        // The first of equals, unlike `max_by_key`.
        including.min_by_key(|(_, specificity)| Reverse(*specificity))
    });
    listed
        .map(|(media, _)| Some(media))
        .ok_or_else(|| Finding::MediaTypeNotListed {
            sent,
            listed: response.media.iter().map(|media| media.name).collect(),
        })
}

fn inspect_body(media: &'static MediaType, bytes: &[u8]) -> Vec<Finding> {
    let unreadable = |message: String| vec![Finding::BodyUnreadable { message }];
    let value = match media.codec {
        Codec::Json => match serde_json::from_slice(bytes) {
            Ok(value) => value,
            Err(error) => return unreadable(format!("it is not JSON: {error}")),
        },
        Codec::Text => match std::str::from_utf8(bytes) {
            Ok(text) => Value::String(text.to_owned()),
            Err(_) => return unreadable("it is not UTF-8".to_owned()),
        },
        Codec::EventStream => {
            let mut findings = Vec::new();
            if let Some(mut guard) = StreamGuard::new(media) {
                guard.see(bytes);
                findings = guard.finish(true);
            }
            return findings;
        }
        Codec::Form | Codec::Multipart | Codec::Binary => return Vec::new(),
    };
    let Some(schema) = media.schema else {
        return Vec::new();
    };
    check::check(schema, &value, Direction::Response, Location::Body)
        .into_iter()
        .map(|violation| Finding::Body { violation })
        .collect()
}

/// Watches the events of a stream.
pub(crate) struct StreamGuard {
    media: &'static MediaType,
    parser: EventParser,
    seen: u64,
    terminated: bool,
    /// The rest of the stream cannot be parsed.
    lost: bool,
    findings: Vec<Finding>,
}

impl StreamGuard {
    /// `None` for a stream without events.
    fn new(media: &'static MediaType) -> Option<Self> {
        (media.codec == Codec::EventStream).then(|| StreamGuard {
            media,
            parser: EventParser::default(),
            seen: 0,
            terminated: false,
            lost: false,
            findings: Vec::new(),
        })
    }

    /// The next bytes sent.
    pub(crate) fn see(&mut self, bytes: &[u8]) {
        if self.lost {
            return;
        }
        let mut events = Vec::new();
        let outcome = self.parser.feed(bytes, |event| events.push(event));
        for event in events {
            self.event(&event);
        }
        if let Err(error) = outcome {
            self.lost = true;
            self.report(error.to_string());
        }
    }

    /// The stream has ended. `complete` is false if it was interrupted.
    pub(crate) fn finish(mut self, complete: bool) -> Vec<Finding> {
        if complete && !self.lost {
            if self.parser.is_within_event() {
                self.report("the stream ends within it".to_owned());
            } else if let Some(terminator) = self.media.stream.terminator
                && !self.terminated
            {
                self.report(format!("the stream ends without {terminator}"));
            }
        }
        self.findings
    }

    fn event(&mut self, event: &Event) {
        let framing = self.media.stream;
        if self.terminated {
            self.report("it follows the terminator".to_owned());
        } else if framing.terminator == Some(event.data.as_str()) {
            self.terminated = true;
            return;
        } else {
            match serde_json::from_str::<Value>(&event.data) {
                Ok(data) => self.data(event, &data),
                Err(error) => self.report(format!("its data is not JSON: {error}")),
            }
        }
        self.seen += 1;
    }

    fn data(&mut self, event: &Event, data: &Value) {
        if let Some(property) = self.media.stream.event
            && let Some(name) = data.get(property).and_then(Value::as_str)
            && name != event.name
        {
            self.report(format!(
                "its name is {:?} and not its {property}",
                event.name
            ));
        }
        let Some(schema) = self.media.schema else {
            return;
        };
        for violation in check::check(schema, data, Direction::Response, Location::Body) {
            self.report(format!("{violation} ({})", violation.keyword));
        }
    }

    fn report(&mut self, problem: String) {
        if self.findings.len() < MAX_EVENTS {
            self.findings.push(Finding::Event {
                index: self.seen,
                problem,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{
        ArrayRules, Framing, NO_OPERATION, Number, NumberRules, Operation, Schema, Status, Types,
    };

    static POSITIVE: Schema = Schema::of(Types::INTEGER, "").number(&NumberRules {
        minimum: Some((Number::Integer(1), false)),
        ..NumberRules::ANY
    });

    const fn media(name: &'static str, codec: Codec) -> MediaType {
        MediaType::of(name, codec)
            .schema(&POSITIVE)
            .stream(Framing {
                terminator: Some("[DONE]"),
                event: None,
            })
    }

    static OPERATION: Operation = Operation {
        id: "count",
        responses: &[
            Response {
                status: Status::Code(200),
                headers: &[Header::of("x-left", &POSITIVE).required()],
                media: &[
                    media("application/json", Codec::Json),
                    media("text/event-stream", Codec::EventStream),
                ],
            },
            Response {
                status: Status::Code(204),
                headers: &[],
                media: &[],
            },
            Response {
                status: Status::Range(4),
                headers: &[],
                media: &[],
            },
        ],
        ..NO_OPERATION
    };

    fn problems(reply: Reply) -> Vec<String> {
        let (findings, _) = inspect(OPERATION.response(reply.status), &Method::GET, &reply);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_differs_from_the_document_is_told() {
        let ok = |body: &Value| Reply::json(StatusCode::OK, body).header("x-left", 1);
        let good: [&str; 0] = [];
        assert_eq!(problems(ok(&1.into())), good);
        assert_eq!(problems(Reply::empty(StatusCode::NO_CONTENT)), good);
        assert_eq!(problems(Reply::empty(StatusCode::NOT_FOUND)), good);
        assert_eq!(
            problems(ok(&0.into())),
            ["The body must be at least 1 (minimum)"]
        );
        assert_eq!(
            problems(ok(&1.into()).header("x-left", 0)),
            ["header x-left must be at least 1"]
        );
        assert_eq!(
            problems(Reply::json(StatusCode::OK, &1)),
            ["header x-left is missing"]
        );
        assert_eq!(
            problems(Reply::empty(StatusCode::CREATED)),
            ["the status is not listed"]
        );
        assert_eq!(
            problems(Reply::empty(StatusCode::OK).header("x-left", 1)),
            ["the body is missing"]
        );
        assert_eq!(
            problems(Reply::json(StatusCode::NOT_FOUND, &1)),
            ["there is a body, and none is listed"]
        );
        assert_eq!(
            problems(Reply::text(StatusCode::OK, "text/plain", "1").header("x-left", 1)),
            [
                "media type Some(\"text/plain\") is not listed; listed: application/json, text/event-stream"
            ]
        );
        assert_eq!(
            problems(Reply::bytes(StatusCode::OK, "application/json", "{").header("x-left", 1))
                .len(),
            1
        );
    }

    #[test]
    fn the_header_of_an_empty_list_has_no_elements() {
        static LIST: Schema = Schema::of(Types::ARRAY, "").array(&ArrayRules {
            items: Some(&POSITIVE),
            ..ArrayRules::ANY
        });
        static HEADER: Header = Header::of("x-list", &LIST);
        for (list, expected) in [(vec![], 0), (vec![1, 2], 0), (vec![1, 0], 1)] {
            let reply = Reply::empty(StatusCode::OK).header_as("x-list", &list);
            let findings = inspect_header(&HEADER, reply.headers());
            assert_eq!(findings.len(), expected, "{list:?}");
        }
    }

    #[test]
    fn the_most_specific_media_type_describes_a_body() {
        static RESPONSE: Response = Response {
            status: Status::Code(200),
            headers: &[],
            media: &[
                MediaType::of("application/*", Codec::Json),
                media("application/json", Codec::Json),
            ],
        };
        let findings = |media_type| {
            let reply = Reply::json_as(StatusCode::OK, media_type, &0);
            inspect(Some(&RESPONSE), &Method::GET, &reply).0.len()
        };
        assert_eq!(findings("application/json"), 1);
        assert_eq!(findings("application/other+json"), 0);
    }

    fn watched(chunks: &[&str]) -> Vec<String> {
        let mut guard = StreamGuard::new(&OPERATION.responses[0].media[1]).unwrap();
        for chunk in chunks {
            guard.see(chunk.as_bytes());
        }
        let findings = guard.finish(true);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_event_of_a_stream_is_compared_as_it_passes() {
        let good: [&str; 0] = [];
        assert_eq!(
            watched(&["data: 1\n\nda", "ta: 2\n\ndata: [DONE]\n\n"]),
            good
        );
        assert_eq!(
            watched(&["data: 1\n\ndata: 0\n\ndata: x\n\n"]),
            [
                "event 1: The body must be at least 1 (minimum)",
                "event 2: its data is not JSON: expected value at line 1 column 1",
                "event 3: the stream ends without [DONE]",
            ]
        );
        assert_eq!(
            watched(&["data: [DONE]\n\ndata: 1\n\n"]),
            ["event 0: it follows the terminator"]
        );
        assert_eq!(
            watched(&["data: 1\n"]),
            ["event 0: the stream ends within it"]
        );
    }
}
