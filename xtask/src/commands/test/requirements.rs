//! The requirements of the tests, beyond Rust and a C compiler.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};
use rustix::process::geteuid;

/// A requirement of the tests.
struct Requirement {
    what: &'static str,
    why: &'static str,
    /// Debian's packages.
    packages: &'static [&'static str],
    is_there: fn() -> bool,
}

/// Fails for an older Node than the tests need.
const CHECK_NODE: &str = "process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)";

const REQUIREMENTS: &[Requirement] = &[
    Requirement {
        what: "PostgreSQL's server programs",
        why: "every test of the service also runs on PostgreSQL",
        packages: &["postgresql"],
        is_there: has_postgres,
    },
    Requirement {
        what: "PgBouncer",
        why: "the service is run through a connection pooler",
        packages: &["pgbouncer"],
        is_there: || in_sbin("pgbouncer") || runs("pgbouncer", &["--version"]),
    },
    Requirement {
        what: "Redis",
        why: "replicas share limits through it",
        packages: &["redis-server"],
        is_there: || runs("redis-server", &["--version"]),
    },
    Requirement {
        what: "Node 18 or newer with npm",
        why: "independent clients, written for Node, are run against the service",
        packages: &["nodejs", "npm"],
        is_there: || runs("node", &["-e", CHECK_NODE]) && runs("npm", &["--version"]),
    },
    Requirement {
        what: "Python 3 with venv",
        why: "independent clients, written for Python, are run against the service",
        packages: &["python3", "python3-venv"],
        is_there: || runs("python3", &["-c", "import ensurepip, venv"]),
    },
    Requirement {
        what: "a C++ compiler",
        why: "a model server is compiled to be called by the gateway",
        packages: &["g++"],
        is_there: || runs("c++", &["--version"]),
    },
    Requirement {
        what: "Chromium",
        why: "pages are tested in a browser",
        packages: &["chromium"],
        is_there: || {
            let names = ["chromium", "chromium-browser", "google-chrome"];
            names.iter().any(|name| runs(name, &["--version"]))
        },
    },
    Requirement {
        what: "xmlsec1",
        why: "SAML assertions are signed by a tool of others",
        packages: &["xmlsec1"],
        is_there: || runs("xmlsec1", &["--version"]),
    },
    Requirement {
        what: "nginx",
        why: "the service is called through proxies of others",
        packages: &["nginx"],
        is_there: || in_sbin("nginx") || runs("nginx", &["-v"]),
    },
    Requirement {
        what: "HAProxy",
        why: "the service is called through proxies of others",
        packages: &["haproxy"],
        is_there: || in_sbin("haproxy") || runs("haproxy", &["-v"]),
    },
    Requirement {
        what: "dpkg-dev",
        why: "a test builds and installs the Debian package",
        packages: &["dpkg-dev", "binutils"],
        is_there: || runs("dpkg-shlibdeps", &["--version"]) && runs("strip", &["--version"]),
    },
    Requirement {
        what: "systemd's programs",
        why: "a test checks the unit of the service",
        packages: &["systemd"],
        is_there: || runs("systemd-analyze", &["--version"]),
    },
    Requirement {
        what: "promtool",
        why: "a test checks the alert rules and the dashboard",
        packages: &["prometheus"],
        is_there: || runs("promtool", &["--version"]),
    },
    Requirement {
        what: "libfaketime",
        why: "a replica with a wrong clock is tried",
        packages: &["faketime"],
        is_there: || runs("faketime", &["--version"]),
    },
    Requirement {
        what: "curl and jq",
        why: "the quick starts of the documents are run as they are printed",
        packages: &["curl", "jq"],
        is_there: || runs("curl", &["--version"]) && runs("jq", &["--version"]),
    },
    Requirement {
        what: "Neovim",
        why: "the language server of the documents is used by a real editor",
        packages: &["neovim"],
        is_there: || runs("nvim", &["--version"]),
    },
    Requirement {
        what: "git",
        why: "documents are compared with their last release",
        packages: &["git"],
        is_there: || runs("git", &["--version"]),
    },
];

/// Installs missing packages where that is possible, and lists them elsewhere.
pub(super) fn install_missing() -> anyhow::Result<()> {
    ensure!(
        runs("cargo", &["fmt", "--version"]) && runs("cargo", &["clippy", "--version"]),
        "rustfmt and clippy are needed: rustup component add rustfmt clippy"
    );
    let missing: Vec<_> = REQUIREMENTS
        .iter()
        .filter(|requirement| !(requirement.is_there)())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    for Requirement { what, why, .. } in &missing {
        eprintln!("missing: {what} ({why})");
    }
    let packages: Vec<_> = missing
        .iter()
        .flat_map(|requirement| requirement.packages)
        .copied()
        .collect();
    if !(Path::new("/etc/debian_version").exists() && geteuid().is_root()) {
        bail!(
            "install the missing packages, on Debian with: apt-get install {}",
            packages.join(" ")
        );
    }
    apt_get(&["update", "--quiet=2"])?;
    let mut install = vec!["install", "--yes", "--quiet=2", "--no-install-recommends"];
    install.extend(&packages);
    apt_get(&install)?;
    for Requirement { what, is_there, .. } in missing {
        ensure!(is_there(), "{what}: installed, and still not found");
    }
    Ok(())
}

fn apt_get(arguments: &[&str]) -> anyhow::Result<()> {
    let status = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        // The output of apt-get is progress, not a result.
        .stdout(Stdio::null())
        .status()
        .context("cannot run apt-get")?;
    ensure!(status.success(), "apt-get {} failed", arguments[0]);
    Ok(())
}

/// Whether a program exists and succeeds.
fn runs(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Debian's folder of servers, which is not in every user's path.
fn in_sbin(program: &str) -> bool {
    Path::new("/usr/sbin").join(program).is_file()
}

/// Checks the folders in which the tests search.
fn has_postgres() -> bool {
    let installed = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .any(|version| version.path().join("bin/initdb").is_file());
    installed || runs("initdb", &["--version"])
}
