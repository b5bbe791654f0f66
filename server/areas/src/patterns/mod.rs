//! Agent patterns of projects, which are created from a catalog of
//! accelerators.
//!
//! Operators manage the [`catalog`]: service instances, their projects, and
//! accelerators. [`accelerators`] adds [packages](package) to it. [`pattern`]
//! and [`change`] have the life of one agent pattern, and [`list`] pages of
//! them.

pub mod accelerators;
pub mod catalog;
pub mod change;
pub mod demo;
pub mod error;
pub mod id;
pub mod list;
pub mod package;
pub mod pattern;
