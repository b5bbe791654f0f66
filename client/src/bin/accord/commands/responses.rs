//! Responses of a model.

use super::chat::{first_model, text_of};
use crate::failure::failed;
use crate::output::{Output, line, piece};
use accord_client::{
    Accord,
    inference::types::{ModelResponseEvent, ModelResponseRequest},
};
use clap::Args;
use futures_util::StreamExt;

/// Send input to a model with the responses API, and print the text as it arrives
#[derive(Args)]
#[command(after_help = "\
Examples:
  accord responses \"Explain contracts\"
  accord responses --json \"Explain contracts\"")]
pub struct Responses {
    /// The input, in one or more words; `-` reads it from the standard input
    #[arg(required = true)]
    input: Vec<String>,
    /// The model [default: the first of `accord models list`]
    #[arg(long, short, env = "ACCORD_MODEL", value_name = "ID")]
    model: Option<String>,
    /// Instructions for the model
    #[arg(long, short, value_name = "TEXT")]
    instructions: Option<String>,
    /// Maximum number of tokens of the response
    #[arg(long, value_name = "NUMBER")]
    max_tokens: Option<i64>,
}

impl Responses {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let input = text_of(self.input.join(" ")).await?;
        let model = match self.model {
            Some(model) => model,
            None => first_model(accord).await?,
        };
        let mut request = ModelResponseRequest::new(input, model);
        request.instructions = self.instructions;
        request.max_output_tokens = self.max_tokens;
        let inference = accord.inference();
        if output.json {
            let response = inference.create_response().body(request).call().await;
            return output.value(response.map_err(failed)?.as_ref());
        }
        let stream = inference.create_response_stream().body(request);
        let mut events = stream.call().await.map_err(failed)?;
        while let Some(event) = events.next().await {
            match event? {
                ModelResponseEvent::ResponseOutputTextDeltaEvent(part) => piece(&part.delta)?,
                ModelResponseEvent::ResponseRefusalDeltaEvent(part) => piece(&part.delta)?,
                ModelResponseEvent::ResponseErrorEvent(error) => {
                    line("")?;
                    anyhow::bail!("the response was interrupted: {}", error.message);
                }
                ModelResponseEvent::ResponseFailedEvent(failed) => {
                    line("")?;
                    let cause = failed.response.error.and_then(|error| error.message);
                    let cause = cause.unwrap_or_else(|| "it gives no reason".to_owned());
                    anyhow::bail!("the model failed: {cause}");
                }
                // The other events repeat the text, or have none.
                _ => {}
            }
        }
        line("")
    }
}
