//! Profile-guided builds: a program that counts executed code, a rehearsal, and an
//! optimized build of the program with the counts.
//!
//! Both builds use cargo's profile `release`: the counts are matched by names of
//! functions, which depend on the profile. Each build has a folder of its own in
//! `target/guided`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::output::output;
use crate::repository;

pub(crate) struct Guided {
    /// The target. It is passed to cargo, so that build scripts are built without the
    /// flags.
    host: String,
    /// The tool of rustc's LLVM that merges counts.
    profdata: PathBuf,
    folder: PathBuf,
}

impl Guided {
    /// Finds the tools, and removes earlier counts.
    pub(crate) fn new() -> anyhow::Result<Guided> {
        let libraries = PathBuf::from(output(rustc().args(["--print", "target-libdir"]))?);
        let of_host = libraries.parent().context("rustc has no libraries")?;
        let host = of_host.file_name().context("rustc names no target")?;
        let profdata = of_host.join("bin/llvm-profdata");
        if !profdata.is_file() {
            println!("llvm-profdata is missing: installing it with rustup");
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

    /// A cargo command for a program that counts executed code.
    pub(crate) fn counting(&self, subcommand: &str) -> Command {
        let flag = format!("-Cprofile-generate={}", self.counts().display());
        self.cargo(subcommand, "counting", &flag)
    }

    /// A cargo command for a program that is optimized with the counts.
    pub(crate) fn guided(&self, subcommand: &str) -> anyhow::Result<Command> {
        let sum = self.folder.join("sum.profdata");
        let mut merge = Command::new(&self.profdata);
        merge.arg("merge").arg("-o").arg(&sum).arg(self.counts());
        ensure!(
            merge
                .status()
                .context("cannot run llvm-profdata")?
                .success(),
            "cannot merge the counts"
        );
        // Cargo does not notice a change of the counts.
        let builds = self.folder.join("guided");
        if builds.exists() {
            fs::remove_dir_all(&builds).context("cannot remove the previous build")?;
        }
        let flag = format!("-Cprofile-use={}", sum.display());
        Ok(self.cargo(subcommand, "guided", &flag))
    }

    /// The paths of the counting program and of the guided one.
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
            // Encoded, because a path may have spaces.
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
