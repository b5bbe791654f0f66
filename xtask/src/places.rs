//! Finds the places in the documents of generated code.
//!
//! The generator writes the place in the document after each item (`//
//! openapi/accounts.yaml:12`). So a line of generated code, or a name in a message of the
//! compiler, leads to the document.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// The names of the sides, as those of their crates end.
pub(crate) const SIDES: [&str; 2] = ["server", "client"];

/// The maximum number of places that are printed for one message.
const MAX_PLACES: usize = 3;

/// The generated code of one build of the contract.
#[derive(Default)]
pub(crate) struct Places {
    files: Vec<File>,
}

/// One generated file: an area, as a server or as a client.
struct File {
    path: String,
    area: String,
    side: &'static str,
    /// Lines of the file, counted from 1, and the places that are written after them.
    lines: BTreeMap<usize, String>,
    /// Places of items by their names, fields by `Type.field`.
    names: BTreeMap<String, String>,
}

impl Places {
    /// Reads the code of one side of an area from the folder of its build script.
    pub(crate) fn read(&mut self, folder: &Path, area: &str, side: &'static str) {
        let path = folder.join(format!("{side}.rs"));
        if let Ok(text) = fs::read_to_string(&path) {
            let path = path.to_string_lossy().into_owned();
            self.files.push(File::new(path, area, side, &text));
        }
    }

    /// The places for a message of the compiler: those of the generated code that it
    /// points to, or else of the generated items that it names.
    pub(crate) fn of(&self, message: &Value) -> Vec<String> {
        let mut found = Vec::new();
        self.pointed(message, &mut found);
        if found.is_empty() {
            self.named(message, &mut found);
        }
        found.truncate(MAX_PLACES);
        found
    }

    fn pointed(&self, message: &Value, found: &mut Vec<String>) {
        for span in array(&message["spans"]) {
            let mut span = span;
            loop {
                let name = span["file_name"].as_str().unwrap_or_default();
                let file = self.files.iter().find(|file| file.path.ends_with(name));
                let line = span["line_start"].as_u64().unwrap_or_default();
                if let (Some(file), false) = (file, name.is_empty())
                    && let Some(place) = file.at(usize::try_from(line).unwrap_or(0))
                {
                    add(found, place);
                }
                match &span["expansion"]["span"] {
                    Value::Object(_) => span = &span["expansion"]["span"],
                    _ => break,
                }
            }
        }
        for child in array(&message["children"]) {
            self.pointed(child, found);
        }
    }

    /// Names in backticks first, then fields that the code at fault names.
    fn named(&self, message: &Value, found: &mut Vec<String>) {
        let spans: Vec<&Value> = array(&message["spans"]).collect();
        let paths: Vec<&str> = spans
            .iter()
            .filter_map(|span| span["file_name"].as_str())
            .collect();
        let labels = spans.iter().filter_map(|span| span["label"].as_str());
        let notes = array(&message["children"]).filter_map(|child| child["message"].as_str());
        let first: Vec<&str> = message["message"].as_str().into_iter().collect();
        // Names in the message take precedence over those in labels, and these over those
        // in notes.
        let texts = [first, labels.collect(), notes.collect()].map(|texts| texts.join("\n"));
        let files = self.meant(&paths, &texts.concat());
        for text in &texts {
            let quoted = text.split('`').skip(1).step_by(2);
            let names: Vec<&str> = quoted.flat_map(words).collect();
            for file in &files {
                file.called(&names, found);
            }
            if !found.is_empty() {
                return;
            }
        }
        let one_line = |span: &&&Value| span["line_start"] == span["line_end"];
        let primary = spans.iter().filter(|span| span["is_primary"] == true);
        let primary = primary.filter(one_line);
        let lines = primary.flat_map(|span| array(&span["text"]));
        let code = lines.filter_map(|line| line["text"].as_str());
        for word in code.flat_map(words) {
            for file in &files {
                file.fields(word, found);
            }
            if !found.is_empty() {
                return;
            }
        }
    }

    /// The files that a message may be about: of its side, and of the area that
    /// its own path or text names.
    fn meant(&self, paths: &[&str], text: &str) -> Vec<&File> {
        let side = match paths.iter().any(|path| path.starts_with("client/")) {
            true => "client",
            false => "server",
        };
        let of_side: Vec<&File> = self.files.iter().filter(|file| file.side == side).collect();
        let names = |file: &&File| {
            let in_path = |path: &&str| path.split(['/', '.']).any(|part| part == file.area);
            paths.iter().any(in_path)
                || text.contains(&format!("{}::", file.area))
                || text.contains(&format!("accord_{}_", file.area))
        };
        let of_area: Vec<&File> = of_side.iter().copied().filter(names).collect();
        match of_area.is_empty() {
            true => of_side,
            false => of_area,
        }
    }
}

