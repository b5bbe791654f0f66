//! The commands, one file for each kind of thing that they manage.

pub mod api;
pub mod chat;
mod collab;
pub mod completions;
pub mod config;
mod identity;
pub mod import;
pub mod keys;
mod limit;
pub mod login;
pub mod man;
pub mod noun;
pub mod patterns;
pub mod profiles;
mod reply;
pub mod responses;
pub mod status;
mod target;
mod times;
pub mod tokens;
pub mod usage;
pub mod users;
