//! The configuration file: the settings of each profile. It has no secrets, and an unknown key is an error.

use crate::setting_name::Name;
use anyhow::{Context, bail};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
};

/// The configuration file.
pub struct ConfigFile(PathBuf);

/// The content of the file.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    profile: Option<String>,
    #[serde(default)]
    profiles: BTreeMap<String, Profile>,
}

/// The settings of a profile.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Profile {
    url: Option<String>,
    accounts_url: Option<String>,
    identity_url: Option<String>,
    inference_url: Option<String>,
    patterns_url: Option<String>,
    client_id: Option<String>,
}

impl Content {
    /// Parses the text of a file.
    ///
    /// # Errors
    ///
    /// When the text is not TOML, or has an unknown key. The error has the line.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map(|Range { start, .. }| {
                let before = text.get(..start).unwrap_or(text);
                before.matches('\n').count() + 1
            });
            let words = error.message().replace('\n', " ");
            match line {
                Some(line) => anyhow::anyhow!("line {line}: {words}"),
                None => anyhow::anyhow!(words),
            }
        })
    }

    /// The value of a setting, for this profile.
    pub fn get(&self, profile: &str, name: Name) -> Option<&str> {
        let own = self.profiles.get(profile);
        let value = match name {
            Name::Profile => &self.profile,
            Name::Url => &own?.url,
            Name::AccountsUrl => &own?.accounts_url,
            Name::IdentityUrl => &own?.identity_url,
            Name::InferenceUrl => &own?.inference_url,
            Name::PatternsUrl => &own?.patterns_url,
            Name::ClientId => &own?.client_id,
        };
        value.as_deref()
    }
}

impl ConfigFile {
    /// `accord/config.toml` in the user's directory for configuration (`XDG_CONFIG_HOME`, else `~/.config`); `None` if
    /// neither is known.
    pub fn of_user() -> Option<Self> {
        let folder = std::env::var_os("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute());
        let folder = folder.or_else(|| std::env::home_dir().map(|home| home.join(".config")))?;
        Some(Self(folder.join("accord").join("config.toml")))
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The content; that of an empty file if there is none.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is invalid.
    pub fn content(&self) -> anyhow::Result<Content> {
        Content::parse(&self.text()?).with_context(|| self.0.display().to_string())
    }

    /// Sets the value of a setting for this profile, or removes it.
    ///
    /// # Errors
    ///
    /// When the file is invalid, or cannot be changed line by line.
    pub fn change(&self, profile: &str, name: Name, value: Option<&str>) -> anyhow::Result<()> {
        self.content()?;
        let text = changed(&self.text()?, profile, name, value);
        // An inline table or the like: its lines mean something else.
        let is_changed =
            Content::parse(&text).is_ok_and(|content| content.get(profile, name) == value);
        if !is_changed {
            bail!(
                "{} has another form; change it in an editor",
                self.0.display()
            );
        }
        // A link to the file stays one.
        let file = fs::canonicalize(&self.0).unwrap_or(self.0.clone());
        let folder = file.parent().unwrap_or(Path::new("."));
        let new = file.with_extension("toml.new");
        let write = || {
            fs::create_dir_all(folder)?;
            fs::write(&new, &text)?;
            fs::rename(&new, &file)
        };
        write().with_context(|| format!("{} cannot be written", self.0.display()))
    }

    fn text(&self) -> anyhow::Result<String> {
        match fs::read_to_string(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            read => read.with_context(|| format!("{} cannot be read", self.0.display())),
        }
    }
}

/// The text with a changed line; its other lines and comments stay.
fn changed(text: &str, profile: &str, name: Name, value: Option<&str>) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let header = match profile.contains('.') {
        true => format!("[profiles.\"{profile}\"]"),
        false => format!("[profiles.{profile}]"),
    };
    let start = match name {
        Name::Profile => Some(0),
        _ => lines.iter().position(|line| line.trim() == header),
    };
    let start = start.map(|start| start + usize::from(name != Name::Profile));
    let start = start.unwrap_or_else(|| {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(header);
        lines.len()
    });
    let rest = lines[start..].iter();
    let length = rest.take_while(|line| !line.trim_start().starts_with('['));
    let end = start + length.count();
    let key = name.to_string();
    let is_key = |line: &String| {
        line.split('=')
            .next()
            .is_some_and(|text| text.trim() == key)
    };
    let known = lines[start..end].iter().position(is_key);
    let line = value.map(|value| format!("{key} = {}", toml::Value::from(value)));
    match known {
        Some(known) => drop(lines.splice(start + known..=start + known, line)),
        None => drop(lines.splice(start..start, line)),
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_leaves_the_other_lines() {
        let text = "# mine\n\n[profiles.ops]\n# the test service\nurl = \"a\"\n\n[profiles.x]\n";
        let set = |text: &str, profile, name, value| changed(text, profile, name, value);
        let text = set(text, "ops", Name::Url, Some("b \"c\""));
        assert!(
            text.contains("# the test service\nurl = 'b \"c\"'\n"),
            "{text}"
        );
        let text = set(&text, "ops", Name::ClientId, Some("robot"));
        let text = set(&text, "a.b", Name::Url, Some("d"));
        let text = set(&text, "ops", Name::Profile, Some("ops"));
        let content = Content::parse(&text).expect("a configuration");
        assert_eq!(content.get("ops", Name::Url), Some("b \"c\""));
        assert_eq!(content.get("ops", Name::ClientId), Some("robot"));
        assert_eq!(content.get("a.b", Name::Url), Some("d"));
        assert_eq!(content.get("x", Name::Profile), Some("ops"));
        let text = set(&text, "ops", Name::ClientId, None);
        let content = Content::parse(&text).expect("a configuration");
        assert_eq!(content.get("ops", Name::ClientId), None);
        assert!(text.contains("# mine\n"), "{text}");
    }

    #[test]
    fn the_configuration_of_the_readme_is_valid() {
        let readme = include_str!("../../../README.md");
        let (_, rest) = readme.split_once("```toml\n# ~/.config").expect("a block");
        let (text, _) = rest.split_once("```").expect("its end");
        let content = Content::parse(&format!("#{text}")).expect("a configuration");
        assert_eq!(content.get("ops", Name::Profile), Some("ops"));
        assert_eq!(content.get("ops", Name::ClientId), Some("accord-cli"));
    }

    #[test]
    fn an_unknown_key_is_an_error_with_its_line() {
        for (text, line) in [
            (
                "profile = \"ops\"\nurl = \"a\"",
                "line 2: unknown field `url`",
            ),
            (
                "[profiles.ops]\n\napi-key = \"a\"",
                "line 3: unknown field `api-key`",
            ),
            ("[profiles.ops]\nurl = 1", "line 2: invalid type"),
            ("[profiles.ops]\nurl = ", "line 2: "),
        ] {
            let error = Content::parse(text).expect_err(text).to_string();
            assert!(error.starts_with(line), "{error}");
        }
    }
}
