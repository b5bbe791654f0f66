//! Starts the server: `cargo run -- 127.0.0.1:8080`.

use std::error::Error;

use ::@NAME@::server;
use ::@NAME@::service::{Context, Service};
use dropforge_runtime::dropshot::{
    ApiDescription, ConfigDropshot, ConfigLogging, ConfigLoggingLevel, ServerBuilder,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let address = std::env::args().nth(1);
    let address = address.as_deref().unwrap_or("127.0.0.1:8080");
    let mut api = ApiDescription::new();
    server::register::<Service>(&mut api)?;
    let config = ConfigDropshot {
        bind_address: address.parse()?,
        ..ConfigDropshot::default()
    };
    let level = ConfigLoggingLevel::Info;
    let log = ConfigLogging::StderrTerminal { level }.to_logger("@NAME@")?;
    let context = @CONTEXT@;
    let server = ServerBuilder::new(api, context, log).config(config).start()?;
    Ok(server.await?)
}
