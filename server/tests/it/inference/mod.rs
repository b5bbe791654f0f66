//! API keys and model calls, as clients see them.

mod builtin;
mod calls;
pub mod client;
mod commands;
mod exact;
mod external;
pub mod fake;
mod gateway;
mod keys;
mod limits;
mod listing;
mod llama;
mod machine;
mod measures;
mod outage;
mod refusals;
mod replicas;
mod retries;
mod robust;
mod sdk;
mod states;
mod tenancies;
mod trail;
mod translated;
mod upstreams;
mod usage;
