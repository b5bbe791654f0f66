//! The device grant against a model of it: whatever happens in whatever order,
//! on two replicas, the service does what the model says.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use accord_server::app::App;
use accord_server::config::{Config, Layer, Secret};
use accord_server::identity::grants::{self, Decision};
use accord_server::identity::tokens::{self, TokenError};
use accord_server::identity::user_code::UserCode;
use accord_server::identity::{demo, endpoints, sweep};
use accord_server::kernel::{Clock, SystemRandom};
use accord_server::serve::{self, Service};
use accord_server::store::Tx;
use chrono::{DateTime, Utc};
use confique::Layer as _;
use proptest::prelude::*;
use proptest::test_runner::{Config as Cases, TestRunner};

use super::client::{Answer, DEVICE_CODE, answer};
use crate::harness::{Database, Server, recorder};

/// Seconds that a grant lasts, and between two polls.
const LIFETIME: i64 = 300;
const INTERVAL: i64 = 5;
/// Seconds for which an expired grant is still known.
const RETENTION_SECONDS: i64 = 3600;

/// Something that happens to a grant.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// The device polls a replica.
    Poll(usize),
    /// It polls, and the replica dies before its transaction is committed.
    Crash(usize),
    /// It polls both replicas at once.
    PollBoth,
    /// The user decides on a replica.
    Decide(usize, Decision),
    /// Time passes, in seconds.
    Tick(i64),
    /// A replica removes what has expired.
    Sweep(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let replica = 0..2_usize;
    let decision = prop_oneof![3 => Just(Decision::Approve), 1 => Just(Decision::Deny)];
    let step = prop_oneof![
        6 => replica.clone().prop_map(Step::Poll),
        2 => replica.clone().prop_map(Step::Crash),
        2 => Just(Step::PollBoth),
        2 => (replica.clone(), decision).prop_map(|(at, decision)| Step::Decide(at, decision)),
        4 => (1..12_i64).prop_map(Step::Tick),
        1 => prop_oneof![Just(120), Just(LIFETIME), Just(RETENTION_SECONDS)].prop_map(Step::Tick),
        1 => replica.prop_map(Step::Sweep),
    ];
    prop::collection::vec(step, 1..24)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Pending,
    Approved,
    Denied,
    Redeemed,
    Swept,
}

/// What the grant should be.
#[derive(Debug)]
struct Model {
    now: i64,
    expires_at: i64,
    state: State,
    interval: i64,
    polled_at: Option<i64>,
    /// Whether the token that it gave is good.
    token: bool,
}

impl Model {
    fn is_expired(&self) -> bool {
        self.expires_at <= self.now
    }

    /// The answer to a poll: an error code, or nothing for a token.
    fn poll(&mut self) -> Option<&'static str> {
        match self.state {
            State::Swept => Some("invalid_grant"),
            State::Denied => Some("access_denied"),
            State::Pending | State::Approved if self.is_expired() => Some("expired_token"),
            State::Pending => {
                let early = self
                    .polled_at
                    .is_some_and(|at| self.now < at + self.interval);
                self.polled_at = Some(self.now);
                if early {
                    self.interval += 5;
                    return Some("slow_down");
                }
                Some("authorization_pending")
            }
            State::Approved => {
                self.state = State::Redeemed;
                self.token = true;
                None
            }
            State::Redeemed => {
                self.token = false;
                Some("invalid_grant")
            }
        }
    }

    fn decide(&mut self, decision: Decision) -> bool {
        let open = self.state == State::Pending && !self.is_expired();
        if open {
            self.state = match decision {
                Decision::Approve => State::Approved,
                Decision::Deny => State::Denied,
            };
        }
        open
    }

    fn is_forgotten(&self) -> bool {
        self.expires_at < self.now - RETENTION_SECONDS
    }

    fn sweep(&mut self) {
        if self.is_forgotten() {
            self.state = State::Swept;
        }
    }
}

/// A clock that stands still until it is told otherwise, in seconds.
struct Stopped(AtomicI64);

impl Clock for Stopped {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp(self.0.load(Ordering::SeqCst), 0).unwrap()
    }
}

/// Two replicas over one database, with one clock.
struct Pair {
    apps: Vec<Arc<App>>,
    services: Vec<Service>,
    clock: Arc<Stopped>,
    http: reqwest::Client,
    _first: Server,
}

impl Pair {
    async fn start(database: Database) -> Pair {
        let first = Server::start_with(database, |layer| {
            layer.server.public_url = Some("https://id.example".parse().unwrap());
        })
        .await;
        let config = first.app().config.clone();
        // Later than the first service's clock, from which on its key signs.
        let clock = Arc::new(Stopped(AtomicI64::new(Utc::now().timestamp() + 2)));
        let mut pair = Pair {
            apps: Vec::new(),
            services: Vec::new(),
            clock: Arc::clone(&clock),
            http: reqwest::Client::new(),
            _first: first,
        };
        for _ in 0..2 {
            let mut layer = Layer::empty();
            layer.server.listen = Some("127.0.0.1:0".parse().unwrap());
            layer.server.public_url = Some("https://id.example".parse().unwrap());
            layer.server.data_dir = Some(config.server.data_dir.clone());
            layer.demo.anywhere = Some(true);
            layer.database.url = Some(Secret::new(config.database_url().expose().to_owned()));
            let config = Config::from_layers(layer).unwrap();
            let random = Arc::new(SystemRandom);
            let app = App::open(config, Arc::clone(&clock) as Arc<dyn Clock>, random).await;
            let app = app.unwrap_or_else(|error| panic!("{error}"));
            recorder::install(&app);
            pair.services
                .push(serve::start(Arc::clone(&app)).await.unwrap());
            pair.apps.push(app);
        }
        pair
    }

