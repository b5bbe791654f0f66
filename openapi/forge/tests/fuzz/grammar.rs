//! Documents of OpenAPI 3.0 that are right in their structure and odd in everything else:
//! names, recursion, statuses, media types, styles, patterns, compositions.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::collection::{btree_map, vec};
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

/// Names that Rust, Unicode or the generator's own code treat specially.
const NAMES: [&str; 24] = [
    "Pet",
    "pet",
    "co₂",
    "½",
    "①",
    "m²",
    "Self",
    "self",
    "String",
    "Option",
    "Result",
    "type",
    "a b",
    "a/b~c",
    "3d",
    "١",
    "é",
    "e\u{301}",
    "__",
    "🦀",
    "r#fn",
    "additional",
    "body",
    "Vec",
];

const IDS: [&str; 14] = [
    "reject",
    "a_b",
    "ab",
    "AB",
    "a b",
    "½",
    "self",
    "get",
    "new",
    "default",
    "list-pets",
    "key",
    "not_found",
    "",
];

const PATTERNS: [&str; 11] = [
    "^[a-z]+$",
    r"^(\w+\s?)*$",
    r"^(?=.*\d).{8,}$",
    r"^\p{L}+$",
    "^{a}$",
    r"(a)\1",
    r"[\w-.]",
    r"^\u00e9$",
    "[^]",
    r"^.{1,1000}$",
    r"\bé\b",
];

const MEDIA: [&str; 14] = [
    "application/json",
    "application/json",
    "text/plain",
    "*/*",
    "application/*",
    "image/*",
    "text/event-stream",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/vnd.x+json;v=1",
    "Application/Hal+JSON",
    "application/xml",
    "text/json",
    "application/octet-stream",
];

const STATUSES: [&str; 9] = [
    "200", "201", "204", "2XX", "302", "4XX", "404", "default", "599",
];

const HEADERS: [&str; 6] = [
    "x-rate",
    "X-Rate-2",
    "Set-Cookie",
    "Content-Type",
    "_",
    "type",
];

/// Names of header parameters: tokens, each once whatever its case, and none that OpenAPI describes
/// elsewhere (`Accept`, `Content-Type`, `Authorization`).
const HEADER_PARAMETERS: [&str; 8] = [
    "x-rate", "If-Match", "_", "type", "Self", "x.y", "3d", "body",
];

/// One of the usual values, and now and then one that is refused: every document has many.
fn mostly<T: Clone + std::fmt::Debug + 'static>(usual: &[T], refused: &[T]) -> BoxedStrategy<T> {
    prop_oneof![99 => select(usual.to_vec()), 1 => select(refused.to_vec())].boxed()
}

