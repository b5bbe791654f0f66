//! Documents with very long lists: the time of each check is linear in the length. No test asserts a time, but a check
//! that compares all pairs of a list would not end within a minute.

use dropforge::document::{Diagnostic, Document};

/// The findings about a document, in its order.
fn findings(text: &str) -> Vec<Diagnostic> {
    let document = Document::load("large.yaml", text).expect("YAML");
    let found = match dropforge::lower::lower(&document, "large") {
        Ok(lowered) => lowered.warnings,
        Err(errors) => errors,
    };
    found.into_iter().collect()
}

#[test]
fn parameters_of_one_operation() {
    let parameter =
        |name: &str| format!("        - {{name: {name}, in: query, schema: {{type: string}}}}\n");
    let names = (0..50_000).map(|index| format!("p{index}"));
    let parameters: String = names.map(|name| parameter(&name)).collect();
    let text = format!(
        "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    get:\n      responses: \
         {{'204': {{description: Done}}}}\n      parameters:\n{parameters}{}",
        parameter("p7")
    );
    let found = findings(&text);
    let codes: Vec<&str> = found.iter().map(|one| one.code).collect();
    assert_eq!(codes, ["duplicate-parameter"]);
    assert_eq!(found[0].message, "`p7` is declared twice");
}
