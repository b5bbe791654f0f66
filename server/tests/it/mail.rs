//! Mail, from the call that asks for it to the mail server that takes it.

use accord_server::accounts::demo::{ADMINISTRATOR, COLLEAGUE, COLLEAGUE_EMAIL};
use accord_server::config::mail::Security;
use accord_server::config::{Layer, Secret};
use accord_server::identity::password_links::PasswordLink;
use accord_server::mail::outbox::{self, Mail, State};
use accord_server::mail::{deliver_due, send_test};
use accord_server::params;
use accord_server::store::StoreError;
use confique::Layer as _;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::harness::tools::Beside;
use crate::harness::{Database, Server, run_with};
use crate::identity::browser::Browser;

/// A mail server and the configuration that uses it.
struct SmtpServer {
    program: Beside,
    port: u16,
    certificate: String,
    _directory: tempfile::TempDir,
}

impl SmtpServer {
    async fn start(arguments: &[&str]) -> SmtpServer {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().display().to_string();
        let arguments = [&[path.as_str()], arguments].concat();
        let mut program = Beside::start("smtp_server.py", &arguments);
        let line = program.line().await;
        let (port, certificate) = line.split_once(' ').unwrap();
        SmtpServer {
            port: port.parse().unwrap(),
            certificate: certificate.to_owned(),
            program,
            _directory: directory,
        }
    }

    fn configure(&self, layer: &mut Layer, security: Security) {
        layer.mail.host = Some("127.0.0.1".into());
        layer.mail.port = Some(self.port);
        layer.mail.security = Some(security);
        layer.mail.from = Some("Accord of North <accord@north.example>".into());
        if security != Security::None {
            layer.mail.ca_file = Some(self.certificate.clone().into());
            layer.mail.user = Some("accord".into());
            layer.mail.password = Some(Secret::new("secret"));
        }
    }

    async fn next(&mut self) -> Value {
        serde_json::from_str(&self.program.line().await).unwrap()
    }
}

async fn create(server: &Server, changes: Value) {
    let mut hub_user = json!({
        "emailAddress": "mira.lund@north.example", "firstName": "Mira", "lastName": "Lund",
        "language": "de-AT", "hubOrganizationId": 3104, "setPassword": true,
        "emailForCommunication": "mira@lund.example",
    });
    for (name, change) in changes.as_object().unwrap() {
        hub_user[name] = change.clone();
    }
    let token = server.token(ADMINISTRATOR, "accounts.write").await;
    let request = server.http().post(server.url("/api/user"));
    let body = json!({"hubUser": hub_user, "collabUsers": [
        {"appInstanceId": 71, "collabOrganizationId": 5201, "projectIds": ["HARBOUR-2", "MOON"]},
    ]});
    let answer = request.bearer_auth(token).json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
}

async fn listed(server: &Server, state: Option<State>) -> Vec<Mail> {
    server
        .read(move |tx| outbox::list(tx, state, 100))
        .await
        .readable
}

