//! Perf.

use dropforge::document::{Document, Diagnostics};
use std::time::Instant;

fn time<T>(what: &str, f: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let value = f();
    println!("{what}: {:?}", start.elapsed());
    value
}

fn all(name: &str, text: &str) {
    println!("== {name}: {} KB", text.len() / 1000);
    let document = match time("load", || Document::load("x.yaml", text)) {
        Ok(d) => d,
        Err(e) => { println!("refused {} {:?}", e.len(), e.iter().next()); return; }
    };
    let found = time("structure", || dropforge::structure::check(&document));
    println!("{} findings", found.len());
    let _ = time("lower", || dropforge::lower::lower(&document, "d").is_ok());
    if std::env::var_os("GEN").is_some() {
    let server = time("server", || dropforge::generate_server(&document, "d"));
    if let Ok(server) = server { time("pretty", || dropforge::pretty(server.tokens)); }
    let client = time("client", || dropforge::emit::client::generate(&document));
    if let Ok(client) = client { time("pretty", || dropforge::pretty(client.tokens)); }
    }
    let lint: Diagnostics = time("lint", || dropforge::check::lint::lint(&document));
    println!("{} findings", lint.len());
    time("render", || lint.render(&document.source).len());
}

#[test]
fn refs() {
    for n in [500, 2000] {
    let mut t = String::from("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n");
    for i in 0..n { t.push_str(&format!("    SomeLongNameOfSchema{i:04}: {{type: object, properties: {{a: {{$ref: '#/components/schemas/SomeLongNaneOfSchema{i:04}'}}}}}}\n")); }
    all("refs", &t);
    }
}

#[test]
fn braces() {
    let mut t = String::from("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas: {\n");
    for i in 0..4000 { t.push_str(&format!("S{i}: {{\ntype: object,\nproperties: {{a: {{type: string}}}}\n}},\n")); }
    t.push_str("}\n");
    all("braces", &t);
    let mut t = String::from("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n");
    for i in 0..4000 { t.push_str(&format!("    S{i}: {{\n    type: object,\n    properties: {{a: {{type: string}}}}\n}}\n")); }
    all("many braces", &t);
    let mut t = String::from("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n");
    for i in 0..4000 { t.push_str(&format!("    S{i}: {{type: object, properties: {{a: {{type: string}}}}}}\n")); }
    for i in 4000..4099 { t.push_str(&format!("    S{i}: {{\n    type: object,\n    properties: {{a: {{type: string}}}}\n}}\n")); }
    all("late braces", &t);
    let mut t = String::from("openapi: 3.0.3\ninfo: {title: T, version: '1', description: \"a\n");
    for _ in 0..20000 { t.push_str("some text\n"); }
    t.push_str("\"}\npaths: {}\n");
    all("quoted", &t);
}

fn operations(n: usize) -> String {
    let mut t = String::from("openapi: 3.0.3\ninfo: {title: T, version: '1'}\ntags: [{name: a, description: A}]\npaths:\n");
    for i in 0..n { t.push_str(&format!("  /things{i}/{{id}}:\n    post:\n      operationId: post{i}\n      summary: Post\n      description: Text\n      tags: [a]\n      security: [{{token: []}}]\n      parameters:\n        - {{name: id, in: path, required: true, schema: {{type: string, example: a}}}}\n      requestBody:\n        content:\n          application/json:\n            schema: {{$ref: '#/components/schemas/Thing{i}'}}\n            example: {{name: a, size: 3}}\n      responses:\n        '200':\n          description: Done\n          content:\n            application/json:\n              schema: {{$ref: '#/components/schemas/Thing{i}'}}\n              example: {{name: a, size: 3}}\n        '400': {{$ref: '#/components/responses/Error'}}\n")); }
    t.push_str("components:\n  securitySchemes: {token: {type: http, scheme: bearer, description: T}}\n  responses:\n    Error: {description: E, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}, example: {title: a}}}}\n  schemas:\n    Problem: {type: object, description: P, properties: {title: {type: string, description: t}}}\n");
    for i in 0..n { t.push_str(&format!("    Thing{i}:\n      type: object\n      description: T\n      required: [name]\n      properties:\n        name: {{type: string, description: n, enum: [a, b, c]}}\n        size: {{type: integer, format: int32, description: s, minimum: 1}}\n        next: {{$ref: '#/components/schemas/Thing{}'}}\n", (i + 1) % n)); }
    t
}

#[test]
fn ops() {
    all("250 operations", &operations(250));
    all("1000 operations", &operations(1000));
}

#[test]
fn enums() {
    let mut t = String::from("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    E:\n      type: string\n      enum:\n");
    for i in 0..20000 { t.push_str(&format!("        - value{i}\n")); }
    all("enum", &t);
    let mut t = String::from("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    E:\n      type: string\n      enum:\n");
    for i in 0..20000 { t.push_str(&format!("        - '{}'\n", char::from_u32(0x1f300 + (i % 500) as u32).unwrap().to_string().repeat(1 + i / 500))); }
    all("enum of signs", &t);
    let t = t.replace("type: string", "type: string\n      default: a");
    all("enum of signs with default", &t);
}
