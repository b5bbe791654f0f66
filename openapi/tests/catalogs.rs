//! The tables of error codes in the documents.

use serde_json::Value;

/// The codes of the table in a description.
fn catalog(description: &str) -> Vec<&str> {
    let rows = description.lines().filter_map(|line| {
        let cell = line.trim().strip_prefix("| `")?;
        cell.split_once("` |").map(|(code, _)| code)
    });
    rows.collect()
}

/// A caller who handles the codes of the table handles all of them.
#[test]
fn each_catalog_of_error_codes_lists_the_codes_of_its_schema() {
    let mut seen = 0;
    for document in &accord::DOCUMENTS {
        let json: Value = serde_json::from_str(document.json).unwrap();
        for (name, schema) in json["components"]["schemas"].as_object().unwrap() {
            let codes = schema["enum"]
                .as_array()
                .or(schema["x-extensible-enum"].as_array());
            let description = schema["description"].as_str().unwrap_or_default();
            let table = catalog(description);
            let (true, Some(codes)) = (name.ends_with("Code") && !table.is_empty(), codes) else {
                continue;
            };
            let codes: Vec<_> = codes.iter().filter_map(Value::as_str).collect();
            assert_eq!(table, codes, "{} {name}", document.area);
            seen += 1;
        }
    }
    assert!(seen > 0, "no catalog is found");
}
