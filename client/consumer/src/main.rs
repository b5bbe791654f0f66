//! Lists the models that an API key reaches, or the organizations that a token's user administers.
//!
//! Usage: `accord-consumer URL models SECRET`, `accord-consumer URL organizations TOKEN`.

use accord_client::{Accord, explain};
use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        [url, "models", secret] => models(url, secret).await,
        [url, "organizations", token] => organizations(url, token).await,
        _ => Err("usage: accord-consumer URL (models SECRET | organizations TOKEN)".to_owned()),
    };
    match result {
        Ok(lines) => {
            println!("{}", lines.join("\n"));
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

async fn models(url: &str, secret: &str) -> Result<Vec<String>, String> {
    let accord = Accord::builder()
        .base_url(url)
        .api_key(secret)
        .build()
        .map_err(|error| error.to_string())?;
    let models = accord
        .inference()
        .list_models()
        .call()
        .await
        .map_err(|error| explain(&error))?;
    Ok(models.data.iter().map(|model| model.id.clone()).collect())
}

async fn organizations(url: &str, token: &str) -> Result<Vec<String>, String> {
    let accord = Accord::builder()
        .base_url(url)
        .access_token(token)
        .build()
        .map_err(|error| error.to_string())?;
    let all = accord
        .accounts()
        .list_organizations()
        .call()
        .await
        .map_err(|error| explain(&error))?;
    Ok(all
        .iter()
        .map(|organization| organization.name.clone())
        .collect())
}
