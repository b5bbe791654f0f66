//! All replicas of a database have the same public address.

use std::sync::Arc;
use std::time::{Duration, Instant};

use accord_server::app::App;
use accord_server::area::Area;
use accord_server::config::{Config, Layer};
use accord_server::kernel::{SystemClock, SystemRandom};
use accord_server::params;
use accord_server::serve;
use accord_server::store::Tx;
use confique::Layer as _;

use crate::harness::{Server, both_databases};

/// Starts another replica of a server's database, with this public address if one is given.
async fn start(server: &Server, address: Option<&str>) -> Result<(), String> {
    let mut layer = Layer::empty();
    layer.server.listen = Some("127.0.0.1:0".parse().unwrap());
    layer.server.data_dir = Some(server.app().config.server.data_dir.clone());
    layer.server.public_url = address.map(|address| address.parse().unwrap());
    layer.database.url = Some(server.app().config.database_url());
    layer.demo.anywhere = Some(true);
    let config = Config::from_layers(layer).unwrap();
    let app = App::open(config, Arc::new(SystemClock), Arc::new(SystemRandom))
        .await
        .unwrap();
    match serve::start(app).await {
        Ok(service) => {
            service.drain(Duration::from_secs(5)).await;
            Ok(())
        }
        Err(error) => Err(error.to_string()),
    }
}

both_databases! {
    async fn a_replica_without_the_address_of_the_others_does_not_start(server: Server) {
        let address = server.area(Area::Identity).to_owned();
        for other in [None, Some("https://accord.example")] {
            let error = start(&server, other).await.unwrap_err();
            assert!(error.contains("server.public_url") && error.contains(&address), "{error}");
        }
        start(&server, Some(&address)).await.unwrap();
    }

    async fn a_killed_replica_with_another_address_only_delays_a_start(server: Server) {
        let now = server.app().clock.now().timestamp_millis();
        let killed = move |tx: &mut Tx<'_>| tx.execute(
            "INSERT INTO server_replicas (id, held, uses, seen_at, address) \
             VALUES ('killed', '', '01234567', $1, 'https://before.example')",
            params![now],
        );
        server.write(killed).await;
        let address = server.area(Area::Identity).to_owned();
        let began = Instant::now();
        start(&server, Some(&address)).await.unwrap();
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    }
}
