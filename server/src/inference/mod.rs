//! Area B: API keys with two secrets, and the gateway to model servers.
//!
//! Implements `openapi/inference.yaml`.

pub mod config;
