//! The store of a service, opened by the benchmark itself, as an operator's command opens it.

use std::path::Path;
use std::sync::Arc;

use accord_server::app::App;
use accord_server::config::{Config, Layer, Secret};
use accord_server::kernel::{SystemClock, SystemRandom};
use confique::Layer as _;

/// Opens the store. `issuer` is the public address of the service.
///
/// # Panics
///
/// When the store cannot be opened.
pub async fn open(directory: &Path, database: &str, issuer: &str) -> Arc<App> {
    let mut layer = Layer::empty();
    layer.server.data_dir = Some(directory.to_owned());
    layer.server.public_url = Some(issuer.parse().expect("an address"));
    layer.database.url = Some(Secret::new(database.to_owned()));
    let config = Config::from_layers(layer).expect("a configuration");
    let app = App::open(config, Arc::new(SystemClock), Arc::new(SystemRandom)).await;
    app.unwrap_or_else(|error| panic!("{error}"))
}
