//! Accounts: hub accounts, their collab profiles, and the parts of both that a hub administrator may see.
//!
//! [`requests`] makes the two changes of the document, once for each idempotency key. [`provisioning`]
//! implements them in a transaction. It uses [`directory`] (organizations and application instances),
//! [`administrators`] (the rights of users), and [`users`] and [`profiles`] (the created rows).
//! Operators manage the directory in a file, the [`manifest`]. Mail goes into the outbox of
//! [`crate::mail`].

pub mod administrators;
pub mod demo;
pub mod directory;
pub mod erasure;
pub mod manifest;
pub mod operators;
pub mod people;
pub mod profiles;
pub mod provisioning;
pub mod requests;
pub mod users;

use chrono::TimeDelta;

use crate::kernel::idempotency::Responses;

/// Where responses of requests with an `Idempotency-Key` are stored.
///
/// A stored response has personal data: a caller gets it only while the caller has the right
/// to the operation.
pub static RESPONSES: Responses = Responses {
    table: "idempotency_keys",
    key: "key_mac",
    columns: &["answer"],
    purposes: ["accounts idempotency key", "accounts idempotency request"],
    retention: TimeDelta::days(7),
};
