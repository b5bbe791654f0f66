//! Constructs that used to be generated wrongly: both sides compile, and the server behaves as its document says.

use dropforge_roundtrip::traps::server as traps;
use dropforge_runtime as rt;
use serde_json::json;
use traps::{parameters, types};

struct Implementation;

struct Context;

impl rt::Observe for Context {}

impl traps::Security for Implementation {
    type Context = Context;
    type ListTrees = ();

    async fn list_trees(
        _: &rt::Call<Context>,
        _: rt::ApiKey,
        _: &'static [&'static str],
    ) -> Result<(), rt::Denied> {
        Ok(())
    }

    fn reject(_: &rt::Call<Context>, _: rt::Rejection) -> rt::Reply {
        rt::Reply::empty(rt::http::StatusCode::BAD_REQUEST)
    }
}

/// What no test calls.
async fn never<T>() -> T {
    std::future::pending().await
}

impl traps::Traps for Implementation {
    async fn reject2(
        _: rt::Call<Context>,
        (): (),
        _: parameters::Reject,
    ) -> Result<traps::RejectResponse, traps::RejectError> {
        never().await
    }

    async fn list_trees2(
        _: rt::Call<Context>,
        (): (),
        _: parameters::ListTrees,
    ) -> Result<traps::ListTreesResponse, traps::ListTreesError> {
        never().await
    }

    async fn ab(_: rt::Call<Context>, (): ()) -> Result<traps::ABResponse, traps::ABError> {
        Ok(traps::responses::ABNoContent {}.into())
    }

    async fn ab2(_: rt::Call<Context>, (): ()) -> Result<traps::AbResponse, traps::AbError> {
        never().await
    }

    async fn add_tree(
        _: rt::Call<Context>,
        (): (),
        _: types::Tree,
    ) -> Result<traps::AddTreeResponse, traps::AddTreeError> {
        never().await
    }

    async fn add_pet(
        _: rt::Call<Context>,
        (): (),
        _: types::Pet,
    ) -> Result<traps::AddPetResponse, traps::AddPetError> {
        never().await
    }

    async fn read_key(
        _: rt::Call<Context>,
        (): (),
    ) -> Result<traps::ReadKeyResponse, traps::ReadKeyError> {
        never().await
    }

    async fn fill(
        _: rt::Call<Context>,
        (): (),
        _: types::Form,
    ) -> Result<traps::FillResponse, traps::FillError> {
        never().await
    }
}

/// Variables of one name at two places, segments with slashes and braces in them, and
/// methods that are called like those of the security trait.
#[test]
fn every_operation_has_a_route() {
    let mut api = dropshot::ApiDescription::new();
    traps::register::<Implementation>(&mut api).expect("routes");
    let routes: Vec<&str> = traps::API.operations.iter().map(|one| one.route).collect();
    // A segment with a slash in it is no literal of the router, nor are its neighbors then.
    assert_eq!(routes[0], "/v1/{segment1}/{segment2}/{segment3}");
    assert_eq!(routes[1], routes[0]);
    assert_eq!(routes[2], "/v1/{segment1}/{segment2}");
}

