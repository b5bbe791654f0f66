//! The values in force, each with its source.

use std::path::Path;

use confique::meta::{FieldKind, Meta};
use confique::{Config as _, Layer as _};
use toml::Value;
use url::Url;

use super::secret::SET;
use super::{Config, ConfigError, Layer, file};

/// The values of every source, the first one first.
struct Sources {
    layers: Vec<Value>,
    /// The path of the file; empty if there is none.
    file: String,
}

impl Config {
    /// A line for each key: its value, and its source as a comment. It has no secrets. Values are not
    /// checked against each other.
    ///
    /// # Errors
    ///
    /// The problem of a single value with its place, as for [`Config::load`].
    pub fn effective(flags: Layer, path: Option<&Path>) -> Result<String, ConfigError> {
        let environment = Layer::from_env().map_err(ConfigError::environment)?;
        let file = match path {
            Some(path) => file::read(path)?,
            None => Layer::empty(),
        };
        let layers = [flags, environment, file, Layer::default_values()];
        let sources = Sources {
            layers: layers.iter().map(values).collect::<Result<_, _>>()?,
            file: path.map_or(String::new(), |path| path.display().to_string()),
        };
        let mut text = String::new();
        sources.write(&Config::META, "", &mut text);
        Ok(text)
    }
}

/// The place of the value of a key: the variable, or the file with line and column. `None` for an option, and for a key
/// without a value. `flags` has the values of the options.
pub(super) fn place(key: &str, flags: &Value, path: Option<&Path>) -> Option<String> {
    if find(flags, key).is_some() {
        return None;
    }
    let environment = Layer::from_env().ok()?;
    if find(&values(&environment).ok()?, key).is_some() {
        return variable(&Config::META, key).map(str::to_owned);
    }
    file::place(path?, key)
}

/// The variable of a key.
fn variable(meta: &Meta, key: &str) -> Option<&'static str> {
    let (name, rest) = key.split_once('.').unwrap_or((key, ""));
    let field = meta.fields.iter().find(|field| field.name == name)?;
    match &field.kind {
        FieldKind::Nested { meta } => variable(meta, rest),
        FieldKind::Leaf { env, .. } => *env,
    }
}

/// The values of a layer, without its secrets.
pub(super) fn values(layer: &Layer) -> Result<Value, ConfigError> {
    let values = Value::try_from(layer);
    let mut values = values.map_err(|error| ConfigError::Value(error.to_string()))?;
    redact(&mut values);
    Ok(values)
}

/// Replaces what may be a secret in a text without a type of its own: all of an address but its origin, and
/// headers for model servers.
fn redact(value: &mut Value) {
    match value {
        Value::String(text) => {
            let origin = Url::parse(text.as_str()).ok().and_then(|url| origin(&url));
            if let Some(origin) = origin.filter(|origin| text.trim_end_matches('/') != origin) {
                *text = format!("{origin}/...");
            }
        }
        Value::Array(values) => values.iter_mut().for_each(redact),
        Value::Table(table) => {
            for (name, value) in table.iter_mut() {
                match value {
                    Value::Table(headers) if name == "set_headers" => {
                        headers
                            .iter_mut()
                            .for_each(|(_, value)| *value = SET.into());
                    }
                    value => redact(value),
                }
            }
        }
        _ => {}
    }
}

fn origin(url: &Url) -> Option<String> {
    let (scheme, host) = (url.scheme(), url.host_str()?);
    Some(match url.port() {
        Some(port) => format!("{scheme}://{host}:{port}"),
        None => format!("{scheme}://{host}"),
    })
}

impl Sources {
    /// Writes the keys of a section.
    fn write(&self, meta: &Meta, section: &str, text: &mut String) {
        for field in meta.fields {
            let key = file::join(section, field.name);
            match &field.kind {
                FieldKind::Nested { meta } => self.write(meta, &key, text),
                FieldKind::Leaf { env, .. } => text.push_str(&self.line(&key, *env)),
            }
        }
    }

    fn line(&self, key: &str, variable: Option<&str>) -> String {
        let names = [
            "option",
            variable.unwrap_or_default(),
            self.file.as_str(),
            "default",
        ];
        let mut sources = self.layers.iter().zip(names);
        match sources.find_map(|(layer, name)| Some((find(layer, key)?, name))) {
            Some((value, name)) => format!("{key} = {value} # {name}\n"),
            None => format!("# {key} is not set\n"),
        }
    }
}

fn find<'a>(layer: &'a Value, key: &str) -> Option<&'a Value> {
    let mut names = key.split('.');
    names.try_fold(layer, |value, name| value.get(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_its_variable() {
        for (key, name) in [
            ("server.listen", Some("ACCORD_LISTEN")),
            ("server.tls.key", Some("ACCORD_TLS_KEY")),
            ("inference.models", None),
            ("server.nothing", None),
        ] {
            assert_eq!(variable(&Config::META, key), name, "{key}");
        }
    }
}
