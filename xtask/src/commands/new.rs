//! `new`: creates a small project around a document, which builds and passes its tests.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use dropforge::document::{Document, Refused};
use dropforge::emit::client;
use dropforge::lower;
use semver::VersionReq;

use crate::project::{Origin, Project, Sides};
use crate::{Outcome, files, repository};

/// Create a project from an OpenAPI document
///
/// The project has a server whose operations return 501 until they are written,
/// a client with an example, and contract tests. It builds and passes them at once.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask new ../petstore --spec petstore.yaml            a server and a client
  cargo xtask new ../petstore --spec petstore.yaml --client   a client only
  cargo xtask new ../petstore --spec api/openapi/main.yaml --root api
                                                              with files above the document
  cd ../petstore && cargo test

Exit code: 0 when the project was created, 1 when the document has errors,
2 when files cannot be read or written.")]
pub(crate) struct Arguments {
    /// Folder of the project; it must not exist yet
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The OpenAPI document (.yaml, .yml or .json); it is copied
    #[arg(long, value_name = "FILE")]
    spec: PathBuf,
    /// References may lead to all files below ROOT [default: the folder of the document]
    #[arg(long, value_name = "ROOT")]
    root: Option<PathBuf>,
    /// Name of the crate and of the server's trait [default: that of the folder]
    #[arg(long)]
    name: Option<String>,
    /// Generate a server only
    #[arg(long, conflicts_with = "client")]
    server: bool,
    /// Generate a client only
    #[arg(long)]
    client: bool,
    /// Version of dropforge in the registry [default: this working copy]
    #[arg(long, value_name = "VERSION")]
    dropforge: Option<String>,
}

/// Names of crates that a project uses, or that cargo rejects.
const TAKEN: [&str; 15] = [
    "alloc",
    "build",
    "core",
    "crate",
    "deps",
    "dropforge",
    "dropforge_client",
    "dropforge_runtime",
    "examples",
    "incremental",
    "proc_macro",
    "self",
    "std",
    "test",
    "tokio",
];

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let folder = &arguments.folder;
    ensure!(
        !folder.exists(),
        "{} exists already. Choose another folder, or remove it.",
        folder.display()
    );
    let name = name(arguments)?;
    let origin = origin(arguments.dropforge.as_deref())?;
    let sides = Sides {
        server: !arguments.client,
        client: !arguments.server,
    };
    let spec = &arguments.spec;
    fs::File::open(spec).with_context(|| format!("cannot read {}", spec.display()))?;
    let document = match load(arguments) {
        Ok(document) => document,
        Err(refused) => return Ok(refuse(&refused)),
    };
    let refused = |diagnostics| Refused {
        source: document.source.clone(),
        diagnostics,
    };
    let api = match sides.server.then(|| lower::lower(&document, &name)) {
        Some(Err(diagnostics)) => return Ok(refuse(&refused(diagnostics))),
        Some(Ok(lowered)) => Some(lowered.api),
        None => None,
    };
    let code = match sides.client.then(|| client::generate(&document)) {
        Some(Err(diagnostics)) => return Ok(refuse(&refused(diagnostics))),
        Some(Ok(output)) => Some(dropforge::pretty(output.tokens)),
        None => None,
    };
    let own = own_path(spec, arguments.root.as_deref())?;
    let project = Project {
        name: &name,
        document: &own,
        sides,
        origin: &origin,
        api: api.as_ref(),
        client: code.as_deref(),
    };
    // Nothing is written if a file of the document is elsewhere.
    let documents = files_of(&document, &own, arguments)?;
    if let Err(error) = write(folder, &project, &documents) {
        // The next run begins again.
        let _ = fs::remove_dir_all(folder);
        return Err(error);
    }
    print_next(folder, &project);
    Ok(Outcome::Success)
}

