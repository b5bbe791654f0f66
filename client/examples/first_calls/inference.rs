// A chat whose answer is printed as it arrives. The client has the secret of an API key.
use accord_client::{
    Accord,
    inference::types::{ChatCompletionEvent, ChatCompletionRequest, ChatMessage},
};

pub async fn chat(
    accord: &Accord,
    model: &str,
    text: &str,
) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let messages = [
        ChatMessage::new("system").content("Answer briefly."),
        ChatMessage::new("user").content(text),
    ];
    let request = ChatCompletionRequest::new(messages, model).max_completion_tokens(100);
    let chat = accord.inference().create_chat_completion_stream();
    let mut events = chat.body(request).call().await?;
    let mut answer = String::new();
    while let Some(event) = events.next_event().await? {
        match event {
            ChatCompletionEvent::ChatCompletionChunk(chunk) => {
                for choice in chunk.choices {
                    let piece = choice.delta.content.unwrap_or_default();
                    print!("{piece}");
                    answer.push_str(&piece);
                }
            }
            ChatCompletionEvent::InferenceError(failure) => {
                return Err(failure.error.message.into());
            }
            // A later service may send other events.
            _ => {}
        }
    }
    Ok(answer)
}
