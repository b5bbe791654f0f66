//! Parameters through their whole way, style by style.

use http::{HeaderMap, HeaderValue, Uri};
use serde_json::{Value, json};

use super::*;
use crate::table::{
    Additional, ArrayRules, NO_OPERATION, NumberRules, ObjectRules, Property, Requirement,
    SchemeUse, Segment, Types,
};

static TEXT: Schema = Schema::of(Types::STRING, "");
static INTEGER: Schema = Schema::of(Types::INTEGER, "");
static BOOLEAN: Schema = Schema::of(Types::BOOLEAN, "");
static SMALL: Schema = Schema::of(Types::INTEGER, "").number(&NumberRules {
    maximum: Some((crate::table::Number::Integer(9), false)),
    ..NumberRules::ANY
});
static INTEGERS: Schema = Schema::of(Types::ARRAY, "").array(&ArrayRules {
    items: Some(&INTEGER),
    ..ArrayRules::ANY
});
static TEXTS: Schema = Schema::of(Types::ARRAY, "").array(&ArrayRules {
    items: Some(&TEXT),
    ..ArrayRules::ANY
});
static COLOR: Schema = Schema::of(Types::OBJECT, "").object(&ObjectRules {
    properties: &[Property::of("R", &INTEGER), Property::of("tags", &TEXTS)],
    additional: Additional::Denied,
    ..ObjectRules::ANY
});

fn parameter(
    location: ParameterIn,
    style: Style,
    explode: bool,
    schema: &'static Schema,
) -> Parameter {
    Parameter {
        name: "p",
        location,
        required: true,
        style,
        explode,
        json: false,
        schema,
    }
}

/// What one parameter alone in `/x/{p}`, reads as.
fn read_one(parameter: Parameter, target: &str, headers: &HeaderMap) -> Result<Value, Vec<String>> {
    let name = parameter.name;
    let segments: &'static [Segment] = match parameter.location {
        ParameterIn::Path => &[Segment::Literal("x"), Segment::Variable("p")],
        _ => &[Segment::Literal("x")],
    };
    let operation: &'static Operation = Box::leak(Box::new(Operation {
        segments,
        parameters: Vec::leak(vec![parameter]),
        ..NO_OPERATION
    }));
    let uri: Uri = target.parse().unwrap();
    let mut violations = Vec::new();
    let mut object = named(read(operation, &uri, headers, &|_| (), &mut violations));
    if violations.is_empty() {
        Ok(object.remove(name).unwrap_or_default())
    } else {
        Err(violations.iter().map(ToString::to_string).collect())
    }
}

fn in_path(style: Style, explode: bool, schema: &'static Schema, text: &str) -> Value {
    let parameter = parameter(ParameterIn::Path, style, explode, schema);
    read_one(parameter, &format!("/x/{text}"), &HeaderMap::new()).unwrap()
}

fn in_query(
    style: Style,
    explode: bool,
    schema: &'static Schema,
    text: &str,
) -> Result<Value, Vec<String>> {
    let parameter = parameter(ParameterIn::Query, style, explode, schema);
    read_one(parameter, &format!("/x?{text}"), &HeaderMap::new())
}

/// Parameters as an object.
fn named(parameters: Parameters) -> Map<String, Value> {
    let members = parameters.into_iter();
    members
        .map(|(name, value)| (name.into_owned(), value))
        .collect()
}

#[test]
fn every_style_of_a_path_is_read() {
    use Style::{Label, Matrix, Simple};
    let color = json!({"R": 100, "tags": ["a"]});
    for (style, explode, text, expected) in [
        (Simple, false, "3,4", json!([3, 4])),
        (Simple, true, "3,4", json!([3, 4])),
        (Label, true, ".3.4", json!([3, 4])),
        (Label, false, ".3,4", json!([3, 4])),
        (Label, false, ".3.4", json!([3, 4])),
        (Matrix, false, ";p=3,4", json!([3, 4])),
        (Matrix, true, ";p=3;p=4", json!([3, 4])),
    ] {
        assert_eq!(in_path(style, explode, &INTEGERS, text), expected, "{text}");
    }
    for (style, explode, text) in [
        (Simple, false, "R,100,tags,a"),
        (Simple, true, "R=100,tags=a"),
        (Label, false, ".R,100,tags,a"),
        (Label, true, ".R=100.tags=a"),
        (Matrix, false, ";p=R,100,tags,a"),
        (Matrix, true, ";R=100;tags=a"),
    ] {
        assert_eq!(in_path(style, explode, &COLOR, text), color, "{text}");
    }
    assert_eq!(in_path(Label, false, &TEXT, ".a%2Fb"), json!("a/b"));
    assert_eq!(in_path(Matrix, false, &TEXT, ";p=a+b"), json!("a+b"));
}

