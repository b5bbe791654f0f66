//! Identity, from outside: devices that ask, clients that identify themselves,
//! and people with a browser.

pub mod browser;
mod canaries;
mod clauses;
pub mod client;
mod clients;
pub mod commands;
mod events;
mod examples;
mod floods;
mod grant;
mod guessing;
mod languages;
mod lockout;
mod malformed;
mod metadata;
mod model;
mod outage;
mod pages;
mod passkeys;
mod plans;
mod real;
mod replicas;
mod resets;
mod saml;
mod signing;
mod strict;
mod tokens;
