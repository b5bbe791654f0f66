//! Generating once for each state of a document.

use std::path::PathBuf;

use super::*;

const TEXT: &str = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\n";

/// A document in a folder of its own, with `OUT_DIR` beside it.
struct Script {
    folder: PathBuf,
    document: PathBuf,
    root: Option<PathBuf>,
}

impl Script {
    fn new(name: &str) -> Script {
        let folder = format!("dropforge-build-{name}-{}", std::process::id());
        let folder = env::temp_dir().join(folder);
        fs::create_dir_all(&folder).unwrap();
        let document = folder.join("one.yaml");
        fs::write(&document, TEXT).unwrap();
        Script {
            folder,
            document,
            root: None,
        }
    }

    fn set(&self, text: &str) {
        fs::write(&self.document, text).unwrap();
    }

    /// Whether the document is generated from.
    fn runs(&self, settings: &str, result: Result<Diagnostics, String>) -> bool {
        let mut ran = false;
        let load = || load_within(&self.document, self.root.as_deref());
        let _ = once_in(&self.folder, "one", settings, &self.document, load, |_| {
            ran = true;
            result
        });
        ran
    }
}

#[test]
fn a_document_is_generated_from_once_for_each_state_that_was_generated_whole() {
    let script = Script::new("once");
    let good = || Ok(Diagnostics::default());
    assert!(script.runs("a", good()));
    assert!(!script.runs("a", good()));
    assert!(script.runs("b", good()), "other settings");
    assert!(script.runs("a", good()), "they are back");
    // What a run wrote before it failed is not what the earlier state was generated into.
    script.set(&TEXT.replace("title: T", "title: U"));
    assert!(script.runs("a", Err("refused".to_owned())));
    script.set(TEXT);
    assert!(script.runs("a", good()), "after a failure");
    assert!(!script.runs("a", good()));
    // Cargo shows the warnings of the last run only.
    script.set(&TEXT.replace("title: T", "title: V"));
    let document = Document::load_file(&script.document).unwrap();
    let mut warnings = Diagnostics::default();
    warnings.push(crate::document::Diagnostic::warning(
        "w",
        document.root.span,
        "odd",
    ));
    assert!(script.runs("a", Ok(warnings)));
    assert!(script.runs("a", good()), "after a warning");
    assert!(!script.runs("a", good()));
    fs::remove_file(&script.document).unwrap();
    assert!(!script.runs("a", good()), "there is no document");
    fs::remove_dir_all(&script.folder).unwrap();
}

#[test]
fn a_file_above_the_document_is_an_input_as_well() {
    let mut script = Script::new("above");
    let (api, common) = (script.folder.join("api"), script.folder.join("common.yaml"));
    fs::create_dir_all(&api).unwrap();
    fs::write(&common, "Name: {type: string}").unwrap();
    script.document = api.join("one.yaml");
    script.root = Some(script.folder.clone());
    let schemas = "components: {schemas: {Name: {$ref: '../common.yaml#/Name'}}}\n";
    script.set(&format!("{TEXT}{schemas}"));
    let good = || Ok(Diagnostics::default());
    assert!(script.runs("a", good()));
    assert!(!script.runs("a", good()));
    fs::write(&common, "Name: {type: integer}").unwrap();
    assert!(script.runs("a", good()), "the file above changed");
    script.root = None;
    fs::write(&common, "Name: {type: boolean}").unwrap();
    assert!(!script.runs("a", good()), "the file is out of reach");
    fs::remove_dir_all(&script.folder).unwrap();
}
