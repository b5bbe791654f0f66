//! The sources of the server key. A store with content never gets a new key.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use accord_server::app::App;
use accord_server::config::{Config, Layer, Secret};
use accord_server::kernel::{SystemClock, SystemRandom};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use confique::Layer as _;

use crate::harness::commands::fail;
use crate::harness::{Database, Server, both_databases};
use crate::inference::client::{Manager, accepted};

/// The error of a service with this data directory and a server's database.
async fn refusal(server: &Server, directory: &Path, key_file: Option<&Path>) -> String {
    let mut layer = Layer::empty();
    layer.server.data_dir = Some(directory.to_owned());
    layer.server.key_file = key_file.map(Path::to_owned);
    layer.database.url = Some(server.app().config.database_url());
    let config = Config::from_layers(layer).unwrap();
    let opened = App::open(config, Arc::new(SystemClock), Arc::new(SystemRandom)).await;
    opened.err().expect("it must not start").to_string()
}

both_databases! {
    async fn a_store_with_content_never_gets_a_new_key(server: Server) {
        let directory = tempfile::tempdir().unwrap();
        let error = refusal(&server, directory.path(), None).await;
        assert!(error.contains("server.key is missing"), "{error}");
        assert!(!directory.path().join("server.key").exists());
        let mount = directory.path().join("mount");
        let error = refusal(&server, directory.path(), Some(&mount)).await;
        assert!(error.contains("mount") && error.contains("server.key_file"), "{error}");
        assert!(!mount.exists());
        // The error of a wrong key names the right one.
        std::fs::write(&mount, STANDARD.encode([9; 32])).unwrap();
        std::fs::set_permissions(&mount, PermissionsExt::from_mode(0o400)).unwrap();
        let error = refusal(&server, directory.path(), Some(&mount)).await;
        let current = server.app().server_keys.ring().current().to_string();
        assert!(error.contains(&current), "{error}");
    }
}

/// Writes a mounted secret like systemd and Kubernetes.
fn mount(path: &Path, text: &str) {
    let new = path.with_extension("new");
    std::fs::write(&new, text).unwrap();
    std::fs::set_permissions(&new, PermissionsExt::from_mode(0o440)).unwrap();
    std::fs::rename(&new, path).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mounted_key_is_used_followed_and_never_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("server.key");
    let (one, two) = (STANDARD.encode([1; 32]), STANDARD.encode([2; 32]));
    mount(&path, &one);
    let key_file = path.clone();
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.server.key_file = Some(key_file);
    })
    .await;
    let key = Manager::of(&server).await.new_key().await;
    assert!(accepted(&server, &key.one).await);
    let own = server.app().config.server.data_dir.join("server.key");
    assert!(!own.exists(), "the data directory has another key");

    // A replica with the same key in its configuration accepts the secrets of this one.
    let url = server.app().config.database_url();
    let same = Secret::new(one.clone());
    let replica = Server::start_with(Database::Sqlite, |layer| {
        layer.server.key = Some(same);
        layer.server.public_url = Some(server.app().urls().main().parse().unwrap());
        layer.database.url = Some(url);
    })
    .await;
    assert!(accepted(&replica, &key.one).await);
    assert_eq!(replica.stop().await, Vec::<String>::new());

    let file = path.to_str().unwrap();
    let complaint = fail_with_key(&server, file, &["server-keys", "add"]).await;
    assert!(complaint.contains("does not write"), "{complaint}");
    mount(&path, &format!("{one}\n{two}\n"));
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while server.app().server_keys.ring().keys().len() < 2 {
        assert!(
            std::time::Instant::now() < deadline,
            "the file is not read again"
        );
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

/// Runs a command that reads the same configuration file.
async fn fail_with_key(server: &Server, key_file: &str, arguments: &[&str]) -> String {
    let config = tempfile::NamedTempFile::new().unwrap();
    let text = format!("[server]\nkey_file = {key_file:?}\n");
    std::fs::write(config.path(), text).unwrap();
    let file = ["--config", config.path().to_str().unwrap()];
    fail(server, &[arguments, &file[..]].concat()).await
}
