//! Scripted responses: their builder, and their comparison with the document.

use std::fmt::Display;
use std::time::Duration;

use dropforge_runtime::http::{HeaderName, HeaderValue, StatusCode};
use dropforge_runtime::table::{Codec, Status};
use serde_json::Value;

use crate::catalog::{self, Known};
use crate::error::ScriptError;
use crate::response::{Content, Response};
use crate::state::{Repeat, State};

/// The start of a scripted response: the operation. See [`FakeAccord::on`](crate::FakeAccord::on).
#[must_use = "a script has no effect without a response"]
pub struct Script<'f> {
    state: &'f State,
    operation: String,
}

/// A response that is about to be scripted. [`once`](Self::once), [`times`](Self::times) and
/// [`always`](Self::always) compare it with the document and script it.
#[must_use = "a response is scripted by `once`, `times` or `always`"]
pub struct ScriptedResponse<'f> {
    state: &'f State,
    operation: String,
    status: Wanted,
    body: Body,
    headers: Vec<(String, String)>,
    delay: Duration,
    is_cut: bool,
}

/// The status of a scripted response.
enum Wanted {
    Code(u16),
    /// The status of the response with an event stream.
    OfStream,
}

/// The body of a scripted response.
enum Body {
    /// The example with this name, or the first one.
    Example(Option<String>),
    Json(Value),
    Events(Vec<Value>),
}

impl<'f> Script<'f> {
    pub(crate) fn new(state: &'f State, operation: &str) -> Self {
        Script {
            state,
            operation: operation.to_owned(),
        }
    }

    /// Responds with a status and a JSON body. [`Value::Null`] is a response without a body.
    pub fn returns(self, status: u16, body: Value) -> ScriptedResponse<'f> {
        self.response(Wanted::Code(status), Body::Json(body))
    }

    /// Responds with an error: a status, and the first example of the document for it.
    /// [`ScriptedResponse::example`] and [`ScriptedResponse::body`] choose another body.
    ///
    /// The client waits as long as `Retry-After` of a 429 or 503 says. Set the header to 1 for a short test.
    pub fn fails(self, status: u16) -> ScriptedResponse<'f> {
        self.response(Wanted::Code(status), Body::Example(None))
    }

    /// Responds with an event stream. Each value is the data of one event. The fake adds the names
    /// of the events and the end mark, as the document has them.
    ///
    /// ```
    /// # use accord_client::{ChatMessageExt, ReplyEvents};
    /// # use accord_client::inference::types::{ChatCompletionRequest, ChatMessage};
    /// # use accord_testing::{FakeAccord, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let fake = FakeAccord::start().await;
    /// # let accord = fake.client().build()?;
    /// let piece = |delta, finish_reason| json!({
    ///     "id": "chat-1", "object": "chat.completion.chunk", "created": 1767225600, "model": "accord.echo",
    ///     "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    /// });
    /// fake.on("createChatCompletion").streams([
    ///     piece(json!({"role": "assistant", "content": "Hello "}), json!(null)),
    ///     piece(json!({"content": "there"}), json!("stop")),
    /// ]).once()?;
    /// let request = ChatCompletionRequest::new([ChatMessage::user("Hi")], "accord.echo");
    /// let events = accord.inference().create_chat_completion_stream().body(request).call().await?;
    /// assert_eq!(events.collect_text().await?, "Hello there");
    /// # Ok(())
    /// # }
    /// ```
    pub fn streams(self, events: impl IntoIterator<Item = Value>) -> ScriptedResponse<'f> {
        let events = events.into_iter().collect();
        self.response(Wanted::OfStream, Body::Events(events))
    }

    fn response(self, status: Wanted, body: Body) -> ScriptedResponse<'f> {
        ScriptedResponse {
            state: self.state,
            operation: self.operation,
            status,
            body,
            headers: Vec::new(),
            delay: Duration::ZERO,
            is_cut: false,
        }
    }
}

