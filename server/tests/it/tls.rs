//! Listeners with TLS: what they speak, how their certificate is renewed, and what is
//! served without TLS beside them.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use accord_server::config::Layer;
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::{TokioExecutor, TokioIo};
use reqwest::Method;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::harness::{Database, Server, http};
use crate::serving::own_address;

/// An authority of our own.
pub const AUTHORITY: &str = r#"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Test authority" \
    -addext basicConstraints=critical,CA:TRUE -keyout ca.key -out ca.crt
"#;

/// A certificate for localhost that it signed.
pub const CERTIFICATE: &str = r#"
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost \
    -keyout server.key -out server.csr &&
printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=critical,CA:FALSE\n' > server.ext &&
openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 \
    -extfile server.ext -out server.crt
"#;

/// Runs a script of the shell.
pub fn run(script: &str, directory: &Path) {
    let shell = Command::new("sh")
        .args(["-c", script])
        .current_dir(directory)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&shell.stderr);
    assert!(shell.status.success(), "{complaint}");
}

/// A service with TLS, and the directory of its certificate.
pub async fn start(change: impl FnOnce(&mut Layer) + Send) -> (Server, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    run(AUTHORITY, directory.path());
    run(CERTIFICATE, directory.path());
    let (certificate, key) = (
        directory.path().join("server.crt"),
        directory.path().join("server.key"),
    );
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.server.tls.certificate = Some(certificate);
        layer.server.tls.key = Some(key);
        change(layer);
    })
    .await;
    (server, directory)
}

/// A connection that offers one protocol.
pub async fn connect(server: &Server, directory: &Path, protocol: &str) -> TlsStream<TcpStream> {
    connect_to(&server.address().to_string(), directory, protocol).await
}

/// The same at an address.
pub async fn connect_to(address: &str, directory: &Path, protocol: &str) -> TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    let authority = CertificateDer::from_pem_file(directory.join("ca.crt")).unwrap();
    roots.add(authority).unwrap();
    let provider = rustls::crypto::aws_lc_rs::default_provider();
    let mut config = ClientConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let stream = TcpStream::connect(address).await.unwrap();
    let connector = TlsConnector::from(Arc::new(config));
    let name = ServerName::try_from("localhost").unwrap();
    let stream = connector.connect(name, stream).await.unwrap();
    assert_eq!(
        stream.get_ref().1.alpn_protocol(),
        Some(protocol.as_bytes())
    );
    stream
}

/// The certificate that a new client is shown.
async fn shown(server: &Server, directory: &Path) -> Vec<u8> {
    let stream = connect(server, directory, "http/1.1").await;
    stream.get_ref().1.peer_certificates().unwrap()[0].to_vec()
}

