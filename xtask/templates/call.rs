//! Calls the server: `cargo run --example call -- http://127.0.0.1:8080`.

use std::error::Error;

use ::@NAME@::client::{BASE_PATH, Client};
use dropforge_client::Session;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let server = std::env::args().nth(1);
    let server = server.as_deref().unwrap_or("http://127.0.0.1:8080");
    // Credentials are put on requests by a `Transport`: `Session::new(transport)`.
    let client = Client::new(&format!("{server}{BASE_PATH}"), Session::default());
@CALL@
    Ok(())
}
