//! Build scripts: a document to code in `OUT_DIR`.

mod inputs;
mod rerun;

use crate::document::{Diagnostic, Diagnostics, Document, Severity};
use crate::{Purpose, generate_server_for, pretty, quarantine};
use inputs::{Circumstances, Inputs};
use rerun::rerun_if_changed;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

/// The code that a build script generates from a document.
///
/// ```no_run
/// use dropforge::{Build, Purpose};
///
/// fn main() -> std::process::ExitCode {
///     Build::of("openapi.yaml", "petstore").server(Purpose::Complete).run()
/// }
/// ```
///
/// The crate includes the files that it writes: `OUT_DIR/server.rs` and `OUT_DIR/client.rs`, each
/// the contents of a module.
#[derive(Debug, Clone)]
#[must_use]
pub struct Build {
    document: PathBuf,
    reference_root: Option<PathBuf>,
    name: String,
    server: Option<Purpose>,
    keeps_going: bool,
    #[cfg(feature = "client")]
    has_client: bool,
}

impl Build {
    /// Begins with a document. The server's trait is named after `name`: `Petstore`.
    pub fn of(document: impl Into<PathBuf>, name: impl Into<String>) -> Self {
        Build {
            document: document.into(),
            reference_root: None,
            name: name.into(),
            server: None,
            keeps_going: false,
            #[cfg(feature = "client")]
            has_client: false,
        }
    }

    /// Lets references lead to all files below `folder`, such as `../common.yaml`. By default, they
    /// lead to the files below the folder of the document. `folder` is this one or one above it.
    pub fn reference_root(mut self, folder: impl Into<PathBuf>) -> Self {
        self.reference_root = Some(folder.into());
        self
    }

    /// Generates a server.
    pub fn server(mut self, purpose: Purpose) -> Self {
        self.server = Some(purpose);
        self
    }

    /// Generates a client, and `OUT_DIR/client.loss.md`, which lists the parts of the document that
    /// it omits.
    #[cfg(feature = "client")]
    pub fn client(mut self) -> Self {
        self.has_client = true;
        self
    }

    /// Leaves out operations and components with errors, on both sides. Warnings name each with its
    /// errors: see [`quarantine::keep_going`]. Other errors still fail the build.
    pub fn keep_going(mut self) -> Self {
        self.keeps_going = true;
        self
    }

    /// Writes the files, and prints their inputs for cargo. Warnings become cargo's. An invalid or
    /// unsupported document fails the build, with every error and its position.
    #[must_use]
    pub fn run(self) -> ExitCode {
        match self.write_all() {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                // Cargo shows the first line of each error; here they are in full.
                eprintln!("{message}");
                ExitCode::FAILURE
            }
        }
    }

    fn write_all(&self) -> Result<(), String> {
        // A script may generate the sides one by one.
        let mut name = String::from("document");
        if self.server.is_some() {
            name.push_str("_server");
        }
        #[cfg(feature = "client")]
        if self.has_client {
            name.push_str("_client");
        }
        let settings = format!("{self:?}");
        let root = self.reference_root.as_deref();
        let load = || load_within(&self.document, root);
        once_in(
            &out_dir()?,
            &name,
            &settings,
            &self.document,
            load,
            |document| {
                let warnings = match self.keeps_going {
                    true => self.write_without_errors(document)?,
                    false => self.write(document)?,
                };
                warnings.print_for_cargo(&document.source);
                Ok(warnings)
            },
        )
    }

    /// Writes what both sides accept, and warns of the operations and components with errors.
    fn write_without_errors(&self, document: &Document) -> Result<Diagnostics, String> {
        let kept = quarantine::keep_going(document, |document| {
            if let Some(purpose) = self.server {
                generate_server_for(document, &self.name, purpose)?;
            }
            #[cfg(feature = "client")]
            if self.has_client {
                crate::emit::client::generate(document)?;
            }
            Ok(())
        });
        let kept = kept.map_err(|findings| refused(document, &findings))?;
        let mut warnings = self.write(&kept.document)?;
        for one in kept.left_out {
            warnings.extend(one.diagnostics.into_iter().map(|error| Diagnostic {
                severity: Severity::Warning,
                message: format!("{} is left out: {}", one.name, error.message),
                ..error
            }));
        }
        Ok(warnings)
    }

    fn write(&self, document: &Document) -> Result<Diagnostics, String> {
        let mut warnings = Diagnostics::default();
        if let Some(purpose) = self.server {
            let generated = generate_server_for(document, &self.name, purpose)
                .map_err(|findings| refused(document, &findings))?;
            warnings.extend(generated.warnings);
            write("server.rs", &pretty(generated.tokens))?;
        }
        #[cfg(feature = "client")]
        if self.has_client {
            let generated = crate::emit::client::generate(document)
                .map_err(|findings| refused(document, &findings))?;
            // A warning of both sides is printed once.
            let known: Vec<_> = warnings.iter().cloned().collect();
            let of_client = generated.warnings.into_iter();
            warnings.extend(of_client.filter(|warning| !known.contains(warning)));
            write("client.rs", &pretty(generated.tokens))?;
            write("client.loss.md", &generated.report.to_markdown())?;
        }
        Ok(warnings)
    }
}