#[test]
fn every_style_of_a_query_is_read() {
    use Style::{DeepObject, Form, PipeDelimited, SpaceDelimited};
    for (style, explode, schema, text, expected) in [
        (Form, true, &TEXT, "p=a+b%2Bc&q=1", json!("a b+c")),
        (Form, true, &BOOLEAN, "p=true", json!(true)),
        (Form, true, &INTEGERS, "p=3&q=1&p=4", json!([3, 4])),
        (Form, false, &INTEGERS, "p=3,4", json!([3, 4])),
        (Form, false, &TEXTS, "p=a%2Cb,c", json!(["a,b", "c"])),
        (Form, false, &INTEGERS, "p=", json!([])),
        (
            SpaceDelimited,
            false,
            &INTEGERS,
            "p=3%204+5",
            json!([3, 4, 5]),
        ),
        (
            PipeDelimited,
            false,
            &INTEGERS,
            "p=3|4%7C5",
            json!([3, 4, 5]),
        ),
        (
            DeepObject,
            true,
            &COLOR,
            "p[R]=100&p%5Btags%5D=a&p[tags]=b",
            json!({"R": 100, "tags": ["a", "b"]}),
        ),
        (
            Form,
            true,
            &COLOR,
            "R=100&tags=a&other=1",
            json!({"R": 100, "tags": ["a"]}),
        ),
        (
            Form,
            false,
            &COLOR,
            "p=R,100,tags,a",
            json!({"R": 100, "tags": ["a"]}),
        ),
    ] {
        assert_eq!(
            in_query(style, explode, schema, text),
            Ok(expected),
            "{text}"
        );
    }
}

