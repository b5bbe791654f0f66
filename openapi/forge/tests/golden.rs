//! Generated code, kept beside its document: the generator still writes it,
//! and it compiles. `UPDATE_GOLDEN=1 cargo test -p dropforge --test golden`
//! rewrites it; the difference is then what a reviewer reads.

use dropforge::document::Document;
use std::path::Path;

/// The generated code of `golden/kitchen.yaml`, compiled.
#[allow(clippy::all, rustdoc::all, unused, missing_docs)]
mod kitchen {
    include!("golden/kitchen.rs");
}

fn generate(name: &str) -> String {
    let path = format!("tests/golden/{name}.yaml");
    let document = Document::load_file(&path).unwrap_or_else(|refused| panic!("{refused}"));
    let generated = dropforge::generate_server(&document, name)
        .unwrap_or_else(|diagnostics| panic!("{}", diagnostics.render(&document.source)));
    dropforge::pretty(generated.tokens)
}

#[test]
fn the_generator_still_writes_the_golden_code() {
    let path = Path::new("tests/golden/kitchen.rs");
    let generated = generate("kitchen");
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
    assert!(generate("kitchen") == generate("kitchen"));
}

#[test]
fn names_that_clash_after_casing_stay_apart() {
    use kitchen::types::Kind;
    let written: Vec<&str> = Kind::ALL.iter().map(Kind::as_str).collect();
    assert_eq!(written, ["hot", "HOT", "cold", ">", ">=", ""]);
}

#[test]
fn absent_and_null_are_two_things() {
    let dish = |calories: &str| -> kitchen::types::Dish {
        serde_json::from_str(&format!(
            r#"{{"name":"A","kind":"hot","course":null{calories}}}"#
        ))
        .expect("a dish")
    };
    assert_eq!(dish("").calories, None);
    assert_eq!(dish(r#","calories":null"#).calories, Some(None));
    assert_eq!(dish(r#","calories":5"#).calories, Some(Some(5)));
    let text = serde_json::to_string(&dish(r#","calories":null"#)).expect("JSON");
    assert!(
        text.contains(r#""course":null"#) && text.contains(r#""calories":null"#),
        "{text}"
    );
}

#[test]
fn the_discriminator_tells_the_alternative() {
    use kitchen::types::Filling;
    let filling: Filling =
        serde_json::from_str(r#"{"taste":"salty","salt":3}"#).expect("a filling");
    assert!(matches!(filling, Filling::Savoury(_)), "{filling:?}");
}

#[test]
fn literals_beside_variables_share_a_route() {
    let route = |id: &str| {
        let found = kitchen::API
            .operations
            .iter()
            .find(|operation| operation.id == id);
        found.map(|operation| operation.route).unwrap_or_default()
    };
    assert_eq!(route("getDish"), route("getMenu"));
    assert_eq!(route("getPhoto"), format!("{}/photo", route("getDish")));
}
