//! The list of models, and chats with one.

use super::reply::print;
use crate::failure::failed;
use crate::output::{Output, line};
use accord_client::{
    Accord, ChatMessageExt,
    inference::types::{ChatCompletionRequest, ChatMessage, Model},
};
use anyhow::Context;
use clap::{Args, Subcommand};
use std::io::Read;

#[derive(Subcommand, Default)]
pub enum Models {
    /// List the models of the region
    #[default]
    List,
    /// Show a model
    Get {
        /// Id of the model
        model: String,
    },
}

impl Models {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        if let Self::Get { model } = self {
            let call = accord.inference().get_model().model(model);
            return show(output, call.call().await.map_err(failed)?.as_ref());
        }
        let models = accord
            .inference()
            .list_models()
            .call()
            .await
            .map_err(failed)?;
        output.list(
            &models.data,
            "No model is listed for this API key; the operator adds a policy with `accord-server policy allow`.",
            ["id", "family", "region", "provider"],
            |model| {
                [
                    model.id.clone(),
                    model.family.clone(),
                    model.region.clone(),
                    model.owned_by.clone(),
                ]
            },
        )
    }
}

fn show(output: &Output, model: &Model) -> anyhow::Result<()> {
    output.one(
        model,
        &[
            ("model", Some(model.id.clone())),
            ("family", Some(model.family.clone())),
            ("region", Some(model.region.clone())),
            ("provider", Some(model.owned_by.clone())),
            ("location", model.location.clone()),
        ],
    )
}

/// Send a message to a model, and print the response as it arrives
#[derive(Args)]
#[command(after_help = "\
Examples:
  accord chat \"Explain contracts\"
  accord chat --system \"Reply in one sentence.\" - < question.txt

With --json, each event is printed as a line of JSON when it arrives; with --no-stream, the whole
response is one object.")]
pub struct Chat {
    /// What to say, in one or more words; `-` reads it from the standard input
    #[arg(required = true)]
    message: Vec<String>,
    /// The model [default: the first of `accord models list`]
    #[arg(long, short, env = "ACCORD_MODEL", value_name = "ID")]
    model: Option<String>,
    /// Instructions for the model
    #[arg(long, short, value_name = "TEXT")]
    system: Option<String>,
    /// Maximum number of tokens of the response
    #[arg(long, value_name = "NUMBER")]
    max_tokens: Option<i64>,
    /// Wait for the whole response
    #[arg(long)]
    no_stream: bool,
}

impl Chat {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let text = text_of(self.message.join(" ")).await?;
        let model = model_or_first(accord, self.model).await?;
        let system = self.system.map(ChatMessage::system);
        let messages: Vec<ChatMessage> = system
            .into_iter()
            .chain([ChatMessage::user(text)])
            .collect();
        let mut request = ChatCompletionRequest::new(messages, model);
        if let Some(tokens) = self.max_tokens {
            request = request.max_completion_tokens(tokens);
        }
        match self.no_stream {
            true => whole(accord, output, request).await,
            false => stream(accord, output, request).await,
        }
    }
}

async fn whole(
    accord: &Accord,
    output: &Output,
    request: ChatCompletionRequest,
) -> anyhow::Result<()> {
    let call = accord.inference().create_chat_completion().body(request);
    let response = call.call().await.map_err(failed)?;
    if output.json {
        return output.value(response.as_ref());
    }
    let text = response.choices.first().and_then(|choice| {
        let message = &choice.message;
        message.content.clone().or(message.refusal.clone())
    });
    line(&text.unwrap_or_default())
}

async fn stream(
    accord: &Accord,
    output: &Output,
    request: ChatCompletionRequest,
) -> anyhow::Result<()> {
    let inference = accord.inference();
    let call = inference.create_chat_completion_stream().body(request);
    print(call.call().await.map_err(failed)?, output).await
}

/// The text of an argument, or the standard input for `-`.
pub(super) async fn text_of(argument: String) -> anyhow::Result<String> {
    if argument != "-" {
        return Ok(argument);
    }
    let text = String::from_utf8(standard_input().await?);
    let text = text.context("the standard input is not UTF-8")?;
    // The end of the last line belongs to the file, not to the message.
    let line = text.strip_suffix('\n').unwrap_or(&text);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}

/// The whole standard input.
pub(super) async fn standard_input() -> anyhow::Result<Vec<u8>> {
    // Reading may block; on this thread it would delay Ctrl-C.
    let read = || {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    };
    let bytes = tokio::task::spawn_blocking(read).await?;
    bytes.context("the standard input cannot be read")
}

/// The chosen model, or the first one of the region.
pub(super) async fn model_or_first(
    accord: &Accord,
    model: Option<String>,
) -> anyhow::Result<String> {
    if let Some(model) = model {
        return Ok(model);
    }
    let models = accord
        .inference()
        .list_models()
        .call()
        .await
        .map_err(failed)?
        .into_inner();
    let first = models.data.into_iter().next();
    first.map(|model| model.id).context(
        "no model is listed for this API key: no policy lets it call one, or the region has none; \
         an operator adds policies with `accord-server policy allow`",
    )
}