impl File {
    fn new(path: String, area: &str, side: &'static str, text: &str) -> File {
        let (mut lines, mut names) = (BTreeMap::new(), BTreeMap::new());
        let mut owner = String::new();
        for (index, line) in text.lines().enumerate() {
            let Some((code, place)) = split(line) else {
                continue;
            };
            lines.insert(index + 1, place.to_owned());
            let words: Vec<&str> = words(code).collect();
            let named = ["struct", "enum", "trait", "type", "fn"];
            let item = words.iter().position(|word| named.contains(word));
            match item.and_then(|at| Some((words[at], *words.get(at + 1)?))) {
                Some((kind, name)) => {
                    // A builder has the name of its type, which comes first.
                    let known = names.entry(name.to_owned());
                    known.or_insert_with(|| place.to_owned());
                    if kind != "fn" {
                        name.clone_into(&mut owner);
                    }
                }
                None => {
                    let field = words.iter().find(|word| **word != "pub");
                    if let Some(field) = field {
                        let known = names.entry(format!("{owner}.{field}"));
                        known.or_insert_with(|| place.to_owned());
                    }
                }
            }
        }
        File {
            path,
            area: area.to_owned(),
            side,
            lines,
            names,
        }
    }

    /// The places of items with these names. A field of a type that is also named takes
    /// precedence over either alone.
    fn called(&self, names: &[&str], found: &mut Vec<String>) {
        for owner in names {
            for field in names {
                if let Some(place) = self.names.get(&format!("{owner}.{field}")) {
                    add(found, place);
                }
            }
        }
        for word in names {
            if let Some(place) = self.names.get(*word) {
                add(found, place);
            }
        }
        if found.is_empty() {
            for word in names {
                self.fields(word, found);
            }
        }
    }

    /// The places of all fields with this name.
    fn fields(&self, name: &str, found: &mut Vec<String>) {
        let suffix = format!(".{name}");
        let places = self.names.iter();
        for (_, place) in places.filter(|(name, _)| name.ends_with(&suffix)) {
            add(found, place);
        }
    }

    /// The place of the item of a line, or the beginning of the document.
    fn at(&self, line: usize) -> Option<&str> {
        let before = self.lines.range(..=line).next_back();
        let place = before.or_else(|| self.lines.iter().next());
        place.map(|(_, place)| place.as_str())
    }
}

fn add(found: &mut Vec<String>, place: &str) {
    if !found.iter().any(|known| known == place) {
        found.push(place.to_owned());
    }
}

/// The code and the place of a line of generated code that ends with a place.
pub(crate) fn split(line: &str) -> Option<(&str, &str)> {
    let (code, place) = line.rsplit_once(" // ")?;
    let (file, number) = place.rsplit_once(':')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !file.contains(' ')).then_some((code, place))
}

/// The identifiers and keywords in code.
pub(crate) fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|char: char| !char.is_alphanumeric() && char != '_')
        .filter(|word| !word.is_empty())
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{File, Places};

    fn places() -> Places {
        let text = "\
pub struct User { // openapi/accounts.yaml:10
    pub language: String, // openapi/accounts.yaml:12
}
pub trait Accounts: Security { // openapi/accounts.yaml:1
    fn create_user( // openapi/accounts.yaml:3
        call: Call,
    ) -> Answer; // openapi/accounts.yaml:3
}
";
        let file = File::new("/t/out/server.rs".into(), "accounts", "server", text);
        Places { files: vec![file] }
    }

    fn of(message: &Value) -> Vec<String> {
        places().of(message)
    }

    #[test]
    fn a_line_of_generated_code_leads_to_the_item_that_it_belongs_to() {
        let span = json!({"file_name": "/t/out/server.rs", "line_start": 6});
        let own = json!({"spans": [span]});
        assert_eq!(of(&own), ["openapi/accounts.yaml:3"]);
        let child = json!({"spans": [], "children": [{"spans": [span]}]});
        assert_eq!(of(&child), ["openapi/accounts.yaml:3"]);
    }

    #[test]
    fn a_name_leads_to_the_item_and_a_field_to_the_field_of_the_type_named() {
        let message = |text: &str| json!({"message": text, "spans": []});
        let missing = message("not all trait items implemented, missing: `create_user`");
        assert_eq!(of(&missing), ["openapi/accounts.yaml:3"]);
        let field = message("missing field `language` in initializer of `User`");
        assert_eq!(of(&field)[0], "openapi/accounts.yaml:12");
        let gone = message("struct `User` has no field named `speech`");
        assert_eq!(of(&gone), ["openapi/accounts.yaml:10"]);
    }

    #[test]
    fn code_at_fault_leads_to_the_field_that_it_names() {
        let message = json!({"message": "mismatched types", "spans": [{
            "file_name": "server/src/api/accounts/users.rs",
            "is_primary": true,
            "text": [{"text": "            language: user.language,"}],
        }]});
        assert_eq!(of(&message), ["openapi/accounts.yaml:12"]);
    }
}
