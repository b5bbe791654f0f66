//! Checks the structure of a document before code is generated from it.
//!
//! A generator that reads only the keys that it knows does not notice a misspelled one. If that key
//! is `security`, anybody could call the operation. So one walk visits all objects of OpenAPI 3.0.3
//! or 3.1, as [`tables`] lists them. The walk checks every key: whether the object has it, whether
//! its value has the right type, whether a required key is missing. It also checks everything about
//! access: the shape of `security`, undeclared schemes, missing required scopes.
//!
//! An error rejects the document. A warning means that generated code does not implement a part of
//! the document. [`Diagnostics::deny_warnings`] turns warnings into errors.
//!
//! Servers, clients and the lint call the same [`check`], and read the
//! requirements of an operation by the same [`alternatives`].

mod addresses;
mod component_names;
mod example_reference;
mod exclusive;
mod header_names;
pub mod key;
mod key_place;
mod link_values;
mod links;
mod media_types;
mod misplaced;
mod number;
mod one_header;
mod operation_tags;
mod page;
mod proposals;
mod published_versions;
mod reference;
mod repeated;
mod required_default;
mod requirements;
mod rules;
mod same_media_types;
mod schema;
mod schemes;
mod scopes;
mod serialization;
mod server_variables;
mod shape;
mod slot;
mod stray_characters;
pub mod tables;
mod text_block;
mod typo;
mod unknown;
mod unknown_key;
mod value;
mod walk;

pub(crate) use addresses::url_problem;
pub use key::describe;
pub use key_place::KeyPlace;
pub(crate) use media_types::{check as check_media_type, is_token};
pub use page::constructs;
pub use proposals::{Proposal, ProposalKind, Vocabulary};
#[cfg(feature = "check")]
pub(crate) use repeated::comparable;
pub use requirements::{Alternative, SchemeUse, alternatives};
pub(crate) use schema::{discriminator_tags, discriminator_target, integer_range};
pub use schemes::declared_scopes;
pub use scopes::{REQUIRED_SCOPES, SCOPES};
pub use slot::Slot;
pub use walk::{check, keys};

use crate::document::Diagnostics;

/// Whether schemas have been refused because they are composed too deeply. Readers of schemas
/// descend into compositions, and must not read such a document.
pub(crate) fn is_too_deep(found: &Diagnostics) -> bool {
    found.iter().any(|one| one.code == schema::TOO_DEEP)
}

#[cfg(test)]
mod tests;
