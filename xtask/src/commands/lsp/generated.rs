//! The generated code of a document, by the places of the document.

use std::collections::BTreeMap;
use std::path::Path;

use dropforge::document::{Diagnostics, Document};
use dropforge::emit::client;

use crate::places::{split, words};
use crate::{panics, repository};

/// The maximum number of lines of an item that are shown.
const MAX_LINES: usize = 40;

/// The generated code of a document.
pub(super) struct Generated {
    /// The items of the server, by `file:line` of the document.
    server: BTreeMap<String, Vec<Item>>,
    /// The items of the client.
    client: BTreeMap<String, Vec<Item>>,
}

/// An item of generated code.
pub(super) struct Item {
    /// Its code, without documentation and attributes.
    pub(super) code: String,
    /// Its name.
    pub(super) name: String,
    /// Whether it is a type or a trait, and not a field or a variant.
    pub(super) is_type: bool,
    /// Whether it is a method or a function.
    pub(super) is_function: bool,
}

impl Generated {
    /// Generates both sides.
    ///
    /// # Errors
    ///
    /// What the client cannot be generated from.
    pub(super) fn new(path: &Path, document: &Document) -> Result<Generated, Diagnostics> {
        let area = repository::area(path);
        let generated = panics::catch(|| {
            let server = dropforge::generate_server(document, &area)?;
            let client = client::generate(document)?;
            Ok(Generated {
                server: items(&dropforge::pretty(server.tokens)),
                client: items(&dropforge::pretty(client.tokens)),
            })
        });
        generated.unwrap_or_else(|panic| {
            eprintln!("the generator panicked: {panic}");
            Err(Diagnostics::default())
        })
    }

    /// The items of the server that are made of a place.
    pub(super) fn of_server(&self, file: &str, line: usize) -> &[Item] {
        let items = self.server.get(&format!("{file}:{line}"));
        items.map_or(&[], Vec::as_slice)
    }

    /// The names of the traits that the server implements.
    pub(super) fn traits(&self) -> Vec<String> {
        let items = self.server.values().flatten();
        let traits = items.filter(|item| item.code.contains("trait "));
        traits.map(|item| item.name.clone()).collect()
    }

    /// The places of the types with a name.
    pub(super) fn places(&self, name: &str) -> Vec<&str> {
        let sides = self.server.iter().chain(&self.client);
        let is_named = |item: &Item| item.name == name && item.is_type;
        let of = sides.filter(|(_, items)| items.iter().any(is_named));
        let mut places: Vec<&str> = of.map(|(place, _)| place.as_str()).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The items of the client that are made of a place.
    pub(super) fn of_client(&self, file: &str, line: usize) -> &[Item] {
        let items = self.client.get(&format!("{file}:{line}"));
        items.map_or(&[], Vec::as_slice)
    }
}

/// The items whose first lines end with a place.
fn items(code: &str) -> BTreeMap<String, Vec<Item>> {
    let lines: Vec<&str> = code.lines().collect();
    let mut items: BTreeMap<String, Vec<Item>> = BTreeMap::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let Some((first, place)) = split(line) else {
            continue;
        };
        let mut item = vec![first.to_owned()];
        let words: Vec<&str> = words(first).collect();
        let is_function = words.contains(&"fn");
        // The last line of a signature has the place again.
        if is_function && !ends_signature(first) {
            for line in &lines[at..] {
                at += 1;
                let end = split(line).filter(|(_, own)| *own == place);
                item.push(end.map_or(*line, |(code, _)| code).to_owned());
                if end.is_some() {
                    break;
                }
            }
        } else if !is_function && first.trim_end().ends_with('{') && !words.contains(&"trait") {
            let close = format!("{}}}", &first[..first.len() - first.trim_start().len()]);
            let body = lines[at..].iter().take_while(|line| **line != close);
            let fields = body.map(|line| split(line).map_or(*line, |(code, _)| code));
            item.extend(
                fields
                    .filter(|line| !line.trim_start().starts_with(['/', '#']))
                    .map(str::to_owned),
            );
            item.push(close);
        }
        let keywords = ["fn", "struct", "enum", "trait", "type", "static", "const"];
        let keyword = words.iter().position(|word| keywords.contains(word));
        let name = keyword.and_then(|at| words.get(at + 1));
        let field = words.iter().find(|word| **word != "pub");
        let is_type = name.is_some() && !is_function;
        let name = name.or(field).copied().unwrap_or_default();
        items.entry(place.to_owned()).or_default().push(Item {
            name: name.to_owned(),
            code: unindented(&item),
            is_type,
            is_function,
        });
    }
    items
}

fn ends_signature(code: &str) -> bool {
    code.trim_end().ends_with([';', '{', '}'])
}

/// The first lines of an item, without the indentation that all of them have.
fn unindented(lines: &[String]) -> String {
    let first = lines.first().map_or("", String::as_str);
    let indent = first.len() - first.trim_start().len();
    let shown = lines.iter().take(MAX_LINES);
    let mut code: Vec<&str> = shown
        .map(|line| line.get(indent..).unwrap_or(line.trim_start()))
        .collect();
    if lines.len() > MAX_LINES {
        code.push("// …");
    }
    let mut code = code.join("\n");
    // A body does not belong to a signature.
    if code.trim_end().ends_with('{') {
        code.truncate(code.trim_end().len() - 1);
    }
    code.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::items;

    #[test]
    fn items_are_found_by_their_places() {
        let code = "\
/// A pet.
pub struct Pet { // pets.yaml:7
    /// Its name.
    #[serde(rename = \"name\")]
    pub name: String, // pets.yaml:9
}
pub trait Pets { // pets.yaml:1
    fn get_pet( // pets.yaml:3
        call: Call,
    ) -> Pet; // pets.yaml:3
}
";
        let items = items(code);
        assert_eq!(
            items["pets.yaml:7"][0].code,
            "pub struct Pet {\n    pub name: String,\n}"
        );
        assert_eq!(items["pets.yaml:9"][0].name, "name");
        let method = &items["pets.yaml:3"][0];
        assert_eq!(method.code, "fn get_pet(\n    call: Call,\n) -> Pet;");
        assert!(method.is_function && method.name == "get_pet");
    }
}
