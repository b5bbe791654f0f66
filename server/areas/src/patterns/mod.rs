//! Agent patterns of projects, which are created from accelerators.
//!
//! Operators manage the [`catalog`] of service instances and their projects, and the
//! [`accelerators`], each from a [`package`]. [`pattern`] creates and reads an agent pattern,
//! [`change`] changes and deletes it, and [`list`] reads a page of them.

pub mod accelerator;
pub mod accelerators;
pub mod catalog;
pub mod change;
pub mod demo;
pub mod error;
pub mod id;
pub mod list;
pub mod package;
pub mod pattern;
