//! The page of operations, for operators: what this replica has served, and what all replicas
//! share.
//!
//! Figures of requests and upstreams are in the memory of one replica, and the page names it. The
//! list of replicas, the outbox and the audit trail are in the database.

mod audit;
mod figures;
mod samples;
mod show;
mod upstreams;

pub use show::{show, verify};