    async fn post(&self, at: usize, path: &str, form: &[(&str, &str)]) -> Answer {
        let url = format!("http://{}{path}", self.services[at].address());
        answer(self.http.post(url).form(form)).await
    }

    async fn poll(&self, at: usize, device_code: &str) -> Answer {
        let form = [
            ("grant_type", DEVICE_CODE),
            ("device_code", device_code),
            ("client_id", demo::PUBLIC),
        ];
        self.post(at, "/oauth2/v1/token", &form).await
    }

    /// Does what a poll does, and then loses the transaction.
    async fn crash(&self, at: usize, device_code: &str) {
        let app = Arc::clone(&self.apps[at]);
        let code = device_code.to_owned();
        let now = app.clock.now().timestamp_millis();
        let lost: Result<(), TokenError> = self.apps[at]
            .store
            .write(move |tx: &mut Tx<'_>| {
                let _ = grants::poll(tx, &app.server_keys, &code, demo::PUBLIC, "crash", now);
                Err(TokenError::Token("the replica has died"))
            })
            .await;
        lost.unwrap_err();
    }

    async fn decide(&self, at: usize, code: &UserCode, decision: Decision) -> bool {
        let app = Arc::clone(&self.apps[at]);
        let code = code.clone();
        let now = app.clock.now().timestamp_millis();
        self.apps[at]
            .store
            .write(move |tx: &mut Tx<'_>| {
                let row = tx.query_opt("SELECT MIN(id) FROM hub_users", &[])?;
                let user: String = row.unwrap().get(0)?;
                grants::decide(tx, &app.server_keys, &code, &user, decision, now)
            })
            .await
            .unwrap()
            .is_some_and(|decided| decided.is_new)
    }

    async fn is_good(&self, at: usize, token: &str) -> bool {
        let app = &self.apps[at];
        let issuer = endpoints::issuer(&app.identity).to_owned();
        let now = app.clock.now().timestamp_millis();
        let token = token.to_owned();
        let verified = app
            .store
            .read(move |tx: &mut Tx<'_>| tokens::verify(tx, &issuer, &token, now))
            .await;
        verified.is_ok()
    }

    async fn walk(&self, steps: &[Step]) -> Result<(), TestCaseError> {
        let form = [("client_id", demo::PUBLIC), ("scope", "accounts.read")];
        let asked = self.post(0, "/oauth2/v1/device", &form).await;
        prop_assert_eq!(asked.status, 200);
        let device_code = asked.text("device_code");
        let user_code = UserCode::parse(asked.text("user_code")).unwrap();
        let now = self.clock.0.load(Ordering::SeqCst);
        let mut model = Model {
            now,
            expires_at: now + LIFETIME,
            state: State::Pending,
            interval: INTERVAL,
            polled_at: None,
            token: false,
        };
        let mut token = None;
        for step in steps {
            match *step {
                Step::Tick(seconds) => {
                    self.clock.0.fetch_add(seconds, Ordering::SeqCst);
                    model.now += seconds;
                    // The services sweep too, when they please.
                    if model.is_forgotten() {
                        sweep(&self.apps[0].identity).await.unwrap();
                        model.sweep();
                    }
                }
                Step::Crash(at) => self.crash(at, device_code).await,
                Step::Sweep(at) => {
                    sweep(&self.apps[at].identity).await.unwrap();
                    model.sweep();
                }
                Step::Decide(at, decision) => {
                    let decided = self.decide(at, &user_code, decision).await;
                    prop_assert_eq!(decided, model.decide(decision));
                }
                Step::Poll(at) => {
                    let polled = self.poll(at, device_code).await;
                    let expected = model.poll();
                    prop_assert_eq!(polled.body["error"].as_str(), expected);
                    token = polled.body["access_token"]
                        .as_str()
                        .map(str::to_owned)
                        .or(token);
                }
                Step::PollBoth => {
                    let (one, two) =
                        tokio::join!(self.poll(0, device_code), self.poll(1, device_code));
                    let mut seen = [one.body["error"].as_str(), two.body["error"].as_str()];
                    let mut expected = [model.poll(), model.poll()];
                    seen.sort();
                    expected.sort();
                    prop_assert_eq!(seen, expected);
                    let given = [&one, &two].map(|answer| answer.body["access_token"].as_str());
                    token = given
                        .into_iter()
                        .flatten()
                        .next()
                        .map(str::to_owned)
                        .or(token);
                }
            }
            if let Some(token) = &token {
                let lasts = model.now < model.expires_at + 3600;
                for at in 0..2 {
                    // A token outlives its grant by an hour at least, and is not
                    // asked about at the edge.
                    let good = self.is_good(at, token).await;
                    prop_assert!(!good || model.token);
                    prop_assert!(good || !model.token || !lasts || model.now - now >= 3600);
                }
            }
        }
        Ok(())
    }
}

fn agrees_with_the_model(database: Database) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let pair = runtime.block_on(Pair::start(database));
    let mut runner = TestRunner::new(Cases {
        cases: 48,
        failure_persistence: None,
        ..Cases::default()
    });
    let outcome = runner.run(&steps(), |steps| runtime.block_on(pair.walk(&steps)));
    runtime.block_on(async {
        for service in pair.services {
            service.drain(std::time::Duration::from_secs(5)).await;
        }
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

mod whatever_happens_the_grant_does_what_the_model_says {
    use super::*;

    #[test]
    fn sqlite() {
        agrees_with_the_model(Database::Sqlite);
    }

    #[test]
    fn postgres() {
        agrees_with_the_model(Database::Postgres);
    }
}
