//! Builds valid requests from the examples of a document.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{Request, header};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use super::subject::{Secret, Subject};
use crate::check::{self, Direction};
use crate::coerce::coerce;
use crate::media::MediaRange;
use crate::table::{
    Codec, MediaType, Number, Operation, Parameter, ParameterIn, Part, Requirement, Schema, Scheme,
    Segment, Style,
};
use crate::violation::Location;

/// The parts of a valid request. A case changes one of them at a time.
#[derive(Clone)]
pub(super) struct Sample {
    operation: &'static Operation,
    /// The text of each parameter that is sent.
    pub(super) parameters: Vec<(&'static Parameter, String)>,
    pub(super) body: Option<(&'static MediaType, Value)>,
    /// Replaces the `Content-Type` of the body. `Some(None)` omits the header.
    pub(super) content_type: Option<Option<&'static str>>,
    pub(super) accept: Option<&'static str>,
    pub(super) method: http::Method,
    /// The credentials in the query and in headers.
    query: Vec<(String, String)>,
    headers: Vec<(String, String)>,
}

/// The characters that are escaped in a literal of a path.
const LITERAL: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':')
    .remove(b'@');

/// The boundary between the parts of a `multipart/form-data` body.
const BOUNDARY: &str = "boundary-of-the-contract-tests";

/// A request for each example of the body, with the name of the example. One request without
/// a body if there is no example.
pub(super) fn all<S: Subject + ?Sized>(
    document: &Value,
    operation: &'static Operation,
    subject: &S,
) -> Vec<(String, Sample)> {
    let parameters = operation
        .parameters
        .iter()
        .filter_map(|parameter| {
            let given = subject.parameter(operation, parameter);
            let text = given.or_else(|| {
                let example = example_of(document, operation, parameter);
                let wanted = parameter.required || parameter.location == ParameterIn::Path;
                example.or_else(|| wanted.then(|| invented(parameter.schema)))
            })?;
            Some((parameter, text))
        })
        .collect();
    let bare = Sample {
        operation,
        parameters,
        body: None,
        content_type: None,
        accept: None,
        method: operation.method.clone(),
        query: Vec::new(),
        headers: Vec::new(),
    };
    let mut samples = Vec::new();
    for media in operation.body.map_or(&[][..], |body| body.media) {
        let request_body = at(document, &format!("{}/requestBody", operation.pointer));
        let content = &resolve(document, request_body)["content"][media.name];
        for (name, value) in examples_of(document, content) {
            let body = Some((media, value));
            samples.push((
                name,
                Sample {
                    body,
                    ..bare.clone()
                },
            ));
        }
    }
    if samples.is_empty() {
        samples.push(("no body".to_owned(), bare));
    }
    samples
}

impl Sample {
    /// Adds the credentials of an alternative.
    pub(super) fn signed(mut self, requirement: &Requirement, secrets: Vec<Secret>) -> Sample {
        for (used, secret) in requirement.all.iter().zip(secrets) {
            let authorization = |value: String| (header::AUTHORIZATION.to_string(), value);
            match (secret, used.scheme) {
                (Secret::Bearer(token), _) => {
                    self.headers.push(authorization(format!("Bearer {token}")))
                }
                (Secret::Basic(user, password), _) => {
                    let encoded = STANDARD.encode(format!("{user}:{password}"));
                    self.headers.push(authorization(format!("Basic {encoded}")));
                }
                (Secret::ApiKey(key), Scheme::ApiKey { location, name }) => match location {
                    ParameterIn::Query => self.query.push((name.to_owned(), key)),
                    ParameterIn::Cookie => {
                        self.headers
                            .push((header::COOKIE.to_string(), format!("{name}={key}")));
                    }
                    ParameterIn::Header | ParameterIn::Path => {
                        self.headers.push((name.to_owned(), key));
                    }
                },
                (Secret::ApiKey(key), _) => self.headers.push(authorization(key)),
                (Secret::MutualTls, _) => {}
            }
        }
        self
    }

