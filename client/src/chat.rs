//! Helpers for chats and responses: messages by their author, and the text and the tool calls of event streams.

use crate::areas::inference::types::{
    ChatChunkChoice, ChatCompletionEvent, ChatCompletionMessage, ChatMessage, ChatUsage,
    FinishReason, FunctionCall, FunctionCallRequired, MessageContent, ModelResponse,
    ModelResponseEvent, ToolCall, ToolCallDelta, ToolCallRequired,
};
use dropforge_client::{EventStream, StreamError};
use futures_util::{
    StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::{fmt, future::Future};

/// Messages by their author.
///
/// ```
/// use accord_client::{ChatMessageExt, inference::types::ChatMessage};
///
/// let messages = [ChatMessage::system("Answer briefly."), ChatMessage::user("What is a lease?")];
/// assert_eq!(messages[1].role, "user");
/// ```
pub trait ChatMessageExt: Sized {
    /// Instructions for the model.
    fn system(text: impl Into<String>) -> Self;
    /// A message of the user.
    fn user(text: impl Into<String>) -> Self;
    /// An earlier message of the model.
    fn assistant(text: impl Into<String>) -> Self;
    /// The result of the tool call with this identifier.
    fn tool(call_id: impl Into<String>, result: impl Into<String>) -> Self;
    /// A message of a completion, with its tool calls.
    fn from_reply(reply: ChatCompletionMessage) -> Self;
}

impl ChatMessageExt for ChatMessage {
    fn system(text: impl Into<String>) -> Self {
        Self::new("system").content(text.into())
    }

    fn user(text: impl Into<String>) -> Self {
        Self::new("user").content(text.into())
    }

    fn assistant(text: impl Into<String>) -> Self {
        Self::new("assistant").content(text.into())
    }

    fn tool(call_id: impl Into<String>, result: impl Into<String>) -> Self {
        Self::new("tool")
            .content(result.into())
            .tool_call_id(call_id)
    }

    fn from_reply(reply: ChatCompletionMessage) -> Self {
        let mut message = Self::new(reply.role.as_str()).extra(reply.extra);
        message.content = reply.content.map(Into::into);
        message.refusal = reply.refusal;
        message.tool_calls = reply.tool_calls;
        message
    }
}

/// The events of one reply: of a chat or of a response.
///
/// ```no_run
/// # async fn example(accord: accord_client::Accord) -> Result<(), Box<dyn std::error::Error>> {
/// use accord_client::{ChatMessageExt, ReplyEvents};
/// use accord_client::inference::types::{ChatCompletionRequest, ChatMessage};
///
/// let mut messages = vec![ChatMessage::user("What time is it?")];
/// let request = ChatCompletionRequest::new(messages.clone(), "accord.echo");
/// let chat = accord.inference().create_chat_completion_stream();
/// let reply = chat.body(request).call().await?.collect_reply().await?;
/// for call in reply.tool_calls() {
///     messages.push(ChatMessage::tool(&call.id, "12:30"));
/// }
/// # Ok(())
/// # }
/// ```
pub trait ReplyEvents: Sized + Send {
    /// The whole reply.
    type Reply;

    /// The pieces of the text as they arrive. If the model refuses the request, its refusal is the text.
    ///
    /// The stream ends with its first error. An event that does not match the document is an error. An unknown event of a
    /// later service is not an error.
    fn texts(self) -> BoxStream<'static, Result<String, ReplyError>>;

    /// The whole text.
    ///
    /// # Errors
    ///
    /// When the stream is interrupted, or the service reports an error in it.
    fn collect_text(self) -> impl Future<Output = Result<String, ReplyError>> + Send {
        self.texts().try_collect()
    }

    /// The whole reply, with its tool calls.
    ///
    /// # Errors
    ///
    /// When the stream is interrupted, or the service reports an error in it.
    fn collect_reply(self) -> impl Future<Output = Result<Self::Reply, ReplyError>> + Send;
}

/// An event of a chat or of a response, for a program that reads the events itself.
pub trait ReplyEvent {
    /// Its piece of the text, or of the refusal. Other events, among them those of a later service, have an empty one. Of a
    /// chat, only the first choice counts.
    ///
    /// # Errors
    ///
    /// When the event is an error of the service.
    fn text(&self) -> Result<String, ReplyError>;
}

impl ReplyEvent for ChatCompletionEvent {
    fn text(&self) -> Result<String, ReplyError> {
        match self {
            Self::ChatCompletionChunk(chunk) => {
                let deltas = chunk.choices.iter().filter(|choice| choice.index == 0);
                let texts =
                    deltas.flat_map(|choice| [&choice.delta.content, &choice.delta.refusal]);
                Ok(texts.flatten().map(String::as_str).collect())
            }
            Self::InferenceError(error) => Err(ReplyError::Model {
                code: Some(error.error.code.to_string()),
                message: Some(error.error.message.clone()),
            }),
            _ => Ok(String::new()),
        }
    }
}

impl ReplyEvent for ModelResponseEvent {
    fn text(&self) -> Result<String, ReplyError> {
        match self {
            Self::ResponseOutputTextDeltaEvent(piece) => Ok(piece.delta.clone()),
            Self::ResponseRefusalDeltaEvent(piece) => Ok(piece.delta.clone()),
            Self::ResponseErrorEvent(error) => Err(ReplyError::Model {
                code: Some(error.code.to_string()),
                message: Some(error.message.clone()),
            }),
            Self::ResponseFailedEvent(event) => {
                let error = event.response.error.as_ref();
                Err(ReplyError::Model {
                    code: error.and_then(|error| error.code.clone()),
                    message: error.and_then(|error| error.message.clone()),
                })
            }
            // The other events repeat the text, or have none.
            _ => Ok(String::new()),
        }
    }
}

impl ReplyEvents for EventStream<ChatCompletionEvent> {
    type Reply = ChatReply;

    fn texts(self) -> BoxStream<'static, Result<String, ReplyError>> {
        texts(self, ChatReply::default())
    }

    fn collect_reply(self) -> impl Future<Output = Result<ChatReply, ReplyError>> + Send {
        collect(self, ChatReply::default())
    }
}