/// The crates of a version in the registry, or of this working copy.
fn origin(version: Option<&str>) -> anyhow::Result<Origin> {
    let Some(version) = version else {
        return Ok(Origin::Path(repository::root()));
    };
    VersionReq::parse(version)
        .with_context(|| format!("--dropforge {version:?} is not a version such as 0.1"))?;
    Ok(Origin::Version(version.to_owned()))
}

fn load(arguments: &Arguments) -> Result<Document, Refused> {
    match &arguments.root {
        Some(root) => Document::load_file_within(&arguments.spec, root),
        None => Document::load_file(&arguments.spec),
    }
}

/// Writes a project with the files of its document.
fn write(folder: &Path, project: &Project<'_>, documents: &[(&Path, &str)]) -> anyhow::Result<()> {
    for (path, content) in project.files() {
        files::write(&folder.join(path), content)?;
    }
    for (path, text) in documents {
        files::write(&folder.join(path), text)?;
    }
    // The versions that the crates of this working copy are tested with.
    if let Origin::Path(root) = project.origin {
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))
            .context("cannot copy Cargo.lock")?;
    }
    Ok(())
}

/// Prints the commands to begin with.
fn print_next(folder: &Path, project: &Project<'_>) {
    let path = folder.display().to_string();
    println!("Created {path}. Next:\n\n  cd {}", quoted(&path));
    for (command, effect) in project.commands() {
        println!("  {command:50}  # {effect}");
    }
    println!("\nThe README.md of the project has the next steps.");
}

/// A path as one word of a shell.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+-./_".contains(c);
    match path.chars().all(is_plain) {
        true => path.to_owned(),
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// The files of a document with their texts. The paths begin at the root, or at the folder of the document, which must
/// have all of them. `own` is that of the document.
fn files_of<'d>(
    document: &'d Document,
    own: &'d str,
    arguments: &Arguments,
) -> anyhow::Result<Vec<(&'d Path, &'d str)>> {
    let base = match &arguments.root {
        Some(root) => root.strip_prefix(".").unwrap_or(root),
        None => arguments.spec.parent().unwrap_or(Path::new("")),
    };
    let mut files = document.source.files();
    let first = files.next().map(|file| (Path::new(own), file.text));
    let others = files.map(|file| {
        let path = Path::new(file.name).strip_prefix(base);
        let path = path.with_context(|| format!("{} is not below the document", file.name))?;
        Ok((path, file.text))
    });
    first.map(Ok).into_iter().chain(others).collect()
}

fn name(arguments: &Arguments) -> anyhow::Result<String> {
    let text = match &arguments.name {
        Some(name) => name.clone(),
        None => file_name(&arguments.folder)?,
    };
    let name = lower::names::snake_name(&text);
    let is_plain = name.is_ascii()
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('_');
    ensure!(
        is_plain && !text.is_empty() && !TAKEN.contains(&name.as_str()),
        "{text:?} cannot be the name of the crate. Choose one with --name, such as --name {}.",
        suggestion(&name)
    );
    Ok(name)
}

/// A valid name of a crate that resembles an invalid one.
fn suggestion(name: &str) -> String {
    let letters: String = name.chars().filter(char::is_ascii).collect();
    match letters.trim_matches('_') {
        "" => "my_api".to_owned(),
        name => format!("{name}_api"),
    }
}

/// The path of the document in the project, which the build script has in a literal: that below the root, or the name.
fn own_path(spec: &Path, root: Option<&Path>) -> anyhow::Result<String> {
    let mut name = file_name(spec)?;
    if let Some(root) = root {
        // The empty path is the working directory.
        let root = Path::new(".").join(root).canonicalize()?;
        let path = repository::real(spec);
        name = path.strip_prefix(root)?.display().to_string();
    }
    ensure!(
        !name.contains(['"', '\\', '\n']),
        "{name:?} has a quote, a backslash or a line break. Rename the document."
    );
    Ok(name)
}

fn file_name(path: &Path) -> anyhow::Result<String> {
    let name = path.file_name();
    let name = name.with_context(|| format!("{} does not end with a name", path.display()))?;
    let name = name.to_str();
    let name = name.with_context(|| format!("the name of {} is not UTF-8", path.display()))?;
    Ok(name.to_owned())
}