    /// This request with one more parameter, for each that it lacks.
    pub(super) fn with_each_absent_parameter(&self) -> Vec<Sample> {
        let is_absent = |parameter: &&'static Parameter| {
            let mut present = self.parameters.iter();
            !present.any(|(known, _)| std::ptr::eq(*known, *parameter))
        };
        let absent = self.operation.parameters.iter().filter(is_absent);
        let with = |parameter: &'static Parameter| {
            let mut sample = self.clone();
            let value = invented(parameter.schema);
            sample.parameters.push((parameter, value));
            sample
        };
        absent.map(with).collect()
    }

    /// The request.
    ///
    /// # Errors
    ///
    /// A value that is invalid in its place, such as a header.
    pub(super) fn request(&self) -> Result<Request<Bytes>, http::Error> {
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let mut query = Vec::new();
        let mut cookies = Vec::new();
        let mut request = Request::builder().method(self.method.clone());
        for (parameter, text) in &self.parameters {
            let name = parameter.name;
            match parameter.location {
                // `filled_path` writes its value.
                ParameterIn::Path => {}
                ParameterIn::Query => query.push(format!("{}={}", encoded(name), encoded(text))),
                ParameterIn::Cookie => cookies.push(format!("{name}={}", encoded(text))),
                ParameterIn::Header => request = request.header(name, text.as_str()),
            }
        }
        for (name, value) in &self.query {
            query.push(format!("{}={}", encoded(name), encoded(value)));
        }
        for (name, value) in &self.headers {
            request = request.header(name.as_str(), value.as_str());
        }
        if !cookies.is_empty() {
            request = request.header(header::COOKIE, cookies.join("; "));
        }
        if let Some(accept) = self.accept {
            request = request.header(header::ACCEPT, accept);
        }
        let mut bytes = Bytes::new();
        if let Some((media, value)) = &self.body {
            bytes = written(media, value);
            let own = content_type(media);
            if let Some(content_type) = self.content_type.unwrap_or(Some(own.as_str())) {
                request = request.header(header::CONTENT_TYPE, content_type);
            }
        }
        let path = self.filled_path();
        let target = match query.is_empty() {
            true => path,
            false => format!("{path}?{}", query.join("&")),
        };
        request.uri(target).body(bytes)
    }

    /// The path with the values of its parameters.
    fn filled_path(&self) -> String {
        let literal = |text: &str| utf8_percent_encode(text, LITERAL).to_string();
        let mut path = String::new();
        for segment in self.operation.segments {
            path.push('/');
            match segment {
                Segment::Literal(text) => path += &literal(text),
                Segment::Variable(name) => path += &self.value_in_path(name),
                Segment::Mixed(parts) => {
                    for part in *parts {
                        path += &match part {
                            Part::Literal(text) => literal(text),
                            Part::Variable(name) => self.value_in_path(name),
                        };
                    }
                }
            }
        }
        match path.is_empty() {
            true => "/".to_owned(),
            false => path,
        }
    }

    /// The value of a parameter in the path, in the notation of its style.
    fn value_in_path(&self, name: &str) -> String {
        let is_it = |one: &Parameter| one.location == ParameterIn::Path && one.name == name;
        let mut parameters = self.parameters.iter();
        let Some((parameter, text)) = parameters.find(|(one, _)| is_it(one)) else {
            return String::new();
        };
        let value = utf8_percent_encode(text, NON_ALPHANUMERIC);
        match parameter.style {
            Style::Label => format!(".{value}"),
            Style::Matrix => format!(";{name}={value}"),
            _ => value.to_string(),
        }
    }

    /// The path of the request.
    pub(super) fn path(&self) -> Option<String> {
        Some(self.request().ok()?.uri().path().to_owned())
    }
}

/// The `Content-Type` of a body.
fn content_type(media: &MediaType) -> String {
    match media.codec {
        Codec::Multipart => format!("{}; boundary={BOUNDARY}", media.name),
        _ => media.name.to_owned(),
    }
}

