//! OpenAPI 3.0 documents into dropshot servers, and into documents that
//! progenitor can take.
//!
//! The way of a document is one way: [`document`] loads it and keeps the
//! position of every node, so that whatever comes later can point at the line
//! that it speaks of.

// A diagnostic is the end of a run, not of an inner loop: its size is no matter.
#![allow(clippy::result_large_err)]

pub mod document;
