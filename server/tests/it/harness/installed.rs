//! The installed programs of PostgreSQL, and the user that may run them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the newest programs.
pub fn programs() -> Option<PathBuf> {
    let version = |path: &Path| -> Option<u32> { path.file_name()?.to_str()?.parse().ok() };
    let mut installed: Vec<_> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter_map(|path| Some((version(&path)?, path.join("bin"))))
        .collect();
    installed.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    installed
        .into_iter()
        .rev()
        .map(|(_, programs)| programs)
        .chain(std::env::split_paths(&path))
        .find(|programs| programs.join("initdb").is_file() && programs.join("pg_ctl").is_file())
}

/// Lets a command run as `postgres`, which Debian's package creates, or as `nobody`, if this process
/// runs as root.
#[cfg(unix)]
pub fn as_another_user(command: &mut Command) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;
    // The owner of a process' own entry is the user that it runs as.
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    if !is_root {
        return Ok(());
    }
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let find = |name: &str| {
        users.lines().find_map(|line| {
            let mut fields = line.split(':');
            (fields.next()? == name).then_some(())?;
            Some((fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?))
        })
    };
    let (user, group) = find("postgres")
        .or_else(|| find("nobody"))
        .ok_or("PostgreSQL does not run as root, and there is no user postgres or nobody")?;
    command.uid(user).gid(group);
    Ok(())
}
