//! Documents with very long lists: the time of each check is linear in the length. No test asserts a time, but a check
//! that compares all pairs of a list would not end within a minute.

use dropforge::document::{Diagnostic, Document, Node};

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

/// A document with these schemas.
fn with_schemas(schemas: &str) -> String {
    format!(
        "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents:\n  schemas:\n{schemas}"
    )
}

#[test]
fn lines_of_one_text() {
    let lines = "          maxLength: 1\n".repeat(150_000);
    let text = with_schemas(&format!(
        "    S:\n      type: string\n      description: |\n        Words of a text.\n{lines}        \
         More words.\n          minLength: 1\n"
    ));
    let found = findings(&text);
    let found: Vec<_> = found
        .iter()
        .map(|one| (one.code, &text[one.span.start..one.span.end]))
        .collect();
    assert_eq!(found, [("key-in-text", "minLength")]);
}

/// How many values of discriminators are wrong, and how many of these findings have a proposal. `Cat` has the values
/// `v0000`, `v0001` and so on.
fn wrong_values(values: usize, unions: impl Iterator<Item = String>) -> (usize, usize) {
    let values = (0..values).map(|index| format!("v{index:04}"));
    let values = values.collect::<Vec<_>>().join(", ");
    let unions = unions.enumerate().map(|(index, mapping)| {
        format!(
            "    U{index}:\n      oneOf: [{{$ref: '#/components/schemas/Cat'}}]\n      \
             discriminator: {{propertyName: kind, mapping: {{{mapping}}}}}\n"
        )
    });
    let unions: String = unions.collect();
    let text = with_schemas(&format!(
        "    Cat:\n      type: object\n      required: [kind]\n      properties:\n        \
         kind: {{type: string, enum: [{values}]}}\n{unions}"
    ));
    let mut found = findings(&text);
    found.retain(|one| one.code == "discriminator-value");
    let proposals = found.iter().filter(|one| one.replacement.is_some());
    (found.len(), proposals.count())
}

/// Each proposal is compared with all values. Their number has a limit in the whole document.
#[test]
fn wrong_values_of_discriminators() {
    let entry = |index: usize| format!("w{index:04}: '#/components/schemas/Cat'");
    let of_one: Vec<String> = (0..4000).map(entry).collect();
    let in_one = wrong_values(4000, std::iter::once(of_one.join(", ")));
    assert_eq!(in_one, (4000, 25));
    let in_many = wrong_values(2000, (0..400).map(entry));
    assert_eq!(in_many, (400, 50));
    let in_few = wrong_values(20, (0..20).map(entry));
    assert_eq!(in_few, (20, 20));
}

/// Each alternative is chosen by 64 values, which no other one may have.
#[test]
fn values_of_the_alternatives_of_one_union() {
    let names: Vec<String> = (0..2000).map(|index| format!("S{index}")).collect();
    let references = names.iter();
    let references = references.map(|name| format!("{{$ref: '#/components/schemas/{name}'}}"));
    let references: Vec<String> = references.collect();
    let schemas = names.iter().map(|name| {
        let values: Vec<String> = (0..64).map(|value| format!("{name}v{value}")).collect();
        let kind = format!("{{type: string, enum: [{}]}}", values.join(", "));
        format!("    {name}: {{type: object, required: [kind], properties: {{kind: {kind}}}}}\n")
    });
    let schemas: String = schemas.collect();
    let text = with_schemas(&format!(
        "    Union:\n      oneOf: [{}]\n      discriminator: {{propertyName: kind}}\n{schemas}",
        references.join(", ")
    ));
    let found = findings(&text);
    assert_eq!(found.len(), names.len());
    assert!(found.iter().all(|one| one.code == "discriminator-value"));
}

/// The findings of one code.
fn of_code(found: &[Diagnostic], code: &str) -> Vec<String> {
    let found = found.iter().filter(|one| one.code == code);
    found.map(|one| one.message.clone()).collect()
}

/// A document with 5,000 operations, each with these keys, and with the rest of the root.
fn with_operations(keys: impl Fn(usize) -> String, rest: &str) -> String {
    let path = |index: usize| {
        let keys = keys(index);
        format!("  /p{index}: {{get: {{operationId: o{index}, {keys}}}}}\n")
    };
    let paths: String = (0..5000).map(path).collect();
    format!("openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\n{rest}paths:\n{paths}")
}

