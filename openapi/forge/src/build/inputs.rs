//! The inputs of generated files: the files of a document, the settings, and the generating
//! program.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::OnceLock;
use std::{env, fs};

use serde_json::{Value, json};

use super::rerun::rerun_if_changed;
use crate::document::Document;

/// The inputs that do not depend on a document.
#[derive(Debug, PartialEq)]
pub(super) struct Circumstances {
    /// A hash of the build script.
    program: String,
    settings: String,
    /// The path of the document.
    document: String,
}

impl Circumstances {
    /// # Errors
    ///
    /// When the build script cannot read itself.
    pub(super) fn of(settings: &str, document: &Path) -> Result<Circumstances, String> {
        static PROGRAM: OnceLock<Result<String, String>> = OnceLock::new();
        Ok(Circumstances {
            program: PROGRAM.get_or_init(program).clone()?,
            settings: settings.to_owned(),
            document: document.display().to_string(),
        })
    }
}

/// Reproducible builds set fixed times, so the time of a file proves nothing.
fn program() -> Result<String, String> {
    let program = env::current_exe().and_then(fs::read);
    let program = program.map_err(|error| format!("cannot read the build script: {error}"))?;
    let mut hasher = DefaultHasher::new();
    program.hash(&mut hasher);
    Ok(format!("{:016x}", hasher.finish()))
}

/// The inputs of one document.
#[derive(Debug, PartialEq)]
pub(super) struct Inputs {
    circumstances: Circumstances,
    /// Names and contents of the document's files, its own among them.
    files: Vec<(String, String)>,
}

impl Inputs {
    pub(super) fn of(circumstances: Circumstances, document: &Document) -> Inputs {
        let files = document.source.files();
        Inputs {
            circumstances,
            files: files
                .map(|file| (file.name.to_owned(), file.text.to_owned()))
                .collect(),
        }
    }

    /// Parses the text that [`Inputs::to_json`] writes. `None` for any other text.
    pub(super) fn read(text: &str) -> Option<Inputs> {
        let value: Value = serde_json::from_str(text).ok()?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let files = value["files"].as_array()?.iter();
        Some(Inputs {
            circumstances: Circumstances {
                program: text(&value["program"])?,
                settings: text(&value["settings"])?,
                document: text(&value["document"])?,
            },
            files: files
                .map(|file| Some((text(&file[0])?, text(&file[1])?)))
                .collect::<Option<_>>()?,
        })
    }

    pub(super) fn to_json(&self) -> String {
        let Circumstances {
            program,
            settings,
            document,
        } = &self.circumstances;
        json!({"program": program, "settings": settings, "document": document, "files": self.files})
            .to_string()
    }

    /// Whether these are the present inputs.
    pub(super) fn are_unchanged(&self, circumstances: &Circumstances) -> bool {
        let is_same = |(name, text): &(String, String)| {
            fs::read_to_string(name).is_ok_and(|now| now == *text)
        };
        self.circumstances == *circumstances
            && !self.files.is_empty()
            && self.files.iter().all(is_same)
    }

    /// Prints the files for cargo, which runs the build script again when one changes.
    pub(super) fn print_for_cargo(&self) {
        for (name, _) in &self.files {
            rerun_if_changed(name.as_ref());
        }
    }
}
