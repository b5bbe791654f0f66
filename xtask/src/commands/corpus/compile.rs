//! `corpus --compile`: compiles and starts the generated code.
//!
//! All documents share one cargo project below `target/`, so that dependencies are compiled once. Each side of a
//! document is a separate package, so that a failure does not affect the others.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Context;
use dropforge::ir::Api;
use serde_json::{Value, json};

use super::memory::{self, Peak};
use crate::project::{Origin, Sides, service};
use crate::{files, repository};

/// The outcome of compiling one side of a document.
pub(in crate::commands) struct Build {
    pub(in crate::commands) result: Result<(), Failure>,
    pub(in crate::commands) seconds: f64,
    /// Processor time of cargo and everything that it starts, if the system reports it.
    pub(in crate::commands) processor_seconds: Option<f64>,
    /// Memory of the largest process, if the system reports it.
    pub(in crate::commands) megabytes: Option<u64>,
}

/// A failed step.
pub(in crate::commands) struct Failure {
    /// `compile` or `start`.
    pub(in crate::commands) step: &'static str,
    pub(in crate::commands) message: String,
}

impl Build {
    pub(in crate::commands) fn to_json(&self) -> Value {
        let mut value = json!({"succeeded": self.result.is_ok(), "seconds": self.seconds, "megabytes": self.megabytes});
        if let Err(failure) = &self.result {
            value["step"] = failure.step.into();
            value["message"] = failure.message.as_str().into();
        }
        value
    }

    /// The cell in the table.
    pub(in crate::commands) fn verdict(&self) -> String {
        match &self.result {
            Ok(()) => "yes".to_owned(),
            Err(failure) => format!("{} failed", failure.step),
        }
    }
}

/// The maximum of stored lines of the compiler's output.
const LINES: usize = 6;

/// The cargo project that all documents share.
pub(in crate::commands) struct Workbench {
    folder: PathBuf,
    packages: usize,
}

impl Workbench {
    /// Creates an empty project in a folder below `target/`. Dependencies that earlier runs compiled stay.
    pub(in crate::commands) fn new(folder: &str) -> anyhow::Result<Workbench> {
        let folder = repository::root().join("target").join(folder);
        let members = folder.join("members");
        if members.exists() {
            fs::remove_dir_all(&members)
                .with_context(|| format!("cannot empty {}", members.display()))?;
        }
        files::write(
            &folder.join("Cargo.toml"),
            "[workspace]\nmembers = [\"members/*\"]\nresolver = \"3\"\n\n\
             [profile.dev]\ndebug = false\nincremental = false\n",
        )?;
        let lock = repository::root().join("Cargo.lock");
        fs::copy(lock, folder.join("Cargo.lock")).context("cannot copy Cargo.lock")?;
        Ok(Workbench {
            folder,
            packages: 0,
        })
    }

    /// Compiles a server, registers its operations and starts it.
    pub(in crate::commands) fn server(&mut self, api: &Api, code: &str) -> anyhow::Result<Build> {
        let name = self.package("dropforge-runtime")?;
        self.source(&name, "server.rs", code)?;
        let service = service::service(api, "crate::server");
        self.source(&name, "service.rs", &service)?;
        self.source(&name, "main.rs", SERVER)?;
        let mut build = self.cargo("build", &name)?;
        if build.result.is_ok() {
            let program = self.folder.join("target/debug").join(&name);
            let output = Command::new(&program)
                .stdin(Stdio::null())
                .output()
                .with_context(|| format!("cannot run {}", program.display()))?;
            if !output.status.success() {
                build.result = Err(Failure {
                    step: "start",
                    message: first_lines(&String::from_utf8_lossy(&output.stderr)),
                });
            }
            // The linked programs of all documents together would be large.
            fs::remove_file(&program)
                .with_context(|| format!("cannot remove {}", program.display()))?;
        }
        Ok(build)
    }

