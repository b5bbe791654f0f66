//! The areas of Accord's service, below the documents' operations.
//!
//! [`accounts`], [`identity`], [`inference`] and [`patterns`] are the areas, and [`mail`] serves
//! all of them. [`rights`] decide who may do what. The [`setup`] fills an empty store, a
//! [`backup`] has the server keys and the database, the [`retention`] deletes old records, and the
//! [`erasure`] removes a person. Lower modules use no higher ones.

pub mod accounts;
pub mod backup;
pub mod demo;
pub mod erasure;
pub mod identity;
pub mod inference;
pub mod mail;
pub mod patterns;
pub mod retention;
pub mod rights;
pub mod rotation;
pub mod setup;

use accord_base::{audit, config, kernel, measures, names, params, store};