/// A request on a connection that goes on.
pub async fn ask(stream: &mut TlsStream<TcpStream>) -> String {
    let request = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let mut text = Vec::new();
    while !text.ends_with(b"ok\n") {
        assert_ne!(stream.read_buf(&mut text).await.unwrap(), 0, "{text:?}");
    }
    String::from_utf8(text).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_choose_between_http_1_and_http_2() {
    let (server, directory) = start(|_| {}).await;
    assert!(server.url("").starts_with("https://"), "{}", server.url(""));
    let mut stream = connect(&server, directory.path(), "http/1.1").await;
    assert!(ask(&mut stream).await.starts_with("HTTP/1.1 200"));

    let stream = connect(&server, directory.path(), "h2").await;
    let io = TokioIo::new(stream);
    let (mut sender, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), io)
        .await
        .unwrap();
    tokio::spawn(connection);
    for path in [
        "/.well-known/oauth-authorization-server",
        "/openapi/identity.json",
    ] {
        let uri = format!("{}{path}", server.url("")).replace("127.0.0.1", "localhost");
        let request = hyper::Request::get(uri)
            .body(Empty::<bytes::Bytes>::new())
            .unwrap();
        let response = sender.send_request(request).await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let text = String::from_utf8_lossy(&body);
        assert!(
            text.contains("https://") && !text.contains("\"http://127"),
            "{text}"
        );
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_certificate_is_shown_to_new_clients_and_a_bad_one_to_none() {
    let (server, directory) = start(|_| {}).await;
    let before = shown(&server, directory.path()).await;
    let days = |server: &Server| {
        let metrics = server.app().metrics.render();
        let name = "accord_certificate_expiry_timestamp_seconds ";
        let end = metrics.lines().find_map(|line| line.strip_prefix(name));
        let end: f64 = end.unwrap_or_else(|| panic!("{metrics}")).parse().unwrap();
        (end - server.app().clock.now().timestamp() as f64) / 86_400.0
    };
    assert!((1.9..=2.0).contains(&days(&server)), "{}", days(&server));
    run(&CERTIFICATE.replace("-days 2", "-days 9"), directory.path());
    let deadline = Instant::now() + Duration::from_secs(60);
    let renewed = loop {
        let renewed = shown(&server, directory.path()).await;
        if renewed != before {
            break renewed;
        }
        assert!(Instant::now() < deadline, "it was not read again");
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    // The metric follows the certificate.
    while !(8.9..=9.0).contains(&days(&server)) {
        assert!(Instant::now() < deadline, "{}", days(&server));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut stream = connect(&server, directory.path(), "http/1.1").await;
    ask(&mut stream).await;
    let failed = |value: u8| {
        let line = format!("accord_reload_failed{{kind=\"certificate\"}} {value}\n");
        server.app().metrics.render().contains(&line)
    };
    assert!(failed(0));
    // The key of another certificate.
    std::fs::copy(
        directory.path().join("ca.key"),
        directory.path().join("server.key"),
    )
    .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !failed(1) {
        assert!(Instant::now() < deadline, "the metric does not show it");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(shown(&server, directory.path()).await, renewed);
    ask(&mut stream).await;
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handshake_has_its_time_and_no_more() {
    let (server, _directory) = start(|layer| layer.server.head_seconds = Some(2)).await;
    // Nothing at all, and the beginning of a record.
    for first in [&b""[..], b"\x16\x03\x01\x02\x00\x01"] {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        stream.write_all(first).await.unwrap();
        let mut byte = [0];
        let closed = tokio::time::timeout(Duration::from_secs(20), stream.read(&mut byte));
        let closed = closed.await.expect("the connection ends");
        assert!(matches!(closed, Ok(0) | Err(_)), "{closed:?}");
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_redirected_to_https_and_calls_are_refused() {
    let plain = own_address();
    let (server, _directory) = start(|layer| {
        layer.server.redirect_http = Some(plain);
        layer.server.public_url = Some("https://accord.example".parse().unwrap());
        layer.server.identity_url = Some("https://id.example".parse().unwrap());
    })
    .await;
    let http = http().build().unwrap();
    let ask = |method: Method, path: &str| http.request(method, format!("http://{plain}{path}"));
    for (host, path) in [
        ("accord.example", "/"),
        ("id.example", "/ui/v1/device?user_code=ABCD-EFGH"),
        ("id.example", "/login"),
        ("accord.example", "/docs"),
    ] {
        let response = ask(Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), 308, "{path}");
        assert_eq!(
            response.headers()["location"],
            format!("https://{host}{path}")
        );
    }
    for (method, path) in [
        (Method::POST, "/oauth2/v1/token"),
        (Method::GET, "/api/user/organizations"),
        (Method::GET, "/20231130/actions/v1/models"),
        (Method::POST, "/ui/v1/signin"),
        (Method::TRACE, "/docs"),
        (Method::GET, "/metrics"),
        (Method::GET, "/nowhere"),
    ] {
        let response = ask(method.clone(), path).send().await.unwrap();
        assert_eq!(response.status(), 403, "{method} {path}");
        assert!(response.headers().get("location").is_none());
    }
    let secret = ask(Method::GET, "/ui/v1/device")
        .bearer_auth("x")
        .send()
        .await
        .unwrap();
    assert_eq!(secret.status(), 403);
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_certificate_that_cannot_be_used_is_named_when_the_service_starts() {
    let directory = tempfile::tempdir().unwrap();
    run(AUTHORITY, directory.path());
    run(CERTIFICATE, directory.path());
    let write = |text: &str| std::fs::write(directory.path().join("accord.toml"), text).unwrap();
    let error = || {
        let output = Command::new(env!("CARGO_BIN_EXE_accord-server"))
            .current_dir(directory.path())
            .env_clear()
            .args(["--listen", "127.0.0.1:0"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    write("[server.tls]\ncertificate = \"server.crt\"\nkey = \"ca.key\"\n");
    let text = error();
    assert!(
        text.contains("server.crt") && text.contains("ca.key"),
        "{text}"
    );
    write("[server.tls]\ncertificate = \"nowhere.crt\"\nkey = \"server.key\"\n");
    assert!(
        error().contains("server.tls.certificate: nowhere.crt"),
        "{}",
        error()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_trusts_the_authority_that_its_program_names() {
    let (server, directory) = start(|_| {}).await;
    let pem = std::fs::read(directory.path().join("ca.crt")).unwrap();
    let authority = accord_client::reqwest::Certificate::from_pem(&pem).unwrap();
    let address = format!("https://localhost:{}", server.address().port());
    let builder = accord_client::Accord::builder()
        .base_url(address)
        .retry(accord_client::RetryPolicy::never());
    let metadata = async |builder: accord_client::Builder| {
        let accord = builder.build().unwrap();
        let call = accord.identity().get_authorization_server_metadata();
        call.call().await.map(|metadata| metadata.issuer.clone())
    };
    assert!(metadata(builder.clone()).await.is_err());
    let issuer = metadata(builder.root_certificate(authority)).await.unwrap();
    assert!(issuer.starts_with("https://"), "{issuer}");
    server.stop().await;
}
