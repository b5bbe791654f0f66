//! Accord's service.
//!
//! The four areas [`accounts`], [`identity`], [`inference`] and [`patterns`], and [`mail`],
//! use a [`kernel`]: a [`store`], a clock, randomness and a [`config`]uration. [`rights`]
//! decide who may do what, and the [`audit`] trail records changes. Above the areas, the
//! [`app`] is the context of every call, and [`mod@api`] implements the traits generated
//! from the documents. [`pages`], [`publish`] and [`ops`] serve what no document describes.
//! [`serve`] puts all of it behind listeners, and closes idle [`connections`]. A [`backup`]
//! has the server keys and the database. The [`setup`] fills an empty store, the
//! [`retention`] deletes old records, and the [`erasure`] removes a person. Lower modules
//! use no higher ones.

pub mod accounts;
pub mod api;
pub mod app;
pub mod area;
pub mod audit;
pub mod backup;
pub mod config;
pub mod connections;
pub mod demo;
pub mod erasure;
pub mod identity;
pub mod inference;
pub mod kernel;
pub mod mail;
pub mod ops;
pub mod pages;
pub mod patterns;
pub mod publish;
pub mod retention;
pub mod rights;
pub mod rotation;
pub mod serve;
pub mod setup;
pub mod store;
