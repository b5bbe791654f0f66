//! Area C: device authorization and tokens, with the pages that people use.
//!
//! Implements `openapi/identity.yaml`: RFC 8628, and around it RFC 6749, 7009,
//! 7662 and 8414.

pub mod config;
