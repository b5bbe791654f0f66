//! The document itself, its servers, tags and components.

use super::extensions::RESPONSE_HEADERS;
use super::operation::{
    CALLBACK, HEADER, LINK, PARAMETER, PATH_ITEM, PATHS, REQUEST_BODY, RESPONSE,
};
use super::schema::SCHEMA;
use super::security::SECURITY_SCHEME;
use super::shared::{EXAMPLE, EXTERNAL_DOCS, SERVER};
use crate::structure::key::ValueType::{Count, List, Map, One, Prose, Security, Text, Url};
use crate::structure::key::{Object, ignored, object, read, warned};

pub(in crate::structure) static DOCUMENT: Object = Object {
    keys: &[
        read("openapi", Text)
            .required()
            .note("write all numbers of the version, as in `openapi: 3.0.3`"),
        read("info", One(&INFO)).required(),
        read("servers", List(&SERVER)),
        read("paths", One(&PATHS)).required().in_30(),
        read("paths", One(&PATHS)).in_31(),
        warned(
            "webhooks",
            Map(&PATH_ITEM),
            "no code is generated for requests that the server sends",
        )
        .in_31(),
        read("components", One(&COMPONENTS)),
        read("security", Security),
        ignored("tags", List(&TAG)),
        ignored("externalDocs", One(&EXTERNAL_DOCS)),
        read("jsonSchemaDialect", Url).in_31(),
        read("x-dropforge-max-body-bytes", Count).note("write the number of bytes, as in `65536`"),
        read("x-dropforge-method-not-allowed", One(&RESPONSE)),
        read("x-dropforge-not-found", Map(&RESPONSE)),
        read(RESPONSE_HEADERS, Map(&HEADER)),
        read("x-dropforge-traits", Text).note("write `by-tag`"),
    ],
    ..object("the document", "OpenAPI Object")
};

static INFO: Object = Object {
    keys: &[
        read("title", Text).required(),
        read("version", Text)
            .required()
            .note("put the version in quotes: `version: '1.0'`"),
        read("description", Prose),
        ignored("summary", Prose).in_31(),
        ignored("termsOfService", Url),
        ignored("contact", One(&CONTACT)),
        ignored("license", One(&LICENSE)),
        ignored("x-revision", Text),
    ],
    ..object("`info`", "Info Object")
};

pub(in crate::structure) static CONTACT: Object = Object {
    keys: &[
        ignored("name", Prose),
        ignored("url", Url),
        ignored("email", Text),
    ],
    ..object("`contact`", "Contact Object")
};

static LICENSE: Object = Object {
    keys: &[
        ignored("name", Prose).required(),
        ignored("identifier", Text).in_31(),
        ignored("url", Url),
    ],
    ..object("`license`", "License Object")
};

static TAG: Object = Object {
    keys: &[
        ignored("name", Text).required(),
        ignored("description", Prose),
        ignored("externalDocs", One(&EXTERNAL_DOCS)),
    ],
    ..object("a tag", "Tag Object")
};

pub(in crate::structure) static COMPONENTS: Object = Object {
    keys: &[
        read("schemas", Map(&SCHEMA)),
        read("responses", Map(&RESPONSE)),
        read("parameters", Map(&PARAMETER)),
        read("examples", Map(&EXAMPLE)),
        read("requestBodies", Map(&REQUEST_BODY)),
        read("headers", Map(&HEADER)),
        read("securitySchemes", Map(&SECURITY_SCHEME)),
        ignored("links", Map(&LINK)),
        ignored("callbacks", Map(&CALLBACK)),
        read("pathItems", Map(&PATH_ITEM)).in_31(),
    ],
    ..object("`components`", "Components Object")
};
