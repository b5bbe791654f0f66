//! The texts of mails, in all languages.
//!
//! A language is one file, `templates/mail/LANGUAGE.toml`, with the sentences
//! of every kind; `frame.txt` and `frame.html` arrange them. A new language
//! needs a file and a line in [`FILES`]. The default language is English.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use askama::Template;
use serde::Deserialize;

use crate::kernel::language;

/// Every language with its file.
const FILES: [(&str, &str); 7] = [
    ("de", include_str!("../../../templates/mail/de.toml")),
    ("en", include_str!("../../../templates/mail/en.toml")),
    ("es", include_str!("../../../templates/mail/es.toml")),
    ("fr", include_str!("../../../templates/mail/fr.toml")),
    ("it", include_str!("../../../templates/mail/it.toml")),
    ("nb", include_str!("../../../templates/mail/nb.toml")),
    ("nl", include_str!("../../../templates/mail/nl.toml")),
];

static WORDS: LazyLock<BTreeMap<&str, Words>> = LazyLock::new(|| {
    let parse = |text| toml::from_str(text).expect("a test reads every language");
    let languages = FILES.into_iter();
    languages.map(|(name, text)| (name, parse(text))).collect()
});

/// The sentences of one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Words {
    greeting: String,
    footer: String,
    set_password: Sentences,
    reset_password: Sentences,
    passkey_added: Sentences,
    passkeys_removed: Sentences,
    invited: Sentences,
    test: Sentences,
}

/// The sentences of one kind of mail.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sentences {
    subject: String,
    opening: String,
    /// The label of the button.
    #[serde(default)]
    action: String,
    #[serde(default)]
    closing: String,
}

/// The kinds of mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The user must set a password.
    SetPassword,
    /// Somebody requested a link to set another password.
    ResetPassword,
    /// A passkey was added.
    PasskeyAdded,
    /// Passkeys were removed.
    PasskeysRemoved,
    /// The user was invited to projects.
    Invited,
    /// A test of an operator.
    Test,
}

/// The values of placeholders.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts<'a> {
    /// Name of the user.
    pub name: &'a str,
    /// The username.
    pub username: &'a str,
    /// Name of the organization.
    pub organization: &'a str,
    /// When the link expires.
    pub until: &'a str,
    /// The address of the button.
    pub link: &'a str,
    /// The lines of the mail's list, one for each project or passkey.
    pub lines: &'a [String],
}

/// The texts of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its subject: one line.
    pub subject: String,
    /// As plain text.
    pub text: String,
    /// As HTML.
    pub html: String,
}

#[derive(Template)]
#[template(path = "mail/frame.txt", escape = "none")]
struct TextFrame<'a>(Frame<'a>);

#[derive(Template)]
#[template(path = "mail/frame.html")]
struct HtmlFrame<'a>(Frame<'a>);

#[derive(Clone, Copy)]
struct Frame<'a> {
    language: &'a str,
    subject: &'a str,
    greeting: &'a str,
    opening: &'a str,
    lines: &'a [String],
    action: &'a str,
    link: &'a str,
    closing: &'a str,
    footer: &'a str,
}

/// Writes the texts of a mail.
///
/// # Errors
///
/// When a template cannot be rendered, which does not happen in practice.
pub fn write(kind: Kind, language: &str, facts: &Facts<'_>) -> Result<Written, askama::Error> {
    let language = language::available(language);
    let words = &WORDS[language];
    let sentences = match kind {
        Kind::SetPassword => &words.set_password,
        Kind::ResetPassword => &words.reset_password,
        Kind::PasskeyAdded => &words.passkey_added,
        Kind::PasskeysRemoved => &words.passkeys_removed,
        Kind::Invited => &words.invited,
        Kind::Test => &words.test,
    };
    let subject = one_line(&fill(&sentences.subject, facts));
    let (greeting, opening) = (
        fill(&words.greeting, facts),
        fill(&sentences.opening, facts),
    );
    let closing = fill(&sentences.closing, facts);
    let frame = Frame {
        language,
        subject: &subject,
        greeting: &greeting,
        opening: &opening,
        lines: facts.lines,
        action: &sentences.action,
        link: facts.link,
        closing: &closing,
        footer: &words.footer,
    };
    Ok(Written {
        text: TextFrame(frame).render()?,
        html: HtmlFrame(frame).render()?,
        subject,
    })
}

/// Replaces the placeholders in a sentence.
fn fill(sentence: &str, facts: &Facts<'_>) -> String {
    language::fill(sentence, |place| match place {
        "name" => facts.name,
        "username" => facts.username,
        "organization" => facts.organization,
        "until" => facts.until,
        _ => "",
    })
}

fn one_line(text: &str) -> String {
    text.split(char::is_control).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::language::{FALLBACK, LANGUAGES, places};

    #[test]
    fn every_language_has_all_sentences_with_the_same_facts() {
        let english = &WORDS[FALLBACK];
        let has_file = |(tag, _): &(&str, &str)| WORDS.contains_key(tag);
        assert!(LANGUAGES.iter().all(has_file));
        let kinds: [fn(&Words) -> &Sentences; 6] = [
            |words| &words.set_password,
            |words| &words.reset_password,
            |words| &words.passkey_added,
            |words| &words.passkeys_removed,
            |words| &words.invited,
            |words| &words.test,
        ];
        for (language, words) in WORDS.iter() {
            assert_eq!(places(&words.greeting), ["name"], "{language}");
            for kind in kinds {
                let (theirs, ours) = (kind(words), kind(english));
                for (theirs, ours) in [
                    (&theirs.subject, &ours.subject),
                    (&theirs.opening, &ours.opening),
                    (&theirs.action, &ours.action),
                    (&theirs.closing, &ours.closing),
                ] {
                    assert_eq!(places(theirs), places(ours), "{language}: {theirs}");
                    assert_eq!(theirs.is_empty(), ours.is_empty(), "{language}: {ours}");
                    for place in places(theirs) {
                        assert!(["name", "username", "organization", "until"].contains(&place));
                    }
                }
            }
        }
    }

    #[test]
    fn values_are_escaped_and_not_expanded() {
        let projects = ["<b>A-1</b>".to_owned()];
        let facts = Facts {
            name: "<i>Mira</i> {until}",
            organization: "North\r\nBcc: x@y.example",
            lines: &projects,
            link: "https://a.example/?b=1&c=2",
            ..Facts::default()
        };
        let written = write(Kind::Invited, "en", &facts).unwrap();
        assert!(
            !written.subject.contains(['\r', '\n']),
            "{}",
            written.subject
        );
        assert!(
            written.text.contains("<i>Mira</i> {until}"),
            "{}",
            written.text
        );
        assert!(!written.html.contains("<i>"), "{}", written.html);
        assert!(!written.html.contains("<b>A-1"), "{}", written.html);
        assert!(written.text.contains("https://a.example/?b=1&c=2"));
    }
}
