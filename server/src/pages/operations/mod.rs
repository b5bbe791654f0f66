//! The pages of operations, for operators: what this replica has served, what all replicas share,
//! policies, clients, grants and users.
//!
//! Figures of requests and upstreams are in the memory of one replica, and the page names it. The
//! list of replicas, the outbox and the audit trail are in the database.

mod audit;
pub mod clients;
mod figures;
pub mod grants;
mod operator;
pub mod policies;
mod samples;
mod show;
mod upstreams;
pub mod users;

pub use show::{show, verify};