/// The bytes of a body.
fn written(media: &MediaType, value: &Value) -> Bytes {
    match (media.codec, value) {
        (Codec::Form, Value::Object(members)) => {
            let mut form = url::form_urlencoded::Serializer::new(String::new());
            for (name, member) in members {
                for value in items(member) {
                    form.append_pair(name, &text(value));
                }
            }
            form.finish().into()
        }
        (Codec::Multipart, Value::Object(members)) => multipart(media, members).into(),
        (Codec::Json, value) => value.to_string().into(),
        (_, value) => text(value).into(),
    }
}

/// The values of a member of a form, each of which has a pair or a part.
fn items(member: &Value) -> &[Value] {
    match member {
        Value::Array(items) => items,
        member => std::slice::from_ref(member),
    }
}

/// The parts of a `multipart/form-data` body. A part names no media type, and so has the first that
/// the document lists for it.
fn multipart(media: &MediaType, members: &Map<String, Value>) -> String {
    let mut body = String::new();
    for (name, member) in members {
        let listed = media.parts.iter().find(|(known, _)| known == name);
        let first = listed.and_then(|(_, listed)| listed.first());
        let range = first.and_then(|first| MediaRange::parse(first));
        let is_json = range.is_some_and(|range| range.is_json());
        for value in items(member) {
            let content = match value {
                Value::String(text) if !is_json => text.clone(),
                value => value.to_string(),
            };
            body += &format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{content}\r\n"
            );
        }
    }
    body + &format!("--{BOUNDARY}--\r\n")
}

/// The text of a value in a parameter or a form.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(","),
        value => value.to_string(),
    }
}

fn at<'v>(document: &'v Value, pointer: &str) -> &'v Value {
    document.pointer(pointer).unwrap_or(&Value::Null)
}

/// The value that a reference names, or the value itself.
fn resolve<'v>(document: &'v Value, value: &'v Value) -> &'v Value {
    match value["$ref"]
        .as_str()
        .and_then(|reference| reference.strip_prefix('#'))
    {
        Some(pointer) => at(document, pointer),
        None => value,
    }
}

/// The examples of a parameter or a media type, with their names: its own, or else the one of its schema.
fn examples_of(document: &Value, holder: &Value) -> Vec<(String, Value)> {
    let named = holder["examples"].as_object().into_iter().flatten();
    let named = named.filter_map(|(name, example)| {
        let value = resolve(document, example).get("value")?;
        Some((name.clone(), value.clone()))
    });
    let named: Vec<_> = named.collect();
    if !named.is_empty() {
        return named;
    }
    let schema = resolve(document, &holder["schema"]);
    let only = holder.get("example").or(schema.get("example"));
    let only = only.or(schema["examples"].get(0));
    let only = only.map(|value| ("of the document".to_owned(), value.clone()));
    only.into_iter().collect()
}

/// The document's example of a parameter: of the operation, or of its path.
fn example_of(document: &Value, operation: &Operation, parameter: &Parameter) -> Option<String> {
    let (item, _) = operation.pointer.rsplit_once('/')?;
    for holder in [operation.pointer, item] {
        let list = at(document, &format!("{holder}/parameters"));
        for entry in list.as_array().into_iter().flatten() {
            let entry = resolve(document, entry);
            let place = Location::from(parameter.location).as_str();
            if entry["name"] == parameter.name && entry["in"] == place {
                let examples = examples_of(document, entry);
                return examples.first().map(|(_, value)| text(value));
            }
        }
    }
    None
}

/// A text of each form that schemas require often.
const FORMS: [&str; 11] = [
    "1",
    "true",
    "7e0a4a52-7d0f-4d5f-9c55-3f5b1f2f7a10",
    "2026-11-21",
    "2026-11-21T10:00:00Z",
    "10:00:00Z",
    "P1D",
    "ana@example.com",
    "https://example.com/",
    "192.0.2.1",
    "2001:db8::1",
];

/// The length of the longest text that is invented. A longer one is past other limits too.
const MAX_LENGTH: u64 = 70_000;

