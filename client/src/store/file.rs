//! The file that remembers logins: of several profiles, and of several identity services.

use super::{
    BoxError, LoginKey, LoginLock, LoginStore, content::Content, file_error::TokenFileError,
    is_profile, private_file::PrivateFile,
};
use crate::tokens::Login;
use std::path::{Path, PathBuf};

/// The file that remembers logins.
///
/// Only its owner can read it, and it is an error if others can. On Windows, the file has the rights of its directory:
/// choose one that belongs to the user alone, as directories in the user's profile do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenFile {
    file: PrivateFile,
}

impl TokenFile {
    /// The file at this path.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            file: PrivateFile::at(path),
        }
    }

    /// `accord/login.json` in the user's directory for state (`XDG_STATE_HOME`, else `~/.local/state`): the file of the
    /// command `accord`.
    ///
    /// A program that uses this file acts as the user who has logged in with `accord login`. If it
    /// logs in itself, its login replaces that of the command. A program with a login of its own
    /// needs a profile ([`Builder::profile`](crate::Builder::profile)) or a file of its own ([`TokenFile::at`]).
    ///
    /// # Errors
    ///
    /// When neither is known.
    pub fn of_user() -> Result<Self, TokenFileError> {
        // The specification: a relative path is to be ignored.
        let state = std::env::var_os("XDG_STATE_HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute());
        let state = state.or_else(|| std::env::home_dir().map(|home| home.join(".local/state")));
        let state = state.ok_or(TokenFileError::NoHome)?;
        Ok(Self::at(state.join("accord").join("login.json")))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// All logins, by profile and identity service; none if the file does not exist. Those of the profile `default` are
    /// the first.
    ///
    /// # Errors
    ///
    /// When the file exists and cannot be read.
    pub fn logins(&self) -> Result<Vec<(LoginKey, Login)>, TokenFileError> {
        Ok(self.content()?.into_list())
    }

    fn content(&self) -> Result<Content, TokenFileError> {
        let Some(text) = self.file.read()? else {
            return Ok(Content::default());
        };
        Content::parse(&text).map_err(|source| self.invalid(source))
    }

    /// Reads, changes and replaces the content. The caller holds the lock.
    fn change(&self, change: impl FnOnce(&mut Content)) -> Result<(), TokenFileError> {
        let mut content = self.content()?;
        change(&mut content);
        if content.is_empty() {
            return self.file.write(None);
        }
        let text = serde_json::to_vec_pretty(&content).map_err(|source| self.invalid(source))?;
        self.file.write(Some(&text))
    }

    fn invalid(&self, source: serde_json::Error) -> TokenFileError {
        TokenFileError::Content {
            path: self.path().to_owned(),
            source,
        }
    }
}

impl LoginStore for TokenFile {
    fn lock(&self) -> Result<LoginLock, BoxError> {
        Ok(self.file.lock()?)
    }

    fn load(&self, key: &LoginKey) -> Result<Option<Login>, BoxError> {
        Ok(self.content()?.get(key).cloned())
    }

    fn save(&self, key: &LoginKey, login: &Login) -> Result<(), BoxError> {
        if !is_profile(&key.profile) {
            let name = key.profile.clone();
            return Err(TokenFileError::Profile { name }.into());
        }
        Ok(self.change(|content| content.insert(key, login.clone()))?)
    }

    fn remove(&self, key: &LoginKey) -> Result<(), BoxError> {
        Ok(self.change(|content| content.remove(key))?)
    }

    fn check(&self) -> Result<(), BoxError> {
        self.content()?;
        Ok(self.file.check()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{access::owner_only, private_file::ABANDONED};
    use secrecy::ExposeSecret;
    use std::{
        fs::{self, OpenOptions},
        io::Write,
        time::Duration,
    };

    const IDENTITY: &str = "http://id.example";

    fn login(access_token: &str) -> Login {
        let expires_at = "2026-11-21T09:00:00Z".parse().expect("a time");
        Login::new(
            IDENTITY,
            "accord-cli",
            "accounts.read",
            access_token,
            expires_at,
        )
        .refresh_token("rt-1")
    }

    fn file() -> (tempfile::TempDir, TokenFile) {
        let folder = tempfile::tempdir().expect("a directory");
        let file = TokenFile::at(folder.path().join("deep/login.json"));
        (folder, file)
    }

    fn save(file: &TokenFile, key: &LoginKey, login: &Login) {
        let _lock = file.lock().expect("it can be locked");
        file.save(key, login).expect("it can be written");
    }

    fn remove(file: &TokenFile, key: &LoginKey) {
        let _lock = file.lock().expect("it can be locked");
        file.remove(key).expect("it can be forgotten");
    }

    fn token(file: &TokenFile, key: &LoginKey) -> Option<String> {
        let login = file.load(key).expect("it can be read");
        login.map(|login| login.access_token.expose_secret().to_owned())
    }

    /// Writes a file as another version of the program does.
    fn write(path: &Path, text: &str) {
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(true);
        let opened = owner_only(options).open(path);
        let written = opened.and_then(|mut file| file.write_all(text.as_bytes()));
        written.expect("it can be written");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, file) = file();
        let key = LoginKey::new(IDENTITY);
        save(&file, &key, &login("one"));
        let set = |mode| {
            let permissions = fs::Permissions::from_mode(mode);
            fs::set_permissions(file.path(), permissions).expect("it is mine");
        };
        for mode in [0o640, 0o604, 0o620] {
            set(mode);
            let error = file.load(&key).expect_err("it is shared").to_string();
            let advice = format!("(mode {mode:o}); run `chmod 600 ");
            assert!(error.contains(&advice), "{error}");
            file.save(&key, &login("two")).expect_err("it is shared");
        }
        set(0o600);
        assert_eq!(token(&file, &key).as_deref(), Some("one"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed() {
        let folder = tempfile::tempdir().expect("a directory");
        let target = TokenFile::at(folder.path().join("secrets/login.json"));
        let link = TokenFile::at(folder.path().join("link.json"));
        std::os::unix::fs::symlink("secrets/login.json", link.path()).expect("a link");
        let key = LoginKey::new(IDENTITY);
        for text in ["one", "two"] {
            save(&link, &key, &login(text));
            assert_eq!(token(&target, &key).as_deref(), Some(text));
        }
        assert!(link.path().is_symlink() && !target.path().is_symlink());
        // Both have the same lock.
        assert!(folder.path().join("secrets/.login.lock").exists());
        assert!(!folder.path().join(".login.lock").exists());
        remove(&link, &key);
        assert!(link.path().is_symlink() && !target.path().exists());
    }

    #[test]
    fn abandoned_files_are_removed() {
        let (folder, file) = file();
        let key = LoginKey::new(IDENTITY);
        save(&file, &key, &login("one"));
        let folder = folder.path().join("deep");
        let hour_ago = std::time::SystemTime::now() - ABANDONED - Duration::from_secs(1);
        for (name, is_old) in [
            (".login-a.tmp", true),
            (".login-b.tmp", false),
            ("a.tmp", true),
        ] {
            let left = fs::File::create(folder.join(name)).expect("it can be written");
            if is_old {
                left.set_modified(hour_ago).expect("it is mine");
            }
        }
        save(&file, &key, &login("two"));
        assert!(!folder.join(".login-a.tmp").exists());
        assert!(folder.join(".login-b.tmp").exists());
        assert!(folder.join("a.tmp").exists());
    }

    #[test]
    fn a_login_is_remembered_for_its_owner_alone() {
        let (folder, file) = file();
        let key = LoginKey::new(IDENTITY);
        assert_eq!(token(&file, &key), None);
        save(&file, &key, &login("one"));
        save(&file, &key, &login("two"));
        assert_eq!(token(&file, &key).as_deref(), Some("two"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| {
                let found = fs::metadata(path).expect("it is there");
                found.permissions().mode() & 0o777
            };
            assert_eq!(mode(file.path()), 0o600);
            assert_eq!(mode(&folder.path().join("deep")), 0o700);
        }
        // Nothing is left beside it but the lock.
        let left = || {
            let entries = fs::read_dir(folder.path().join("deep")).expect("a directory");
            let mut names: Vec<_> = entries
                .map(|entry| entry.expect("an entry").file_name())
                .collect();
            names.sort();
            names
        };
        assert_eq!(left(), [".login.lock", "login.json"]);
        file.check().expect("it can be written");
        assert_eq!(left(), [".login.lock", "login.json"]);
        remove(&file, &key);
        remove(&file, &key);
        assert_eq!(token(&file, &key), None);
        assert_eq!(left(), [".login.lock"]);
    }

    #[test]
    fn each_profile_has_a_login_of_its_own_at_each_identity_service() {
        let (_folder, file) = file();
        let keys = [
            LoginKey::new(IDENTITY),
            LoginKey::new("http://staging.example"),
            LoginKey::new(IDENTITY).profile("ops"),
        ];
        for (key, token) in keys.iter().zip(["own", "staging", "ops"]) {
            save(&file, key, &login(token));
        }
        let listed = file.logins().expect("it can be read");
        let listed: Vec<LoginKey> = listed.into_iter().map(|(key, _)| key).collect();
        assert_eq!(listed, keys);
        remove(&file, &keys[1]);
        remove(&file, &LoginKey::new(IDENTITY).profile("nobody"));
        assert_eq!(token(&file, &keys[0]).as_deref(), Some("own"));
        assert_eq!(token(&file, &keys[1]), None);
        remove(&file, &keys[0]);
        assert_eq!(token(&file, &keys[2]).as_deref(), Some("ops"));
        remove(&file, &keys[2]);
        assert!(!file.path().exists());
    }

    #[test]
    fn a_profile_without_a_valid_name_is_not_written() {
        let (_folder, file) = file();
        let key = LoginKey::new(IDENTITY).profile("a b");
        let error = file.save(&key, &login("one")).expect_err("no such name");
        assert!(error.to_string().contains("letters, digits"), "{error}");
        assert!(!file.path().exists());
    }

    #[test]
    fn the_files_of_earlier_versions_are_read_and_kept() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = TokenFile::at(folder.path().join("login.json"));
        let one = serde_json::to_value(login("old")).expect("JSON");
        let many = serde_json::json!({ "logins": { IDENTITY: one } });
        for text in [one, many] {
            write(file.path(), &text.to_string());
            assert_eq!(
                token(&file, &LoginKey::new(IDENTITY)).as_deref(),
                Some("old")
            );
            assert_eq!(token(&file, &LoginKey::new("http://other.example")), None);
            save(
                &file,
                &LoginKey::new(IDENTITY).profile("ops"),
                &login("new"),
            );
            assert_eq!(
                token(&file, &LoginKey::new(IDENTITY)).as_deref(),
                Some("old")
            );
        }
    }

    #[test]
    fn the_error_for_an_invalid_login_says_what_to_do() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = TokenFile::at(folder.path().join("login.json"));
        write(file.path(), "{");
        let error = file.load(&LoginKey::new(IDENTITY)).expect_err("no login");
        let error = error.to_string();
        assert!(error.ends_with("remove it and log in again"), "{error}");
    }
}
