//! Responses of a model.

use super::chat::{model_or_first, text_of};
use super::reply::print;
use crate::failure::failed;
use crate::output::{Output, line};
use accord_client::{
    Accord,
    inference::types::{ModelResponseRequest, OutputItem, OutputItemType},
};
use clap::Args;

/// Send input to a model with the responses API, and print the text as it arrives
#[derive(Args)]
#[command(after_help = "\
Examples:
  accord responses \"Explain contracts\"
  accord responses --json \"Explain contracts\"

With --json, each event is printed as a line of JSON when it arrives; with --no-stream, the whole
response is one object.")]
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
    /// Wait for the whole response
    #[arg(long)]
    no_stream: bool,
}

impl Responses {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let input = text_of(self.input.join(" ")).await?;
        let model = model_or_first(accord, self.model).await?;
        let mut request = ModelResponseRequest::new(input, model);
        request.instructions = self.instructions;
        request.max_output_tokens = self.max_tokens;
        match self.no_stream {
            true => whole(accord, output, request).await,
            false => stream(accord, output, request).await,
        }
    }
}

async fn whole(
    accord: &Accord,
    output: &Output,
    request: ModelResponseRequest,
) -> anyhow::Result<()> {
    let call = accord.inference().create_response().body(request);
    let response = call.call().await.map_err(failed)?;
    if output.json {
        return output.value(response.as_ref());
    }
    line(&text_of_output(&response.output))
}

async fn stream(
    accord: &Accord,
    output: &Output,
    request: ModelResponseRequest,
) -> anyhow::Result<()> {
    let call = accord.inference().create_response_stream().body(request);
    print(call.call().await.map_err(failed)?, output).await
}

/// The text of the messages in a response, or the refusal.
fn text_of_output(items: &[OutputItem]) -> String {
    let messages = items
        .iter()
        .filter(|item| item.type_ == OutputItemType::Message);
    let parts = messages.flat_map(|item| item.content.iter().flatten());
    parts
        .filter_map(|part| part.text.as_deref().or(part.refusal.as_deref()))
        .collect()
}
