// A chat whose answer is printed as it arrives. The client has the secret of an API key.
use accord_client::{
    Accord, ChatMessageExt, ChatReply,
    inference::types::{ChatCompletionRequest, ChatMessage},
};

pub async fn chat(
    accord: &Accord,
    model: &str,
    text: &str,
) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let messages = [
        ChatMessage::system("Answer briefly."),
        ChatMessage::user(text),
    ];
    let request = ChatCompletionRequest::new(messages, model).max_completion_tokens(100);
    let chat = accord.inference().create_chat_completion_stream();
    let mut events = chat.body(request).call().await?;
    let mut reply = ChatReply::default();
    while let Some(event) = events.next_event().await? {
        print!("{}", reply.add(event)?);
    }
    Ok(reply.text().to_owned())
}
