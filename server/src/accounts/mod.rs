//! Accounts: hub accounts, the collab profiles linked to them, and what a hub
//! administrator may see of both.
//!
//! [`provisioning`] holds the two changes that the document offers, each one
//! transaction. It is written in terms of [`directory`] (organizations and
//! application instances, which the operator keeps), [`administrators`] (who
//! administers what), [`idempotency`] (responses to repeat), and [`users`] and [`profiles`] (the rows that are created).
//! The operator keeps the directory as a file, a [`manifest`].
//! What is sent because of it goes into the outbox of [`crate::mail`].

pub mod administrators;
pub mod demo;
pub mod directory;
pub mod idempotency;
pub mod manifest;
pub mod profiles;
pub mod provisioning;
pub mod users;
