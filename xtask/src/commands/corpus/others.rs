//! Other generators, to compare with: progenitor alone, and openapi-to-rust.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use proc_macro2::TokenStream;
use serde_json::{Value, json};

use crate::running::Running;
use crate::{files, panics, repository};

/// The longest time of another generator for one document. Afterwards, it makes no client of the document.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The pause between two checks whether a process has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// Generates a client with progenitor alone.
pub(in crate::commands) fn progenitor(document: Value) -> anyhow::Result<TokenStream> {
    let mut settings = progenitor::GenerationSettings::new();
    settings.with_interface(progenitor::InterfaceStyle::Builder);
    let document = serde_json::from_value(document).context("openapiv3 cannot read it")?;
    // Progenitor panics on unsupported documents.
    panics::catch(|| progenitor::Generator::new(&settings).generate_tokens(&document))
        .map_err(|panic| anyhow!("progenitor panicked: {panic}"))?
        .context("progenitor refuses the document")
}

/// Generates a client with openapi-to-rust, below the folder `client` of this one.
pub(in crate::commands) fn openapi_to_rust(
    tool: &Path,
    document: &Path,
    folder: &Path,
) -> anyhow::Result<()> {
    let settings = settings(document, folder)?;
    let output = command(tool, &settings).stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot run {}", tool.display()))?;
    ensure!(
        output.status.success(),
        "openapi-to-rust refuses the document:\n{}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(())
}

/// Writes the settings of openapi-to-rust into a folder, and returns their path.
fn settings(document: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let document = document
        .canonicalize()
        .context("cannot find the document")?;
    let settings = folder.join("openapi-to-rust.toml");
    files::write(
        &settings,
        format!(
            "[generator]\nspec_path = {document:?}\noutput_dir = \"client\"\nmodule_name = \"client\"\n\n\
             [features]\nenable_async_client = true\n\n[http_client]\nbase_url = \"http://localhost\"\n"
        ),
    )?;
    Ok(settings)
}

fn command(tool: &Path, settings: &Path) -> Command {
    let mut command = Command::new(tool);
    command.args(["generate", "--config"]).arg(settings);
    command
}

/// Generates a client of a document as it is written, with progenitor alone. Fails if there is none.
pub(super) fn progenitor_alone(document: &Path) -> anyhow::Result<()> {
    let source = repository::source(document)?;
    // Progenitor's own program accepts JSON that this generator rejects, such as a repeated key.
    let document = match serde_json::from_str(&source.text) {
        Ok(document) => document,
        Err(_) => repository::load_text(&source.name, &source.text)?.to_json(),
    };
    let tokens = progenitor(document)?;
    syn::parse2::<syn::File>(tokens).context("the code is not valid Rust")?;
    Ok(())
}

/// The clients that other generators make of a set of documents.
pub(super) struct Others<'t> {
    /// The program openapi-to-rust.
    tool: Option<&'t Path>,
    progenitor: usize,
    openapi_to_rust: usize,
}

impl<'t> Others<'t> {
    pub(super) fn new(tool: Option<&'t Path>) -> Others<'t> {
        Others {
            tool,
            progenitor: 0,
            openapi_to_rust: 0,
        }
    }

    /// Tries a document. Progenitor runs in a separate process, whose end on a document does not end this one.
    ///
    /// # Errors
    ///
    /// When a program cannot be started.
    pub(super) fn try_document(&mut self, document: &Path) -> anyhow::Result<()> {
        let mut alone = Command::new(std::env::current_exe()?);
        alone
            .args(["corpus", "--progenitor-alone", "--"])
            .arg(document);
        self.progenitor += usize::from(succeeds(&mut alone, TIMEOUT)?);
        if let Some(tool) = self.tool {
            let folder = tempfile::tempdir().context("cannot create a folder")?;
            let settings = settings(document, folder.path())?;
            let made = succeeds(&mut command(tool, &settings), TIMEOUT)?;
            self.openapi_to_rust += usize::from(made);
        }
        Ok(())
    }

    pub(super) fn sentence(&self) -> String {
        let Others {
            tool,
            progenitor,
            openapi_to_rust,
        } = self;
        let further = match tool {
            Some(_) => format!(", openapi-to-rust of {openapi_to_rust}"),
            None => String::new(),
        };
        format!(
            "Other generators make clients of the same documents: progenitor alone of {progenitor}{further}. \
             Their clients are not compiled here."
        )
    }

    pub(super) fn to_json(&self) -> Value {
        let tried = self.tool.map(|_| self.openapi_to_rust);
        json!({"progenitor": self.progenitor, "openapi_to_rust": tried})
    }
}

/// Whether a program succeeds in this time. Ends it if it takes longer.
fn succeeds(program: &mut Command, timeout: Duration) -> anyhow::Result<bool> {
    program
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut running = Running::start(program).with_context(|| {
        let name = program.get_program().display();
        format!("cannot run {name}")
    })?;
    let deadline = Instant::now() + timeout;
    loop {
        if let Some(status) = running.0.try_wait()? {
            return Ok(status.success());
        }
        if Instant::now() >= deadline {
            return Ok(false);
        }
        thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_takes_too_long_is_ended_and_does_not_succeed() {
        let run = |script: &str, seconds| {
            let mut program = Command::new("sh");
            program.args(["-c", script]);
            succeeds(&mut program, Duration::from_secs(seconds)).expect("it starts")
        };
        assert!(run("exit 0", 60));
        assert!(!run("exit 1", 60));
        let began = Instant::now();
        assert!(!run("exec sleep 600", 1));
        assert!(began.elapsed() < Duration::from_secs(300));
    }
}
