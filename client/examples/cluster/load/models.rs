//! Callers of models: chats in one piece, and streams.

use std::sync::Arc;
use std::time::Duration;

use accord_client::Accord;
use accord_client::inference::types::ChatCompletionEvent;
use futures::StreamExt as _;

use super::{Context, question, with_secret};
use crate::journal::{Failed, Kind};

/// The pause between two chats.
const PAUSE: Duration = Duration::from_millis(30);

/// Chats until the load is stopped.
pub async fn chats(context: Arc<Context>, secret: String) -> anyhow::Result<()> {
    let accord = with_secret(&context.endpoint, &secret)?;
    while context.is_running() {
        // A failure is in the journal.
        let _ = context.journal.call(Kind::Chat, chat(&accord)).await;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// Reads streams until the load is stopped.
pub async fn streams(context: Arc<Context>, secret: String) -> anyhow::Result<()> {
    let accord = with_secret(&context.endpoint, &secret)?;
    while context.is_running() {
        let _ = context.journal.call(Kind::Stream, stream(&accord)).await;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// One chat.
pub async fn chat(accord: &Accord) -> Result<(), Failed> {
    let request = accord.inference().create_chat_completion().body(question());
    let response = request.call().await;
    response.map(drop).map_err(|error| Failed::of(&error))
}

async fn stream(accord: &Accord) -> Result<(), Failed> {
    let request = accord
        .inference()
        .create_chat_completion_stream()
        .body(question());
    let mut events = request.call().await.map_err(|error| Failed::of(&error))?;
    while let Some(event) = events.next().await {
        match event {
            Ok(ChatCompletionEvent::ChatCompletionChunk(_)) => {}
            Ok(ChatCompletionEvent::InferenceError(error)) => {
                return Err(Failed::new(format!("an event: {}", error.error.message)));
            }
            Ok(other) => return Err(Failed::new(format!("an event: {other:?}"))),
            Err(error) => return Err(Failed::new(error.to_string())),
        }
    }
    Ok(())
}
