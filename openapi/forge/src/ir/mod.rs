//! The intermediate representation (IR): the meaning of a document, as plain data.
//!
//! Lowering passes fill it in and emitters read it. The IR depends neither on the notation of a
//! document nor on Rust tokens. It contains every name that generated code uses.

mod api;
mod body;
mod operation;
mod parameter;
mod place;
mod response;
mod rules;
mod schema;
mod security;
mod types;

pub use api::{Api, Trait};
pub use body::{Body, BodyShape, Codec, Framing, MediaType, essence};
pub use operation::{NotFound, Operation, OperationNames, Pages, Part, Route, Segment};
pub use parameter::{Location, Parameter, Style};
pub use place::{Origin, Place};
pub use response::{Header, HeaderSource, Payload, PayloadVariant, Response, ResponseType, Status};
pub use schema::{
    Additional, ArrayRules, Discriminator, Number, NumberRules, ObjectRules, Pattern, Property,
    Schema, SchemaId, StringRules, Types,
};
pub use security::{Credentials, Requirement, Scheme, SchemeUse};
pub use types::{
    AdditionalMembers, Alternative, DefaultValue, Definition, DefinitionId, Field, Shape, Type,
};
