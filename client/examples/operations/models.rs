// Each operation of models. The client has the secret of an API key.
use accord_client::{
    Accord, ChatMessageExt, ReplyEvents,
    inference::{
        CreateChatCompletionError, CreateResponseError, GetModelError, ListModelsError,
        types::{ChatCompletionRequest, ChatMessage, ModelResponseRequest},
    },
};

/// The models that the key may call.
pub async fn list_models(accord: &Accord) -> Result<Vec<String>, ListModelsError> {
    let models = accord.inference().list_models().call().await?;
    Ok(models.data.iter().map(|model| model.id.clone()).collect())
}

/// The owner of a model.
pub async fn get_model(accord: &Accord, model: &str) -> Result<String, GetModelError> {
    let model = accord.inference().get_model().model(model);
    Ok(model.call().await?.owned_by.clone())
}

/// The reply of a model.
pub async fn create_chat_completion(
    accord: &Accord,
    model: &str,
    text: &str,
) -> Result<String, CreateChatCompletionError> {
    let request = ChatCompletionRequest::new([ChatMessage::user(text)], model);
    let chat = accord.inference().create_chat_completion().body(request);
    let reply = chat.call().await?.into_inner();
    let choice = reply.choices.into_iter().next();
    Ok(choice
        .and_then(|choice| choice.message.content)
        .unwrap_or_default())
}

/// The reply of a model, read as it arrives.
pub async fn create_chat_completion_stream(
    accord: &Accord,
    model: &str,
    text: &str,
) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let request = ChatCompletionRequest::new([ChatMessage::user(text)], model);
    let chat = accord.inference().create_chat_completion_stream();
    let events = chat.body(request).call().await?;
    Ok(events.collect_text().await?)
}

/// The id of a response.
pub async fn create_response(
    accord: &Accord,
    model: &str,
    text: &str,
) -> Result<String, CreateResponseError> {
    let request = ModelResponseRequest::new(text, model);
    let respond = accord.inference().create_response().body(request);
    Ok(respond.call().await?.id.clone())
}

/// The text of a response, read as it arrives.
pub async fn create_response_stream(
    accord: &Accord,
    model: &str,
    text: &str,
) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let request = ModelResponseRequest::new(text, model);
    let respond = accord.inference().create_response_stream();
    let events = respond.body(request).call().await?;
    Ok(events.collect_text().await?)
}