impl ReplyEvents for EventStream<ModelResponseEvent> {
    type Reply = ModelResponse;

    fn texts(self) -> BoxStream<'static, Result<String, ReplyError>> {
        texts(self, LastResponse(None))
    }

    fn collect_reply(self) -> impl Future<Output = Result<ModelResponse, ReplyError>> + Send {
        collect(self, LastResponse(None))
    }
}

/// Collects a reply from its events.
trait Collector: Send + 'static {
    type Event: DeserializeOwned + 'static;
    type Reply;

    /// Adds an event. Returns its piece of the text.
    fn add(&mut self, event: Self::Event) -> Result<String, ReplyError>;

    /// The reply, at the end of the events.
    fn finish(self) -> Result<Self::Reply, ReplyError>;
}

fn texts<C: Collector>(
    events: EventStream<C::Event>,
    reply: C,
) -> BoxStream<'static, Result<String, ReplyError>> {
    let texts = stream::try_unfold((events, reply), |(mut events, mut reply)| async move {
        while let Some(event) = events.next_event().await? {
            let text = reply.add(event)?;
            if !text.is_empty() {
                return Ok(Some((text, (events, reply))));
            }
        }
        reply.finish()?;
        Ok(None)
    });
    texts.boxed()
}

async fn collect<C: Collector>(
    mut events: EventStream<C::Event>,
    mut reply: C,
) -> Result<C::Reply, ReplyError> {
    while let Some(event) = events.next_event().await? {
        reply.add(event)?;
    }
    reply.finish()
}

impl Collector for ChatReply {
    type Event = ChatCompletionEvent;
    type Reply = Self;

    fn add(&mut self, event: ChatCompletionEvent) -> Result<String, ReplyError> {
        Self::add(self, event)
    }

    fn finish(self) -> Result<Self, ReplyError> {
        Ok(self)
    }
}

/// The response in the last event. The stream has no end mark, so that one without this event was truncated.
struct LastResponse(Option<ModelResponse>);

impl Collector for LastResponse {
    type Event = ModelResponseEvent;
    type Reply = ModelResponse;

    fn add(&mut self, event: ModelResponseEvent) -> Result<String, ReplyError> {
        let text = event.text()?;
        match event {
            ModelResponseEvent::ResponseCompletedEvent(last) => self.0 = Some(last.response),
            ModelResponseEvent::ResponseIncompleteEvent(last) => self.0 = Some(last.response),
            _ => {}
        }
        Ok(text)
    }

    fn finish(self) -> Result<ModelResponse, ReplyError> {
        self.0.ok_or(ReplyError::Stream(StreamError::Truncated))
    }
}

/// The reply to a chat, from its events: the first choice only.
///
/// [`ReplyEvents::collect_reply`] returns the whole. [`ChatReply::add`] collects it while the text is shown:
///
/// ```no_run
/// # async fn example(
/// #     mut events: accord_client::EventStream<accord_client::inference::types::ChatCompletionEvent>,
/// # ) -> Result<(), Box<dyn std::error::Error>> {
/// use accord_client::ChatReply;
///
/// let mut reply = ChatReply::default();
/// while let Some(event) = events.next_event().await? {
///     print!("{}", reply.add(event)?);
/// }
/// println!("\n{} tool calls", reply.tool_calls().len());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ChatReply {
    /// The message of the model, as a message of the next request.
    pub message: ChatMessage,
    /// Why the model stopped. `None` before the end.
    pub finish_reason: Option<FinishReason>,
    /// The tokens of the chat, if the request has `include_usage`.
    pub usage: Option<ChatUsage>,
    /// The indices of the tool calls, in their order.
    indices: Vec<i64>,
}

impl Default for ChatReply {
    fn default() -> Self {
        Self {
            message: ChatMessage::new("assistant"),
            finish_reason: None,
            usage: None,
            indices: Vec::new(),
        }
    }
}

