//! Documents with one defect each, and what their author is told.
//!
//! Beside each document of `negative/` stands, under the same name with `.txt`
//! behind it, the whole text that it is refused with, or that it is warned of. A document whose text
//! says too little is a defect of ours as much as one that is accepted.
//! `UPDATE_GOLDEN=1 cargo test -p dropforge --test negative` writes the texts anew;
//! read them before you commit them.

use std::path::{Path, PathBuf};

use dropforge::document::{Document, Source};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/negative")
}

fn files(wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut files: Vec<_> = folder()
        .read_dir()
        .expect("the folder of negative documents")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|e| wanted(&e.to_string_lossy()))
        })
        .collect();
    files.sort();
    files
}

/// What the author of a document is told, or nothing if it is taken.
fn told(path: &Path) -> Option<String> {
    let name = path.file_name().expect("a name").to_string_lossy();
    let text = std::fs::read_to_string(path).expect("a readable document");
    let refused = match Document::load(&name, &text) {
        Ok(document) => match dropforge::generate_server(&document, "negative") {
            Ok(generated) if generated.warnings.is_empty() => return None,
            Ok(generated) => generated.warnings,
            Err(diagnostics) => diagnostics,
        },
        Err(diagnostics) => diagnostics,
    };
    Some(refused.render(&Source::new(name, text)))
}

fn expectation(document: &Path) -> PathBuf {
    let mut name = document.as_os_str().to_owned();
    name.push(".txt");
    name.into()
}

#[test]
fn every_negative_document_is_refused_in_these_words() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for document in files(|extension| extension != "txt") {
        let Some(told) = told(&document) else {
            wrong.push(format!("{} is accepted", document.display()));
            continue;
        };
        let expectation = expectation(&document);
        if update {
            std::fs::write(&expectation, &told).expect("a writable folder");
        }
        // A checkout may have given the file other line ends.
        let expected = std::fs::read_to_string(&expectation).unwrap_or_default();
        if expected.replace("\r\n", "\n") != told {
            wrong.push(format!("{} is refused with\n{told}", document.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_expectation_has_its_document() {
    for expectation in files(|extension| extension == "txt") {
        let document = expectation.with_extension("");
        assert!(document.is_file(), "{} is gone", document.display());
    }
}

/// Servers, clients and the lint are made by readers of their own, which must not differ about
/// who may call.
#[test]
#[cfg(all(feature = "client", feature = "check"))]
fn clients_and_the_lint_refuse_a_document_of_the_wrong_structure_too() {
    let mut tried = 0;
    for path in files(|extension| extension != "txt") {
        let name = path.display().to_string();
        let Ok(document) = Document::load_file(&path) else {
            continue;
        };
        let structure = dropforge::structure::check(&document);
        if !structure.has_errors() {
            continue;
        }
        tried += 1;
        let client = dropforge::emit::client::generate(&document);
        let client = client.expect_err(&name);
        // Nothing else is said about a document of an unknown version.
        if client.iter().any(|one| one.code == "openapi-version") {
            continue;
        }
        let lint = dropforge::check::lint::lint(&document);
        for finding in structure.iter() {
            assert!(
                client.iter().any(|other| other == finding),
                "{name}: {finding:?}"
            );
            assert!(
                lint.iter().any(|other| other == finding),
                "{name}: {finding:?}"
            );
        }
    }
    assert!(tried > 20, "{tried}");
}

/// What the lint passes generates, and what does not generate is an error of the lint, in the same
/// words: for documents that are refused and for some that are not.
#[test]
#[cfg(all(feature = "client", feature = "check"))]
fn the_lint_and_the_generator_agree_about_every_document() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let good = [
        here.join("tests/golden/kitchen.yaml"),
        here.join("tests/golden/counter.yaml"),
        here.join("src/check/lint/clean.yaml"),
    ];
    let mut generated = 0;
    for path in files(|extension| extension != "txt")
        .into_iter()
        .chain(good)
    {
        let name = path.display().to_string();
        // What cannot be loaded reaches neither of them.
        let Ok(document) = Document::load_file(&path) else {
            continue;
        };
        let server = dropforge::generate_server(&document, "document");
        let client = dropforge::emit::client::generate(&document);
        let generates = server.is_ok() && client.is_ok();
        generated += usize::from(generates);
        let judged = dropforge::diagnose(&document);
        assert_eq!(!judged.has_errors(), generates, "{name}");
        let lint = dropforge::check::lint::lint(&document);
        let lowered = dropforge::lower::lower(&document, "document");
        let told = lowered.map_or_else(|errors| errors, |lowered| lowered.warnings);
        for finding in told.iter() {
            assert!(
                lint.iter().any(|other| other == finding),
                "{name}: {finding:?}"
            );
        }
    }
    assert!(generated >= 3, "{generated}");
}

/// The codes of what the structure pass and the lowering report, in their sources.
fn codes_of_passes() -> Vec<String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let call = r#"(?:\.(?:refuse|warn)|Diagnostic::(?:error|warning))\(\s*"([a-z0-9.-]+)""#;
    let call = regex::Regex::new(call).expect("an expression");
    let mut codes = Vec::new();
    let mut folders = vec![sources.join("lower"), sources.join("structure")];
    while let Some(folder) = folders.pop() {
        for file in folder.read_dir().expect("a folder of sources") {
            let path = file.expect("a file").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(path).expect("a source");
            codes.extend(call.captures_iter(&text).map(|found| found[1].to_owned()));
        }
    }
    codes.sort();
    codes.dedup();
    codes
}

#[test]
fn every_code_of_a_pass_has_a_document_that_provokes_it() {
    let told: Vec<String> = files(|extension| extension == "txt")
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("a readable expectation"))
        .collect();
    let codes = codes_of_passes();
    let is_told = |code: &&String| !told.iter().any(|text| text.contains(&format!("[{code}]")));
    let missing: Vec<&String> = codes.iter().filter(is_told).collect();
    assert!(codes.len() > 20, "{codes:?}");
    assert!(missing.is_empty(), "no document for {missing:?}");
}