    /// Compiles a client, which cannot be started.
    pub(in crate::commands) fn client(&mut self, code: &str) -> anyhow::Result<Build> {
        let name = self.package("dropforge-client")?;
        self.source(&name, "client.rs", code)?;
        self.source(&name, "lib.rs", CLIENT)?;
        self.cargo("check", &name)
    }

    /// A package that depends only on one crate of this repository, like generated code.
    fn package(&mut self, library: &str) -> anyhow::Result<String> {
        self.package_with(&Origin::Path(repository::root()).dependency(library, &[]))
    }

    /// A package with these lines of dependencies.
    pub(in crate::commands) fn package_with(&mut self, dependency: &str) -> anyhow::Result<String> {
        self.packages += 1;
        let name = format!("document{}", self.packages);
        let manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[dependencies]\n{dependency}"
        );
        let folder = self.folder.join("members").join(&name);
        files::write(&folder.join("Cargo.toml"), manifest)?;
        Ok(name)
    }

    /// Writes a file below the `src` of a package.
    pub(in crate::commands) fn source(
        &self,
        package: &str,
        file: &str,
        text: &str,
    ) -> anyhow::Result<()> {
        let folder = self.folder.join("members").join(package).join("src");
        files::write(&folder.join(file), text)
    }

    /// Runs a command of cargo for one package.
    pub(in crate::commands) fn cargo(&self, command: &str, package: &str) -> anyhow::Result<Build> {
        let before = memory::children_seconds();
        let began = Instant::now();
        let cargo = Command::new(repository::cargo())
            .args([
                command,
                "--quiet",
                "--message-format=short",
                "--package",
                package,
            ])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot run cargo")?;
        let peak = Peak::of_children(cargo.id());
        let output = cargo.wait_with_output().context("cannot wait for cargo")?;
        let megabytes = peak.megabytes();
        let result = match output.status.success() {
            true => Ok(()),
            false => Err(Failure {
                step: "compile",
                message: first_lines(&String::from_utf8_lossy(&output.stderr)),
            }),
        };
        Ok(Build {
            result,
            seconds: began.elapsed().as_secs_f64(),
            processor_seconds: memory::children_seconds()
                .zip(before)
                .map(|(after, before)| after - before),
            megabytes,
        })
    }
}

/// Compiles the dependencies of these sides, so that their time does not count for the first document.
pub(super) fn warm_up(workbench: &mut Workbench, sides: Sides) -> anyhow::Result<()> {
    for (wanted, command, library) in [
        (sides.server, "build", "dropforge-runtime"),
        (sides.client, "check", "dropforge-client"),
    ] {
        if !wanted {
            continue;
        }
        let name = workbench.package(library)?;
        workbench.source(&name, "lib.rs", "")?;
        if let Err(failure) = workbench.cargo(command, &name)?.result {
            anyhow::bail!("{library} does not compile:\n{}", failure.message);
        }
    }
    Ok(())
}

/// The program of a server.
pub(in crate::commands) const SERVER: &str = "\
#[allow(clippy::all, rustdoc::all, unused)]
mod server;
#[allow(unused)]
mod service;

fn main() {
    let mut api = dropforge_runtime::dropshot::ApiDescription::new();
    server::register::<service::Service>(&mut api).unwrap_or_else(|error| fail(&error.to_string()));
    let started = dropforge_runtime::contract::LocalServer::start(api, service::Context::default());
    started.unwrap_or_else(|error| fail(&error));
}

fn fail(message: &str) -> ! {
    eprintln!(\"{message}\");
    std::process::exit(1)
}
";

/// The library of a client.
pub(in crate::commands) const CLIENT: &str = "\
#[allow(clippy::all, missing_docs, rustdoc::all, unused)]
pub mod client;
";

/// The first errors, without warnings.
fn first_lines(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.contains(": warning: "))
        .collect();
    let errors: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| line.contains("error"))
        .collect();
    let shown = if errors.is_empty() { lines } else { errors };
    shown.into_iter().take(LINES).collect::<Vec<_>>().join("\n")
}
