//! Parameters.

use super::{DefaultValue, Place, SchemaId, Type};

/// One parameter.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name in the document.
    pub name: String,
    /// The field of the parameters' struct.
    pub field: String,
    /// Its member in the object of all parameters: its name, or `query.name` where parameters of
    /// several places share the name, or the name begins with a place.
    pub key: String,
    /// `description`.
    pub description: Option<String>,
    /// The place of the definition, for people.
    pub place: Place,
    /// The part of the request that has it.
    pub location: Location,
    /// Whether the runtime rejects a request without it.
    pub required: bool,
    /// The notation of arrays and objects.
    pub style: Style,
    /// Whether each element is written separately.
    pub explode: bool,
    /// The service recognizes a repeated request by this header.
    pub idempotency_key: bool,
    /// A client sends it only with the request of the first page of a list.
    pub first_page_only: bool,
    /// The value is JSON text.
    pub json: bool,
    /// The value of an absent parameter. `None` if it is required, or has no default that its type
    /// can hold.
    pub default: Option<DefaultValue>,
    /// Its schema.
    pub schema: SchemaId,
    /// The field's type, without the `Option` of an optional one.
    pub ty: Type,
}

/// The part of a request that has a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// In the path.
    Path,
    /// In the query string.
    Query,
    /// In a header.
    Header,
    /// In the `Cookie` header.
    Cookie,
}

impl Location {
    /// All locations.
    pub(crate) const ALL: [Self; 4] = [Self::Path, Self::Query, Self::Header, Self::Cookie];

    /// The location of a word of documents.
    pub fn parse(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|location| location.as_str() == word)
    }

    /// The word of documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Location::Path => "path",
            Location::Query => "query",
            Location::Header => "header",
            Location::Cookie => "cookie",
        }
    }
}

/// The notation of arrays and objects (OpenAPI 3.0.3, "Style Values").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `a,b`
    Simple,
    /// `.a.b`
    Label,
    /// `;name=a`
    Matrix,
    /// `name=a&name=b`
    Form,
    /// `name=a%20b`
    SpaceDelimited,
    /// `name=a|b`
    PipeDelimited,
    /// `name[key]=a`
    DeepObject,
}
