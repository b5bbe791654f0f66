//! One document as a whole.

use super::{
    Definition, MediaType, NotFound, Operation, ResponseType, Route, Schema, SchemaId, Scheme,
};

/// One document, lowered.
#[derive(Debug, Clone)]
pub struct Api {
    /// Name of the document's file, from the caller.
    pub file: String,
    /// The area's name in `snake_case`: `accounts`.
    pub name: String,
    /// Name of the trait that a server implements: `Accounts`.
    pub trait_name: String,
    /// `info.title`.
    pub title: String,
    /// `info.version`.
    pub version: String,
    /// `info.description`.
    pub description: Option<String>,
    /// Path part of the first server's URL, without a trailing slash.
    pub base_path: String,
    /// The whole document as compact JSON.
    pub document: String,
    /// Every operation, in the document's order.
    pub operations: Vec<Operation>,
    /// The registrations at dropshot's router.
    pub routes: Vec<Route>,
    /// Prefixes for whose unknown paths the document has a response.
    pub not_found: Vec<NotFound>,
    /// Names in lower case of the response headers that carry the request's id. Callers may send
    /// their own id in them.
    pub request_ids: Vec<String>,
    /// Every schema that is reached.
    pub schemas: Vec<Schema>,
    /// For each schema, whether its values hold secrets that their types do not hide.
    pub secrets: Vec<bool>,
    /// Every Rust type that has a name.
    pub definitions: Vec<Definition>,
    /// Every response that has a type.
    pub responses: Vec<ResponseType>,
    /// Security schemes in use.
    pub schemes: Vec<Scheme>,
    /// The traits of the methods. Empty if all of them are in the main trait.
    pub traits: Vec<Trait>,
    /// Whether methods have bodies that respond with 501.
    pub is_prototype: bool,
}

impl Api {
    /// Whether `Debug` hides values of a schema.
    pub fn holds_secret(&self, id: SchemaId) -> bool {
        self.secrets[id.0]
    }

    /// The media types of all request bodies.
    pub fn request_media(&self) -> impl Iterator<Item = &MediaType> {
        let bodies = self
            .operations
            .iter()
            .filter_map(|operation| operation.body.as_ref());
        bodies.flat_map(|body| &body.media)
    }

    /// The media types of all responses.
    pub fn response_media(&self) -> impl Iterator<Item = &MediaType> {
        self.responses.iter().flat_map(|response| &response.media)
    }

    /// Whether `Debug` hides bodies of a media type.
    pub fn has_secret_body(&self, media: &MediaType) -> bool {
        media.schema.is_some_and(|id| self.holds_secret(id))
    }
}

/// A trait with the methods of one tag, which the main trait inherits from.
#[derive(Debug, Clone)]
pub struct Trait {
    /// `PetsOperations`.
    pub name: String,
    /// The tag. `None` for the operations without one.
    pub tag: Option<String>,
    /// The tag's `description`.
    pub description: Option<String>,
    /// Indices of its operations, in the document's order.
    pub operations: Vec<usize>,
}
