//! `package-deb`: builds the Debian package of the service.
//!
//! The contents of the package are in `[package.metadata.deb]` of server/Cargo.toml, in the form of
//! cargo-deb. Debian's own programs build it from there: cargo-deb has some hundred dependencies to
//! compile.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use clap::ValueEnum;
use serde_json::Value;

use crate::output::output;
use crate::{Outcome, built, files, licenses, repository};

const PACKAGE: &str = "accord-server";
/// The folder of programs in the metadata.
const BUILT: &str = "target/release/";

/// Build the Debian package of the service
///
/// Its files are those of package.metadata.deb in server/Cargo.toml. Needs dpkg-dev.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask package-deb
  cargo xtask package-deb --profile dev   a package for tests, quickly built

Prints the path of the package, in target/debian. Exit code: 0 built, 2 not.")]
pub(crate) struct Arguments {
    /// The build of the program in the package
    #[arg(long, default_value = "release")]
    profile: Profile,
}

#[derive(Clone, Copy, ValueEnum)]
enum Profile {
    /// With optimizations
    Release,
    /// As cargo build does
    Dev,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let (program, compression) = match arguments.profile {
        Profile::Release => (built::released(PACKAGE)?, "-Zxz"),
        Profile::Dev => (built::program(PACKAGE)?, "-Zgzip"),
    };
    let package = metadata()?;
    let deb = &package["metadata"]["deb"];
    let version = format!("{}-1", text(&package["version"])?);
    let architecture = output(Command::new("dpkg").arg("--print-architecture"))?;
    let name = format!("{PACKAGE}_{version}_{architecture}");
    let folder = repository::target().join("debian");
    let stage = folder.join(&name);
    if stage.exists() {
        fs::remove_dir_all(&stage)?;
    }
    let paths = add_files(deb, &program, &stage)?;

    let control = stage.join("DEBIAN");
    let dependencies = dependencies(&folder, &stage.join("usr/bin").join(PACKAGE))?;
    let fields = fields(
        &package,
        &version,
        &architecture,
        &dependencies,
        size(&stage, &paths)?,
    )?;
    files::write(&control.join("control"), fields)?;
    let configuration = deb["conf-files"]
        .as_array()
        .context("package.metadata.deb has no conf-files")?;
    let mut lines = String::new();
    for path in configuration {
        writeln!(lines, "{}", text(path)?)?;
    }
    files::write(&control.join("conffiles"), lines)?;
    let sums = output(Command::new("md5sum").args(&paths).current_dir(&stage))?;
    files::write(&control.join("md5sums"), format!("{sums}\n"))?;
    set_folder_modes(&stage)?;
    let package = folder.join(format!("{name}.deb"));
    let mut build = Command::new("dpkg-deb");
    build.args(["--build", "--root-owner-group", compression]);
    output(build.arg(&stage).arg(&package))?;
    fs::remove_dir_all(&stage)?;
    println!("{}", package.display());
    Ok(Outcome::Success)
}

/// Adds the files of the package to its folder, with the copyright. Returns their paths.
fn add_files(deb: &Value, program: &Path, stage: &Path) -> anyhow::Result<Vec<String>> {
    let mut paths = Vec::new();
    for asset in deb["assets"]
        .as_array()
        .context("package.metadata.deb has no assets")?
    {
        let [from, to, mode] = [0, 1, 2].map(|part| text(&asset[part]));
        let (from, to) = (from?, to?);
        let target = stage.join(to);
        match from.strip_prefix(BUILT) {
            Some(PACKAGE) => strip(program, &target)?,
            Some("LICENSES.txt") => files::write(&target, licenses::texts()?)?,
            Some(other) => bail!("{BUILT}{other}: this command does not build it"),
            None => {
                let content = read(&repository::root().join("server").join(from))?;
                files::write(&target, content)?;
            }
        }
        set_mode(&target, u32::from_str_radix(mode?, 8)?)?;
        paths.push(to.to_owned());
    }
    let license = repository::root()
        .join("server")
        .join(text(&deb["license-file"][0])?);
    let copyright = format!("usr/share/doc/{PACKAGE}/copyright");
    let notice = format!("Copyright {}\n\n", text(&deb["copyright"])?).into_bytes();
    files::write(&stage.join(&copyright), [notice, read(&license)?].concat())?;
    set_mode(&stage.join(&copyright), 0o644)?;
    paths.push(copyright);
    Ok(paths)
}

/// The manifest of the service, as cargo reads it.
fn metadata() -> anyhow::Result<Value> {
    let mut cargo = Command::new(repository::cargo());
    cargo.args(["metadata", "--no-deps", "--format-version=1", "--locked"]);
    let metadata: Value = serde_json::from_str(&output(cargo.current_dir(repository::root()))?)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let package = packages.into_iter().find(|one| one["name"] == PACKAGE);
    Ok(package.context("cargo does not know the service")?.clone())
}

/// The fields of the package (Debian Policy, section 5).
fn fields(
    package: &Value,
    version: &str,
    architecture: &str,
    dependencies: &str,
    kilobytes: u64,
) -> anyhow::Result<String> {
    let deb = &package["metadata"]["deb"];
    let [maintainer, section, priority] =
        ["maintainer", "section", "priority"].map(|field| text(&deb[field]));
    let extended = text(&deb["extended-description"])?;
    let extended = extended.trim().replace('\n', "\n ");
    Ok(format!(
        "Package: {PACKAGE}\nVersion: {version}\nArchitecture: {architecture}\n\
         Maintainer: {}\nSection: {}\nPriority: {}\nDepends: {dependencies}\n\
         Installed-Size: {kilobytes}\nDescription: {}\n {extended}\n",
        maintainer?,
        section?,
        priority?,
        text(&package["description"])?,
    ))
}

/// The packages with the libraries of a program.
fn dependencies(folder: &Path, program: &Path) -> anyhow::Result<String> {
    // dpkg-shlibdeps reads the names of the packages there.
    files::write(
        &folder.join("shlibdeps/debian/control"),
        format!("Source: {PACKAGE}\n\nPackage: {PACKAGE}\nArchitecture: any\n"),
    )?;
    let mut command = Command::new("dpkg-shlibdeps");
    command.arg("-O").arg(program);
    let found = output(command.current_dir(folder.join("shlibdeps")))?;
    let list = found.strip_prefix("shlibs:Depends=");
    Ok(list
        .context("dpkg-shlibdeps found no libraries")?
        .to_owned())
}

/// Copies a program without its symbols for debuggers.
fn strip(program: &Path, target: &Path) -> anyhow::Result<()> {
    files::write(target, "")?;
    output(Command::new("strip").arg("-o").arg(target).arg(program))?;
    Ok(())
}

/// The size of files, in kilobytes.
fn size(stage: &Path, paths: &[String]) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for path in paths {
        bytes += fs::metadata(stage.join(path))?.len();
    }
    Ok(bytes.div_ceil(1024))
}

/// Lets all users enter the folders, under every umask.
fn set_folder_modes(folder: &Path) -> anyhow::Result<()> {
    set_mode(folder, 0o755)?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            set_folder_modes(&path)?;
        }
    }
    Ok(())
}

fn set_mode(path: &Path, mode: u32) -> anyhow::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
        .with_context(|| format!("cannot change the mode of {}", path.display()))
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn text(value: &Value) -> anyhow::Result<&str> {
    value.as_str().with_context(|| {
        format!("server/Cargo.toml: expected a text for the package, found {value}")
    })
}
