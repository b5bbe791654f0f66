//! Patterns: agent patterns of a project, made from a catalogue of
//! accelerators.
//!
//! [`catalogue`] is what the operator keeps: service instances, their projects,
//! and the accelerators. [`pattern`] is one agent pattern, from its creation to
//! its deletion, and [`list`] a page of them.

pub mod catalogue;
pub mod demo;
pub mod error;
pub mod list;
pub mod pattern;
