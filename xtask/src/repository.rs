//! The files of the repository.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::Context;
use dropforge::document::{Document, Refused, Source};

use crate::color;

/// The top of the repository: the one that cargo runs this program in. A copied repository has the
/// program of the first one in its `target`.
pub(crate) fn root() -> PathBuf {
    let running = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    // In a test of another package, cargo names that package.
    let running = running.filter(|package| package.ends_with("xtask"));
    let package = running.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let root = package.parent().unwrap_or(&package);
    root.canonicalize().unwrap_or_else(|_| root.to_owned())
}

/// The path of a file in the folder that the links of `path` lead to. Editors and shells may name the files of the
/// repository by links.
pub(crate) fn real(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Cargo's folder of results.
pub(crate) fn target() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    target.map_or_else(|| root().join("target"), PathBuf::from)
}

/// The cargo that started this program.
pub(crate) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// A path relative to the top of the repository.
pub(crate) fn relative(path: &Path) -> &Path {
    path.strip_prefix(root()).unwrap_or(path)
}

/// The documents of the contract by name: the YAML files with the key `openapi`.
pub(crate) fn documents() -> anyhow::Result<Vec<PathBuf>> {
    let mut documents = Vec::new();
    for path in yaml()? {
        // The loader reports a text that is not UTF-8.
        let text = std::fs::read(&path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        if is_document(&String::from_utf8_lossy(&text)) {
            documents.push(path);
        }
    }
    anyhow::ensure!(!documents.is_empty(), "no documents in openapi/");
    Ok(documents)
}

/// Whether the text of a YAML file is that of a document: it has the key `openapi`. A comment may precede the key.
pub(crate) fn is_document(text: &str) -> bool {
    const KEYS: [&str; 3] = ["openapi:", "\"openapi\":", "'openapi':"];
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines();
    lines.any(|line| KEYS.iter().any(|key| line.starts_with(key)))
}

/// The YAML files of the contract, by name: the documents, their shared files, and the decisions.
pub(crate) fn yaml() -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = entries(&root().join("openapi"))?;
    paths.retain(|path| path.extension().is_some_and(|e| e == "yaml") && !is_hidden(path));
    Ok(paths)
}

/// Whether a file is hidden. While Emacs has changes of a file that are not saved, a broken link such as
/// `.#accounts.yaml` is beside the file.
pub(crate) fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
}

/// The paths in a folder, by name.
pub(crate) fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let paths = folder.read_dir().and_then(|entries| {
        entries
            .map(|entry| Ok(entry?.path()))
            .collect::<std::io::Result<Vec<_>>>()
    });
    let mut paths = paths.with_context(|| format!("cannot list {}", folder.display()))?;
    paths.sort();
    Ok(paths)
}

/// The area a document describes: `accounts` of `openapi/accounts.yaml`.
pub(crate) fn area(path: &Path) -> String {
    path.file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// The areas of all documents.
pub(crate) fn areas() -> anyhow::Result<Vec<String>> {
    Ok(documents()?.iter().map(|path| area(path)).collect())
}

/// The text of a document, with its relative path as its name.
pub(crate) fn source(path: &Path) -> anyhow::Result<Source> {
    let name = relative(path).display().to_string();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
        anyhow::anyhow!("{name}:{line}: this line is not UTF-8. Save the file as UTF-8.")
    })?;
    Ok(Source::new(name, text))
}

/// The changelog of the documents.
pub(crate) fn changelog() -> PathBuf {
    root().join("openapi/CHANGELOG.md")
}

/// The released form of a document, if it has been released.
pub(crate) fn released(area: &str) -> anyhow::Result<Option<Document>> {
    let path = root().join(format!("openapi/published/{area}.json"));
    match path.is_file() {
        true => load(&path).map(Some),
        false => Ok(None),
    }
}

/// The areas with a released form.
pub(crate) fn released_forms() -> anyhow::Result<Vec<String>> {
    let folder = root().join("openapi/published");
    let mut paths = match folder.is_dir() {
        true => entries(&folder)?,
        false => Vec::new(),
    };
    paths.retain(|path| path.extension().is_some_and(|e| e == "json"));
    Ok(paths.iter().map(|path| area(path)).collect())
}

/// Loads a document; the error has all findings.
pub(crate) fn load(path: &Path) -> anyhow::Result<Document> {
    loaded(read(path)?)
}

/// Loads a document and checks that the generator accepts it: exactly the documents that fail here
/// do not build. The documents of the contract must not have warnings either.
pub(crate) fn load_valid(path: &Path) -> anyhow::Result<Document> {
    let document = load(path)?;
    let findings = dropforge::diagnose(&document);
    let findings = match documents()?.iter().any(|own| own == path) {
        true => findings.deny_warnings(),
        false => findings,
    };
    anyhow::ensure!(
        !findings.has_errors(),
        "{} cannot be generated\n\n{}",
        document.source.name,
        match color::is_wanted(std::io::stderr().is_terminal()) {
            true => findings.render_colored(&document.source),
            false => findings.render(&document.source),
        }
    );
    Ok(document)
}

/// Loads a document, or returns the findings. An error if there is no such file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Result<Document, Refused>> {
    read_within(path, None)
}

/// The same for a document whose references may lead to all files below a folder.
pub(crate) fn read_within(
    path: &Path,
    root: Option<&Path>,
) -> anyhow::Result<Result<Document, Refused>> {
    std::fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(match root {
        Some(root) => Document::load_file_within(path, root),
        None => Document::load_file_as(&relative(path).display().to_string(), path),
    })
}

/// The document, or an error with all findings.
pub(crate) fn loaded(document: Result<Document, Refused>) -> anyhow::Result<Document> {
    document.map_err(|refused| {
        let name = &refused.source.name;
        let findings = refused.to_string();
        anyhow::anyhow!("{name} cannot be loaded\n\n{}", findings.trim_end())
    })
}

/// Reads a text as it is written: references to other files are not resolved.
pub(crate) fn load_text(name: &str, text: &str) -> anyhow::Result<Document> {
    loaded(Document::read(name, text).map_err(|diagnostics| Refused {
        source: Source::new(name, text),
        diagnostics,
    }))
}

#[cfg(test)]
mod tests {
    use super::{is_document, source};

    #[test]
    fn a_text_that_is_not_utf_8_is_named_with_its_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.yaml");
        std::fs::write(&path, b"a: 1\nb: \xff\n").expect("a file");
        let error = source(&path).err().map(|error| error.to_string());
        let expected = format!("{}:2: this line is not UTF-8.", path.display());
        assert!(error.is_some_and(|error| error.starts_with(&expected)));
    }

    #[test]
    fn a_comment_or_a_byte_order_mark_may_precede_the_key_of_a_document() {
        for text in [
            "openapi: 3.0.3\n",
            "\u{feff}openapi: 3.0.3\r\n",
            "# Notes.\n---\n\"openapi\": 3.0.3\n",
        ] {
            assert!(is_document(text), "{text:?}");
        }
        assert!(!is_document("# openapi: 3.0.3\ncomponents: {}\n"));
        assert!(!is_document("x:\n  openapi: 3.0.3\n"));
    }
}
