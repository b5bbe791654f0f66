//! Reads the members of a request body that decide its route, and replaces them in place.
//!
//! Every other byte of the body stays unchanged. The upstream must use the same members that
//! policies and limits have checked. Some upstreams ignore the case of member names, so the gateway
//! rejects a name that differs from these only in case.

use std::ops::Range;

use bytes::{Bytes, BytesMut};
use serde::Deserialize;
use serde::de::Error as _;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::members::{Members, folded};

/// The members that decide the route.
const DECIDING: [&str; 2] = ["model", "stream"];
/// The members that limit the output of one choice.
const OUTPUT_BOUNDS: [&str; 3] = ["max_completion_tokens", "max_tokens", "max_output_tokens"];
/// Members by which some model servers choose another model or an adapter.
const OTHER_MODELS: [&str; 4] = ["fallbacks", "lora", "lora_path", "models"];
/// Members that some model servers use as the key of the running request. A key that two calls share
/// mixes up or stops both.
const ENGINE_IDS: [&str; 2] = ["request_id", "rid"];
/// Further members that the gateway reads.
const READ: [&str; 4] = ["background", "extra_body", "n", "stream_options"];

/// A request body with the members that decide its route.
#[derive(Debug, Clone)]
pub struct Routed {
    /// The body, unchanged.
    pub body: Bytes,
    /// The name of the model.
    pub name: String,
    /// Whether it requests a stream.
    pub streams: bool,
    /// Whether the request has `include_usage`.
    pub asks_usage: bool,
    /// Whether it could request a response that the upstream makes after the call.
    pub in_background: bool,
    /// The member by which an upstream could choose a model that no policy has checked.
    pub other_model: Option<&'static str>,
    /// The member that an upstream could use as the key of the running request.
    pub engine_id: Option<&'static str>,
    /// Whether an upstream could use members of `extra_body` in place of those that were checked.
    pub overrides: bool,
    /// The maximum number of output tokens of one choice, if the request sets one.
    bound: Option<u32>,
    /// The number of choices.
    choices: u32,
    /// The position of the name, with its quotes.
    at: Range<usize>,
    /// The position of the value of `stream_options`, if it has one.
    options: Option<Range<usize>>,
}

/// Why a body cannot be routed.
#[derive(Debug, thiserror::Error)]
pub enum Unroutable {
    /// It is not an object that names a model.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A model server might read this member as another one.
    #[error("{0}")]
    Ambiguous(String),
}

/// The member `stream_options`.
#[derive(Deserialize)]
struct Options {
    include_usage: Option<bool>,
}

/// Whether a name equals a deciding one under Unicode case folding only.
fn is_ambiguous(name: &str) -> bool {
    !DECIDING.contains(&name) && DECIDING.contains(&&*folded(name))
}

/// Whether an upstream could read a member as a request for a response in the background. Some upstreams ignore the
/// case of names, or read other values than `true` as true.
fn asks_for_background(name: &str, value: &RawValue) -> bool {
    !matches!(value.get(), "false" | "null") && folded(name) == "background"
}

/// Whether `extra_body` could replace a member that the gateway reads. LiteLLM uses its members in place of those of
/// the body, and reads a list of pairs as an object.
fn overrides(extra: &RawValue) -> bool {
    let Ok(members) = serde_json::from_str::<Option<Members<'_>>>(extra.get()) else {
        return true;
    };
    let read = [
        &DECIDING[..],
        &OUTPUT_BOUNDS,
        &OTHER_MODELS,
        &ENGINE_IDS,
        &READ,
    ];
    let is_read = |name: &str| {
        let name = folded(name);
        read.iter().any(|names| names.contains(&&*name))
    };
    members.is_some_and(|members| members.0.iter().any(|(name, _)| is_read(name)))
}

