// A help desk at a TCP port: a caller sends an access token and a question, each in a line.
use accord_client::identity::types::IntrospectionRequest;
use accord_client::inference::types::{ChatCompletionRequest, ChatMessage};
use accord_client::{Accord, ChatMessageExt, explain};
use std::io;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

pub async fn serve(accord: Accord, port: TcpListener) -> io::Result<()> {
    loop {
        let (caller, _) = port.accept().await?;
        tokio::spawn(attend(accord.clone(), caller));
    }
}

async fn attend(accord: Accord, caller: TcpStream) -> io::Result<()> {
    let mut lines = BufReader::new(caller).lines();
    let token = lines.next_line().await?.unwrap_or_default();
    let text = lines.next_line().await?.unwrap_or_default();
    let (Ok(answer) | Err(answer)) = answer(&accord, &token, &text).await;
    lines.into_inner().write_all(answer.as_bytes()).await
}

async fn answer(accord: &Accord, token: &str, text: &str) -> Result<String, String> {
    let caller = accord.identity().introspect_token();
    let caller = caller.body(IntrospectionRequest::new(token)).call().await;
    if !caller.map_err(|error| explain(&error))?.active {
        return Err("log in first".to_owned());
    }
    let organizations = accord.accounts().list_organizations().call().await;
    let organizations = organizations.map_err(|error| explain(&error))?;
    let names: Vec<_> = organizations.iter().map(|one| one.name.as_str()).collect();
    let facts = ChatMessage::system(format!("Organizations: {names:?}"));
    let question = [facts, ChatMessage::user(text)];
    let question = ChatCompletionRequest::new(question, "accord.echo");
    let chat = accord.inference().create_chat_completion().body(question);
    let reply = chat.call().await.map_err(|error| explain(&error))?;
    let choice = reply.choices.first();
    let answer = choice.and_then(|choice| choice.message.content.clone());
    answer.ok_or_else(|| "the model has no answer".to_owned())
}