#[test]
fn links_to_all_operations() {
    let keys = |index: usize| {
        let name = if index == 7 { "other" } else { "id" };
        let link = format!(
            "{{operationId: o{}, parameters: {{{name}: $response.body}}}}",
            4999 - index
        );
        format!(
            "parameters: [{{name: id, in: query, schema: {{type: string}}}}], \
             responses: {{'200': {{description: Done, links: {{L: {link}}}}}}}"
        )
    };
    let found = findings(&with_operations(keys, ""));
    let found = of_code(&found, "link-parameter");
    assert_eq!(
        found,
        ["the operation of the link has no parameter `other`"]
    );
}

#[test]
fn tags_of_all_operations() {
    let keys = |index: usize| {
        let tag = if index == 7 { "tga" } else { "tag" };
        format!("tags: [{tag}{index:05}], responses: {{'204': {{description: Done}}}}")
    };
    let tags = (0..20_000).map(|index| format!("- {{name: tag{index:05}}}\n"));
    let traits = "x-dropforge-traits: by-tag\n";
    let rest = format!("{traits}tags:\n{}", tags.collect::<String>());
    let found = findings(&with_operations(keys, &rest));
    let found = of_code(&found, "undeclared-tag");
    assert_eq!(
        found,
        ["`tags` of the document does not declare `tga00007`"]
    );
}

/// A document with 5,000 schemes, each for one operation, and as many that are not supported.
fn with_security_schemes(scope: &str) -> String {
    let keys = |index: usize| {
        let scope = if index == 7 { scope } else { "" };
        format!("security: [{{s{index}: [{scope}]}}], responses: {{'204': {{description: Done}}}}")
    };
    let schemes = (0..5000).map(|index| {
        format!(
            "    s{index}: {{type: apiKey, in: header, name: k{index}}}\n    \
             t{index}: {{type: http, scheme: bearr}}\n"
        )
    });
    let schemes: String = schemes.collect();
    with_operations(keys, &format!("components:\n  securitySchemes:\n{schemes}"))
}

#[test]
fn security_schemes_of_all_operations() {
    let found = findings(&with_security_schemes(""));
    assert_eq!(of_code(&found, "security-scheme").len(), 5000);
    assert!(found.iter().all(|one| one.code == "security-scheme"));
}

#[cfg(feature = "check")]
#[test]
fn security_schemes_in_the_lint() {
    let document = Document::load("large.yaml", &with_security_schemes("a")).expect("a document");
    let found = dropforge::check::lint::lint(&document);
    let found = of_code(&found.0, "scope-without-flow");
    assert_eq!(
        found,
        ["`s7` has no flows, and its requirement lists scopes"]
    );
}

/// A document with a schema whose properties refer to these places.
fn with_references(places: impl Iterator<Item = String>) -> String {
    let property = |(index, place)| format!("        p{index}: {{$ref: '{place}'}}\n");
    let properties: String = places.enumerate().map(property).collect();
    with_schemas(&format!(
        "    S:\n      type: object\n      properties:\n{properties}"
    ))
}

/// Each copy from another file has a name of its own: `E`, `E2` and so on.
#[test]
fn copies_of_one_name() {
    let places = (0..10_000).map(|index| format!("other.yaml#/a{index}/E"));
    let others = (0..10_000).map(|index| format!("a{index}: {{E: {{type: string}}}}\n"));
    let other: String = others.collect();
    let text = with_references(places);
    let document = Document::load_with("large.yaml", &text, |_| Ok(other.clone()));
    let document = document.unwrap_or_else(|refused| panic!("{refused}"));
    let last = document.at("/components/schemas/S/properties/p9999/$ref");
    let last = last.and_then(Node::as_str);
    assert_eq!(last, Some("#/components/schemas/E10000"));
}

/// The names of missing files are compared with those of the others. The number of proposals has a limit.
#[test]
fn missing_files() {
    let missing = (0..200).map(|index| format!("other{index:03}.yaml#/E"));
    let places = std::iter::once("other.yaml#/E".to_owned()).chain(missing);
    let text = with_references(places);
    let refused = Document::load_with("large.yaml", &text, |file| match file {
        "other.yaml" => Ok("E: {type: string}\n".to_owned()),
        _ => Err("it does not exist".to_owned()),
    });
    let found = refused.expect_err("missing files").diagnostics;
    assert!(found.iter().all(|one| one.code == "unreadable-file"));
    let proposals = found.iter().filter(|one| one.replacement.is_some());
    assert_eq!((found.len(), proposals.count()), (200, 100));
}