impl ScriptedResponse<'_> {
    /// Sets a header. Required headers that are not set have the example of the document.
    pub fn header(mut self, name: &str, value: impl Display) -> Self {
        self.headers.push((name.to_owned(), value.to_string()));
        self
    }

    /// Uses the example of the document with this name as the body. An unknown name is an error that lists the names.
    ///
    /// These errors have several examples:
    ///
    #[doc = include_str!("examples.md")]
    pub fn example(mut self, name: &str) -> Self {
        self.body = Body::Example(Some(name.to_owned()));
        self
    }

    /// Uses a JSON value as the body. [`Value::Null`] is a response without a body.
    pub fn body(mut self, body: Value) -> Self {
        self.body = Body::Json(body);
        self
    }

    /// Waits before the response, for tests of deadlines.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use accord_testing::FakeAccord;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let fake = FakeAccord::start().await;
    /// fake.on("listModels").fails(500).after(Duration::from_secs(60)).always()?;
    /// let accord = fake.client().deadline(Duration::from_millis(200)).build()?;
    /// assert!(accord.inference().list_models().call().await.is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Breaks the connection after the last event of a stream, without the end mark of the document.
    pub fn cut(mut self) -> Self {
        self.is_cut = true;
        self
    }

    /// Sends the response to the next request. After it, the operation sends the response that was
    /// scripted next, or the default.
    ///
    /// # Errors
    ///
    /// If the documents do not allow the response.
    pub fn once(self) -> Result<(), ScriptError> {
        self.times(1)
    }

    /// Sends the response to so many requests, after those that were scripted before.
    ///
    /// # Errors
    ///
    /// If the documents do not allow the response.
    pub fn times(self, times: usize) -> Result<(), ScriptError> {
        self.install(Repeat::Times(times))
    }

    /// Sends the response in place of the default, whenever no response of
    /// [`once`](Self::once) or [`times`](Self::times) is left.
    ///
    /// # Errors
    ///
    /// If the documents do not allow the response.
    pub fn always(self) -> Result<(), ScriptError> {
        self.install(Repeat::Always)
    }

    fn install(self, repeat: Repeat) -> Result<(), ScriptError> {
        let known = catalog::find(&self.operation).ok_or_else(|| self.unknown())?;
        let state = self.state;
        let response = self.checked(known)?;
        state.script(known.operation.id, response, repeat);
        Ok(())
    }

    fn unknown(&self) -> ScriptError {
        ScriptError::UnknownOperation {
            operation: self.operation.clone(),
            known: catalog::operations()
                .map(|known| known.operation.id)
                .collect(),
        }
    }

    /// The response, if the document allows it.
    fn checked(self, known: Known) -> Result<Response, ScriptError> {
        let (operation, place) = (known.operation.id, known.place());
        let status = match self.status {
            Wanted::Code(code) => listed(known, code)?,
            Wanted::OfStream => known.success(),
        };
        let headers = headers(known, self.headers)?;
        let content = match self.body {
            Body::Example(name) => example(known, status, name)?,
            Body::Json(Value::Null) => Content::Empty,
            Body::Json(value) => Content::Json(value),
            Body::Events(events) => Content::Events(events),
        };
        let response = Response {
            status,
            headers,
            content,
            delay: self.delay,
            is_cut: self.is_cut,
        };
        let response = response.with_required_headers(known);
        let mut violations = response.violations(known);
        if response.is_cut && !matches!(response.content, Content::Events(_)) {
            violations.push("only an event stream can be cut".to_owned());
        }
        match violations.is_empty() {
            true => Ok(response),
            false => Err(ScriptError::Invalid {
                operation,
                place,
                status: status.as_u16(),
                violations,
            }),
        }
    }
}

/// The status, if the document lists it.
fn listed(known: Known, code: u16) -> Result<StatusCode, ScriptError> {
    let status = StatusCode::from_u16(code).ok();
    let status = status.filter(|status| known.operation.response(*status).is_some());
    status.ok_or_else(|| {
        let responses = known.operation.responses.iter();
        let listed = responses.filter_map(|response| match response.status {
            Status::Code(code) => Some(code),
            _ => None,
        });
        ScriptError::UnlistedStatus {
            operation: known.operation.id,
            place: known.place(),
            status: code,
            listed: listed.collect(),
        }
    })
}

/// The example of the document with this name, or the first one.
fn example(known: Known, status: StatusCode, name: Option<String>) -> Result<Content, ScriptError> {
    let response = Response::example(known, status, name.as_deref());
    match (response.content, name) {
        (Content::Empty, Some(name)) => Err(ScriptError::UnknownExample {
            operation: known.operation.id,
            place: known.place(),
            status: status.as_u16(),
            name,
            known: names(known, status),
        }),
        (content, _) => Ok(content),
    }
}

fn names(known: Known, status: StatusCode) -> Vec<&'static str> {
    let Some(response) = known.operation.response(status) else {
        return Vec::new();
    };
    let mut media = response.media.iter();
    let media = media.find(|media| media.codec == Codec::Json);
    let examples = media.map(|media| known.examples(response, media));
    let examples = examples.into_iter().flatten();
    examples.map(|(name, _)| name).collect()
}

/// The headers, if they can be sent.
fn headers(
    known: Known,
    given: Vec<(String, String)>,
) -> Result<Vec<(HeaderName, String)>, ScriptError> {
    let headers = given
        .into_iter()
        .map(|(name, value)| -> Result<_, ScriptError> {
            let invalid = |remedy| ScriptError::InvalidHeader {
                operation: known.operation.id,
                place: known.place(),
                name: name.clone(),
                remedy,
            };
            let parsed = HeaderName::try_from(name.as_str());
            let parsed = parsed.map_err(|_| invalid("its name is not a header name"))?;
            HeaderValue::try_from(value.as_str())
                .map_err(|_| invalid("remove the control characters from its value"))?;
            Ok((parsed, value))
        });
    headers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The errors that have several examples, as a table.
    fn table() -> String {
        let mut rows = Vec::new();
        for known in catalog::operations() {
            for response in known.operation.responses {
                let Status::Code(code @ 400..) = response.status else {
                    continue;
                };
                let status = StatusCode::from_u16(code).expect("a status");
                let names = names(known, status);
                if names.len() > 1 {
                    rows.push((known.operation.id, code, names.join("`, `")));
                }
            }
        }
        rows.sort_unstable();
        let rows = rows
            .iter()
            .map(|(id, code, names)| format!("| `{id}` | {code} | `{names}` |\n"));
        let head = "| operation | status | examples, the first one by default |\n|---|---|---|\n";
        head.to_owned() + &rows.collect::<String>()
    }

    #[test]
    fn the_documentation_lists_the_examples_of_errors() {
        assert_eq!(table(), include_str!("examples.md"));
    }
}