/// Any of the names, or any text.
fn text() -> BoxedStrategy<String> {
    prop_oneof![
        8 => select(NAMES.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
    .boxed()
}

/// The objects merged, the later over the earlier.
fn merged(parts: &[Value]) -> Value {
    let members = parts.iter().filter_map(Value::as_object).flatten();
    let members = members.map(|(name, value)| (name.clone(), value.clone()));
    members.collect::<Map<_, _>>().into()
}

fn some(key: &'static str, value: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Value> {
    let member = move |value: Option<Value>| value.map_or(json!({}), |value| json!({ key: value }));
    of(value).prop_map(member).boxed()
}

fn reference() -> BoxedStrategy<Value> {
    let part = prop_oneof![4 => Just(""), 1 => Just("/properties/p")];
    (select(NAMES.to_vec()), part)
        .prop_map(|(name, part)| {
            let name = name.replace('~', "~0").replace('/', "~1");
            let name = utf8_percent_encode(&name, NON_ALPHANUMERIC);
            json!({ "$ref": format!("#/components/schemas/{name}{part}") })
        })
        .boxed()
}

fn scalar() -> BoxedStrategy<Value> {
    let number = select(vec![
        json!(0),
        json!(-1),
        json!(1.5),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e300),
    ]);
    let positive = [json!(1), json!(0.5), json!(u64::MAX), json!(1e300)];
    let factor = mostly(&positive, &[json!(0), json!(-1)]);
    let formats = select(vec![
        "date-time",
        "uuid",
        "binary",
        "byte",
        "int32",
        "uint64",
        "password",
        "odd",
    ]);
    let count = (0_u64..3).prop_map(Value::from);
    prop_oneof![
        3 => select(vec!["string", "integer", "number", "boolean"]).prop_map(|kind| json!({"type": kind})),
        1 => (select(vec!["string", "integer"]), formats).prop_map(|(kind, format)| {
            json!({"type": kind, "format": format})
        }),
        1 => (some("minimum", number), some("multipleOf", factor)).prop_map(|(low, of)| {
            merged(&[json!({"type": "number"}), low, of])
        }),
        2 => vec(text(), 1..5).prop_map(|values| json!({"type": "string", "enum": values})),
        1 => (mostly(&PATTERNS, &["("]), some("maxLength", count)).prop_map(|(pattern, most)| {
            merged(&[json!({"type": "string", "pattern": pattern}), most])
        }),
        1 => Just(json!({})),
    ]
    .boxed()
}

/// A schema, three or four levels deep, that may refer to any component.
fn schema() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![3 => scalar(), 1 => reference()];
    leaf.prop_recursive(4, 16, 4, |inner| {
        let properties = btree_map(text(), inner.clone(), 0..4);
        let additional = prop_oneof![any::<bool>().prop_map(Value::from), inner.clone()];
        let composition = select(vec!["allOf", "anyOf", "oneOf"]);
        prop_oneof![
            2 => inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            4 => (properties, vec(text(), 0..3), some("additionalProperties", additional)).prop_map(
                |(properties, required, additional)| {
                    let object = json!({"type": "object", "properties": properties, "required": required});
                    merged(&[object, additional])
                }
            ),
            3 => (composition, vec(inner.clone(), 1..4)).prop_map(|(key, parts)| json!({ key: parts })),
            // Each component has the property `p`.
            1 => vec(reference(), 1..3).prop_map(|parts| {
                json!({"oneOf": parts, "discriminator": {"propertyName": "p"}})
            }),
            1 => (inner.clone(), flags()).prop_map(|(schema, flags)| match schema.get("$ref") {
                Some(_) => schema,
                None => merged(&[schema, flags]),
            }),
            1 => inner.prop_map(|schema| json!({ "not": schema })),
        ]
    })
    .boxed()
}

fn flags() -> BoxedStrategy<Value> {
    let yes = || Just(json!(true));
    (
        some("nullable", yes()),
        some("readOnly", yes()),
        some("description", any::<String>().prop_map(Value::from)),
        some("default", scalar_value()),
    )
        .prop_map(|(nullable, read_only, description, default)| {
            merged(&[nullable, read_only, description, default])
        })
        .boxed()
}

fn scalar_value() -> BoxedStrategy<Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!(1)),
        Just(json!([])),
        Just(json!({})),
        text().prop_map(Value::from)
    ]
    .boxed()
}

fn content() -> BoxedStrategy<Value> {
    let media = some("schema", schema());
    btree_map(select(MEDIA.to_vec()), media, 1..3)
        .prop_map(|content| json!(content))
        .boxed()
}

fn parameters() -> BoxedStrategy<Vec<Value>> {
    let place = select(vec![
        ("query", "form"),
        ("query", "deepObject"),
        ("query", "pipeDelimited"),
        ("header", "simple"),
        ("cookie", "form"),
    ]);
    let parameter = (schema(), any::<bool>(), any::<bool>());
    let headers = mostly(&HEADER_PARAMETERS, &NAMES);
    let names = (select(NAMES.to_vec()), headers);
    btree_map((place, names), parameter, 0..3)
        .prop_map(|parameters| {
            let mut seen = Vec::new();
            let mut list = Vec::new();
            for (((place, style), (name, header)), (schema, explode, required)) in parameters {
                let name = if place == "header" { header } else { name };
                if seen.contains(&(place, name)) {
                    continue;
                }
                seen.push((place, name));
                list.push(json!({
                    "name": name, "in": place, "style": style, "explode": explode, "required": required, "schema": schema,
                }));
            }
            list
        })
        .boxed()
}

fn responses() -> BoxedStrategy<Value> {
    let header = schema().prop_map(|schema| json!({ "schema": schema }));
    let headers =
        btree_map(select(HEADERS.to_vec()), header, 0..2).prop_map(|headers| json!(headers));
    let response = (any::<String>(), some("content", content()), headers).prop_map(
        |(text, content, headers)| {
            merged(&[json!({"description": text, "headers": headers}), content])
        },
    );
    btree_map(mostly(&STATUSES, &["0200"]), response, 1..4)
        .prop_map(|responses| json!(responses))
        .boxed()
}