/// A value for a parameter without an example: the first valid one of a few.
fn invented(schema: &Schema) -> String {
    let parts = || std::iter::once(schema).chain(schema.all_of.iter().copied());
    let listed = parts().filter_map(|part| part.enumeration).flatten();
    let listed = listed.filter_map(|listed| serde_json::from_str::<Value>(listed).ok());
    let listed = listed.map(|value| text(&value));
    let length = parts().filter_map(|part| part.string?.min_length).max();
    let length = length.unwrap_or(1).clamp(1, MAX_LENGTH);
    let letters = "a".repeat(usize::try_from(length).unwrap_or(1));
    let bounds = parts().filter_map(|part| part.number);
    let bounds = bounds.flat_map(|rules| [rules.minimum, rules.maximum]);
    let bounds = bounds.flatten().map(|(bound, _)| match bound {
        Number::Integer(bound) => bound.to_string(),
        Number::Float(bound) => bound.to_string(),
    });
    let forms = FORMS.into_iter().map(str::to_owned);
    let mut texts = listed.chain([letters.clone()]).chain(forms).chain(bounds);
    let is_valid = |text: &String| {
        let value = coerce(schema, text.as_str());
        check::is_valid(schema, &value, Direction::Request)
    };
    texts.find(is_valid).unwrap_or(letters)
}

#[cfg(test)]
mod tests {
    use http::Response;
    use serde_json::json;

    use super::*;
    use crate::table::{
        NO_OPERATION, NumberRules, RequestBody, SchemeUse, StringFormat, StringRules, Types,
    };

    /// No test sends a request.
    struct Nowhere;

    impl Subject for Nowhere {
        fn send(&self, _: Request<Bytes>) -> Result<Response<Bytes>, String> {
            Err("there is no server".to_owned())
        }

        fn credentials(&self, _: &Operation, _: &SchemeUse) -> Secret {
            Secret::MutualTls
        }

        fn insufficient(&self, _: &SchemeUse) -> Option<Secret> {
            None
        }

        fn parameter(&self, _: &Operation, parameter: &Parameter) -> Option<String> {
            (parameter.name == "id").then(|| "x/y".to_owned())
        }
    }

    #[test]
    fn a_path_has_the_escapes_of_its_literals_and_the_styles_of_its_parameters() {
        static OPERATION: Operation = Operation {
            segments: &[
                Segment::Literal("a/b-{c}"),
                Segment::Mixed(&[Part::Variable("id"), Part::Literal(":act")]),
                Segment::Variable("m"),
            ],
            parameters: &[
                Parameter::of(ParameterIn::Path, "id", Style::Simple, &Schema::ANY).required(),
                Parameter::of(ParameterIn::Path, "m", Style::Matrix, &Schema::ANY).required(),
            ],
            ..NO_OPERATION
        };
        let (_, sample) = all(&json!({}), &OPERATION, &Nowhere).remove(0);
        let expected = "/a%2Fb-%7Bc%7D/x%2Fy:act/;m=a";
        assert_eq!(sample.path().as_deref(), Some(expected));
        static ROOT: Operation = NO_OPERATION;
        let (_, sample) = all(&json!({}), &ROOT, &Nowhere).remove(0);
        assert_eq!(sample.path().as_deref(), Some("/"));
    }

    #[test]
    fn an_example_of_a_body_is_sent_wherever_the_document_has_it() {
        static BODY: RequestBody = RequestBody {
            required: true,
            lenient: false,
            media: &[MediaType::of("application/json", Codec::Json)],
        };
        static OPERATION: Operation = Operation {
            pointer: "/paths/~1a/post",
            body: Some(&BODY),
            ..NO_OPERATION
        };
        let several =
            json!({"a": {"value": 1}, "b": {"$ref": "#/two"}, "c": {"externalValue": "x"}});
        for (content, expected) in [
            (json!({ "examples": several }), vec![json!(1), json!(2)]),
            (json!({"example": 3}), vec![json!(3)]),
            (json!({"schema": {"$ref": "#/four"}}), vec![json!(4)]),
            (json!({"schema": {"examples": [5, 6]}}), vec![json!(5)]),
            (json!({"schema": {}}), vec![]),
        ] {
            let document = json!({
                "paths": {"/a": {"post": {"requestBody": {"content": {"application/json": content}}}}},
                "two": {"value": 2},
                "four": {"example": 4},
            });
            let samples = all(&document, &OPERATION, &Nowhere).into_iter();
            let bodies = samples.filter_map(|(_, sample)| sample.body);
            let values: Vec<Value> = bodies.map(|(_, value)| value).collect();
            assert_eq!(values, expected, "{document}");
        }
    }

