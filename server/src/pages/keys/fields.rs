//! The fields that several forms share: tags and expiry days.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use crate::inference::keys::create::NewSecret;
use crate::pages::problems::Problems;

/// Tags as a text with one tag a line.
pub fn tags_text(tags: &Map<String, Value>) -> String {
    let line = |(name, value): (&String, &Value)| match value.as_str() {
        Some(text) => format!("{name}={text}\n"),
        None => format!("{name}={value}\n"),
    };
    tags.iter().map(line).collect()
}

/// Reads such a text. A line without an equals sign, or with a name that was there before, is a
/// problem.
pub fn tags(text: &str, problems: &mut Problems) -> Map<String, Value> {
    let mut tags = Map::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let Some((name, value)) = line.split_once('=') else {
            problems.add(TAGS, "must be lines in the form name=value");
            continue;
        };
        let name = name.trim().to_owned();
        let value = Value::from(value.trim());
        if tags.insert(name, value).is_some() {
            problems.add(TAGS, "must have different names");
        }
    }
    tags
}

/// Whether such a text is the one that the form showed. Browsers change its line breaks.
pub fn is_same_text(field: &str, shown: &str) -> bool {
    fn lines(text: &str) -> impl Iterator<Item = &str> {
        text.split(['\r', '\n']).filter(|line| !line.is_empty())
    }
    lines(field).eq(lines(shown))
}

/// The place of tags in the body of an operation.
pub const TAGS: &str = "/freeformTags";

/// A secret that a form asks for: its name, and the last day on which it is valid.
#[derive(Debug, Clone, Default)]
pub struct SecretFields {
    /// The name.
    pub name: String,
    /// The day, as in the form; empty for the default.
    pub last_day: String,
}

impl SecretFields {
    /// The secret in the body of an operation.
    pub fn body(&self) -> Value {
        match self.expiry() {
            None => json!({"keyName": self.name}),
            Some(time) => json!({"keyName": self.name, "timeExpiry": time}),
        }
    }

    /// The secret, once its body is known to be valid.
    pub fn secret(&self) -> NewSecret {
        let expiry = self.expiry();
        let time = expiry.and_then(|time| DateTime::parse_from_rfc3339(&time).ok());
        NewSecret {
            name: self.name.clone(),
            expires_at: time.map(|time| time.with_timezone(&Utc)),
        }
    }

    /// The end of the last day.
    fn expiry(&self) -> Option<String> {
        match self.last_day.as_str() {
            "" => None,
            day => Some(format!("{day}T23:59:59Z")),
        }
    }
}

/// A day as the value of a field.
pub fn field_day(time: DateTime<Utc>) -> String {
    time.date_naive().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_as_they_are_shown() {
        let mut problems = Problems::default();
        let read = tags(" team = reports \n\nurl=a=b\n", &mut problems);
        assert!(problems.is_empty());
        assert_eq!(tags_text(&read), "team=reports\nurl=a=b\n");
        tags("team", &mut problems);
        assert!(problems.at(TAGS).is_some());
        let mut problems = Problems::default();
        tags("a=1\na=2", &mut problems);
        assert_eq!(problems.at(TAGS), Some("must have different names"));
    }

    #[test]
    fn only_line_breaks_that_a_browser_changes_leave_a_text_the_same() {
        for (field, same) in [
            ("a=1\r\nb= 2", true),
            ("a=1\nb= 2\n", true),
            ("a=1b= 2", false),
            ("a=1\nb=2", false),
            ("a=1", false),
            ("", false),
        ] {
            assert_eq!(is_same_text(field, "a=1\nb= 2\n"), same, "{field:?}");
        }
    }

    #[test]
    fn a_secret_is_valid_until_the_end_of_its_last_day() {
        let fields = SecretFields {
            name: "one".into(),
            last_day: "2027-02-19".into(),
        };
        let expected = "2027-02-19T23:59:59+00:00";
        let secret = fields.secret();
        assert_eq!(
            secret.expires_at.map(|time| time.to_rfc3339()),
            Some(expected.to_owned())
        );
        assert_eq!(SecretFields::default().secret().expires_at, None);
    }
}
