//! Area A: hub users, collab profiles, organizations, application instances.
//!
//! Implements `openapi/accounts.yaml`.
