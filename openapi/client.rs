#![doc = include_str!(concat!(env!("OUT_DIR"), "/client.md"))]
//!
//! This is the client of the area: builders of requests, types, errors by status. The build script makes all of it from
//! the document.

#![allow(clippy::all, missing_docs, rustdoc::all, unused)]

include!(concat!(env!("OUT_DIR"), "/client.rs"));
