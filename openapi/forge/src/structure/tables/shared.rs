//! Small objects that several other objects hold.

use crate::structure::key::ValueType::{Any, Map, Prose, Text, Texts, Url};
use crate::structure::key::{Object, ignored, object, read, referable};

pub(in crate::structure) static SERVER: Object = Object {
    keys: &[
        read("url", Url).required(),
        ignored("description", Prose),
        read("variables", Map(&SERVER_VARIABLE)),
    ],
    ..object("a server", "Server Object")
};

pub(in crate::structure) static SERVER_VARIABLE: Object = Object {
    keys: &[
        ignored("enum", Texts),
        read("default", Text).required(),
        ignored("description", Prose),
    ],
    ..object("a server variable", "Server Variable Object")
};

/// Why `servers` of a path or an operation have no effect.
pub(super) const SERVERS_BELOW_ROOT: &str = "servers of a path or an operation do not change where it is served: write the whole path into `paths`";

pub(super) static EXTERNAL_DOCS: Object = Object {
    keys: &[
        ignored("description", Prose),
        ignored("url", Url).required(),
    ],
    ..object("`externalDocs`", "External Documentation Object")
};

pub(super) static EXAMPLE: Object = Object {
    keys: &[
        ignored("summary", Prose),
        ignored("description", Prose),
        read("value", Any),
        ignored("externalValue", Url),
    ],
    ..referable("an example", "Example Object")
};
