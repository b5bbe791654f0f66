//! `image`: builds the image of the service that has no base image, and checks it.

mod check;
mod servers;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::output::output;
use crate::{Outcome, files, licenses, repository};

const PACKAGE: &str = "accord-server";
const CONTAINERFILE: &str = "server/deploy/Containerfile.scratch";

/// Build the image of the service, and check it
///
/// Links the service statically, and builds the image by server/deploy/Containerfile.scratch. Then
/// starts the program with the image as its root, without rights. It has to resolve names, respond
/// and stop. Needs buildah, and root for the check.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask image
  cargo xtask image --program accord-server   with a finished static build
  STORAGE_DRIVER=vfs cargo xtask image        where overlay file systems are not allowed

Exit code: 0 built and checked, 2 not.")]
pub(crate) struct Arguments {
    /// A finished static build of the service, instead of a new one
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// The name of the image
    #[arg(long, default_value = "accord")]
    tag: String,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let program = match &arguments.program {
        Some(program) => program.clone(),
        None => build()?,
    };
    let root = repository::root();
    let stage = repository::target().join("image");
    let data = stage.join("data");
    fs::create_dir_all(&data).with_context(|| format!("cannot create {}", data.display()))?;
    fs::copy(&program, stage.join(PACKAGE))
        .with_context(|| format!("cannot copy {}", program.display()))?;
    fs::copy(root.join("LICENSE"), stage.join("LICENSE")).context("cannot copy LICENSE")?;
    files::write(&stage.join("LICENSES.txt"), licenses::texts()?)?;
    let file = root.join(CONTAINERFILE);
    let mut command = Command::new("buildah");
    command.args(["build", "--quiet", "--tag", &arguments.tag, "--file"]);
    output(command.arg(file).arg(&stage))?;
    ensure!(
        rustix::process::geteuid().is_root(),
        "the image {} is built and NOT checked: only root can start its program here",
        arguments.tag
    );
    check::run(&arguments.tag)?;
    println!("{}", arguments.tag);
    Ok(Outcome::Success)
}

/// Links the service statically, with optimizations, and returns its path.
fn build() -> anyhow::Result<PathBuf> {
    let target = output(Command::new("rustc").args(["--print", "host-tuple"]))?;
    let mut cargo = Command::new(repository::cargo());
    cargo
        .args(["build", "--release", "--locked", "--package", PACKAGE])
        .args(["--bin", PACKAGE, "--target", &target])
        // With `--target`, the flags do not apply to build scripts.
        .env("RUSTFLAGS", "-C target-feature=+crt-static")
        .current_dir(repository::root());
    let status = cargo.status().context("cannot run cargo")?;
    ensure!(status.success(), "{PACKAGE} cannot be built");
    let folder = repository::target().join(target);
    Ok(folder.join("release").join(PACKAGE))
}
