//! Generated code, kept beside its document: the generator still writes it.
//! `UPDATE_GOLDEN=1 cargo test -p dropforge --test golden`
//! rewrites it; the difference is then what a reviewer reads.

use dropforge::document::Document;

/// The generated server of a document.
fn generate(path: &str, name: &str) -> String {
    let document = Document::load_file(path).unwrap_or_else(|refused| panic!("{refused}"));
    let generated = dropforge::generate_server(&document, name)
        .unwrap_or_else(|diagnostics| panic!("{}", diagnostics.render(&document.source)));
    dropforge::pretty(generated.tokens)
}

#[test]
fn the_generator_still_writes_the_golden_code() {
    let path = "tests/golden/kitchen.rs";
    let generated = generate("tests/golden/kitchen.yaml", "kitchen");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &generated).expect("the golden file can be written");
    }
    let golden = std::fs::read_to_string(path).expect("the golden file is there");
    assert!(
        golden == generated,
        "rerun with UPDATE_GOLDEN=1 and read the difference"
    );
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    for (path, name) in [
        ("tests/golden/kitchen.yaml", "kitchen"),
        ("roundtrip/traps.yaml", "traps"),
    ] {
        assert!(generate(path, name) == generate(path, name), "{name}");
    }
}
