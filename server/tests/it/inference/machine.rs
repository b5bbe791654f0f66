//! Random histories of a key's secrets, against a model of what each state
//! allows.
//!
//! The model is written from the document's table and shares nothing with the
//! service. A failure prints the seed and the steps that led to it.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use super::client::{Key, Manager, accepted, item};
use crate::harness::{Server, both_databases};

const HISTORIES: u64 = 3;
const STEPS: usize = 25;
const NAMES: [&str; 2] = ["one", "two"];

/// A small generator, so that a seed tells a whole history (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// What the model knows of a secret.
#[derive(Debug, Clone)]
struct Modelled {
    state: &'static str,
    expires_at: DateTime<Utc>,
    plain: String,
    /// Values that a renewal replaced.
    old: Vec<String>,
}

impl Modelled {
    fn observed(&self, now: DateTime<Utc>) -> &'static str {
        match self.state {
            "REVOKED" => "REVOKED",
            _ if self.expires_at <= now => "EXPIRED",
            state => state,
        }
    }

    /// Whether it may be given this state.
    fn may_become(&self, target: &str, now: DateTime<Utc>) -> bool {
        match self.observed(now) {
            "STANDBY" => target != "DEACTIVATED",
            "ACTIVE" | "DEACTIVATED" => true,
            _ => target == "REVOKED",
        }
    }
}

both_databases! {
    async fn no_history_of_a_secret_leaves_the_table(server: Server) {
        for seed in 1..=HISTORIES {
            history(&server, seed).await;
        }
    }
}

async fn history(server: &Server, seed: u64) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut manager = Manager::of(server).await;
    let now = || server.app().clock.now();
    let life = TimeDelta::hours(2);
    let body = json!({
        "displayName": "history",
        "compartmentId": "compartment.demo",
        "keyDetails": NAMES.map(|name| json!({"keyName": name, "timeExpiry": now() + life})),
    });
    let created = manager.create(&body).await.ok();
    let key = Key::of(&created);
    let plain = [key.one.clone(), key.two.clone()];
    let mut secrets: Vec<Modelled> = ["ACTIVE", "STANDBY"]
        .into_iter()
        .zip(plain)
        .map(|(state, plain)| Modelled {
            state,
            expires_at: now() + life,
            plain,
            old: Vec::new(),
        })
        .collect();
    let mut steps = Vec::new();
    for _ in 0..STEPS {
        let which = usize::try_from(dice.below(2)).unwrap();
        let name = NAMES[which];
        let secret = &mut secrets[which];
        match dice.below(10) {
            0 => {
                steps.push("an hour passes".to_owned());
                server.advance(3600);
                // Access tokens do not outlive it.
                manager = Manager::of(server).await;
            }
            1 | 2 => {
                steps.push(format!("renew {name}"));
                let expiry = now() + life;
                let details = json!({"details": {"keyName": name, "timeExpiry": expiry}});
                let path = format!("/{}/actions/renew", key.id);
                let reply = manager.post(&path, &details).await;
                let renewed = reply.ok();
                let plain = item(&renewed, name)["key"].as_str().unwrap().to_owned();
                let old = std::mem::replace(&mut secret.plain, plain);
                secret.old.push(old);
                secret.state = match secret.state {
                    "REVOKED" => "STANDBY",
                    _ => "ACTIVE",
                };
                secret.expires_at = expiry;
            }
            roll => {
                // Only a renewal leads out of revocation, so it is rare.
                let target = match roll {
                    3 if dice.below(3) == 0 => "REVOKED",
                    3..=6 => "ACTIVE",
                    _ => "DEACTIVATED",
                };
                steps.push(format!("{name} -> {target}"));
                let allowed = secret.may_become(target, now());
                let reply = manager.set_state(&key, name, target).await;
                match allowed {
                    true => {
                        reply.ok();
                        secret.state = target;
                    }
                    false => reply.is(409, "IncorrectState"),
                }
            }
        }
        let read = manager.get(&format!("/{}", key.id)).await.ok();
        for (name, secret) in NAMES.iter().zip(&secrets) {
            let expected = secret.observed(now());
            assert_eq!(
                item(&read, name)["state"],
                expected,
                "seed {seed}: {steps:?}"
            );
            let opens = accepted(server, &secret.plain).await;
            assert_eq!(opens, expected == "ACTIVE", "seed {seed}: {steps:?}");
            if let Some(old) = secret.old.last() {
                assert!(!accepted(server, old).await, "seed {seed}: {steps:?}");
            }
        }
    }
}
