//! Rust types: the types of validated values.

use super::{Origin, Place, SchemaId};
use serde_json::Value;

/// Index of a definition in [`super::Api::definitions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefinitionId(pub usize);

/// A type where it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// Any JSON value.
    Any,
    /// `bool`
    Bool,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `u64`
    U64,
    /// `f64`
    F64,
    /// Text.
    String,
    /// An instant.
    DateTime,
    /// A calendar date.
    Date,
    /// A UUID.
    Uuid,
    /// Bytes of a multipart part.
    Binary,
    /// An object with any members.
    FreeObject,
    /// A list.
    Array(Box<Type>),
    /// An object whose members have one type.
    Map(Box<Type>),
    /// A type with a name.
    Named(DefinitionId),
    /// A type with a name behind a `Box`, if the type would contain itself.
    Boxed(DefinitionId),
    /// The value or `null`.
    Nullable(Box<Type>),
}

/// A type with a name.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Its name in Rust.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// The place of the schema.
    pub origin: Origin,
    /// Its schema.
    pub schema: SchemaId,
    /// Its shape.
    pub shape: Shape,
}

/// The shape of a definition.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A struct.
    Struct {
        /// Its fields, in the document's order.
        fields: Vec<Field>,
        /// Other members, if the struct has them.
        additional: Option<AdditionalMembers>,
    },
    /// One of several strings: the variant's name and the text.
    Enum(Vec<(String, String)>),
    /// One of several types.
    Union(Vec<Alternative>),
    /// Another name for a type.
    Alias(Type),
    /// A newtype around another type, if an alias would contain itself.
    Newtype(Type),
}

/// Members of a struct that are not among its fields.
#[derive(Debug, Clone)]
pub struct AdditionalMembers {
    /// The type of each.
    pub ty: Type,
    /// The schema of each, if the document has one.
    pub schema: Option<SchemaId>,
}

/// One field of a struct.
#[derive(Debug, Clone)]
pub struct Field {
    /// The property's name.
    pub name: String,
    /// The field's name in Rust.
    pub field: String,
    /// Its description.
    pub description: Option<String>,
    /// The place of its name.
    pub place: Place,
    /// Its type; `Nullable` if `null` is allowed.
    pub ty: Type,
    /// Whether it is required in both directions.
    pub required: bool,
    /// The value of an absent member. `None` if the member is required, or has no default that its
    /// type can hold.
    pub default: Option<DefaultValue>,
    /// Its schema.
    pub schema: SchemaId,
}

/// The value of an absent member, in the terms of its type.
#[derive(Debug, Clone, PartialEq)]
pub enum DefaultValue {
    /// `null`, of a type that allows it.
    Null,
    /// Another value of a type that allows `null`.
    NotNull(Box<DefaultValue>),
    /// A value of [`Type::Any`].
    Any(Value),
    /// A value of [`Type::Bool`].
    Bool(bool),
    /// A value of [`Type::I32`].
    I32(i32),
    /// A value of [`Type::I64`].
    I64(i64),
    /// A value of [`Type::U64`].
    U64(u64),
    /// A value of [`Type::F64`].
    F64(f64),
    /// A value of [`Type::String`].
    String(String),
    /// A value of [`Type::Array`].
    Array(Vec<DefaultValue>),
    /// A value of [`Type::FreeObject`].
    FreeObject(Vec<(String, Value)>),
    /// A value of [`Type::Map`].
    Map(Vec<(String, DefaultValue)>),
    /// A value of an enum: its type, and the name of the variant.
    Variant(DefinitionId, String),
}

/// One alternative of a union.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// The variant's name.
    pub variant: String,
    /// Its content.
    pub ty: Type,
    /// Its schema.
    pub schema: SchemaId,
}
