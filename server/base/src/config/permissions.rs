//! Finds files that users other than the owner can read or replace.

#[cfg(unix)]
use std::fs::Metadata;
use std::path::Path;

/// Keys of the configuration whose values are secrets, with their sections.
#[cfg(unix)]
const SECRETS: [(&str, &str); 5] = [
    ("server", "key"),
    ("database", "url"),
    ("limits", "url"),
    ("mail", "password"),
    ("telemetry", "headers"),
];

/// Problems with the permissions of both, and how to correct them.
#[cfg(unix)]
pub(super) fn problems(data_directory: &Path, file: Option<&Path>) -> Vec<String> {
    use std::os::unix::fs::MetadataExt;
    let mut problems = Vec::new();
    if let Some(file) = file
        && std::fs::metadata(file).is_ok_and(|metadata| metadata.mode() & 0o006 != 0)
        && let Some(key) = secret_in(file)
    {
        let file = file.display();
        problems.push(format!(
            "every user of this machine can read {file}, which has the secret {key}: chmod o= {file}, \
             or set the secret by its variable"
        ));
    }
    if let Ok(metadata) = std::fs::metadata(data_directory)
        && let Some(remedy) = remedy(metadata.mode(), can_change(&metadata))
    {
        let directory = data_directory.display();
        problems.push(format!(
            "users other than the owner of {directory} can replace the files in it: chmod {remedy} {directory}"
        ));
    }
    problems
}

/// The rights to remove from a directory. If the service cannot change them, the directory belongs to another
/// user, as a Kubernetes volume with `fsGroup` does: then the service itself writes as a member of the group.
#[cfg(unix)]
fn remedy(mode: u32, can_change: bool) -> Option<&'static str> {
    match can_change {
        true => (mode & 0o022 != 0).then_some("go-w"),
        false => (mode & 0o002 != 0).then_some("o-w"),
    }
}

/// Whether this process may change the permissions of a file.
#[cfg(target_os = "linux")]
fn can_change(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid();
    user.is_root() || user.as_raw() == metadata.uid()
}

#[cfg(all(unix, not(target_os = "linux")))]
fn can_change(_: &Metadata) -> bool {
    true
}

#[cfg(not(unix))]
pub(super) fn problems(_: &Path, _: Option<&Path>) -> Vec<String> {
    Vec::new()
}

/// The first secret in a file.
#[cfg(unix)]
fn secret_in(file: &Path) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let table: toml::Table = text.parse().ok()?;
    let (section, key) = SECRETS.into_iter().find(|(section, key)| {
        let value = table.get(*section).and_then(|section| section.get(key));
        // An address without a password is not secret.
        value.is_some_and(|value| *key != "url" || value.as_str().is_some_and(has_password))
    })?;
    Some(format!("{section}.{key}"))
}

/// An address that this parser rejects, such as one with several hosts and ports, may have one.
#[cfg(unix)]
fn has_password(url: &str) -> bool {
    url::Url::parse(url).map_or(url.contains('@'), |url| {
        url.password().is_some() || url.query_pairs().any(|(name, _)| name == "password")
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn files_that_others_can_read_or_replace_are_named_with_a_remedy() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("accord.toml");
        let change = |path: &Path, mode| {
            std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
        };
        let check = || problems(directory.path(), Some(&file));
        std::fs::write(&file, "[mail]\npassword = \"x\"\n").unwrap();
        change(&file, 0o640);
        change(directory.path(), 0o755);
        assert_eq!(check(), Vec::<String>::new());
        change(&file, 0o644);
        assert!(check()[0].contains("mail.password"), "{:?}", check());
        std::fs::write(&file, "[database]\nurl = \"postgres://a@b/c\"\n").unwrap();
        assert_eq!(check(), Vec::<String>::new());
        std::fs::write(&file, "[database]\nurl = \"postgres://a:b@c/d\"\n").unwrap();
        assert!(check()[0].contains("database.url"), "{:?}", check());
        std::fs::write(&file, "[database]\nurl = \"postgres://a:b@c:1,d:2/e\"\n").unwrap();
        assert!(check()[0].contains("database.url"), "{:?}", check());
        change(&file, 0o600);
        change(directory.path(), 0o777);
        assert!(check()[0].contains("chmod go-w"), "{:?}", check());
    }

    #[test]
    fn the_group_of_a_directory_of_another_user_may_write() {
        for (mode, can_change, expected) in [
            (0o40755, true, None),
            (0o40775, true, Some("go-w")),
            (0o42775, false, None),
            (0o42777, false, Some("o-w")),
        ] {
            assert_eq!(remedy(mode, can_change), expected, "{mode:o}");
        }
    }
}
