//! The service of the documentation, which uses three areas. Its test needs no network.

mod service;
#[cfg(test)]
mod tests;

use accord_client::Accord;
use std::{env::var, error::Error};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let accord = Accord::builder()
        .base_url(var("ACCORD_URL")?)
        .access_token(var("ACCORD_TOKEN")?)
        .api_key(var("ACCORD_API_KEY")?)
        .client_credentials(var("ACCORD_CLIENT_ID")?, var("ACCORD_CLIENT_SECRET")?)
        .build()?;
    let port = tokio::net::TcpListener::bind("127.0.0.1:7070").await?;
    Ok(service::serve(accord, port).await?)
}