/// A path of up to four segments, with the parameters that it declares.
fn path() -> BoxedStrategy<(String, Vec<Value>)> {
    let segment = select(vec![
        "{}", "{}", "{}:act", "a", "b", "by-email", "a%2Fb", "%7Bc%7D", "½",
    ]);
    vec((segment, select(vec!["id", "x", "segment1", "½"])), 1..4)
        .prop_map(|segments| {
            let mut path = String::new();
            let mut parameters: Vec<Value> = Vec::new();
            for (segment, name) in segments {
                let is_taken = parameters.iter().any(|known| known["name"] == name);
                path.push('/');
                match segment.contains("{}") && !is_taken {
                    true => {
                        path.push_str(&segment.replace("{}", &format!("{{{name}}}")));
                        parameters.push(json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}));
                    }
                    false => path.push_str(&segment.replace("{}", "c")),
                }
            }
            (path, parameters)
        })
        .boxed()
}

fn operation() -> BoxedStrategy<Value> {
    let body = of((content(), any::<bool>()));
    let secured = select(vec![
        json!({}),
        json!({"security": []}),
        json!({"security": [{"key": []}, {}]}),
    ]);
    (parameters(), body, responses(), secured, any::<String>())
        .prop_map(|(parameters, body, responses, secured, summary)| {
            let body = body.map_or(json!({}), |(content, required)| {
                json!({"requestBody": {"content": content, "required": required}})
            });
            let operation =
                json!({"parameters": parameters, "responses": responses, "summary": summary});
            merged(&[operation, body, secured])
        })
        .boxed()
}

/// The schema of a component without references to the components before it, or to itself,
/// among the schemas that it is composed of.
fn forward_only(schema: &mut Value, index: usize) {
    let backward = |reference: &str| {
        let names = NAMES.iter().take(index + 1);
        let names = names.map(|name| name.replace('~', "~0").replace('/', "~1"));
        let mut names = names.map(|name| utf8_percent_encode(&name, NON_ALPHANUMERIC).to_string());
        names.any(|name| reference == format!("#/components/schemas/{name}"))
    };
    if schema
        .get("$ref")
        .and_then(Value::as_str)
        .is_some_and(backward)
    {
        *schema = json!({"type": "string"});
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        for part in schema
            .get_mut(key)
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            forward_only(part, index);
        }
    }
    if let Some(part) = schema.get_mut("not") {
        forward_only(part, index);
    }
}

/// A copy of a document in which no component is composed of itself, which is refused.
fn without_circles(document: &Value) -> Value {
    let mut document = document.clone();
    for (index, name) in NAMES.iter().enumerate() {
        if let Some(schema) = document["components"]["schemas"].get_mut(*name) {
            forward_only(schema, index);
        }
    }
    document
}

/// A whole document.
pub fn document() -> BoxedStrategy<Value> {
    let methods = vec(
        select(vec![
            "get", "put", "post", "delete", "options", "head", "patch", "trace",
        ]),
        4,
    );
    let operations = vec((path(), operation()), 1..5);
    let ids = subsequence(IDS.to_vec(), 4).prop_shuffle();
    let components = vec(schema(), NAMES.len());
    let server = select(vec![
        "https://h/v1",
        "{base}/v1",
        "/a%20b/",
        "v1",
        "https://h/{v}",
    ]);
    (
        operations,
        methods,
        ids,
        components,
        server,
        of(any::<bool>()),
        prop_oneof![9 => Just(false), 1 => Just(true)],
    )
        .prop_map(|(operations, methods, ids, components, server, named, circular)| {
            let mut paths = Map::new();
            for (index, ((path, variables), operation)) in operations.into_iter().enumerate() {
                let mut operation = operation;
                if named != Some(false) {
                    operation["operationId"] = ids[index].into();
                }
                let item = paths
                    .entry(path)
                    .or_insert_with(|| json!({"parameters": variables}));
                item[methods[index]] = operation;
            }
            let named_components = NAMES.iter().zip(components).map(|(name, schema)| {
                // What references lead to below a component is there.
                let schema = match schema.get("properties").is_some() {
                    true => {
                        let mut schema = schema;
                        schema["properties"]["p"] = json!({"type": "string"});
                        schema
                    }
                    false => json!({"allOf": [schema], "properties": {"p": {"type": "integer"}}}),
                };
                ((*name).to_owned(), schema)
            });
            let document = json!({
                "openapi": "3.0.3",
                "info": {"title": "Odd", "version": "1"},
                "servers": [{"url": server, "variables": {"v": {"default": "v2"}}}],
                "paths": paths,
                "components": {
                    "schemas": named_components.collect::<Map<_, _>>(),
                    "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "x-key"}},
                },
            });
            match circular {
                true => document,
                false => without_circles(&document),
            }
        })
        .boxed()
}