    #[test]
    fn an_example_of_several_parts_has_a_boundary() {
        static MEDIA: MediaType = MediaType::of("multipart/form-data", Codec::Multipart)
            .parts(&[("note", &["application/json", "text/plain"])]);
        static OPERATION: Operation = NO_OPERATION;
        let (_, mut sample) = all(&json!({}), &OPERATION, &Nowhere).remove(0);
        for (value, contents) in [
            (json!({"file": "a"}), &["a"][..]),
            (json!({"file": ["a", {"b": 1}]}), &["a", "{\"b\":1}"]),
            (json!({"note": "a"}), &["\"a\""]),
        ] {
            let name = if value["note"].is_null() {
                "file"
            } else {
                "note"
            };
            let head = format!("Content-Disposition: form-data; name=\"{name}\"");
            let part = |content: &&str| format!("--{BOUNDARY}\r\n{head}\r\n\r\n{content}\r\n");
            let parts: String = contents.iter().map(part).collect();
            sample.body = Some((&MEDIA, value));
            let request = sample.request().unwrap();
            let expected = format!("multipart/form-data; boundary={BOUNDARY}");
            assert_eq!(request.headers()["content-type"], expected);
            let expected = format!("{parts}--{BOUNDARY}--\r\n");
            assert_eq!(request.body(), expected.as_bytes());
        }
    }

    #[test]
    fn an_invented_value_is_valid() {
        let assert_valid = |schema: &Schema| {
            let text = invented(schema);
            let value = coerce(schema, text.as_str());
            let is_valid = check::is_valid(schema, &value, Direction::Request);
            assert!(is_valid, "{text} under {schema:?}");
        };
        for format in [
            StringFormat::Byte,
            StringFormat::Date,
            StringFormat::DateTime,
            StringFormat::Duration,
            StringFormat::Email,
            StringFormat::Hostname,
            StringFormat::Ipv4,
            StringFormat::Ipv6,
            StringFormat::Time,
            StringFormat::Uri,
            StringFormat::Uuid,
        ] {
            let rules = StringRules {
                format: Some(format),
                ..StringRules::ANY
            };
            assert_valid(&Schema::of(Types::STRING, "").string(Box::leak(Box::new(rules))));
        }
        static LONG: StringRules = StringRules {
            min_length: Some(3),
            ..StringRules::ANY
        };
        static LARGE: NumberRules = NumberRules {
            minimum: Some((Number::Integer(5), false)),
            ..NumberRules::ANY
        };
        static INTEGER: Schema = Schema::of(Types::INTEGER, "").number(&LARGE);
        static PART: Schema = Schema::ANY.all_of(&[&INTEGER]);
        assert_valid(&Schema::of(Types::STRING, "").string(&LONG));
        assert_valid(&INTEGER);
        assert_valid(&PART);
        assert_valid(&Schema::of(Types::STRING, "").enumeration(&[r#""red""#]));
        assert_valid(&Schema::of(Types::BOOLEAN, ""));
    }

    #[test]
    fn the_length_of_an_invented_text_has_a_limit() {
        static ENDLESS: StringRules = StringRules {
            min_length: Some(u64::MAX),
            ..StringRules::ANY
        };
        let text = invented(&Schema::of(Types::STRING, "").string(&ENDLESS));
        assert_eq!(text.len(), 70_000);
    }
}