/// Generates from a document, unless nothing has changed since the last time: the document, the
/// files that it refers to, `settings` and the build script. `generate` writes the files and
/// returns the warnings.
///
/// `OUT_DIR/NAME.inputs` stores the inputs. After warnings it is not written: cargo shows only the
/// warnings of the last run.
///
/// # Errors
///
/// Everything that is wrong with the document, for people to read, or what `generate` returns.
pub fn once(
    name: &str,
    settings: &str,
    path: impl AsRef<Path>,
    generate: impl FnOnce(&Document) -> Result<Diagnostics, String>,
) -> Result<(), String> {
    let path = path.as_ref();
    once_in(&out_dir()?, name, settings, path, || load(path), generate)
}

fn once_in(
    folder: &Path,
    name: &str,
    settings: &str,
    path: &Path,
    load: impl FnOnce() -> Result<Document, String>,
    generate: impl FnOnce(&Document) -> Result<Diagnostics, String>,
) -> Result<(), String> {
    let inputs_file = folder.join(format!("{name}.inputs"));
    let circumstances = Circumstances::of(settings, path)?;
    let text = fs::read_to_string(&inputs_file).ok();
    if let Some(inputs) = text.as_deref().and_then(Inputs::read)
        && inputs.are_unchanged(&circumstances)
    {
        inputs.print_for_cargo();
        return Ok(());
    }
    // A run that fails may leave some of its files; then none of them is reliable.
    write_to(&inputs_file, "")?;
    let document = load()?;
    let warnings = generate(&document)?;
    match warnings.is_empty() {
        true => write_to(
            &inputs_file,
            &Inputs::of(circumstances, &document).to_json(),
        ),
        false => Ok(()),
    }
}

/// Loads a document for a build script, and prints its files for cargo.
///
/// # Errors
///
/// Every error, for people. Cargo shows the first line of each.
pub fn load(path: impl AsRef<Path>) -> Result<Document, String> {
    load_within(path.as_ref(), None)
}

/// Loads a document whose references may lead to the files below a folder.
fn load_within(path: &Path, root: Option<&Path>) -> Result<Document, String> {
    rerun_if_changed(path);
    let loaded = match root {
        Some(root) => Document::load_file_within(path, root),
        None => Document::load_file(path),
    };
    let source = match &loaded {
        Ok(document) => &document.source,
        Err(refused) => &refused.source,
    };
    for file in source.files() {
        rerun_if_changed(file.name.as_ref());
    }
    loaded.map_err(|refused| {
        refused.diagnostics.print_for_cargo(&refused.source);
        refused.to_string()
    })
}

/// Prints the findings in a document for cargo, and returns them for people.
pub fn refused(document: &Document, findings: &Diagnostics) -> String {
    findings.print_for_cargo(&document.source);
    findings.render(&document.source)
}

/// Writes a file into `OUT_DIR`, unless it has this text already: cargo compiles a written file again.
///
/// # Errors
///
/// When it cannot be written, or this is not a build script.
pub fn write(name: &str, text: &str) -> Result<(), String> {
    write_to(&out_dir()?.join(name), text)
}

fn write_to(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn out_dir() -> Result<PathBuf, String> {
    let folder = env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: this is for build scripts")?;
    Ok(folder.into())
}

#[cfg(test)]
mod tests;
