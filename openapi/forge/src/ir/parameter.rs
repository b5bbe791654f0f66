//! Parameters.

use super::{Place, SchemaId, Type};

/// One parameter.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name in the document.
    pub name: String,
    /// The field of the parameters' struct.
    pub field: String,
    /// Its member in the object that parameters are read into: its name, or
    /// `query.name` where parameters of several places share the name.
    pub key: String,
    /// `description`.
    pub description: Option<String>,
    /// Where it stands, for people.
    pub place: Place,
    /// Where it stands.
    pub location: Location,
    /// Whether a request without it is refused.
    pub required: bool,
    /// How arrays and objects are written.
    pub style: Style,
    /// Whether each element is written apart.
    pub explode: bool,
    /// The value is JSON text.
    pub json: bool,
    /// What the value must be.
    pub schema: SchemaId,
    /// The field's type, without the `Option` of an optional one.
    pub ty: Type,
}

/// Where a parameter stands.
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
    /// As documents write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Location::Path => "path",
            Location::Query => "query",
            Location::Header => "header",
            Location::Cookie => "cookie",
        }
    }
}

/// How arrays and objects are written (OpenAPI 3.0.3, "Style Values").
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
