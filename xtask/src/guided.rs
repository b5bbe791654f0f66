//! Builds that are guided by a profile: a program that counts what runs in it, a
//! rehearsal, and the program again, laid out and inlined by what was counted.
//!
//! Both builds have the same profile of cargo, `release`: names of functions depend on
//! it, and counts are found by them. Each has a folder of its own in `target/guided`.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::repository;

pub(crate) struct Guided {
    /// What is built for. Named to cargo, so that build scripts are built as always.
    host: String,
    /// The tool of rustc's LLVM that adds counts up.
    profdata: PathBuf,
    folder: PathBuf,
}

impl Guided {
    /// Finds what is needed, and forgets what was counted before.
    pub(crate) fn new() -> anyhow::Result<Guided> {
        let libraries = PathBuf::from(said(rustc().args(["--print", "target-libdir"]))?);
        let of_host = libraries.parent().context("rustc has no libraries")?;
        let host = of_host.file_name().context("rustc names no target")?;
        let profdata = of_host.join("bin/llvm-profdata");
        if !profdata.is_file() {
            println!("llvm-profdata is missing: asking rustup for it");
            let mut rustup = Command::new("rustup");
            let asked = rustup.args(["component", "add", "llvm-tools"]).status();
            let added = asked.is_ok_and(|status| status.success()) && profdata.is_file();
            ensure!(
                added,
                "llvm-profdata of rustc's own version is needed, as {}: \
                 `rustup component add llvm-tools` brings it",
                profdata.display()
            );
        }
        let folder = repository::root().join("target/guided");
        let guided = Guided {
            host: host.to_string_lossy().into_owned(),
            profdata,
            folder,
        };
        match fs::remove_dir_all(guided.counts()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).context("cannot remove the earlier counts")
            }
            _ => Ok(guided),
        }
    }

    /// Cargo, for a program that counts what runs in it.
    pub(crate) fn counting(&self, subcommand: &str) -> Command {
        let flag = format!("-Cprofile-generate={}", self.counts().display());
        self.cargo(subcommand, "counting", &flag)
    }

    /// Cargo, for a program made by what has been counted.
    pub(crate) fn guided(&self, subcommand: &str) -> anyhow::Result<Command> {
        let sum = self.folder.join("sum.profdata");
        let mut merge = Command::new(&self.profdata);
        merge.arg("merge").arg("-o").arg(&sum).arg(self.counts());
        ensure!(
            merge
                .status()
                .context("cannot run llvm-profdata")?
                .success(),
            "cannot add up the counts"
        );
        // Cargo would not notice that the sum is another one.
        let builds = self.folder.join("guided");
        if builds.exists() {
            fs::remove_dir_all(&builds).context("cannot remove the build before")?;
        }
        let flag = format!("-Cprofile-use={}", sum.display());
        Ok(self.cargo(subcommand, "guided", &flag))
    }

    /// Where a program is that was built to count, and where one that was guided.
    pub(crate) fn programs(&self, name: &str) -> [PathBuf; 2] {
        ["counting", "guided"].map(|build| {
            let programs = self.folder.join(build).join(&self.host).join("release");
            programs.join(name)
        })
    }

    fn cargo(&self, subcommand: &str, build: &str, flag: &str) -> Command {
        let mut cargo = Command::new(repository::cargo());
        cargo
            .args([subcommand, "--target", &self.host, "--target-dir"])
            .arg(self.folder.join(build))
            // Encoded: a path may have spaces.
            .env("CARGO_ENCODED_RUSTFLAGS", flag)
            .current_dir(repository::root());
        cargo
    }

    fn counts(&self) -> PathBuf {
        self.folder.join("counts")
    }
}

fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// What a command prints.
fn said(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed");
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
