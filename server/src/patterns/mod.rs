//! Area D: agent patterns made from accelerators.
//!
//! Implements `openapi/patterns.yaml`.
