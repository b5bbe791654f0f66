//! Builds valid requests from the examples of a document.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{Request, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::subject::{Secret, Subject};
use crate::table::{
    Codec, MediaType, Operation, Parameter, ParameterIn, Requirement, Schema, Scheme, Types,
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
        let examples = &resolve(document, request_body)["content"][media.name]["examples"];
        for (name, example) in examples.as_object().into_iter().flatten() {
            let value = resolve(document, example)["value"].clone();
            let body = Some((media, value));
            samples.push((
                name.clone(),
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

    /// The request.
    ///
    /// # Errors
    ///
    /// A value that is invalid in its place, such as a header.
    pub(super) fn request(&self) -> Result<Request<Bytes>, http::Error> {
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let mut path = self.operation.path.to_owned();
        let mut query = Vec::new();
        let mut cookies = Vec::new();
        let mut request = Request::builder().method(self.method.clone());
        for (parameter, text) in &self.parameters {
            let name = parameter.name;
            match parameter.location {
                ParameterIn::Path => path = path.replace(&format!("{{{name}}}"), &encoded(text)),
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
            let own = Some(media.name);
            if let Some(content_type) = self.content_type.unwrap_or(own) {
                request = request.header(header::CONTENT_TYPE, content_type);
            }
        }
        let target = match query.is_empty() {
            true => path,
            false => format!("{path}?{}", query.join("&")),
        };
        request.uri(target).body(bytes)
    }

    /// The path of the request.
    pub(super) fn path(&self) -> Option<String> {
        Some(self.request().ok()?.uri().path().to_owned())
    }
}

/// The bytes of a body.
fn written(media: &MediaType, value: &Value) -> Bytes {
    match (media.codec, value) {
        (Codec::Form, Value::Object(members)) => {
            let mut form = url::form_urlencoded::Serializer::new(String::new());
            for (name, member) in members {
                match member {
                    Value::Array(items) => {
                        for item in items {
                            form.append_pair(name, &text(item));
                        }
                    }
                    member => {
                        form.append_pair(name, &text(member));
                    }
                }
            }
            form.finish().into()
        }
        (Codec::Json, value) => value.to_string().into(),
        (_, value) => text(value).into(),
    }
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

/// The document's example of a parameter: of the operation, or of its path.
fn example_of(document: &Value, operation: &Operation, parameter: &Parameter) -> Option<String> {
    let (item, _) = operation.pointer.rsplit_once('/')?;
    for holder in [operation.pointer, item] {
        let list = at(document, &format!("{holder}/parameters"));
        for entry in list.as_array().into_iter().flatten() {
            let entry = resolve(document, entry);
            let place = Location::from(parameter.location).as_str();
            if entry["name"] == parameter.name && entry["in"] == place {
                let first = entry["examples"]
                    .as_object()
                    .and_then(|all| all.values().next());
                let value = first.map(|example| &resolve(document, example)["value"]);
                let value = value
                    .or(entry.get("example"))
                    .or(entry["schema"].get("example"));
                return value.map(text);
            }
        }
    }
    None
}

/// A value for a required parameter without an example.
fn invented(schema: &Schema) -> String {
    if let Some([first, ..]) = schema.enumeration {
        return serde_json::from_str(first)
            .map_or_else(|_| (*first).to_owned(), |value| text(&value));
    }
    match schema.types {
        Types::INTEGER | Types::NUMBER => "1".to_owned(),
        Types::BOOLEAN => "true".to_owned(),
        _ => {
            let length = schema
                .string
                .and_then(|rules| rules.min_length)
                .unwrap_or(1)
                .max(1);
            "a".repeat(usize::try_from(length).unwrap_or(1))
        }
    }
}
