//! What a check and a whole request cost, in instructions.
//!
//! Valgrind's callgrind counts those of a whole program. Two runs that differ only
//! in how often they repeat something tell what once costs, and tell the same each
//! time.

use std::hint::black_box;
use std::process::{Command, ExitCode, Stdio};

use accord::accounts::server as api;
use dropforge_runtime::check::{self, Direction};
use dropforge_runtime::table::Schema;
use serde_json::{Map, Value};

use crate::{SERVERS, chart, data, whole};

/// What is repeated.
const WHAT: [(&str, &str); 6] = [
    ("parse", "parse the body into a JSON value"),
    ("check", "check the value, as generated"),
    ("jsonschema", "check the value, by the crate jsonschema"),
    ("typed", "turn the value into the request's type"),
    ("read", "parse the body into the request's type"),
    (
        "direct",
        "parse the body into a type written by hand, unchecked",
    ),
];

const FEW: u64 = 500;
const MANY: u64 = 1500;

/// Does one of [`WHAT`], or asks a server for an operation (`server/operation`), so
/// many times.
pub fn repeat(what: &str, times: u64) {
    if let Some((server, operation)) = what.split_once('/') {
        let known = SERVERS.into_iter().find(|known| *known == server);
        return whole::repeat(known.expect("a server"), operation, times);
    }
    let text = data::body().to_string();
    let value = data::body();
    let schema = schema();
    let validator = jsonschema::validator_for(&as_json_schema()).expect("a schema");
    for _ in 0..times {
        match what {
            "parse" => {
                let value: Value = serde_json::from_str(black_box(&text)).expect("JSON");
                black_box(value);
            }
            "check" => {
                let valid = check::is_valid(schema, black_box(&value), Direction::Request);
                assert!(black_box(valid));
            }
            "jsonschema" => {
                assert!(black_box(validator.is_valid(black_box(&value))));
            }
            "typed" => {
                let value = black_box(&value);
                let typed: api::types::CreateUserRequest =
                    serde::Deserialize::deserialize(value).expect("a request");
                black_box(typed);
            }
            "read" => {
                let typed: api::types::CreateUserRequest =
                    serde_json::from_str(black_box(&text)).expect("a request");
                black_box(typed);
            }
            "direct" => {
                let typed: crate::by_dropshot::CreateUserRequest =
                    serde_json::from_str(black_box(&text)).expect("a request");
                black_box(typed);
            }
            other => panic!("nobody knows `{other}`"),
        }
    }
}

/// Asks each server for each operation.
pub fn rehearse() {
    const TIMES: u64 = 20_000;
    for server in SERVERS {
        for operation in whole::OPERATIONS {
            whole::repeat(server, operation, TIMES);
        }
    }
}

/// Counts each, and prints the table.
pub fn run() -> ExitCode {
    let mut lines = vec![vec!["once".to_owned(), "instructions".to_owned()]];
    for (what, about) in WHAT {
        let Some(once) = once(what) else {
            return unavailable();
        };
        lines.push(vec![about.to_owned(), once.to_string()]);
    }
    print!("{}", chart::table(&lines));
    println!(
        "\nThe body of createUser, {} bytes.\n",
        data::body().to_string().len()
    );
    let mut lines = vec![vec![
        "a whole request".to_owned(),
        "server".to_owned(),
        "instructions".to_owned(),
        "of dropshot".to_owned(),
    ]];
    for operation in whole::OPERATIONS {
        let counts = SERVERS.map(|server| once(&format!("{server}/{operation}")));
        let dropshot = counts[1];
        for (server, count) in SERVERS.iter().zip(counts) {
            let (Some(count), Some(dropshot)) = (count, dropshot) else {
                return unavailable();
            };
            lines.push(vec![
                operation.to_owned(),
                (*server).to_owned(),
                count.to_string(),
                format!("{:.2}", count as f64 / dropshot as f64),
            ]);
        }
    }
    print!("{}", chart::table(&lines));
    println!("\nIn the program alone: what the system does for it is not counted.");
    ExitCode::SUCCESS
}

fn unavailable() -> ExitCode {
    eprintln!("valgrind does not count: is it installed?");
    ExitCode::from(2)
}

/// What doing it once costs.
fn once(what: &str) -> Option<u64> {
    let (few, many) = (instructions(what, FEW)?, instructions(what, MANY)?);
    Some((many - few) / (MANY - FEW))
}

/// The instructions of a whole run.
fn instructions(what: &str, times: u64) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().ok()?)
        .args(["repeat", what, &times.to_string()])
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = said.lines().find(|line| line.contains("Collected :"))?;
    line.split_whitespace().next_back()?.parse().ok()
}

/// The table of the body's schema.
fn schema() -> &'static Schema {
    let operation = api::API.operations.iter().find(|o| o.id == "createUser");
    let body = operation.and_then(|operation| operation.body);
    body.and_then(|body| body.media.first()?.schema)
        .expect("createUser has a body")
}

/// The body's schema as JSON Schema: the document's components as definitions,
/// and formats as assertions where the crate has them.
fn as_json_schema() -> Value {
    let document: Value = serde_json::from_str(accord::accounts::DOCUMENT.json).expect("JSON");
    let mut schemas = document["components"]["schemas"].clone();
    translate(&mut schemas);
    let mut root = Map::new();
    root.insert(
        "$schema".into(),
        "http://json-schema.org/draft-07/schema#".into(),
    );
    root.insert(
        "$ref".into(),
        "#/components/schemas/CreateUserRequest".into(),
    );
    let components = Map::from_iter([("schemas".to_owned(), schemas)]);
    root.insert("components".into(), components.into());
    // A reference of draft 7 stands alone.
    let all = root
        .remove("$ref")
        .map(|to| serde_json::json!([{ "$ref": to }]));
    root.insert("allOf".into(), all.unwrap_or_default());
    root.into()
}

/// The one word of OpenAPI that these schemas need translated.
fn translate(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(translate),
        Value::Object(members) => {
            if members.remove("nullable") == Some(Value::Bool(true))
                && let Some(one) = members.get("type").cloned()
            {
                members.insert("type".into(), serde_json::json!([one, "null"]));
            }
            members.values_mut().for_each(translate);
        }
        _ => {}
    }
}
