//! Translates responses for a model server that has chat completions only.
//!
//! A request of the responses convention becomes one of the chat convention, and the chat
//! completion, whole or in events, becomes a response. The gateway rejects members without a
//! counterpart by name, rather than omit them: a response that ignores half of its request is worse
//! than none. Members that neither convention has go to the model server unchanged.

mod items;
mod request;
mod resource;
mod stream;
mod whole;

use std::pin::Pin;

use futures::stream::unfold;
use futures::{FutureExt, Stream, StreamExt};
use serde_json::{Map, Value};

use super::ModelResponse;
use super::events::{BrokenOff, Piece};
use crate::inference::problem::Problem;
use stream::Translation;

pub(in crate::inference) use items::Events;
pub(in crate::inference) use request::STORED;
pub(in crate::inference) use resource::{ItemKind, Resource};

/// A request of the responses convention, and its chat form.
#[derive(Debug)]
pub struct Request {
    /// The caller's request.
    members: Map<String, Value>,
    /// The chat form, still without the model's name.
    chat: Map<String, Value>,
}

impl Request {
    /// Translates a request.
    ///
    /// # Errors
    ///
    /// The members that chat completions cannot express.
    pub fn read(body: &[u8]) -> Result<Self, Problem> {
        let members: Map<String, Value> =
            serde_json::from_slice(body).map_err(Problem::invalid_body)?;
        let chat = request::translate(&members)?;
        Ok(Request { members, chat })
    }

    /// The body for a model server that has the model under this name.
    pub fn to_chat(&self, model: &str) -> Vec<u8> {
        let mut chat = self.chat.clone();
        chat.insert("model".into(), model.into());
        Value::Object(chat).to_string().into_bytes()
    }

    /// Translates the response to the request.
    ///
    /// # Errors
    ///
    /// When the response is not one of the chat convention.
    pub fn response(self, response: ModelResponse) -> Result<ModelResponse, Problem> {
        match response {
            ModelResponse::Whole(bytes) => {
                let whole = whole::translate(&self.members, &bytes)?;
                Ok(ModelResponse::Whole(whole.to_string().into()))
            }
            ModelResponse::Events(chunks) => {
                let events = translated(chunks, Translation::new(self.members));
                Ok(ModelResponse::Events(events.boxed()))
            }
        }
    }
}

/// The events of a response for the chunks of a chat completion.
fn translated(
    chunks: Pin<Box<dyn Stream<Item = Piece> + Send>>,
    translation: Translation,
) -> impl Stream<Item = Piece> + Send {
    let state = (chunks, Some(translation));
    unfold(state, |(mut chunks, translation)| async {
        let mut translation = translation?;
        loop {
            let events = match chunks.next().await {
                Some(Ok(piece)) => translation.piece(&piece),
                broken_off => {
                    let is_outage = matches!(broken_off, Some(Err(it)) if it.is_outage);
                    let event = translation.broken_off();
                    let broken_off = BrokenOff { event, is_outage };
                    return Some((Err(broken_off), (chunks, None)));
                }
            };
            if translation.is_ended() {
                // After the end mark, the relay leaves the rest of the body to a task of its own,
                // so that the connection is used again.
                drop(chunks.next().now_or_never());
                return Some((Ok(events), (chunks, None)));
            }
            if !events.is_empty() {
                return Some((Ok(events), (chunks, Some(translation))));
            }
        }
    })
}
