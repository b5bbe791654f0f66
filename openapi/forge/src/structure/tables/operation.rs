//! The keys of paths, operations, parameters, bodies and responses, with their types.

use super::extensions::STREAM;
use super::schema::SCHEMA;
use super::shared::{EXAMPLE, EXTERNAL_DOCS, SERVER, SERVERS_BELOW_ROOT};
use crate::structure::key::ValueType::{
    Any, Boolean, Count, List, Map, One, Prose, Security, Text, Texts, Url, ValueMap,
};
use crate::structure::key::{Object, ignored, object, read, referable, warned};
use crate::structure::scopes::REQUIRED_SCOPES;

pub(super) static PATHS: Object = Object {
    patterned: Some(One(&PATH_ITEM)),
    ..object("`paths`", "Paths Object")
};

pub(in crate::structure) static PATH_ITEM: Object = Object {
    keys: &[
        ignored("summary", Prose),
        ignored("description", Prose),
        read("get", One(&OPERATION)),
        read("put", One(&OPERATION)),
        read("post", One(&OPERATION)),
        read("delete", One(&OPERATION)),
        read("options", One(&OPERATION)),
        read("head", One(&OPERATION)),
        read("patch", One(&OPERATION)),
        read("trace", One(&OPERATION)),
        warned("servers", List(&SERVER), SERVERS_BELOW_ROOT),
        read("parameters", List(&PARAMETER)),
        read("x-dropforge-method-not-allowed", One(&RESPONSE)),
    ],
    ..referable("a path", "Path Item Object")
};

pub(in crate::structure) static OPERATION: Object = Object {
    keys: &[
        ignored("tags", Texts),
        read("summary", Prose),
        read("description", Prose),
        ignored("externalDocs", One(&EXTERNAL_DOCS)),
        read("operationId", Text),
        read("parameters", List(&PARAMETER)),
        read("requestBody", One(&REQUEST_BODY)),
        read("responses", One(&RESPONSES)).required().in_30(),
        read("responses", One(&RESPONSES)).in_31(),
        warned(
            "callbacks",
            Map(&CALLBACK),
            "no code is generated for requests that the server sends",
        ),
        ignored("deprecated", Boolean),
        read("security", Security),
        warned("servers", List(&SERVER), SERVERS_BELOW_ROOT),
        read(REQUIRED_SCOPES, Texts)
            .note("write `x-required-scopes: [users.read]`, or `[]` for none"),
        read("x-dropforge-max-body-bytes", Count).note("write the number of bytes, as in `65536`"),
        read("x-dropforge-skip", Boolean).note("write `x-dropforge-skip: true`"),
    ],
    ..object("an operation", "Operation Object")
};

pub(in crate::structure) static PARAMETER: Object = Object {
    keys: &[
        read("name", Text).required(),
        read("in", Text).required(),
        read("description", Prose),
        read("required", Boolean),
        ignored("deprecated", Boolean),
        warned(
            "allowEmptyValue",
            Boolean,
            "an empty value is read as the schema says: the specification advises against the key",
        ),
        read("style", Text),
        read("explode", Boolean),
        ignored("allowReserved", Boolean),
        read("schema", One(&SCHEMA)),
        read("example", Any),
        read("examples", Map(&EXAMPLE)),
        read("content", Map(&MEDIA_TYPE)),
        read("x-dropforge-idempotency-key", Boolean),
        read("x-dropforge-first-page-only", Boolean),
    ],
    ..referable("a parameter", "Parameter Object")
};

const OF_QUERIES: &str = "only a parameter in `query` can have the key";

pub(in crate::structure) static HEADER: Object = Object {
    keys: &[
        read("description", Prose),
        read("required", Boolean),
        ignored("deprecated", Boolean),
        warned("allowEmptyValue", Boolean, OF_QUERIES),
        read("style", Text),
        ignored("explode", Boolean),
        warned("allowReserved", Boolean, OF_QUERIES),
        read("schema", One(&SCHEMA)),
        read("example", Any),
        read("examples", Map(&EXAMPLE)),
        read("content", Map(&MEDIA_TYPE)),
        read("x-dropforge-source", Text),
        read("x-dropforge-next-page", Text)
            .note("write the name of the query parameter, as in `page`"),
    ],
    ..referable("a header", "Header Object")
};

pub(in crate::structure) static REQUEST_BODY: Object = Object {
    keys: &[
        read("description", Prose),
        read("content", Map(&MEDIA_TYPE)).required(),
        read("required", Boolean),
        read("x-dropforge-lenient", Boolean),
    ],
    ..referable("a request body", "Request Body Object")
};

pub(in crate::structure) static MEDIA_TYPE: Object = Object {
    keys: &[
        read("schema", One(&SCHEMA)),
        read("example", Any),
        read("examples", Map(&EXAMPLE)),
        read("encoding", Map(&ENCODING)),
        read("x-dropforge-raw", Boolean),
        read("x-dropforge-stream", One(&STREAM)),
    ],
    ..object("a media type", "Media Type Object")
};

const BY_SCHEMA: &str = "fields of a body are read by their schemas alone";

static ENCODING: Object = Object {
    keys: &[
        read("contentType", Text),
        warned("headers", Map(&HEADER), "headers of parts are not checked"),
        warned("style", Text, BY_SCHEMA),
        warned("explode", Boolean, BY_SCHEMA),
        ignored("allowReserved", Boolean),
    ],
    ..object("an encoding", "Encoding Object")
};

pub(in crate::structure) static RESPONSES: Object = Object {
    patterned: Some(One(&RESPONSE)),
    ..object("`responses`", "Responses Object")
};

pub(in crate::structure) static RESPONSE: Object = Object {
    keys: &[
        read("description", Prose).required(),
        read("headers", Map(&HEADER)),
        read("content", Map(&MEDIA_TYPE)),
        ignored("links", Map(&LINK)),
    ],
    ..referable("a response", "Response Object")
};

pub(super) static CALLBACK: Object = Object {
    patterned: Some(One(&PATH_ITEM)),
    ..referable("a callback", "Callback Object")
};

pub(in crate::structure) static LINK: Object = Object {
    keys: &[
        ignored("operationRef", Url),
        ignored("operationId", Text),
        ignored("parameters", ValueMap),
        ignored("requestBody", Any),
        ignored("description", Prose),
        ignored("server", One(&SERVER)),
    ],
    ..referable("a link", "Link Object")
};