#[test]
fn headers_have_the_types_of_their_schemas() {
    let tree = types::Tree {
        co: Some(1.5),
        kids: Some(types::TreeKidsItem(vec![types::TreeKidsItem(Vec::new())])),
        leaves: None,
    };
    let response = traps::responses::AddTreeOk {
        x_unit: types::Unit::M2,
        x_wait: 7,
        x_filter: Some("a,b".to_owned()),
        set_cookie: vec!["a=1".to_owned(), "b=2".to_owned()],
        body: tree,
    };
    let reply =
        rt::IntoReply::into_reply(traps::AddTreeResponse::Ok(response), &rt::Accept::default());
    let lines = |name: &str| {
        let values = reply.headers().get_all(name).iter();
        values
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(lines("x-unit"), ["m³"]);
    assert_eq!(lines("x-wait"), ["7"]);
    assert_eq!(lines("x-filter"), ["a,b"]);
    // Commas do not separate cookies.
    assert_eq!(lines("set-cookie"), ["a=1", "b=2"]);
    // The range `application/*` is not a media type to send.
    assert_eq!(lines("content-type"), ["application/json"]);
    let body: serde_json::Value =
        serde_json::from_slice(reply.body().expect("bytes")).expect("JSON");
    assert_eq!(body, json!({"co₂": 1.5, "kids": [[]]}));
}

#[test]
fn rules_across_the_parts_of_a_schema_leave_it_a_struct() {
    let either = types::Either {
        a: Some("x".to_owned()),
        b: None,
    };
    assert_eq!(
        serde_json::to_value(either).expect("JSON"),
        json!({"a": "x"})
    );
    // The server may leave it out of a request: it is `readOnly` in another part.
    let stored: types::Stored = serde_json::from_value(json!({})).expect("no id");
    assert_eq!(stored.id, None);
}

#[test]
fn null_is_a_value_only_where_the_enumeration_lists_it() {
    let choice: types::Choice =
        serde_json::from_value(json!({"chosenOrNot": null})).expect("null is listed");
    assert_eq!(choice.chosen_or_not, Some(None));
}

#[test]
fn the_values_of_secret_schemas_are_not_printed() {
    let key = || types::KeyOrKeys::Key("hunter2".to_owned());
    let keys = types::Keys {
        owner: Some("ann".to_owned()),
        additional: [("a".to_owned(), "hunter2".to_owned())].into(),
    };
    assert_eq!(
        format!("{keys:?}"),
        r#"Keys { owner: Some("ann"), additional: "…" }"#
    );
    assert_eq!(format!("{:?}", key()), r#"Key("…")"#);
    let number = types::KeyOrKeys::Integer(7);
    assert_eq!(format!("{number:?}"), "Integer(7)");
    let tree = types::KeyTree(vec![key()]);
    assert_eq!(format!("{tree:?}"), r#"KeyTree("…")"#);
    // Declared twice, and secret in the first place.
    let again = types::Again {
        token: Some("hunter2".to_owned()),
    };
    assert_eq!(format!("{again:?}"), r#"Again { token: "…" }"#);
    let response = traps::responses::ReadKeyOk {
        x_key: "hunter2".to_owned(),
        body: "hunter2".to_owned(),
    };
    assert_eq!(
        format!("{response:?}"),
        r#"ReadKeyOk { x_key: "…", body: "…" }"#
    );
}

/// A composition that is a `serde_json::Value` cannot leave out its own members.
#[test]
fn compositions_without_a_type_are_not_printed_if_they_have_secrets() {
    let guarded = || json!({"user": "ann", "password": "hunter2"});
    let guards = types::Guards {
        one: Some(guarded()),
        several: Some(vec![guarded()]),
        account: Some(types::Account {
            name: Some("ann".to_owned()),
            password: Some("hunter2".to_owned()),
        }),
        additional: [("a".to_owned(), guarded())].into(),
    };
    assert_eq!(
        format!("{guards:?}"),
        r#"Guards { one: "…", several: "…", account: Some(Account { name: Some("ann"), password: "…" }), additional: "…" }"#
    );
    let either = types::GuardedOrNot::Guarded(guarded());
    assert_eq!(format!("{either:?}"), r#"Guarded("…")"#);
}

#[test]
fn a_request_reaches_a_path_with_an_encoded_slash() {
    let mut api = dropshot::ApiDescription::new();
    traps::register::<Implementation>(&mut api).expect("routes");
    let server = rt::contract::LocalServer::start(api, Context).expect("a server");
    let status = |path: &str| {
        let request = rt::http::Request::get(path).header("x-key", "k");
        let request = request.body(rt::bytes::Bytes::new()).expect("a request");
        server.send(request).expect("a response").status().as_u16()
    };
    assert_eq!(status("/v1/a%2Fb/%7Bc%7D"), 204);
    assert_eq!(status("/v1/a%2fb/%7bc%7d"), 204);
    assert_eq!(status("/v1/a/b/%7Bc%7D"), 400);
    assert_eq!(status("/v1/a%2Fb/c"), 400);
}