impl ChatReply {
    /// The text until now, without a refusal.
    pub fn text(&self) -> &str {
        match &self.message.content {
            Some(MessageContent::String(text)) => text,
            _ => "",
        }
    }

    /// The tool calls until now. The arguments of one are complete at the end of the events.
    pub fn tool_calls(&self) -> &[ToolCall] {
        self.message.tool_calls.as_deref().unwrap_or_default()
    }

    /// Adds the next event. Returns its piece of the text or of the refusal, which can be empty.
    ///
    /// # Errors
    ///
    /// When the event is an error of the service.
    pub fn add(&mut self, event: ChatCompletionEvent) -> Result<String, ReplyError> {
        let text = event.text()?;
        if let ChatCompletionEvent::ChatCompletionChunk(chunk) = event {
            self.usage = chunk.usage.or(self.usage.take());
            let choices = chunk.choices.into_iter();
            choices
                .filter(|choice| choice.index == 0)
                .for_each(|choice| self.add_choice(choice));
        }
        Ok(text)
    }

    fn add_choice(&mut self, choice: ChatChunkChoice) {
        self.finish_reason = choice.finish_reason.or(self.finish_reason.take());
        let delta = choice.delta;
        if let Some(piece) = delta.content {
            match &mut self.message.content {
                Some(MessageContent::String(text)) => text.push_str(&piece),
                content => *content = Some(piece.into()),
            }
        }
        if let Some(piece) = delta.refusal {
            append(&mut self.message.refusal, &piece);
        }
        for call in delta.tool_calls.into_iter().flatten() {
            self.add_call(call);
        }
        merge(&mut self.message.extra, delta.extra);
    }

    fn add_call(&mut self, piece: ToolCallDelta) {
        let calls = self.message.tool_calls.get_or_insert_default();
        let known = self.indices.iter().position(|index| *index == piece.index);
        let position = known.unwrap_or_else(|| {
            self.indices.push(piece.index);
            let (id, type_) = (String::new(), "function".to_owned());
            calls.push(ToolCall::new(ToolCallRequired { id, type_ }));
            calls.len() - 1
        });
        let call = &mut calls[position];
        call.id = piece.id.unwrap_or_else(|| std::mem::take(&mut call.id));
        call.type_ = piece
            .type_
            .unwrap_or_else(|| std::mem::take(&mut call.type_));
        merge(&mut call.extra, piece.extra);
        let Some(piece) = piece.function else { return };
        let function = call.function.get_or_insert_with(|| {
            let (name, arguments) = (String::new(), String::new());
            FunctionCall::new(FunctionCallRequired { arguments, name })
        });
        function.name.push_str(&piece.name.unwrap_or_default());
        function
            .arguments
            .push_str(&piece.arguments.unwrap_or_default());
        merge(&mut function.extra, piece.extra);
    }
}

fn append(text: &mut Option<String>, piece: &str) {
    text.get_or_insert_default().push_str(piece);
}

/// Adds the members of a piece that the document does not list: texts are continued, other values replaced.
fn merge(all: &mut Map<String, Value>, piece: Map<String, Value>) {
    for (name, value) in piece {
        match (all.get_mut(&name), value) {
            (Some(Value::String(text)), Value::String(piece)) => text.push_str(&piece),
            (Some(Value::Object(object)), Value::Object(piece)) => merge(object, piece),
            (_, value) => {
                all.insert(name, value);
            }
        }
    }
}

/// Why a reply ended early.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplyError {
    /// The stream failed.
    Stream(StreamError),
    /// The service reported an error in the stream.
    Model {
        /// The cause for programs: a value of `InferenceErrorCode`, or a code of a later service or of the model server.
        code: Option<String>,
        /// Explanation for people.
        message: Option<String>,
    },
}

impl ReplyError {
    /// Whether the same request may succeed soon. The reply then starts over, and its tokens are counted again.
    ///
    /// That is so if the stream was interrupted, and for the codes of `InferenceErrorCode` that its table says to retry.
    /// `insufficient_quota` is not one of them: the budget begins again with the next day or month.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Stream(error) => matches!(
                error,
                StreamError::Connection(_) | StreamError::Truncated | StreamError::Silent(_)
            ),
            Self::Model { code, .. } => matches!(
                code.as_deref(),
                Some(
                    "rate_limit_exceeded"
                        | "upstream_rate_limit_exceeded"
                        | "server_error"
                        | "upstream_unreachable"
                        | "upstream_timeout"
                        | "upstream_failed"
                        | "upstream_overloaded"
                        | "service_unavailable"
                )
            ),
        }
    }
}

impl fmt::Display for ReplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stream(error) => error.fmt(f),
            Self::Model { code, message } => {
                f.write_str("the model failed")?;
                if let Some(code) = code {
                    write!(f, " ({code})")?;
                }
                match message {
                    Some(message) => write!(f, ": {message}"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for ReplyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Stream(error) => error.source(),
            Self::Model { .. } => None,
        }
    }
}

impl From<StreamError> for ReplyError {
    fn from(error: StreamError) -> Self {
        Self::Stream(error)
    }
}
