//! API keys and model calls, as clients see them.

mod calls;
pub mod client;
mod fake;
mod gateway;
mod keys;
mod listing;
mod refusals;
mod replicas;
mod retries;
mod robust;
mod sdk;
mod states;
mod translated;
