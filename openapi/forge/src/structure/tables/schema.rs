//! The Schema Object: OpenAPI 3.0.3's, and JSON Schema 2020-12 as OpenAPI 3.1 has it.

use super::shared::EXTERNAL_DOCS;
use crate::document::{EXTENSIBLE, EXTENSIBLE_ENUM};
use crate::structure::key::ValueType::{
    Any, Boolean, BooleanOr, Count, List, Map, Number, NumberOrFlag, One, Prose, Text, TextMap,
    TextOrTexts, Texts, TextsMap, Url, Values,
};
use crate::structure::key::{Object, Version, ignored, loosened, object, read, referable, refused};

const ONE_TYPE: &str = "name one type; `nullable: true` allows null, `oneOf` several types";
const BOOLEAN_BOUND: &str = "write the bound as `minimum` or `maximum` and this as `true`";
const EXCLUSIVE_MAXIMUM: &str =
    "in OpenAPI 3.1 write the bound itself, as in `exclusiveMaximum: 3`";
const EXCLUSIVE_MINIMUM: &str =
    "in OpenAPI 3.1 write the bound itself, as in `exclusiveMinimum: 3`";

pub(in crate::structure) static SCHEMA: Object = Object {
    keys: &[
        read("title", Prose),
        read("description", Prose),
        read("type", Text).in_30().note(ONE_TYPE),
        read("type", TextOrTexts).in_31(),
        read("format", Text),
        read("enum", Values),
        read("const", Any),
        read("default", Any),
        read("nullable", Boolean),
        read("multipleOf", Number),
        read("maximum", Number),
        read("exclusiveMaximum", Boolean)
            .in_30()
            .note(BOOLEAN_BOUND),
        read("exclusiveMaximum", NumberOrFlag)
            .in_31()
            .note(EXCLUSIVE_MAXIMUM),
        read("minimum", Number),
        read("exclusiveMinimum", Boolean)
            .in_30()
            .note(BOOLEAN_BOUND),
        read("exclusiveMinimum", NumberOrFlag)
            .in_31()
            .note(EXCLUSIVE_MINIMUM),
        read("maxLength", Count),
        read("minLength", Count),
        read("pattern", Text),
        read("maxItems", Count),
        read("minItems", Count),
        read("uniqueItems", Boolean),
        read("items", One(&SCHEMA)),
        loosened("prefixItems", List(&SCHEMA)).in_31(),
        loosened("contains", One(&SCHEMA)).in_31(),
        loosened("minContains", Count).in_31(),
        loosened("maxContains", Count).in_31(),
        loosened("unevaluatedItems", One(&SCHEMA)).in_31(),
        read("maxProperties", Count),
        read("minProperties", Count),
        read("required", Texts)
            .note("list the names of required properties, at the object that holds them"),
        read("properties", Map(&SCHEMA)),
        read("additionalProperties", BooleanOr(&SCHEMA)),
        loosened("patternProperties", Map(&SCHEMA)).in_31(),
        loosened("propertyNames", One(&SCHEMA)).in_31(),
        loosened("unevaluatedProperties", One(&SCHEMA)).in_31(),
        loosened("dependentRequired", TextsMap).in_31(),
        loosened("dependentSchemas", Map(&SCHEMA)).in_31(),
        read("allOf", List(&SCHEMA)),
        read("anyOf", List(&SCHEMA)),
        read("oneOf", List(&SCHEMA)),
        read("not", One(&SCHEMA)),
        loosened("if", One(&SCHEMA)).in_31(),
        loosened("then", One(&SCHEMA)).in_31(),
        loosened("else", One(&SCHEMA)).in_31(),
        read("discriminator", One(&DISCRIMINATOR)),
        read("readOnly", Boolean),
        read("writeOnly", Boolean),
        ignored("deprecated", Boolean),
        ignored("xml", One(&XML)),
        ignored("externalDocs", One(&EXTERNAL_DOCS)),
        read("example", Any),
        read("examples", Values).in_31(),
        read("contentEncoding", Text).in_31(),
        read("contentMediaType", Text).in_31(),
        ignored("contentSchema", One(&SCHEMA)).in_31(),
        read("$defs", Map(&SCHEMA)).in_31(),
        ignored("$schema", Url).in_31(),
        read("$id", Url).in_31(),
        read("$anchor", Text).in_31(),
        refused(
            "$dynamicRef",
            Url,
            "write `$ref` with the name of a component",
        )
        .in_31(),
        ignored("$dynamicAnchor", Text).in_31(),
        ignored("$comment", Prose).in_31(),
        read(EXTENSIBLE_ENUM, Values),
        read(EXTENSIBLE, Boolean),
        read("x-dropforge-secret", Boolean),
        read("x-dropforge-or-integer", Boolean),
    ],
    boolean: Some(Version::V31),
    ..referable("a schema", "Schema Object")
};

static DISCRIMINATOR: Object = Object {
    keys: &[
        read("propertyName", Text).required(),
        read("mapping", TextMap),
    ],
    ..object("`discriminator`", "Discriminator Object")
};

static XML: Object = Object {
    keys: &[
        ignored("name", Text),
        ignored("namespace", Url),
        ignored("prefix", Text),
        ignored("attribute", Boolean),
        ignored("wrapped", Boolean),
    ],
    ..object("`xml`", "XML Object")
};
