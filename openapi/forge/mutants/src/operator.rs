//! The kinds of edits.

use std::fmt;

macro_rules! operators {
    ($($operator:ident: $name:literal, $harm:literal;)*) => {
        /// A kind of edit.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Operator {
            $(#[doc = $name] $operator,)*
        }

        impl Operator {
            /// All kinds of edits.
            pub fn all() -> impl Iterator<Item = Operator> {
                [$(Operator::$operator),*].into_iter()
            }

            /// The harm of an unnoticed edit.
            pub fn harm(self) -> &'static str {
                match self {
                    $(Operator::$operator => $harm,)*
                }
            }
        }

        impl fmt::Display for Operator {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Operator::$operator => $name,)*
                })
            }
        }
    };
}

// Each with its name, and the harm of an unnoticed edit.
operators! {
    RequiredDropped: "required dropped", "a member that callers rely on may be missing";
    RequiredAdded: "required added", "valid requests are rejected, or responses promise too much";
    TypeChanged: "type changed", "values of another type pass, and valid ones do not";
    FormatChanged: "format changed", "values of another form pass, or valid ones do not";
    BoundChanged: "bound changed", "values at a bound are accepted or rejected by mistake";
    PatternChanged: "pattern changed", "values of another form pass, or valid ones do not";
    EnumChanged: "enum changed", "a value is added or removed without its meaning";
    DefaultChanged: "default changed", "an absent value means something else";
    NullableFlipped: "nullable flipped", "an unexpected null arrives, or null is rejected";
    PropertyRenamed: "property renamed", "one side writes what the other does not read";
    ParameterRenamed: "parameter renamed", "one side writes what the other does not read";
    PathRenamed: "path segment renamed", "requests reach nothing";
    OperationIdRenamed: "operationId renamed", "callers call an operation that does not exist";
    HeaderRenamed: "header renamed", "callers read a header that is not sent";
    HeaderDropped: "header dropped", "callers cannot read a header that is sent";
    StatusDropped: "status dropped", "callers get an undocumented response";
    StatusChanged: "status changed", "callers get an undocumented response";
    MediaTypeDropped: "media type dropped", "an offered media type is removed";
    MediaTypeChanged: "media type changed", "bodies have another media type";
    ExampleDropped: "example dropped", "readers have less to copy";
    ExampleChanged: "example changed", "readers copy something wrong";
    SecurityDropped: "security dropped", "access needs no credentials, or a scheme is removed";
    ScopeChanged: "scope changed", "tokens grant more or less than they should";
    SchemasSwapped: "schemas swapped", "one thing is sent where another is expected";
    BodyFlipped: "body optional or required", "a body may be missing, or is required by mistake";
    ServerChanged: "server path changed", "requests reach nothing";
}
