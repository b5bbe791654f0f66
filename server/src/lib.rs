//! Accord's service.
//!
//! The [areas](accord_areas) use a [base](accord_base). Both are crates of their own, so that an
//! edit in here compiles neither. The [`app`] is the context of every call. [`mod@api`] implements
//! the traits generated from the documents, whose tables are in [`contract`]. [`pages`],
//! [`publish`] and [`ops`] serve what no document describes. [`serve`] puts all of it behind
//! listeners. Lower modules use no higher ones.

pub mod api;
pub mod app;
pub mod contract;
pub mod ops;
pub mod pages;
pub mod publish;
pub mod serve;

pub use accord_areas::{
    accounts, backup, demo, erasure, identity, inference, mail, patterns, retention, rights,
    rotation, setup,
};
pub use accord_base::{area, audit, config, connections, kernel, measures, names, params, store};
