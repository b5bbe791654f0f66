//! The client's golden code and its losses, kept beside their document.
//! `UPDATE_GOLDEN=1 cargo test -p dropforge --features client --test client_golden`
//! rewrites them; the difference is then what a reviewer reads.
#![cfg(feature = "client")]

use dropforge::document::Document;
use std::path::Path;

fn generate() -> (String, String) {
    let document = Document::load_file("tests/golden/counter.yaml");
    let document = document.unwrap_or_else(|refused| panic!("{refused}"));
    let output = dropforge::emit::client::generate(&document)
        .unwrap_or_else(|diagnostics| panic!("{}", diagnostics.render(&document.source)));
    (
        dropforge::pretty(output.tokens),
        output.report.to_markdown(),
    )
}

#[test]
fn the_generator_still_writes_the_golden_client_and_its_losses() {
    let (code, losses) = generate();
    assert!(generate().0 == code, "the same document gives other bytes");
    for (path, generated) in [
        ("tests/golden/counter_client.rs", code),
        ("tests/golden/counter.loss.md", losses),
    ] {
        let path = Path::new(path);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(path, &generated).expect("the golden file can be written");
        }
        let golden = std::fs::read_to_string(path).expect("the golden file is there");
        assert!(
            golden == generated,
            "rerun with UPDATE_GOLDEN=1 and read the difference of {}",
            path.display()
        );
    }
}

#[test]
fn a_document_of_another_version_is_refused_with_its_line() {
    let text = "openapi: 3.2.0\ninfo: {title: T, version: '1'}\npaths: {}\n";
    let document = Document::load("new.yaml", text).expect("it loads");
    let diagnostics = dropforge::emit::client::generate(&document)
        .map(|_| ())
        .expect_err("3.2");
    let rendered = diagnostics.render(&document.source);
    assert!(
        rendered.contains("new.yaml:1") && rendered.contains("OpenAPI 3.2.0"),
        "{rendered}"
    );
}
