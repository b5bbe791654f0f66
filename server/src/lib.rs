//! Accord's service.
//!
//! Four areas, [`accounts`], [`identity`], [`inference`] and [`patterns`], and
//! the [`mail`] that they owe to people, stand on a [`kernel`]: a [`store`], a
//! clock, randomness, a [`config`]uration; [`rights`] say who may do what, and what they do is told by the [`audit`]
//! trail. Above
//! them the [`app`] is the context of every call, [`mod@api`] implements the
//! traits generated from the documents, [`pages`], [`publish`] and [`ops`] are
//! what no document describes, and [`serve`] puts all of it behind listeners,
//! whose [`connections`] end in time.
//! What is below knows nothing of what is above.

pub mod accounts;
pub mod api;
pub mod app;
pub mod area;
pub mod audit;
pub mod config;
pub mod connections;
pub mod demo;
pub mod identity;
pub mod inference;
pub mod kernel;
pub mod mail;
pub mod ops;
pub mod pages;
pub mod patterns;
pub mod publish;
pub mod rights;
pub mod rotation;
pub mod serve;
pub mod store;
