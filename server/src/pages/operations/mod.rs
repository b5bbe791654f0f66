//! The pages of operations, for operators: what this replica has served, what all replicas share,
//! and the policies.
//!
//! Figures of requests and upstreams are in the memory of one replica, and the page names it. The
//! list of replicas, the outbox and the audit trail are in the database.

mod audit;
mod figures;
mod operator;
pub mod policies;
mod samples;
mod show;
mod upstreams;

pub use show::{show, verify};
