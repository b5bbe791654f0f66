//! The program loads a new certificate when an operator asks for it.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::serving::{Serving, output};
use crate::tls::{AUTHORITY, CERTIFICATE, ask, connect_to, run};

/// The interval at which the program checks the files without being asked.
const INTERVAL: Duration = Duration::from_secs(5);

/// The certificate of a new handshake.
async fn shown(serving: &Serving, directory: &Path) -> Vec<u8> {
    let stream = connect_to(&serving.address, directory, "http/1.1").await;
    stream.get_ref().1.peer_certificates().unwrap()[0].to_vec()
}

/// Waits for another certificate than `before`.
async fn until_renewed(serving: &Serving, directory: &Path, before: &[u8]) -> Vec<u8> {
    let since = Instant::now();
    loop {
        let now = shown(serving, directory).await;
        if now != before {
            return now;
        }
        assert!(
            since.elapsed() < 12 * INTERVAL,
            "the certificate is not renewed"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_and_the_command_load_a_new_certificate_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path();
    run(AUTHORITY, directory);
    run(CERTIFICATE, directory);
    let configuration = "[server.tls]\ncertificate = \"server.crt\"\nkey = \"server.key\"\n";
    std::fs::write(directory.join("accord.toml"), configuration).unwrap();
    let mut serving = Serving::start(directory, &[]);
    let mut current = shown(&serving, directory).await;
    for is_command in [false, true] {
        let mut fastest = Duration::MAX;
        // A busy machine may be slow now and then.
        for _ in 0..10 {
            // Once the program has found this one by itself, its next check is a whole interval away.
            run(CERTIFICATE, directory);
            current = until_renewed(&serving, directory, &current).await;
            serving.log_until("loaded a new certificate");
            let mut open = connect_to(&serving.address, directory, "http/1.1").await;
            run(CERTIFICATE, directory);
            match is_command {
                false => serving.signal("HUP"),
                true => {
                    let asked = output(directory, &["reload"]);
                    assert!(asked.status.success(), "{asked:?}");
                }
            }
            let since = Instant::now();
            current = until_renewed(&serving, directory, &current).await;
            fastest = fastest.min(since.elapsed());
            serving.log_until("loaded a new certificate");
            // An open connection continues.
            assert!(ask(&mut open).await.starts_with("HTTP/1.1 200"));
            if fastest < INTERVAL * 3 / 5 {
                break;
            }
        }
        assert!(fastest < INTERVAL * 3 / 5, "{fastest:?}");
    }
    // A key of another certificate.
    std::fs::copy(directory.join("ca.key"), directory.join("server.key")).unwrap();
    serving.signal("HUP");
    let log = serving.log_until("do not match");
    assert!(log.contains("the previous one stays in use"), "{log}");
    assert_eq!(shown(&serving, directory).await, current);
    // No certificate at all.
    std::fs::remove_file(directory.join("server.crt")).unwrap();
    serving.signal("HUP");
    let log = serving.log_until("server.tls.certificate: server.crt");
    assert!(log.contains("the previous one stays in use"), "{log}");
    assert_eq!(shown(&serving, directory).await, current);
}
