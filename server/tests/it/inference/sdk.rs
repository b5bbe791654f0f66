//! Client libraries of the conventions, as their users use them.

use accord_server::area::Area;
use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::{ApiErrorResponse, OpenAIError};
use async_openai::types::chat::{
    ChatCompletionRequestUserMessageArgs, CreateChatCompletionRequest,
    CreateChatCompletionRequestArgs,
};
use async_openai::types::responses::{CreateResponse, CreateResponseArgs, ResponseStreamEvent};
use futures::StreamExt;

use super::client::Manager;
use crate::harness::{on_sqlite, tools};

const QUESTION: &str = "Hello from Rust";

fn question(model: &str) -> CreateChatCompletionRequest {
    let mut message = ChatCompletionRequestUserMessageArgs::default();
    let message = message.content(QUESTION).build().unwrap();
    let mut request = CreateChatCompletionRequestArgs::default();
    request.model(model).messages([message.into()]);
    request.build().unwrap()
}

fn input(model: &str) -> CreateResponse {
    let mut request = CreateResponseArgs::default();
    request.model(model).input(QUESTION).build().unwrap()
}

/// What the service said, and the code of it.
fn refused<T>(outcome: Result<T, OpenAIError>) -> (u16, String) {
    match outcome {
        Err(OpenAIError::ApiError(ApiErrorResponse {
            status_code,
            api_error,
        })) => (status_code.as_u16(), api_error.code.unwrap_or_default()),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("it was not refused"),
    }
}

on_sqlite! {
    async fn the_async_openai_crate_works_unchanged(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let address = format!("{}/20231130/actions/v1", server.area(Area::Inference));
        let with = |secret: &str| {
            let config = OpenAIConfig::new().with_api_base(&address).with_api_key(secret);
            Client::with_config(config)
        };
        let client = with(&key.one);
        let models = client.models().list().await.unwrap().data;
        assert_eq!(models[0].id, "accord.echo");

        let answer = client.chat().create(question("accord.echo")).await.unwrap();
        assert_eq!(answer.choices[0].message.content.as_deref(), Some(QUESTION));
        assert_eq!(answer.usage.unwrap().total_tokens, 6);
        let mut chunks = client.chat().create_stream(question("accord.echo")).await.unwrap();
        let mut text = String::new();
        while let Some(chunk) = chunks.next().await {
            for choice in chunk.unwrap().choices {
                text += choice.delta.content.as_deref().unwrap_or_default();
            }
        }
        assert_eq!(text, QUESTION);

        let response = client.responses().create(input("accord.echo")).await.unwrap();
        assert_eq!(response.output_text().as_deref(), Some(QUESTION));
        let mut events = client.responses().create_stream(input("accord.echo")).await.unwrap();
        let (mut text, mut whole) = (String::new(), None);
        while let Some(event) = events.next().await {
            match event.unwrap() {
                ResponseStreamEvent::ResponseOutputTextDelta(event) => text += &event.delta,
                ResponseStreamEvent::ResponseCompleted(event) => whole = event.response.output_text(),
                _ => {}
            }
        }
        assert_eq!((text.as_str(), whole.as_deref()), (QUESTION, Some(QUESTION)));

        let outcome = client.responses().create(input("meta.echo")).await;
        assert_eq!(refused(outcome), (400, "unsupported_model".into()));
        let outcome = client.chat().create(question("nobody")).await;
        assert_eq!(refused(outcome), (404, "model_not_found".into()));
        let outcome = with(&key.two).chat().create(question("accord.echo")).await;
        assert_eq!(refused(outcome), (401, "invalid_api_key".into()));
    }

    async fn the_openai_package_for_python_works_unchanged(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let address = format!("{}/20231130/actions/v1", server.area(Area::Inference));
        let printed = tools::python("openai_sdk.py", &[&address, &key.one, &key.two]).await;
        assert_eq!(printed.trim().lines().last(), Some("success"));
    }

    async fn the_chat_model_of_langchain_works_unchanged(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let address = format!("{}/20231130/actions/v1", server.area(Area::Inference));
        let printed = tools::python("langchain_chat.py", &[&address, &key.one, &key.two]).await;
        assert_eq!(printed.trim().lines().last(), Some("success"));
    }

    async fn the_openai_package_for_node_works_unchanged(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let address = format!("{}/20231130/actions/v1", server.area(Area::Inference));
        let printed = tools::node("openai_sdk.mjs", &[&address, &key.one, &key.two]).await;
        assert_eq!(printed.trim().lines().last(), Some("success"));
    }
}
