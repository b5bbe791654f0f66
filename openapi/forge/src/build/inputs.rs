//! What generated files depend on: the files of a document, and the program that generates.

use std::path::Path;
use std::{env, fs};

use serde_json::{Value, json};

use crate::document::Document;

/// The inputs of one document.
#[derive(Debug, PartialEq)]
pub(super) struct Inputs {
    /// The build script: its size, and when it was compiled.
    program: String,
    document: String,
    /// Names and contents of the files that the document is made of, its own among them.
    files: Vec<(String, String)>,
}

impl Inputs {
    pub(super) fn of(path: &Path, document: &Document) -> Inputs {
        let files = document.source.files();
        Inputs {
            program: program(),
            document: path.display().to_string(),
            files: files
                .map(|file| (file.name.to_owned(), file.text.to_owned()))
                .collect(),
        }
    }

    /// What [`Inputs::to_json`] has written; none for any other text.
    pub(super) fn read(text: &str) -> Option<Inputs> {
        let value: Value = serde_json::from_str(text).ok()?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let files = value["files"].as_array()?.iter();
        Some(Inputs {
            program: text(&value["program"])?,
            document: text(&value["document"])?,
            files: files
                .map(|file| Some((text(&file[0])?, text(&file[1])?)))
                .collect::<Option<_>>()?,
        })
    }

    pub(super) fn to_json(&self) -> String {
        json!({"program": self.program, "document": self.document, "files": self.files}).to_string()
    }

    /// Whether these are the inputs of the document now.
    pub(super) fn are_unchanged(&self, path: &Path) -> bool {
        let is_same = |(name, text): &(String, String)| {
            fs::read_to_string(name).is_ok_and(|now| now == *text)
        };
        !self.program.is_empty()
            && self.program == program()
            && self.document == path.display().to_string()
            && !self.files.is_empty()
            && self.files.iter().all(is_same)
    }

    /// Tells cargo the files.
    pub(super) fn tell_cargo(&self) {
        for (name, _) in &self.files {
            println!("cargo::rerun-if-changed={name}");
        }
    }
}

/// What tells this program from another build of it; empty where the system does not say.
fn program() -> String {
    let path = env::current_exe().ok();
    let Some(metadata) = path.and_then(|path| fs::metadata(path).ok()) else {
        return String::new();
    };
    match metadata.modified() {
        Ok(time) => format!("{} {time:?}", metadata.len()),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_hold_until_a_file_or_the_document_changes() {
        let folder = env::temp_dir().join(format!("dropforge-inputs-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("one.yaml");
        let text = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\n";
        fs::write(&path, text).unwrap();
        let document = Document::load_file(&path).unwrap();
        let inputs = Inputs::of(&path, &document);
        let read = Inputs::read(&inputs.to_json()).unwrap();
        assert_eq!(read, inputs);
        assert!(read.are_unchanged(&path));
        assert!(!read.are_unchanged(&folder.join("two.yaml")));
        fs::write(&path, text.replace("T", "U")).unwrap();
        assert!(!read.are_unchanged(&path));
        fs::remove_dir_all(&folder).unwrap();
        assert!(!read.are_unchanged(&path));
        assert_eq!(Inputs::read(""), None);
    }
}
