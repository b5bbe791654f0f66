//! The stream of a reply, printed as it arrives.

use crate::failure::of_reply;
use crate::output::Output;
use accord_client::{EventStream, ReplyError, ReplyEvent};
use futures_util::StreamExt;
use serde::{Serialize, de::DeserializeOwned};

/// Prints the text of a reply, or with `--json` its events. The first error ends it.
pub(super) async fn print<E>(mut events: EventStream<E>, output: &Output) -> anyhow::Result<()>
where
    E: ReplyEvent + Serialize + DeserializeOwned + 'static,
{
    let mut is_begun = false;
    while let Some(event) = events.next().await {
        if let Ok(event) = &event {
            output.event(event)?;
        }
        let text = event.map_err(ReplyError::Stream);
        let error = match text.and_then(|event| event.text()) {
            Ok(text) => {
                is_begun |= !text.is_empty();
                output.part(&text)?;
                continue;
            }
            Err(error) => of_reply(error, events.headers()),
        };
        if is_begun {
            output.part("\n")?;
        }
        return Err(error);
    }
    output.part("\n")
}
