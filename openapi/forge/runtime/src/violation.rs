//! Violations: the place of an invalid value, the keyword and a message.
//!
//! A response lists all violations of a request at once, so that its author can correct all
//! of them. A message reads as the end of a sentence that begins with the place
//! (`hubUser.language` "is required"). It never repeats the value, which may be a secret.

use std::fmt;

/// The part of a request or response that contains a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// The path.
    Path,
    /// The query string.
    Query,
    /// A header.
    Header,
    /// The `Cookie` header.
    Cookie,
    /// The body.
    Body,
}

impl Location {
    /// The name of the part: `path`, `query`, `header`, `cookie` or `body`.
    pub fn as_str(self) -> &'static str {
        match self {
            Location::Path => "path",
            Location::Query => "query",
            Location::Header => "header",
            Location::Cookie => "cookie",
            Location::Body => "body",
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<crate::table::ParameterIn> for Location {
    fn from(location: crate::table::ParameterIn) -> Self {
        use crate::table::ParameterIn;
        match location {
            ParameterIn::Path => Location::Path,
            ParameterIn::Query => Location::Query,
            ParameterIn::Header => Location::Header,
            ParameterIn::Cookie => Location::Cookie,
        }
    }
}

macro_rules! keywords {
    ($($(#[$doc:meta])* $name:ident => $text:literal,)*) => {
        /// The violated rule, in the words of JSON Schema if it has one.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Keyword {
            $($(#[$doc])* $name,)*
        }

        impl Keyword {
            /// The keyword as a document writes it.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Keyword::$name => $text,)*
                }
            }
        }
    };
}

keywords! {
    /// The value has another JSON type.
    Type => "type",
    /// Not one of the enumerated values.
    Enum => "enum",
    /// A required member is missing.
    Required => "required",
    /// A property that the schema does not declare.
    AdditionalProperties => "additionalProperties",
    /// Too few properties.
    MinProperties => "minProperties",
    /// Too many properties.
    MaxProperties => "maxProperties",
    /// Too few elements.
    MinItems => "minItems",
    /// Too many elements.
    MaxItems => "maxItems",
    /// Two elements are equal.
    UniqueItems => "uniqueItems",
    /// Too short.
    MinLength => "minLength",
    /// Too long.
    MaxLength => "maxLength",
    /// The pattern does not match.
    Pattern => "pattern",
    /// The text does not have the format.
    Format => "format",
    /// Too small.
    Minimum => "minimum",
    /// Too large.
    Maximum => "maximum",
    /// Not a multiple.
    MultipleOf => "multipleOf",
    /// None of the alternatives fits.
    AnyOf => "anyOf",
    /// None of the alternatives fits, or more than one does.
    OneOf => "oneOf",
    /// The value matches a schema that it must not match.
    Not => "not",
    /// The discriminator names no alternative.
    Discriminator => "discriminator",
    /// A response has a property that only requests may have.
    WriteOnly => "writeOnly",
    /// A repeated parameter or field.
    Duplicate => "duplicate",
    /// A parameter that is not written in its style.
    Style => "style",
    /// Nested too deeply to be checked.
    Depth => "depth",
}

impl fmt::Display for Keyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One rule of the document that a value violates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The part of the message that contains the value.
    pub location: Location,
    /// JSON Pointer (RFC 6901) of the value in that part. For a parameter it begins with the
    /// parameter's name. Empty for the whole body.
    pub pointer: String,
    /// The rule.
    pub keyword: Keyword,
    /// The end of a sentence that begins with the place: `is required`.
    pub message: String,
}

impl Violation {
    /// The violation of a required body that is missing.
    pub(crate) fn missing_body() -> Self {
        Violation::new(Location::Body, "", Keyword::Required, "is required")
    }

    /// A violation of the part as a whole or of a value within it.
    pub fn new(
        location: Location,
        pointer: impl Into<String>,
        keyword: Keyword,
        message: impl Into<String>,
    ) -> Self {
        Violation {
            location,
            pointer: pointer.into(),
            keyword,
            message: message.into(),
        }
    }

    /// The place as people write it: `hubUser.language`, `items[3].name`. Empty for the whole body.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for token in self.pointer.split('/').skip(1) {
            if !path.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit()) {
                path.push('[');
                path.push_str(token);
                path.push(']');
            } else {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&unescaped(token));
            }
        }
        path
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        match (self.location, path.is_empty()) {
            (Location::Body, true) => write!(f, "The body {}", self.message),
            (Location::Body, false) => write!(f, "{path} {}", self.message),
            (location, _) => write!(f, "{location} parameter {path} {}", self.message),
        }
    }
}

/// Appends one token to a JSON Pointer.
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// The text of one token of a JSON Pointer.
pub(crate) fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// The pointer of one parameter or top-level field.
pub(crate) fn pointer_to(name: &str) -> String {
    let mut pointer = String::with_capacity(name.len() + 1);
    push_token(&mut pointer, name);
    pointer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_reads_as_a_sentence_that_names_the_place() {
        let violation = Violation::new(
            Location::Body,
            "/hubUser/phones/3/a~1b",
            Keyword::Required,
            "is required",
        );
        assert_eq!(violation.path(), "hubUser.phones[3].a/b");
        assert_eq!(violation.to_string(), "hubUser.phones[3].a/b is required");
        let violation = Violation::new(Location::Query, "/limit", Keyword::Maximum, "is too large");
        assert_eq!(violation.to_string(), "query parameter limit is too large");
        let violation = Violation::new(Location::Body, "", Keyword::Required, "is required");
        assert_eq!(violation.to_string(), "The body is required");
    }

    #[test]
    fn tokens_of_a_pointer_are_escaped() {
        assert_eq!(pointer_to("a/b~c"), "/a~1b~0c");
    }
}
