//! The library of clients that dropforge generates.
//!
//! progenitor generates most of a client: the types, a builder per operation, the request and the parsing of its
//! response. dropforge generates the features that progenitor lacks. Their code that does not depend on the document is
//! in this library:
//!
//! - [`Session`]: adds credentials to requests and sends them. So tokens, retries and deadlines are in one trait,
//!   [`Transport`], and not in each operation;
//! - [`Operation`]: the description of an operation for a [`Session`];
//! - [`Argument`] and [`Style`]: parameters that are more than one text, in every style of OpenAPI;
//! - `Multipart`: bodies of several parts, whose files are streamed (feature `multipart`);
//! - [`Pages`] and [`Items`]: lists, page by page;
//! - [`header()`] and [`header_list`]: the values of response headers;
//! - [`EventStream`]: the typed events of a `text/event-stream` response;
//! - [`Secret`]: texts that are not printed;
//! - [`Buffered`], [`Failure`] and [`OperationError`]: responses whose type depends on their status, and those that the
//!   document does not describe.
#![deny(missing_docs)]
// Errors have progenitor's type, which is large.
#![allow(clippy::result_large_err)]

mod body;
mod escape;
mod events;
mod form;
mod headers;
mod idempotency;
mod json_errors;
#[cfg(feature = "multipart")]
mod multipart;
mod operation;
mod operation_error;
mod outcome;
mod pages;
mod places;
mod secret;
mod session;
mod setters;
mod style;
mod unions;

pub use body::Buffered;
pub use bytes::Bytes;
pub use dropforge_events::{Event, EventParser, EventTooLarge};
pub use escape::encode_path;
pub use events::{EventStream, Framing, StreamError};
pub use headers::{HeaderError, header, header_list, required_header};
pub use idempotency::{add_idempotency_key, is_idempotent, random_uuid};
#[cfg(feature = "multipart")]
pub use multipart::{Multipart, Part};
pub use operation::{Form, Operation, Parameter, Place, Requirement, Scheme, SchemeKind};
pub use operation_error::{Described, OperationError, describe, retry_after};
pub use outcome::{Failure, classify_by_bytes, classify_by_value, read_json};
pub use pages::{Items, List, Pages};
pub use places::Argument;
pub use secret::Secret;
pub use session::{
    BoxError, Pending, STREAM_DEADLINE, Session, Transport, execute, prepare, transport_error,
};
pub use setters::{optional, required};
pub use style::Style;
pub use unions::{UnionReader, write_tagged};

// Generated code uses these crates through this one, so that its user depends on this crate alone.
pub use dropforge_fields as fields;
pub use futures_util as futures;
#[cfg(feature = "regress")]
pub use regress;
pub use {base64, bytes, chrono, http, progenitor_client, reqwest, serde, serde_json, uuid};
