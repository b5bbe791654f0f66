//! The guide for operators, as printed.

use std::path::Path;
use std::process::Command;

use crate::harness::postgres;
use crate::harness::walk::Walk;

/// A shell of an operator, who has the service's program and PostgreSQL's.
pub fn shell(directory: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_accord-server"));
    let database = postgres::program("psql");
    let folders = [program.parent().unwrap(), database.parent().unwrap()];
    let system = ["/usr/local/bin", "/usr/sbin", "/usr/bin", "/bin"].map(Path::new);
    let path = std::env::join_paths(folders.into_iter().chain(system));
    let mut shell = Command::new("/bin/sh");
    shell.current_dir(directory);
    shell.env_clear().env("PATH", path.unwrap());
    shell
}

/// A directory beside which `deploy` is that of the repository.
fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy");
    std::os::unix::fs::symlink(deploy, directory.path().join("deploy")).unwrap();
    directory
}

#[test]
fn one_replica_starts_and_is_cared_for_as_printed() {
    let directory = directory();
    let pages = ["README.md", "care.md", "trouble.md"].map(|page| format!("server/guide/{page}"));
    let pages = pages.each_ref().map(String::as_str);
    Walk::through(&pages).run(&mut shell(directory.path()), "");
}

#[test]
fn two_replicas_behind_a_proxy_start_as_printed() {
    let (directory, database) = (directory(), postgres::fresh_database());
    let mut shell = shell(directory.path());
    shell.env("DATABASE", database.url());
    Walk::through(&["server/guide/replicas.md"]).run(&mut shell, "");
}