/// The properties of the parts of a schema are collected once for each object of an example.
#[test]
fn members_of_an_example_with_properties_in_parts() {
    let property = |index| format!("            property{index}: {{type: string}}\n");
    let properties: String = (0..10_000).map(property).collect();
    let members = (0..10_000).map(|index| format!("property{index}: a"));
    let members: Vec<String> = members.filter(|one| one != "property7: a").collect();
    let text = with_schemas(&format!(
        "    S:\n      allOf:\n        - type: object\n          properties:\n{properties}      \
         example: {{{}, proporty7: a}}\n",
        members.join(", ")
    ));
    let found = of_code(&findings(&text), "example-with-unknown-member");
    assert_eq!(
        found,
        ["the example has `proporty7`, which is not a property of its schema"]
    );
}

/// All objects of an example need the properties of their schema, which are collected once.
#[test]
fn objects_of_an_example_with_properties_in_parts() {
    let property = |index| format!("            property{index}: {{type: string}}\n");
    let properties: String = (0..10_000).map(property).collect();
    let text = with_schemas(&format!(
        "    S:\n      allOf:\n        - type: object\n          properties:\n{properties}    \
         List:\n      type: array\n      items: {{$ref: '#/components/schemas/S'}}\n      \
         example: [{{proporty7: a}}, {}]\n",
        ["{other: a}"; 10_000].join(", ")
    ));
    let found = of_code(&findings(&text), "example-with-unknown-member");
    assert_eq!(
        found,
        ["the example has `proporty7`, which is not a property of its schema"]
    );
}

/// All alternatives of a schema need its properties, which are collected once.
#[test]
fn alternatives_that_require_properties_of_the_whole() {
    let property = |index| format!("        property{index}: {{type: string}}\n");
    let properties: String = (0..20_000).map(property).collect();
    let alternatives = (0..900).map(|index| {
        let name = if index == 7 { "proporty" } else { "property" };
        format!("        - {{required: [{name}{index}]}}\n")
    });
    let alternatives: String = alternatives.collect();
    let text = with_schemas(&format!(
        "    S:\n      type: object\n      properties:\n{properties}      anyOf:\n{alternatives}"
    ));
    let found = of_code(&findings(&text), "required-without-property");
    assert_eq!(
        found,
        ["`required` names `proporty7`, which is not a property of this schema"]
    );
}

/// The names of headers have no case.
#[test]
fn headers_of_one_response() {
    let header = |name: String| format!("  {name}: {{schema: {{type: string}}}}\n");
    let common: String = (0..30_000)
        .map(|index| header(format!("x-{index}")))
        .collect();
    let own = "responses: {'204': {description: Done, headers: {X-7: {schema: {type: integer}}, \
               Y: {schema: {type: string}}, y: {schema: {type: string}}}}}";
    let text = format!(
        "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\nx-dropforge-response-headers:\n{common}\
         paths: {{/a: {{get: {{{own}}}}}}}\n"
    );
    let document = Document::load("large.yaml", &text).expect("a document");
    let headers = document.at("/paths/~1a/get/responses/204/headers");
    assert_eq!(
        headers.map(|headers| headers.members().count()),
        Some(30_002)
    );
    let found = of_code(&findings(&text), "duplicate-header");
    assert_eq!(
        found,
        ["the header `y` is here twice: names of headers have no case"]
    );
}

/// Whether a schema allows `null` is computed once for all properties with this schema.
#[test]
fn properties_of_one_large_union() {
    let alternatives = (0..4000).map(|index| format!("{{type: string, minLength: {index}}}"));
    let alternatives: Vec<String> = alternatives.collect();
    let property = |index| format!("        p{index}: {{$ref: '#/components/schemas/U'}}\n");
    let properties: String = (0..20_000).map(property).collect();
    let text = with_schemas(&format!(
        "    U:\n      anyOf: [{}]\n    S:\n      type: object\n      properties:\n{properties}",
        alternatives.join(", ")
    ));
    assert_eq!(findings(&text), []);
}
