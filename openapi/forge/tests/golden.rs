//! Generated code, kept beside its document: the generator still writes it.
//! `UPDATE_GOLDEN=1 cargo test -p dropforge --test golden`
//! rewrites it; the difference is then what a reviewer reads.

use dropforge::document::Document;

fn generate(name: &str) -> String {
    let path = format!("tests/golden/{name}.yaml");
    let document = Document::load_file(&path).unwrap_or_else(|refused| panic!("{refused}"));
    let generated = dropforge::generate_server(&document, name)
        .unwrap_or_else(|diagnostics| panic!("{}", diagnostics.render(&document.source)));
    dropforge::pretty(generated.tokens)
}

/// `kitchen` has most constructs; `traps` has those that used to go wrong.
const DOCUMENTS: [&str; 2] = ["kitchen", "traps"];

#[test]
fn the_generator_still_writes_the_golden_code() {
    for name in DOCUMENTS {
        let path = format!("tests/golden/{name}.rs");
        let generated = generate(name);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &generated).expect("the golden file can be written");
        }
        let golden = std::fs::read_to_string(&path).expect("the golden file is there");
        assert!(
            golden == generated,
            "{name}: rerun with UPDATE_GOLDEN=1 and read the difference"
        );
    }
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    for name in DOCUMENTS {
        assert!(generate(name) == generate(name), "{name}");
    }
}
