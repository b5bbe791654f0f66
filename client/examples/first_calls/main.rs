//! A first call in each area, for a service with the demo catalog. The landing page of the library shows these files, and
//! a test of the service calls their functions.
//!
//! `ACCORD_TOKEN` is an access token, and `ACCORD_API_KEY` the secret of an API key. A missing one ends its calls.

mod accounts;
mod identity;
mod inference;
mod patterns;

use accord_client::{Accord, explain};
use std::{env::var, error::Error};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let token = var("ACCORD_TOKEN").unwrap_or_default();
    let url = var("ACCORD_URL").unwrap_or_else(|_| "http://127.0.0.1:8080".to_owned());
    let builder = Accord::builder()
        .base_url(url)
        .access_token(&token)
        .api_key(var("ACCORD_API_KEY").unwrap_or_default());
    let accord = match (var("ACCORD_CLIENT_ID"), var("ACCORD_CLIENT_SECRET")) {
        (Ok(id), Ok(secret)) => builder.client_credentials(id, secret),
        _ => builder,
    };
    let accord = accord.build()?;
    match accounts::organizations(&accord).await {
        Ok(names) => println!("organizations: {}", names.join(", ")),
        Err(error) => eprintln!("organizations: {}", explain(&error)),
    }
    match identity::owner(&accord, &token).await {
        Ok(owner) => println!(
            "owner of the token: {}",
            owner.as_deref().unwrap_or("nobody")
        ),
        Err(error) => eprintln!("owner of the token: {}", explain(&error)),
    }
    match inference::chat(&accord, "accord.echo", "Hello").await {
        Ok(_) => println!(),
        Err(error) => eprintln!("chat: {error}"),
    }
    let accelerator = uuid::uuid!("3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01");
    match patterns::pattern(&accord, "design-eu-1", "RETAIL", accelerator).await {
        Ok(id) => println!("pattern: {id}"),
        Err(error) => eprintln!("pattern: {error}"),
    }
    Ok(())
}
