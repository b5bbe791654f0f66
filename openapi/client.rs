//! The client of one area: builders of requests, types, errors by status. All of it is made from the document by the
//! build script.

#![allow(clippy::all, missing_docs, rustdoc::all, unused)]

include!(concat!(env!("OUT_DIR"), "/client.rs"));
