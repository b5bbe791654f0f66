//! Accord's service.
//!
//! Four areas, each in a module that implements the trait generated from its
//! document: [`accounts`], [`identity`], [`inference`] and [`patterns`]. They
//! share a context ([`app`]), a [`store`] and a [`config`]uration, and know
//! nothing of the listeners that they are served on.

pub mod accounts;
pub mod app;
pub mod challenge;
pub mod config;
pub mod demo;
pub mod identity;
pub mod inference;
pub mod ops;
pub mod patterns;
pub mod publish;
pub mod serve;
pub mod store;