/// The one of `names` that an upstream could read a member as, if the member has a value.
fn read_as(names: &[&'static str], name: &str, value: &RawValue) -> Option<&'static str> {
    let name = folded(name);
    let mut names = names.iter().copied();
    names.find(|known| *known == name && value.get() != "null")
}

impl Routed {
    /// Finds the model's name in a body.
    ///
    /// # Errors
    ///
    /// If the body has no name, or another member that could be read as it.
    pub fn read(body: Bytes) -> Result<Self, Unroutable> {
        let members: Members<'_> = serde_json::from_slice(&body)?;
        let only = |name| match members.all(name).collect::<Vec<_>>()[..] {
            [] => Ok(None),
            [value] => Ok(Some(value)),
            _ => Err(serde_json::Error::custom(format_args!(
                "duplicate field `{name}`"
            ))),
        };
        let (model, stream) = (only("model")?, only("stream")?);
        let options = only("stream_options")?;
        let model = model.ok_or_else(|| serde_json::Error::missing_field("model"))?;
        let stream = stream.map(|value| serde_json::from_str::<Option<bool>>(value.get()));
        let streams = stream.transpose()?.flatten().unwrap_or(false);
        let mut all = members.0.iter();
        let in_background = all.any(|(name, value)| asks_for_background(name, value));
        let mut names = members.0.iter().map(|(name, _)| &**name);
        if let Some(name) = names.find(|name| is_ambiguous(name)) {
            return Err(Unroutable::Ambiguous(name.to_owned()));
        }
        let asks_usage = options.is_some_and(|options| {
            let options = serde_json::from_str::<Options>(options.get());
            options.is_ok_and(|options| options.include_usage == Some(true))
        });
        let number = |name| {
            let values = members.all(name);
            values.filter_map(|value| positive(value.get())).max()
        };
        // If several are set, the model server decides which one applies.
        let bound = OUTPUT_BOUNDS.into_iter().filter_map(number).max();
        let choices = number("n").unwrap_or(1).max(1);
        let given = |names: &[&'static str]| {
            let mut all = members.0.iter();
            all.find_map(|(name, value)| read_as(names, name, value))
        };
        // A raw value borrows its text from the body.
        let place = |value: &RawValue| {
            let text = value.get();
            let start = (text.as_ptr() as usize).saturating_sub(body.as_ptr() as usize);
            start..start + text.len()
        };
        Ok(Routed {
            name: serde_json::from_str(model.get())?,
            streams,
            asks_usage,
            in_background,
            other_model: given(&OTHER_MODELS),
            engine_id: given(&ENGINE_IDS),
            overrides: members.all("extra_body").any(overrides),
            at: place(model),
            options: options.map(place),
            bound,
            choices,
            body: body.clone(),
        })
    }

    /// The maximum number of output tokens of all choices. `default` is the maximum of one choice
    /// if the request sets none.
    pub fn output_bound(&self, default: u32) -> i64 {
        let bound = i64::from(self.bound.unwrap_or(default));
        bound.saturating_mul(self.choices.into())
    }

    /// The body with another name for the model.
    pub fn naming(&self, name: &str) -> Bytes {
        if self.name == name {
            return self.body.clone();
        }
        let quoted = Value::from(name).to_string();
        replaced(&self.body, &self.at, &quoted)
    }

    /// The same request with `include_usage`, if it requests a stream.
    pub fn asking_usage(mut self) -> Self {
        if !self.streams || self.asks_usage {
            return self;
        }
        let (place, text) = match &self.options {
            Some(place) => {
                // The document allows only an object or null here.
                let given = serde_json::from_slice::<Map<String, Value>>(&self.body[place.clone()]);
                let mut options = given.unwrap_or_default();
                options.insert("include_usage".into(), true.into());
                (place.clone(), Value::Object(options).to_string())
            }
            None => {
                let begin = memchr::memchr(b'{', &self.body).map_or(0, |at| at + 1);
                let text = r#""stream_options":{"include_usage":true},"#;
                (begin..begin, text.to_owned())
            }
        };
        self.body = replaced(&self.body, &place, &text);
        if place.start < self.at.start {
            let moved = |at: usize| at + text.len() - place.len();
            self.at = moved(self.at.start)..moved(self.at.end);
        }
        self.options = None;
        self.asks_usage = true;
        self
    }
}

/// A positive number, which JSON may write as `1e3` or `10.0`. A greater one than the maximum is the
/// maximum.
fn positive(text: &str) -> Option<u32> {
    let number: f64 = text.parse().ok()?;
    // The conversion saturates.
    (number > 0.0).then_some(number as u32)
}

fn replaced(body: &Bytes, place: &Range<usize>, text: &str) -> Bytes {
    let mut replaced = BytesMut::with_capacity(body.len() + text.len());
    replaced.extend_from_slice(&body[..place.start]);
    replaced.extend_from_slice(text.as_bytes());
    replaced.extend_from_slice(&body[place.end..]);
    replaced.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_replaced_where_it_stands_and_nothing_else_is() {
        let body = r#"{ "a":{"model":"x"}, "n":1.50,"model" : "\u0061b" ,"z":[1e2]}"#;
        let routed = Routed::read(body.into()).expect("a body with a model");
        assert_eq!(routed.name, "ab");
        assert_eq!(routed.naming("ab"), body);
        let expected = r#"{ "a":{"model":"x"}, "n":1.50,"model" : "c\"d" ,"z":[1e2]}"#;
        assert_eq!(routed.naming("c\"d"), expected);
    }

    #[test]
    fn the_output_is_bound_by_the_largest_maximum_or_the_default_for_each_choice() {
        for (members, expected) in [
            ("", 4096),
            (r#","n":3"#, 12_288),
            (r#","n":2.0"#, 8192),
            (r#","n":0"#, 4096),
            (r#","n":null,"max_tokens":"7""#, 4096),
            (r#","max_tokens":null"#, 4096),
            (r#","max_tokens":null,"n":2"#, 8192),
            (r#","max_tokens":10"#, 10),
            (r#","max_tokens":10,"max_completion_tokens":20"#, 20),
            (r#","max_output_tokens":7,"n":null"#, 7),
            (r#","max_completion_tokens":5,"n":3"#, 15),
            (r#","max_tokens":1e3"#, 1000),
            (r#","max_tokens":10.0,"n":2.0"#, 20),
            (r#","max_tokens":4294967296"#, 4_294_967_295),
            (r#","n":1e99"#, 4096 * 4_294_967_295),
            (r#","max_tokens":1e99,"n":1e99"#, i64::MAX),
            (r#","max_tokens":"7""#, 4096),
        ] {
            let body = format!(r#"{{"model":"a"{members}}}"#);
            let routed = Routed::read(body.clone().into()).expect("a body");
            assert_eq!(routed.output_bound(4096), expected, "{body}");
        }
    }

    #[test]
    fn a_body_without_a_name_is_refused() {
        for body in [
            "{}",
            r#"{"model":1}"#,
            r#"{"model":"a","model":"b"}"#,
            "[",
            "[]",
        ] {
            assert!(
                Routed::read(Bytes::from_static(body.as_bytes())).is_err(),
                "{body}"
            );
        }
    }

    #[test]
    fn a_member_that_equals_a_deciding_one_but_for_its_case_is_refused() {
        for name in [
            "MODEL",
            "Model",
            "mOdel",
            "Stream",
            "STREAM",
            "\u{17f}tream",
            "\u{fb06}ream",
            "\\u004dodel",
            "\\u017ftream",
        ] {
            for body in [
                format!(r#"{{"model":"a","{name}":"b"}}"#),
                format!(r#"{{"{name}":"b","model":"a"}}"#),
            ] {
                let outcome = Routed::read(body.clone().into());
                assert!(matches!(outcome, Err(Unroutable::Ambiguous(_))), "{body}");
            }
        }
        for name in ["models", "modèl", "streams", "mode", "\u{3bc}odel"] {
            let body = format!(r#"{{"model":"a","{name}":{{"MODEL":"b"}}}}"#);
            assert_eq!(Routed::read(body.into()).expect("a body").name, "a");
        }
    }

    #[test]
    fn no_spelling_requests_a_response_in_the_background_unnoticed() {
        for (member, expected) in [
            (r#""background":true"#, true),
            (r#""background": 1"#, true),
            (r#""background":"true""#, true),
            (r#""Background":true"#, true),
            ("\"bac\u{212a}ground\":true", true),
            (r#""\u0062ackground":true"#, true),
            (r#""background":false,"background":true"#, true),
            (r#""background":false"#, false),
            (r#""background": null "#, false),
            (r#""backgrounds":true"#, false),
            (r#""metadata":{"background":true}"#, false),
        ] {
            let body = format!(r#"{{"model":"a",{member}}}"#);
            let routed = Routed::read(body.into()).expect("a body");
            assert_eq!(routed.in_background, expected, "{member}");
        }
    }

    #[test]
    fn a_member_that_chooses_another_model_is_found() {
        for (members, expected) in [
            ("", None),
            (r#","models":null"#, None),
            (r#","metadata":{"models":"b"}"#, None),
            (r#","models":["b"]"#, Some("models")),
            (r#","models":null,"models":["b"]"#, Some("models")),
            (r#","lora_path":"b""#, Some("lora_path")),
            (r#","Lora_Path":"b""#, Some("lora_path")),
            (r#","MODELS":["b"]"#, Some("models")),
            (",\"fallbac\u{212a}s\":[\"b\"]", Some("fallbacks")),
            (r#","Models":null"#, None),
            (r#","lora":[{"id":1}]"#, Some("lora")),
            (r#","fallbacks":[{"model":"b"}]"#, Some("fallbacks")),
        ] {
            let body = format!(r#"{{"model":"a"{members}}}"#);
            let routed = Routed::read(body.clone().into()).expect("a body");
            assert_eq!(routed.other_model, expected, "{body}");
        }
    }

    #[test]
    fn a_member_that_chooses_the_key_of_the_running_request_is_found() {
        for (members, expected) in [
            ("", None),
            (r#","rid":null"#, None),
            (r#","metadata":{"request_id":"r"}"#, None),
            (r#","request_id":"r""#, Some("request_id")),
            (r#","request_id":"""#, Some("request_id")),
            (r#","request_id":null,"request_id":"r""#, Some("request_id")),
            (r#","\u0072id":["r"]"#, Some("rid")),
            (r#","Request_ID":"r""#, Some("request_id")),
        ] {
            let body = format!(r#"{{"model":"a"{members}}}"#);
            let routed = Routed::read(body.clone().into()).expect("a body");
            assert_eq!(routed.engine_id, expected, "{body}");
        }
    }

    #[test]
    fn a_checked_member_in_the_extra_body_is_found() {
        for (member, expected) in [
            (r#""extra_body":null"#, false),
            (r#""extra_body":{}"#, false),
            (r#""extra_body":{"google":{"model":"b"},"top_k":1}"#, false),
            (r#""metadata":{"extra_body":{"model":"b"}}"#, false),
            (r#""extra_body":{"model":"b"}"#, true),
            (r#""extra_body":{"\u006dodel":"b"}"#, true),
            (r#""extra_body":{"MODEL":"b"}"#, true),
            (r#""extra_body":{"fallbacks":["b"]}"#, true),
            (r#""extra_body":{"rid":"r"}"#, true),
            (r#""extra_body":{"max_tokens":9}"#, true),
            (r#""extra_body":{"n":9}"#, true),
            (r#""extra_body":{"extra_body":{"model":"b"}}"#, true),
            (r#""extra_body":{"model":"b"},"extra_body":{}"#, true),
            (r#""extra_body":[["model","b"]]"#, true),
        ] {
            let body = format!(r#"{{"model":"a",{member}}}"#);
            let routed = Routed::read(body.into()).expect("a body");
            assert_eq!(routed.overrides, expected, "{member}");
        }
    }

    #[test]
    fn usage_is_asked_for_where_the_caller_did_not() {
        for (body, expected) in [
            (
                r#" { "model":"a","stream":true}"#,
                r#" {"stream_options":{"include_usage":true}, "model":"b","stream":true}"#,
            ),
            (
                r#"{"stream_options":null,"model":"a","stream":true}"#,
                r#"{"stream_options":{"include_usage":true},"model":"b","stream":true}"#,
            ),
            (
                r#"{"model":"a","stream":true,"stream_options":{"x":[1],"include_usage":false}}"#,
                r#"{"model":"b","stream":true,"stream_options":{"x":[1],"include_usage":true}}"#,
            ),
            (
                r#"{"model":"a","stream":true,"stream_options":{"include_usage": true}}"#,
                r#"{"model":"b","stream":true,"stream_options":{"include_usage": true}}"#,
            ),
            (
                r#"{"model":"a","stream":false}"#,
                r#"{"model":"b","stream":false}"#,
            ),
        ] {
            let routed = Routed::read(body.into()).expect("a body with a model");
            assert_eq!(routed.asking_usage().naming("b"), expected);
        }
    }
}