/// Waits until as many mails stand so.
async fn wait_for(server: &Server, state: State, number: usize) -> Vec<Mail> {
    for _ in 0..1200 {
        let found = listed(server, Some(state)).await;
        if found.len() == number {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{:#?}", listed(server, None).await);
}

fn link_of(text: &str) -> &str {
    text.lines()
        .find(|line| line.starts_with("http") && line.contains("token="))
        .unwrap()
}

/// Follows a link and sets a password; whether that worked.
async fn set_password(server: &Server, link: &str) -> bool {
    let path = link
        .split_once("/ui/")
        .map(|(_, rest)| format!("/ui/{rest}"));
    let mut browser = Browser::new(server);
    if browser.get(&path.unwrap()).await.status != 200 {
        return false;
    }
    let token = link.split("token=").nth(1).unwrap();
    let password = "a long new phrase";
    let fields = [
        ("token", token),
        ("password", password),
        ("again", password),
    ];
    browser.submit("/ui/v1/password", &fields).await.status == 200
}

fn on_both(change: impl Fn(Database) + Sync) {
    change(Database::Sqlite);
    change(Database::Postgres);
}

#[test]
fn both_mails_of_a_new_account_arrive_in_its_language_over_starttls_and_tls() {
    on_both(|database| {
        for security in [Security::Starttls, Security::Tls] {
            let name = match security {
                Security::Tls => "tls",
                _ => "starttls",
            };
            run_with(async move || {
                let mut smtp = SmtpServer::start(&[name]).await;
                let server =
                    Server::start_with(database, |layer| smtp.configure(layer, security)).await;
                create(&server, json!({})).await;
                let mut taken = [smtp.next().await, smtp.next().await];
                taken.sort_by_key(|mail| mail["headers"]["subject"].to_string());
                let [password, invited] = taken;
                assert_eq!(password["to"], json!(["mira@lund.example"]));
                assert_eq!(password["encrypted"], true);
                let headers = &password["headers"];
                assert_eq!(
                    headers["subject"],
                    "Legen Sie Ihr Passwort für North Works fest"
                );
                assert_eq!(headers["from"], "Accord of North <accord@north.example>");
                assert_eq!(headers["auto-submitted"], "auto-generated");
                let text = password["text"].as_str().unwrap();
                assert!(text.starts_with("Guten Tag Mira Lund,"), "{text}");
                assert!(
                    password["html"]
                        .as_str()
                        .unwrap()
                        .contains("<html lang=\"de\"")
                );
                assert!(set_password(&server, link_of(text)).await);
                assert!(
                    !set_password(&server, link_of(text)).await,
                    "a link works once"
                );
                let text = invited["text"].as_str().unwrap();
                assert!(
                    text.contains("- Harbour, second basin (HARBOUR-2)"),
                    "{text}"
                );
                assert!(!text.contains("MOON"), "{text}");
                assert!(
                    text.contains("https://north.collab.example/login"),
                    "{text}"
                );
                for mail in wait_for(&server, State::Sent, 2).await {
                    assert_eq!(mail.attempts, 1);
                    let id = format!("<{}@north.example>", mail.id);
                    let ids =
                        [&password, &invited].map(|mail| mail["headers"]["message-id"].clone());
                    assert!(ids.contains(&json!(id)), "{id}");
                }
                assert!(
                    smtp.program.is_quiet_for(Duration::from_secs(2)).await,
                    "sent once"
                );
                server
            });
        }
    });
}

#[test]
fn what_is_refused_for_now_is_sent_later_and_what_is_refused_for_good_is_dead() {
    on_both(|database| {
        run_with(async move || {
            let mut smtp = SmtpServer::start(&["none", "2", "451"]).await;
            let server =
                Server::start_with(database, |layer| smtp.configure(layer, Security::None)).await;
            create(&server, json!({})).await;
            let since = Instant::now();
            let tried = loop {
                let waiting = listed(&server, Some(State::Waiting)).await;
                if waiting.len() == 2 && waiting.iter().all(|mail| mail.problem.is_some()) {
                    break waiting;
                }
                assert!(since.elapsed() < Duration::from_secs(60), "{waiting:#?}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            };
            assert!(
                tried[0].problem.as_ref().unwrap().contains("451"),
                "{tried:?}"
            );
            // The first wait takes 30 seconds, of which a busy machine may need some before this line.
            server.advance(20);
            assert!(
                smtp.program.is_quiet_for(Duration::from_millis(1500)).await,
                "too early"
            );
            server.advance(60);
            smtp.next().await;
            smtp.next().await;
            let sent = wait_for(&server, State::Sent, 2).await;
            assert!(
                sent.iter()
                    .all(|mail| mail.attempts == 2 && mail.problem.is_none())
            );
            server
        });
        run_with(async move || {
            let mut smtp = SmtpServer::start(&["none", "2", "550"]).await;
            let server =
                Server::start_with(database, |layer| smtp.configure(layer, Security::None)).await;
            create(&server, json!({})).await;
            let dead = wait_for(&server, State::Dead, 2).await;
            assert!(
                dead[0].problem.as_ref().unwrap().contains("550"),
                "{dead:?}"
            );
            let dead = dead
                .iter()
                .find(|mail| mail.about.kind() == "set-password")
                .unwrap();
            resend(&server, &dead.id, "again").await;
            let mail = smtp.next().await;
            assert!(mail["text"].as_str().unwrap().contains("token="));
            let old = PasswordLink::new(&server.app().server_keys, &dead.id);
            let old = server.url(&format!("/ui/v1/password?token={}", old.token()));
            assert!(
                !set_password(&server, &old).await,
                "the old link stopped working"
            );
            assert!(set_password(&server, link_of(mail["text"].as_str().unwrap())).await);
            server
        });
    });
}

async fn resend(server: &Server, id: &str, new: &'static str) {
    let app = Arc::clone(server.app());
    let (id, now) = (id.to_owned(), app.clock.now());
    let mailer = Arc::clone(&app.mail);
    let found = app
        .store
        .write(move |tx| {
            let link = PasswordLink::new(&mailer.server_keys, new);
            outbox::resend(tx, &mailer.server_keys, &id, &link, now)
        })
        .await;
    assert!(found.unwrap_or_else(|error: StoreError| panic!("{error}")));
}

#[test]
fn replicas_that_look_at_once_send_each_mail_once() {
    on_both(|database| {
        run_with(async move || {
            let mut smtp = SmtpServer::start(&["none"]).await;
            let server =
                Server::start_with(database, |layer| smtp.configure(layer, Security::None)).await;
            for number in 0..10 {
                let address = format!("user{number}@north.example");
                create(&server, json!({"emailAddress": address})).await;
            }
            // Read as they come: the mail server waits for its reader.
            let rounds = (0..6).map(|_| deliver_due(Arc::clone(&server.app().mail)));
            let rounds = tokio::spawn(futures::future::join_all(rounds));
            let mut ids = Vec::new();
            for _ in 0..20 {
                ids.push(smtp.next().await["headers"]["message-id"].to_string());
            }
            assert!(smtp.program.is_quiet_for(Duration::from_secs(1)).await);
            rounds.await.unwrap();
            wait_for(&server, State::Sent, 20).await;
            ids.sort();
            ids.dedup();
            assert_eq!(ids.len(), 20);
            server
        });
    });
}

#[test]
fn a_mail_of_a_newer_version_delays_no_other_mail() {
    on_both(|database| {
        run_with(async move || {
            let server = Server::start(database).await;
            create(&server, json!({})).await;
            let sent = wait_for(&server, State::Sent, 2).await;
            let [unknown, known] = [0, 1].map(|index| sent[index].id.clone());
            let unsent = "UPDATE mail_outbox SET sent_at = NULL, next_at = created_at, \
                          about = CASE id WHEN $1 THEN '\"future\"' ELSE about END";
            let id = unknown.clone();
            let changed = server.write(move |tx| tx.execute(unsent, params![id.as_str()]));
            assert_eq!(changed.await, 2);
            let sent = wait_for(&server, State::Sent, 1).await;
            assert_eq!((&sent[0].id, sent[0].attempts), (&known, 2));
            let all = server.read(|tx| outbox::list(tx, None, 100)).await;
            assert_eq!(all.unreadable, [unknown]);
            server
        });
    });
}

#[test]
fn a_link_that_ended_before_its_mail_left_is_not_sent() {
    run_with(async || {
        let smtp = SmtpServer::start(&["none", "1000", "451"]).await;
        let server = Server::start_with(Database::Sqlite, |layer| {
            smtp.configure(layer, Security::None)
        })
        .await;
        create(&server, json!({})).await;
        server.advance(80 * 3600);
        let dead = wait_for(&server, State::Dead, 1).await;
        assert!(
            dead[0].problem.as_ref().unwrap().contains("link"),
            "{dead:?}"
        );
        server
    });
}

#[test]
fn without_a_mail_server_each_mail_is_a_file_for_its_owner_only() {
    run_with(async || {
        let server = Server::start(Database::Sqlite).await;
        create(&server, json!({"language": "tlh"})).await;
        let sent = wait_for(&server, State::Sent, 2).await;
        let directory = server.app().config.server.data_dir.join("mail");
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 2);
        for mail in sent {
            let path = directory.join(&mail.id).with_extension("eml");
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains("To: mira@lund.example"), "{text}");
            assert!(text.contains("Hello Mira Lund,"), "{text}");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
                assert_eq!((mode(&path), mode(&directory)), (0o600, 0o700));
            }
        }
        let banner = accord_server::serve::banner(server.app()).await;
        assert!(
            banner.contains("no mail server: .eml files in "),
            "{banner}"
        );
        server
    });
}

#[test]
fn a_test_says_whether_mail_leaves() {
    run_with(async || {
        let mut smtp = SmtpServer::start(&["starttls"]).await;
        let server = Server::start_with(Database::Sqlite, |layer| {
            smtp.configure(layer, Security::Starttls);
        })
        .await;
        send_test(&server.app().mail, COLLEAGUE_EMAIL)
            .await
            .unwrap();
        assert_eq!(smtp.next().await["to"], json!([COLLEAGUE_EMAIL]));
        assert!(send_test(&server.app().mail, COLLEAGUE).await.is_err());
        server
    });
    run_with(async || {
        let smtp = SmtpServer::start(&["starttls"]).await;
        let server = Server::start_with(Database::Sqlite, |layer| {
            smtp.configure(layer, Security::Starttls);
            // Nobody vouches for the certificate.
            layer.mail.ca_file = None;
        })
        .await;
        let error = send_test(&server.app().mail, COLLEAGUE_EMAIL)
            .await
            .unwrap_err();
        assert!(!error.to_string().is_empty());
        server
    });
}

#[test]
fn a_password_for_the_mail_server_does_not_cross_the_network_in_the_clear() {
    let mut layer = Layer::empty();
    layer.mail.host = Some("mail.example".into());
    layer.mail.user = Some("accord".into());
    layer.mail.password = Some(Secret::new("secret"));
    layer.mail.security = Some(Security::None);
    let error = accord_server::config::Config::from_layers(layer).unwrap_err();
    assert!(error.to_string().starts_with("mail.security: "), "{error}");
}
