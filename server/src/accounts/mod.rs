//! Accounts: hub accounts, their collab profiles, and the parts of both that a hub administrator may see.
//!
//! [`provisioning`] implements the two changes of the document, each as one transaction. It uses [`directory`]
//! (organizations and application instances), [`administrators`] (the rights of users), [`idempotency`] (repeated
//! requests), and [`users`] and [`profiles`] (the created rows). Operators manage the directory in a file, the
//! [`manifest`]. Mail goes into the outbox of [`crate::mail`].

pub mod administrators;
pub mod demo;
pub mod directory;
pub mod idempotency;
pub mod manifest;
pub mod profiles;
pub mod provisioning;
pub mod users;
