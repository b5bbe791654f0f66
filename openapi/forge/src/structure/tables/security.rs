//! Security schemes.

use crate::structure::key::ValueType::{One, Prose, Text, TextMap, Url};
use crate::structure::key::{Object, ignored, object, read, referable};
use crate::structure::scopes::SCOPES;

pub(super) static SECURITY_SCHEME: Object = Object {
    keys: &[
        read("type", Text).required(),
        read("description", Prose),
        read("name", Text),
        read("in", Text),
        read("scheme", Text),
        ignored("bearerFormat", Prose),
        read("flows", One(&OAUTH_FLOWS)),
        ignored("openIdConnectUrl", Url),
        read(SCOPES, TextMap).note("write `x-scopes: {users.read: Read users.}`"),
    ],
    ..referable("a security scheme", "Security Scheme Object")
};

static OAUTH_FLOWS: Object = Object {
    keys: &[
        read("implicit", One(&OAUTH_FLOW)),
        read("password", One(&OAUTH_FLOW)),
        read("clientCredentials", One(&OAUTH_FLOW)),
        read("authorizationCode", One(&OAUTH_FLOW)),
    ],
    ..object("`flows`", "OAuth Flows Object")
};

static OAUTH_FLOW: Object = Object {
    keys: &[
        ignored("authorizationUrl", Url),
        ignored("tokenUrl", Url),
        ignored("refreshUrl", Url),
        read("scopes", TextMap).required(),
    ],
    ..object("a flow", "OAuth Flow Object")
};
