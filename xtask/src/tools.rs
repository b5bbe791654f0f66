//! Installs third-party packages for tests, judges and benchmarks: packages of Node and Python,
//! under `target/tools`, by their lock files.
//!
//! A folder that was installed from the same lock file is used again.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::{files, repository};

/// Options for llama.cpp, the one package that is compiled here. Tests use it little, so a
/// short build matters more than a fast program.
const CMAKE_ARGS: &str = "-DLLAVA_BUILD=OFF -DGGML_NATIVE=OFF -DGGML_OPENMP=OFF -DGGML_LLAMAFILE=OFF \
    -DCMAKE_C_FLAGS_RELEASE=-O1 -DCMAKE_CXX_FLAGS_RELEASE=-O0";

/// Installs the clients, servers, generators of clients, renderers and the check of manifests that
/// tests run.
pub(crate) fn clients() -> anyhow::Result<()> {
    let tests = repository::root().join("server/tests");
    node("node", &tests.join("node"))?;
    python("python", &tests.join("python"))?;
    python("manifests", &tests.join("manifests"))?;
    let generators = tests.join("generators");
    node("generators-node", &generators)?;
    node("renderers", &tests.join("renderers"))?;
    python("generators-python", &generators)
}

/// Installs the linters of the published documents. Returns their folder.
pub(crate) fn judges() -> anyhow::Result<PathBuf> {
    node("judges", &repository::root().join("openapi/tests/judges"))?;
    Ok(folder("judges"))
}

/// Installs the server that the benchmark of identity compares with.
pub(crate) fn oidc_provider() -> anyhow::Result<()> {
    node("bench", &benches().join("node"))
}

/// Installs the rivals in the benchmark of the gateway. Returns its arguments with their paths.
pub(crate) fn gateways() -> anyhow::Result<Vec<OsString>> {
    node("bench", &benches().join("node"))?;
    python("vllm-router", &benches().join("python/vllm-router"))?;
    python("litellm", &benches().join("python/litellm"))?;
    let portkey = "bench/node_modules/@portkey-ai/gateway/build/start-server.js";
    let mut arguments = Vec::new();
    for name in ["nginx", "haproxy", "wrk"] {
        let program = installed(name).with_context(|| {
            format!("{name} is missing; on Debian: apt-get install nginx haproxy wrk")
        })?;
        arguments.extend([format!("--{name}").into(), program.into()]);
    }
    arguments.extend([
        "--vllm-router".into(),
        folder("vllm-router").join("bin/vllm-router").into(),
        "--portkey".into(),
        folder(portkey).into(),
        "--litellm".into(),
        folder("litellm").join("bin/litellm").into(),
    ]);
    Ok(arguments)
}

/// The path of a system program: in PATH, or in a folder that only root's PATH has.
fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    folders.find_map(|folder| Some(folder.join(name)).filter(|program| program.is_file()))
}

fn benches() -> PathBuf {
    repository::root().join("server/benches")
}

/// Installs `package.json` and `package-lock.json` into `target/tools/{name}/node_modules`.
fn node(name: &str, declared: &Path) -> anyhow::Result<()> {
    let files = ["package.json", "package-lock.json"].map(|name| declared.join(name));
    let into = folder(name);
    let Some(mark) = stale(&into, &files)? else {
        return Ok(());
    };
    fs::create_dir_all(&into)?;
    for file in &files {
        let name = file.file_name().unwrap_or_default();
        fs::copy(file, into.join(name))
            .with_context(|| format!("cannot copy {}", file.display()))?;
    }
    run(Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(&into))?;
    mark.set()
}

/// Installs `requirements.txt` into a virtual environment, `target/tools/{name}`.
fn python(name: &str, declared: &Path) -> anyhow::Result<()> {
    let files = [declared.join("requirements.txt")];
    let into = folder(name);
    let Some(mark) = stale(&into, &files)? else {
        return Ok(());
    };
    run(Command::new("python3").args(["-m", "venv"]).arg(&into))?;
    run(Command::new(into.join("bin/python"))
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ])
        .arg("--requirement")
        .arg(&files[0])
        .env("CMAKE_ARGS", CMAKE_ARGS))?;
    mark.set()
}

fn folder(name: &str) -> PathBuf {
    repository::target().join("tools").join(name)
}

/// A file beside a folder, with the lock files that it was installed from.
struct Mark {
    path: PathBuf,
    content: String,
}

impl Mark {
    fn set(&self) -> anyhow::Result<()> {
        files::write(&self.path, &self.content)
    }
}

/// Clears a folder that was installed from other files, and returns the mark to set
/// afterwards. `None` if the folder is up to date, or if there are no files.
fn stale(folder: &Path, files: &[PathBuf]) -> anyhow::Result<Option<Mark>> {
    if !files[0].exists() {
        return Ok(None);
    }
    let mut content = String::new();
    for file in files {
        content +=
            &fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    }
    let path = folder.with_extension("installed");
    let is_there = folder.exists();
    if is_there && fs::read_to_string(&path).is_ok_and(|known| known == content) {
        return Ok(None);
    }
    if is_there {
        fs::remove_dir_all(folder).with_context(|| format!("cannot clear {}", folder.display()))?;
    }
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(Some(Mark { path, content }))
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("cannot run {command:?}"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_installed_again_if_its_files_changed_or_it_was_removed() {
        let top = tempfile::tempdir().expect("a folder");
        let (folder, files) = (top.path().join("tool"), [top.path().join("lock")]);
        let is_stale = || stale(&folder, &files).expect("readable files").is_some();
        assert!(!is_stale(), "without files");
        fs::write(&files[0], "1").expect("a file");
        let mark = stale(&folder, &files).expect("readable files");
        fs::create_dir(&folder).expect("a folder");
        mark.expect("a new folder").set().expect("a mark");
        assert!(!is_stale());
        fs::remove_dir(&folder).expect("no folder");
        assert!(is_stale(), "without the folder");
        fs::create_dir(&folder).expect("a folder");
        fs::write(&files[0], "2").expect("a file");
        assert!(is_stale(), "with other files");
        assert!(!folder.exists());
    }
}