/// Nothing is written for a document with errors.
fn refuse(refused: &Refused) -> Outcome {
    eprintln!("{refused}");
    eprintln!("No project was created: correct the document first.");
    Outcome::Failure
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of a project `pets` of this document in a folder. There is no project afterwards.
    fn error_of(folder: &Path, spec: &str) -> String {
        let arguments = Arguments {
            folder: folder.join("pets"),
            spec: folder.join(spec),
            root: None,
            name: None,
            server: false,
            client: false,
            dropforge: None,
        };
        let Err(error) = run(&arguments) else {
            panic!("{spec} becomes a project");
        };
        assert!(!arguments.folder.exists());
        error.to_string()
    }

    #[test]
    fn a_missing_document_is_not_called_one_with_errors() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = error_of(folder.path(), "missing.yaml");
        assert!(error.starts_with("cannot read "), "{error}");
    }

    #[test]
    fn nothing_is_left_of_a_project_that_cannot_be_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\n";
        // The first one has the name of a folder of the project.
        for (spec, expected) in [
            ("src", "cannot write "),
            ("a\"b.yaml", "\"a\\\"b.yaml\" has "),
        ] {
            fs::write(folder.path().join(spec), text).expect("a document");
            let error = error_of(folder.path(), spec);
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_project_has_the_files_above_the_document_as_well() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("api");
        let text = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\n\
                    components: {schemas: {Name: {$ref: ../common/name.yaml}}}\n";
        for (file, text) in [
            ("openapi/main.yaml", text),
            ("common/name.yaml", "type: string"),
        ] {
            files::write(&root.join(file), text).expect("a file");
        }
        let arguments = Arguments {
            folder: folder.path().join("pets"),
            spec: root.join("openapi/main.yaml"),
            root: Some(root.clone()),
            name: None,
            server: false,
            client: false,
            dropforge: None,
        };
        assert!(matches!(run(&arguments), Ok(Outcome::Success)));
        let written = |file: &str| fs::read_to_string(arguments.folder.join(file)).expect(file);
        assert_eq!(written("openapi/main.yaml"), text);
        assert_eq!(written("common/name.yaml"), "type: string");
        let script = written("build.rs");
        let build = "Build::of(\"openapi/main.yaml\", \"pets\")\n        .reference_root(\".\")\n";
        assert!(script.contains(build), "{script}");
    }

    #[test]
    fn a_name_that_is_suggested_is_valid() {
        let named = |name: &str| {
            let arguments = Arguments {
                folder: "pets".into(),
                spec: "pets.yaml".into(),
                root: None,
                name: Some(name.to_owned()),
                server: false,
                client: false,
                dropforge: None,
            };
            super::name(&arguments).map_err(|error| error.to_string())
        };
        for (name, expected) in [
            ("", "empty_api"),
            ("é", "my_api"),
            ("café", "caf_api"),
            ("tokio", "tokio_api"),
        ] {
            let error = named(name).expect_err(name);
            let end = format!("such as --name {expected}.");
            assert!(error.ends_with(&end), "{error}");
            assert_eq!(named(expected).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn a_path_without_a_name_and_an_invalid_version_are_refused() {
        let error = file_name(Path::new("a/..")).expect_err("no name");
        assert_eq!(error.to_string(), "a/.. does not end with a name");
        assert!(origin(Some("1.0")).is_ok_and(|origin| origin == Origin::Version("1.0".into())));
        for version in ["", "newest"] {
            let error = origin(Some(version)).expect_err(version).to_string();
            assert!(error.ends_with("is not a version such as 0.1"), "{error}");
        }
    }

    #[test]
    fn a_path_is_one_word_of_a_shell() {
        assert_eq!(quoted("../pets-1/x_y"), "../pets-1/x_y");
        assert_eq!(quoted("my pets"), "'my pets'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
