//! The objects of OpenAPI 3.0.3 and the keys of each, in one table.
//!
//! An object that is missing here is not checked. The Schema Object is one: the
//! keywords of schemas are checked where schemas are lowered.

use super::{REQUIRED_SCOPES, SCOPES};
use crate::document::RESPONSE_HEADERS;

/// An object of the specification.
pub(super) struct Object {
    /// What it is, with its article: `an operation`.
    pub name: &'static str,
    /// Its keys, each with what it holds. The extensions that this generator reads are among
    /// them, so that a misspelled one is noticed; other keys with `x-` are free.
    pub keys: &'static [(&'static str, Holds)],
    /// What stands under keys that are no names, such as paths and statuses.
    pub patterned: Option<Holds>,
    /// Whether the document is refused if something else than an object stands here.
    pub is_strict: bool,
}

/// What stands under a key.
#[derive(Clone, Copy)]
pub(super) enum Holds {
    /// Something that is not walked.
    Value,
    /// An object.
    One(&'static Object),
    /// A list of objects.
    List(&'static Object),
    /// Objects under names that the author chooses.
    Map(&'static Object),
}

use Holds::{List, Map, One, Value};

impl Object {
    /// What stands under a key of this name.
    pub fn holds(&self, key: &str) -> Option<Holds> {
        let known = self.keys.iter().find(|(known, _)| *known == key);
        known.map(|(_, holds)| *holds)
    }
}

/// An object that is an object and nothing else matters.
const fn object(name: &'static str, keys: &'static [(&'static str, Holds)]) -> Object {
    Object {
        name,
        keys,
        patterned: None,
        is_strict: false,
    }
}

/// An object without which a document cannot be secured.
const fn strict(name: &'static str, keys: &'static [(&'static str, Holds)]) -> Object {
    Object {
        is_strict: true,
        ..object(name, keys)
    }
}

/// An object whose keys are patterns.
const fn patterned(name: &'static str, holds: Holds) -> Object {
    Object {
        patterned: Some(holds),
        ..object(name, &[])
    }
}

pub(super) static DOCUMENT: Object = strict(
    "the document",
    &[
        ("openapi", Value),
        ("info", One(&INFO)),
        ("servers", List(&SERVER)),
        ("paths", One(&PATHS)),
        ("components", One(&COMPONENTS)),
        ("security", Value),
        ("tags", List(&TAG)),
        ("externalDocs", One(&EXTERNAL_DOCS)),
        ("x-dropforge-method-not-allowed", One(&RESPONSE)),
        ("x-dropforge-not-found", Map(&RESPONSE)),
        (RESPONSE_HEADERS, Map(&HEADER)),
    ],
);

static INFO: Object = object(
    "`info`",
    &[
        ("title", Value),
        ("description", Value),
        ("termsOfService", Value),
        ("contact", One(&CONTACT)),
        ("license", One(&LICENSE)),
        ("version", Value),
    ],
);

static CONTACT: Object = object(
    "`contact`",
    &[("name", Value), ("url", Value), ("email", Value)],
);

static LICENSE: Object = object("`license`", &[("name", Value), ("url", Value)]);

static SERVER: Object = object(
    "a server",
    &[
        ("url", Value),
        ("description", Value),
        ("variables", Map(&SERVER_VARIABLE)),
    ],
);

static SERVER_VARIABLE: Object = object(
    "a server variable",
    &[("enum", Value), ("default", Value), ("description", Value)],
);

static TAG: Object = object(
    "a tag",
    &[
        ("name", Value),
        ("description", Value),
        ("externalDocs", One(&EXTERNAL_DOCS)),
    ],
);

static EXTERNAL_DOCS: Object = object("`externalDocs`", &[("description", Value), ("url", Value)]);

static COMPONENTS: Object = strict(
    "`components`",
    &[
        ("schemas", Value),
        ("responses", Map(&RESPONSE)),
        ("parameters", Map(&PARAMETER)),
        ("examples", Map(&EXAMPLE)),
        ("requestBodies", Map(&REQUEST_BODY)),
        ("headers", Map(&HEADER)),
        ("securitySchemes", Map(&SECURITY_SCHEME)),
        ("links", Map(&LINK)),
        ("callbacks", Map(&CALLBACK)),
    ],
);

static PATHS: Object = patterned("`paths`", One(&PATH_ITEM));

static PATH_ITEM: Object = object(
    "a path",
    &[
        ("$ref", Value),
        ("summary", Value),
        ("description", Value),
        ("get", One(&OPERATION)),
        ("put", One(&OPERATION)),
        ("post", One(&OPERATION)),
        ("delete", One(&OPERATION)),
        ("options", One(&OPERATION)),
        ("head", One(&OPERATION)),
        ("patch", One(&OPERATION)),
        ("trace", One(&OPERATION)),
        ("servers", List(&SERVER)),
        ("parameters", List(&PARAMETER)),
        ("x-dropforge-method-not-allowed", One(&RESPONSE)),
    ],
);

pub(super) static OPERATION: Object = strict(
    "an operation",
    &[
        ("tags", Value),
        ("summary", Value),
        ("description", Value),
        ("externalDocs", One(&EXTERNAL_DOCS)),
        ("operationId", Value),
        ("parameters", List(&PARAMETER)),
        ("requestBody", One(&REQUEST_BODY)),
        ("responses", One(&RESPONSES)),
        ("callbacks", Map(&CALLBACK)),
        ("deprecated", Value),
        ("security", Value),
        ("servers", List(&SERVER)),
        (REQUIRED_SCOPES, Value),
        ("x-dropforge-max-body-bytes", Value),
    ],
);

static PARAMETER: Object = object(
    "a parameter",
    &[
        ("name", Value),
        ("in", Value),
        ("description", Value),
        ("required", Value),
        ("deprecated", Value),
        ("allowEmptyValue", Value),
        ("style", Value),
        ("explode", Value),
        ("allowReserved", Value),
        ("schema", Value),
        ("example", Value),
        ("examples", Map(&EXAMPLE)),
        ("content", Map(&MEDIA_TYPE)),
    ],
);

static HEADER: Object = object(
    "a header",
    &[
        ("description", Value),
        ("required", Value),
        ("deprecated", Value),
        ("allowEmptyValue", Value),
        ("style", Value),
        ("explode", Value),
        ("allowReserved", Value),
        ("schema", Value),
        ("example", Value),
        ("examples", Map(&EXAMPLE)),
        ("content", Map(&MEDIA_TYPE)),
        ("x-dropforge-source", Value),
    ],
);

static REQUEST_BODY: Object = object(
    "a request body",
    &[
        ("description", Value),
        ("content", Map(&MEDIA_TYPE)),
        ("required", Value),
        ("x-dropforge-lenient", Value),
    ],
);

static MEDIA_TYPE: Object = object(
    "a media type",
    &[
        ("schema", Value),
        ("example", Value),
        ("examples", Map(&EXAMPLE)),
        ("encoding", Map(&ENCODING)),
        ("x-dropforge-raw", Value),
        ("x-dropforge-stream", Value),
    ],
);

static ENCODING: Object = object(
    "an encoding",
    &[
        ("contentType", Value),
        ("headers", Map(&HEADER)),
        ("style", Value),
        ("explode", Value),
        ("allowReserved", Value),
    ],
);

static RESPONSES: Object = patterned("`responses`", One(&RESPONSE));

static RESPONSE: Object = object(
    "a response",
    &[
        ("description", Value),
        ("headers", Map(&HEADER)),
        ("content", Map(&MEDIA_TYPE)),
        ("links", Map(&LINK)),
    ],
);

static CALLBACK: Object = patterned("a callback", One(&PATH_ITEM));

static EXAMPLE: Object = object(
    "an example",
    &[
        ("summary", Value),
        ("description", Value),
        ("value", Value),
        ("externalValue", Value),
    ],
);

static LINK: Object = object(
    "a link",
    &[
        ("operationRef", Value),
        ("operationId", Value),
        ("parameters", Value),
        ("requestBody", Value),
        ("description", Value),
        ("server", One(&SERVER)),
    ],
);

static SECURITY_SCHEME: Object = strict(
    "a security scheme",
    &[
        ("type", Value),
        ("description", Value),
        ("name", Value),
        ("in", Value),
        ("scheme", Value),
        ("bearerFormat", Value),
        ("flows", One(&OAUTH_FLOWS)),
        ("openIdConnectUrl", Value),
        (SCOPES, Value),
    ],
);

static OAUTH_FLOWS: Object = object(
    "`flows`",
    &[
        ("implicit", One(&OAUTH_FLOW)),
        ("password", One(&OAUTH_FLOW)),
        ("clientCredentials", One(&OAUTH_FLOW)),
        ("authorizationCode", One(&OAUTH_FLOW)),
    ],
);

static OAUTH_FLOW: Object = object(
    "a flow",
    &[
        ("authorizationUrl", Value),
        ("tokenUrl", Value),
        ("refreshUrl", Value),
        ("scopes", Value),
    ],
);
