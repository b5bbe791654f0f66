//! The server's half of one area: the trait to implement, its types, `register`, and the published document. All of
//! it is made from the document by the build script.

#![allow(clippy::all, rustdoc::all, unused)]

include!(concat!(env!("OUT_DIR"), "/server.rs"));

/// The published document as YAML.
pub const PUBLISHED_YAML: &str = include_str!(concat!(env!("OUT_DIR"), "/published.yaml"));

/// The published document as compact JSON.
pub const PUBLISHED_JSON: &str = include_str!(concat!(env!("OUT_DIR"), "/published.json"));
