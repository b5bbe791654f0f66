//! Patterns: agent patterns of a project, made from a catalogue of
//! accelerators.
//!
//! [`catalogue`] is what the operator keeps: service instances, their projects,
//! and the accelerators. Those come as [packages](package), which [`accelerators`]
//! puts into the catalogue. [`pattern`] is one agent pattern, from its creation to
//! its deletion, and [`list`] a page of them.

pub mod accelerators;
pub mod catalogue;
pub mod change;
pub mod demo;
pub mod error;
pub mod id;
pub mod list;
pub mod package;
pub mod pattern;