#[test]
fn a_parameter_that_may_be_a_list_is_one_when_it_is_repeated() {
    static ALL: Schema = Schema::of(Types::STRING, "").enumeration(&[r#""all""#]);
    static TEXT_OR: Schema = Schema::ANY.one_of(&[&TEXT, &TEXTS]);
    static ALL_OR: Schema = Schema::ANY.any_of(&[&ALL, &TEXTS]);
    static SMALL_OR: Schema = Schema::ANY.one_of(&[&SMALL, &TEXTS]);
    for (schema, text, expected) in [
        (&TEXT_OR, "p=a", json!("a")),
        (&TEXT_OR, "p=a&p=b", json!(["a", "b"])),
        (&ALL_OR, "p=all", json!("all")),
        (&ALL_OR, "p=a", json!(["a"])),
        (&SMALL_OR, "p=7", json!(7)),
        (&SMALL_OR, "p=70", json!(["70"])),
        (&SMALL_OR, "p=7&p=8", json!(["7", "8"])),
    ] {
        let read = in_query(Style::Form, true, schema, text);
        assert_eq!(read, Ok(expected), "{text}");
    }
    let together = in_query(Style::Form, false, &TEXT_OR, "p=a&p=b");
    assert_eq!(
        together,
        Err(vec!["query parameter p is repeated".to_owned()])
    );
}

#[test]
fn what_is_wrong_with_a_parameter_is_told_at_its_place() {
    use Style::Form;
    for (explode, schema, text, expected) in [
        (true, &TEXT, "q=1", "query parameter p is required"),
        (true, &TEXT, "p=a&p=b", "query parameter p is repeated"),
        (true, &SMALL, "p=10", "query parameter p must be at most 9"),
        (
            true,
            &SMALL,
            "p=ten",
            "query parameter p must be an integer, and is a string",
        ),
        (
            true,
            &SMALL,
            "p=%201",
            "query parameter p must be an integer, and is a string",
        ),
        (
            true,
            &INTEGERS,
            "p=1&p=x",
            "query parameter p[1] must be an integer, and is a string",
        ),
        (
            false,
            &COLOR,
            "p=R",
            "query parameter p is not written in the form name,value,name,value",
        ),
        (
            false,
            &COLOR,
            "p=G,1",
            "query parameter p.G is not a known property",
        ),
        (
            false,
            &COLOR,
            "p=R,1,R,2",
            "query parameter p has the member \"R\" more than once",
        ),
        (
            true,
            &COLOR,
            "R=1&R=2",
            "query parameter p has the member \"R\" more than once",
        ),
        (true, &TEXT, "p=%ff", "query parameter p is not UTF-8"),
    ] {
        let told = in_query(Form, explode, schema, text);
        assert_eq!(told, Err(vec![expected.to_owned()]), "{text}");
    }
}

#[test]
fn headers_and_cookies_are_read_without_case_and_in_lists() {
    let mut headers = HeaderMap::new();
    headers.append("p", HeaderValue::from_static("3, 4"));
    headers.append("P", HeaderValue::from_static("5"));
    headers.append("cookie", HeaderValue::from_static("q=1; p=a%20b"));
    let header = |schema| parameter(ParameterIn::Header, Style::Simple, false, schema);
    assert_eq!(
        read_one(header(&INTEGERS), "/x", &headers),
        Ok(json!([3, 4, 5]))
    );
    assert_eq!(
        read_one(header(&TEXT), "/x", &headers),
        Err(vec!["header parameter p is repeated".to_owned()])
    );
    let cookie = parameter(ParameterIn::Cookie, Style::Form, true, &TEXT);
    assert_eq!(read_one(cookie, "/x", &headers), Ok(json!("a b")));
}

#[test]
fn entity_tags_of_several_headers_are_one_list() {
    let mut headers = HeaderMap::new();
    headers.append("if-match", HeaderValue::from_static("\"1\""));
    headers.append("if-match", HeaderValue::from_static("\"2\", \"3\""));
    let if_match = Parameter {
        name: "If-Match",
        ..parameter(ParameterIn::Header, Style::Simple, false, &TEXT)
    };
    assert_eq!(
        read_one(if_match, "/x", &headers),
        Ok(json!("\"1\", \"2\", \"3\""))
    );
}

#[test]
fn a_parameter_may_be_json() {
    let json_parameter = || Parameter {
        json: true,
        ..parameter(ParameterIn::Query, Style::Form, true, &COLOR)
    };
    let headers = HeaderMap::new();
    let read_json = |target| read_one(json_parameter(), target, &headers);
    assert_eq!(read_json("/x?p=%7B%22R%22:1.0%7D"), Ok(json!({"R": 1})));
    assert!(read_json("/x?p=%7B").is_err());
}

#[test]
fn parameters_of_one_name_in_two_places_have_keys_of_their_own() {
    static OPERATION: Operation = Operation {
        segments: &[Segment::Variable("id")],
        parameters: &[
            Parameter::of(ParameterIn::Path, "id", Style::Simple, &TEXT).required(),
            Parameter::of(ParameterIn::Query, "id", Style::Form, &TEXT)
                .required()
                .explode(),
            Parameter::of(ParameterIn::Query, "n", Style::Form, &INTEGER).explode(),
        ],
        ..NO_OPERATION
    };
    let uri: Uri = "/a?id=b&n=1.0".parse().unwrap();
    let mut violations = Vec::new();
    let object = named(read(
        &OPERATION,
        &uri,
        &HeaderMap::new(),
        &|_| (),
        &mut violations,
    ));
    assert_eq!(
        Value::Object(object),
        json!({"path.id": "a", "query.id": "b", "n": 1})
    );
}

#[test]
fn no_two_parameters_of_an_operation_have_one_key() {
    const fn text(name: &'static str, location: ParameterIn, schema: &'static Schema) -> Parameter {
        Parameter::of(location, name, Style::Form, schema).explode()
    }
    static OPERATION: Operation = Operation {
        parameters: &[
            text("id", ParameterIn::Header, &TEXT),
            text("id", ParameterIn::Query, &TEXT),
            text("query.id", ParameterIn::Query, &TEXT),
            text("query", ParameterIn::Query, &TEXT),
        ],
        ..NO_OPERATION
    };
    let parameters = OPERATION.parameters.iter();
    let keys: Vec<_> = parameters
        .map(|parameter| parameter_key(&OPERATION, parameter))
        .collect();
    assert_eq!(keys, ["header.id", "query.id", "query.query.id", "query"]);
}

#[test]
fn the_types_of_members_are_those_of_the_alternative_that_fits() {
    static CODE: Schema = Schema::of(Types::STRING, "").enumeration(&[r#""code""#]);
    static NUMBER: Schema = Schema::of(Types::STRING, "").enumeration(&[r#""number""#]);
    static BY_CODE: Schema = Schema::of(Types::OBJECT, "").object(&ObjectRules {
        properties: &[Property::of("kind", &CODE), Property::of("value", &TEXT)],
        ..ObjectRules::ANY
    });
    static BY_NUMBER: Schema = Schema::of(Types::OBJECT, "").object(&ObjectRules {
        properties: &[
            Property::of("kind", &NUMBER),
            Property::of("value", &INTEGER),
        ],
        ..ObjectRules::ANY
    });
    static EITHER: Schema = Schema::of(Types::OBJECT, "").one_of(&[&BY_CODE, &BY_NUMBER]);
    for (kind, value) in [("code", json!("1")), ("number", json!(1))] {
        let expected = json!({"kind": kind, "value": value});
        let deep = format!("p[kind]={kind}&p[value]=1");
        let read = in_query(Style::DeepObject, true, &EITHER, &deep);
        assert_eq!(read, Ok(expected.clone()));
        let spread = format!("kind={kind}&value=1");
        let read = in_query(Style::Form, true, &EITHER, &spread);
        assert_eq!(read, Ok(expected));
    }
}

#[test]
fn an_object_without_properties_has_all_pairs_of_the_query() {
    static FREE: Schema = Schema::of(Types::OBJECT, "");
    for (style, text) in [
        (Style::Form, "a=1&b=x"),
        (Style::DeepObject, "p[a]=1&p[b]=x&c=2"),
    ] {
        let read = in_query(style, true, &FREE, text);
        assert_eq!(read, Ok(json!({"a": "1", "b": "x"})), "{text}");
    }
}

#[test]
fn an_open_object_in_the_query_has_no_members_of_others() {
    static OPEN: Schema = Schema::of(Types::OBJECT, "").object(&ObjectRules {
        additional: Additional::Schema(&INTEGER),
        ..ObjectRules::ANY
    });
    const fn spread(name: &'static str, style: Style, schema: &'static Schema) -> Parameter {
        Parameter::of(ParameterIn::Query, name, style, schema).explode()
    }
    static OPERATION: Operation = Operation {
        parameters: &[
            spread("open", Style::Form, &OPEN),
            spread("text", Style::Form, &TEXT),
            spread("color", Style::Form, &COLOR),
            spread("deep", Style::DeepObject, &COLOR),
        ],
        security: &[Requirement {
            all: &[SchemeUse {
                name: "key",
                scheme: Scheme::ApiKey {
                    location: ParameterIn::Query,
                    name: "api_key",
                },
                scopes: &[],
            }],
        }],
        ..NO_OPERATION
    };
    let uri = "/?api_key=secret&a=1&text=t&R=2&deep[R]=3&b[c]=4";
    let uri: Uri = uri.parse().unwrap();
    let mut violations = Vec::new();
    let read = read(
        &OPERATION,
        &uri,
        &HeaderMap::new(),
        &|_| (),
        &mut violations,
    );
    assert!(violations.is_empty(), "{violations:?}");
    let expected = json!({
        "open": {"a": 1, "b[c]": 4}, "text": "t", "color": {"R": 2}, "deep": {"R": 3},
    });
    assert_eq!(Value::Object(named(read)), expected);
}
