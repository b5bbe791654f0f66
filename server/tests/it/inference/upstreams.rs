//! Model servers behind TLS, callers who read slowly, and the operator's check
//! of what is configured.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::StreamExt;
use reqwest::Method;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::client::{Manager, call, chat};
use super::fake::{Exchange, Fake, model, models_check};
use crate::harness::{Database, Server};
use crate::serving::free_address;

/// An authority of our own, and a certificate for localhost that it signed.
const CERTIFICATES: &str = r#"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Test authority" \
    -addext basicConstraints=critical,CA:TRUE -keyout ca.key -out ca.crt &&
openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr &&
printf 'subjectAltName=DNS:localhost\nbasicConstraints=critical,CA:FALSE\n' > server.ext &&
openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 \
    -extfile server.ext -out server.crt
"#;

fn make_certificates(directory: &Path) {
    let shell = Command::new("sh")
        .args(["-c", CERTIFICATES])
        .current_dir(directory)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&shell.stderr);
    assert!(shell.status.success(), "{complaint}");
}

/// Takes TLS off what comes in, and hands it to `behind`. Its port.
async fn terminate(directory: &Path, behind: std::net::SocketAddr) -> u16 {
    let chain = CertificateDer::from_pem_file(directory.join("server.crt")).unwrap();
    let key = PrivateKeyDer::from_pem_file(directory.join("server.key")).unwrap();
    let provider = rustls::crypto::aws_lc_rs::default_provider();
    let config = ServerConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![chain], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // Who does not trust the certificate goes away.
                if let Ok(mut outer) = acceptor.accept(stream).await {
                    let mut inner = TcpStream::connect(behind).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut outer, &mut inner).await;
                }
            });
        }
    });
    port
}

const ANSWER: &str =
    r#"{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[]}"#;

async fn good() -> Fake {
    Fake::always("200 OK", ANSWER).await
}

async fn serving(url: String, ca_file: Option<PathBuf>) -> (Server, String) {
    let server = Server::start_with(Database::Sqlite, |layer| {
        let members = json!({"name": "acme.chat", "family": "acme", "url": url, "retries": 0});
        layer.inference.models = Some(vec![model(members)]);
        layer.inference.ca_file = ca_file;
    })
    .await;
    let secret = Manager::of(&server).await.new_key().await.one;
    (server, secret)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_server_behind_tls_is_called_when_its_authority_is_known() {
    let directory = tempfile::tempdir().unwrap();
    make_certificates(directory.path());
    let fake = good().await;
    let port = terminate(directory.path(), fake.address).await;
    let url = |host: &str| format!("https://{host}:{port}/v1");
    let authority = Some(directory.path().join("ca.crt"));

    let (server, secret) = serving(url("localhost"), authority.clone()).await;
    assert_eq!(chat(&server, &secret, "acme.chat").await.ok()["id"], "c");

    // Neither an unknown authority nor another name is put up with.
    for (host, authority) in [("localhost", None), ("127.0.0.1", authority)] {
        let (server, secret) = serving(url(host), authority).await;
        let reply = chat(&server, &secret, "acme.chat").await;
        reply.is_inference(502, "server_error", "upstream_unreachable");
    }
    assert_eq!(fake.seen().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_reads_slowly_slows_the_model_server_down() {
    const PIECE: usize = 64 << 10;
    const PIECES: usize = 2048;
    const END: &str = "data: [DONE]\n\n";
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    let fake = Fake::start(move |mut exchange: Exchange| {
        let count = Arc::clone(&count);
        async move {
            let event = format!("data: {}\n\n", "x".repeat(PIECE - 8));
            exchange.begin_stream().await;
            for _ in 0..PIECES {
                exchange.piece(&event).await;
                count.fetch_add(1, Ordering::SeqCst);
            }
            exchange.piece(END).await;
            exchange.end_stream().await;
        }
    })
    .await;
    let url = format!("http://{}/v1", fake.address);
    let (server, secret) = serving(url, None).await;
    let messages = json!([{"role": "user", "content": "x"}]);
    let body = json!({"model": "acme.chat", "stream": true, "messages": messages});
    let request = call(&server, &secret, Method::POST, "/chat/completions").json(&body);
    let mut stream = request.send().await.unwrap().bytes_stream();
    let mut read = stream.next().await.unwrap().unwrap().len();

    // Nothing more is read, until the model server has written nothing for a while.
    let mut before = usize::MAX;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = written.load(Ordering::SeqCst);
        if now == before {
            break;
        }
        before = now;
    }
    // What has left it is in the buffers of two connections, some megabytes each.
    assert!(
        before < PIECES / 2,
        "{before} pieces were taken from the model server"
    );

    while let Some(piece) = stream.next().await {
        read += piece.unwrap().len();
    }
    assert_eq!(read, PIECE * PIECES + END.len());
    assert_eq!(written.load(Ordering::SeqCst), PIECES);
}

#[tokio::test(flavor = "multi_thread")]
async fn models_check_says_of_each_model_server_what_it_found() {
    let good = good().await;
    let failing = Fake::start(async |mut exchange: Exchange| {
        exchange
            .answer("400 Bad Request", "text/plain", "", "no such id\n")
            .await;
    })
    .await;
    let odd = Fake::start(async |mut exchange: Exchange| {
        exchange.answer("200 OK", "text/html", "", "<html>").await;
    })
    .await;
    let unreachable = free_address();

    let check = async |addresses: Vec<std::net::SocketAddr>| {
        let urls: Vec<_> = addresses
            .iter()
            .map(|it| format!("http://{it}/v1"))
            .collect();
        models_check(&urls).await
    };
    let (success, found, _) = check(vec![good.address]).await;
    assert!(success);
    assert_eq!(
        (&found[0]["responds"], &found[0]["found"]),
        (&true.into(), &"m".into())
    );

    let all = vec![good.address, failing.address, odd.address, unreachable];
    let (success, found, complaint) = check(all).await;
    assert!(
        !success && complaint.contains("3 of 4 do not respond"),
        "{complaint}"
    );
    let said = |index: usize| {
        let row = &found[index];
        (
            row["responds"].as_bool().unwrap(),
            row["found"].as_str().unwrap(),
        )
    };
    assert_eq!(said(0), (true, "m"));
    for (index, text) in [
        (1, "400 Bad Request: no such id"),
        (2, "returned an invalid response"),
        (3, "is unreachable"),
    ] {
        let (answers, found) = said(index);
        assert!(!answers && found.contains(text), "{index}: {found}");
    }
}
