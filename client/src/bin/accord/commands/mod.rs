//! The commands, one file for each kind of thing that they manage.

pub mod api;
pub mod chat;
mod collab;
pub mod completions;
pub mod import;
pub mod keys;
pub mod login;
pub mod patterns;
pub mod profiles;
pub mod responses;
mod times;
pub mod usage;
pub mod users;
