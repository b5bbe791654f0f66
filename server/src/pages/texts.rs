//! The texts of the pages on which people sign in, set a password and approve a device, in the
//! languages of the mails.
//!
//! A language is one file, `templates/identity/texts/LANGUAGE.toml`. A missing text is an error of
//! a test. The browser chooses the language by `Accept-Language`. All other pages are in English,
//! and use the English texts for the frame.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::identity::passwords::{MAX_LENGTH, MIN_LENGTH, Unfit};
use crate::identity::scopes::Scope;
use crate::kernel::language::{FALLBACK, available, fill};

/// Every language with its file.
const FILES: [(&str, &str); 7] = [
    ("de", include_str!("../../templates/identity/texts/de.toml")),
    ("en", include_str!("../../templates/identity/texts/en.toml")),
    ("es", include_str!("../../templates/identity/texts/es.toml")),
    ("fr", include_str!("../../templates/identity/texts/fr.toml")),
    ("it", include_str!("../../templates/identity/texts/it.toml")),
    ("nb", include_str!("../../templates/identity/texts/nb.toml")),
    ("nl", include_str!("../../templates/identity/texts/nl.toml")),
];

static TEXTS: LazyLock<BTreeMap<&str, Texts>> = LazyLock::new(|| {
    let parse = |(language, text)| {
        let texts: Texts = toml::from_str(text).expect("a test reads every language");
        (language, Texts { language, ..texts })
    };
    FILES.into_iter().map(parse).collect()
});

/// Declares the texts of a page: one member for each line of the table in the file.
macro_rules! texts {
    ($($(#[$comment:meta])* $name:ident { $($text:ident)* })*) => {$(
        $(#[$comment])*
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub struct $name {
            $(pub $text: String,)*
        }

        #[cfg(test)]
        impl $name {
            fn all(&self) -> Vec<&str> {
                vec![$(&self.$text),*]
            }
        }
    )*};
}

texts! {
    /// The frame of every page.
    FrameTexts { skip user documentation account sign_out reference error }
    /// The page for signing in.
    SignIn {
        heading lead lead_device email password submit forgot empty wrong passkey passkey_silent
        passkey_refused demo
    }
    /// The page that mails a link.
    Forgot { heading lead submit back empty sent sent_text }
    /// The page that such a link opens.
    Password {
        heading lead new hint again consequences submit short long monotonous username common differ
        set set_text set_text_ended old_link old_link_text another_link
    }
    /// The page for the code of a device.
    Code { heading lead label hint submit empty malformed wrong }
    /// The page on which a device is approved, and its outcome.
    Consent {
        heading lead question application origin same_origin started just_now seconds_ago
        minutes_ago scopes caution caution_text deny approve approved approved_text denied
        denied_text
    }
    /// What an application can do.
    ScopeTexts {
        accounts_read accounts_write patterns_read patterns_write apikeys_read apikeys_write
        offline_access
    }
    /// Limits of attempts.
    Waiting { attempts codes second seconds }
}

/// The texts in one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Texts {
    /// The tag of the language.
    #[serde(skip)]
    pub language: &'static str,
    /// The frame of every page.
    pub frame: FrameTexts,
    /// The page for signing in.
    pub sign_in: SignIn,
    /// The page that mails a link.
    pub forgot: Forgot,
    /// The page that such a link opens.
    pub password: Password,
    /// The page for the code of a device.
    pub code: Code,
    /// The page on which a device is approved, and its outcome.
    pub consent: Consent,
    scopes: ScopeTexts,
    waiting: Waiting,
}

/// The texts in the language of this tag, or else in English.
pub fn of(tag: &str) -> &'static Texts {
    &TEXTS[available(tag)]
}

/// The English texts.
pub fn english() -> &'static Texts {
    of(FALLBACK)
}

/// A sentence with one placeholder.
fn filled(sentence: &str, value: &str) -> String {
    fill(sentence, |_| value)
}

impl Texts {
    /// The question whether to approve an application.
    pub fn approve(&self, application: &str) -> String {
        filled(&self.consent.heading, application)
    }

    /// An address that is also the one of the user.
    pub fn same_origin(&self, address: &str) -> String {
        filled(&self.consent.same_origin, address)
    }

    /// The name of the user whose password is set.
    pub fn password_of(&self, username: &str) -> String {
        filled(&self.password.lead, username)
    }

    /// The rule for new passwords.
    pub fn password_hint(&self) -> String {
        filled(&self.password.hint, &MIN_LENGTH.to_string())
    }

    /// Why a new password is rejected.
    pub fn unfit(&self, unfit: Unfit) -> String {
        let texts = &self.password;
        match unfit {
            Unfit::Short => filled(&texts.short, &MIN_LENGTH.to_string()),
            Unfit::Long => filled(&texts.long, &MAX_LENGTH.to_string()),
            Unfit::Monotonous => texts.monotonous.clone(),
            Unfit::Username => texts.username.clone(),
            Unfit::Common => texts.common.clone(),
        }
    }

    /// What an application can do with a scope.
    pub fn scope(&self, scope: Scope) -> &str {
        let texts = &self.scopes;
        match scope {
            Scope::AccountsRead => &texts.accounts_read,
            Scope::AccountsWrite => &texts.accounts_write,
            Scope::PatternsRead => &texts.patterns_read,
            Scope::PatternsWrite => &texts.patterns_write,
            Scope::ApiKeysRead => &texts.apikeys_read,
            Scope::ApiKeysWrite => &texts.apikeys_write,
            Scope::OfflineAccess => &texts.offline_access,
        }
    }

    /// The message after too many attempts.
    pub fn too_many_attempts(&self, seconds: i64) -> String {
        filled(&self.waiting.attempts, &self.seconds(seconds))
    }

    /// The message after too many wrong codes.
    pub fn too_many_codes(&self, seconds: i64) -> String {
        filled(&self.waiting.codes, &self.seconds(seconds))
    }

    fn seconds(&self, seconds: i64) -> String {
        match seconds {
            1 => self.waiting.second.clone(),
            many => filled(&self.waiting.seconds, &many.to_string()),
        }
    }

    /// The age of a request of a device.
    pub fn ago(&self, milliseconds: i64) -> String {
        let seconds = milliseconds / 1000;
        match seconds {
            ..=1 => self.consent.just_now.clone(),
            2..=90 => filled(&self.consent.seconds_ago, &seconds.to_string()),
            _ => {
                let minutes = (seconds + 30) / 60;
                filled(&self.consent.minutes_ago, &minutes.to_string())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::language::{LANGUAGES, places};

    fn all(texts: &Texts) -> Vec<&str> {
        let Texts {
            language: _,
            frame,
            sign_in,
            forgot,
            password,
            code,
            consent,
            scopes,
            waiting,
        } = texts;
        let parts = [
            frame.all(),
            sign_in.all(),
            forgot.all(),
            password.all(),
            code.all(),
            consent.all(),
            scopes.all(),
            waiting.all(),
        ];
        parts.concat()
    }

    #[test]
    fn every_language_has_every_text_with_the_same_placeholders() {
        assert_eq!(FILES.len(), LANGUAGES.len());
        for (language, _) in LANGUAGES {
            let texts = of(language);
            assert_eq!(texts.language, language);
            for (theirs, ours) in all(texts).into_iter().zip(all(english())) {
                assert!(!theirs.trim().is_empty(), "{language}: {ours}");
                assert_eq!(places(theirs), places(ours), "{language}: {theirs}");
                assert!(places(theirs).len() <= 1, "{language}: {theirs}");
            }
        }
    }

    #[test]
    fn the_english_reasons_are_those_of_commands() {
        let all = [
            Unfit::Short,
            Unfit::Long,
            Unfit::Monotonous,
            Unfit::Username,
            Unfit::Common,
        ];
        for unfit in all {
            assert_eq!(english().unfit(unfit), unfit.to_string());
        }
    }

    #[test]
    fn numbers_have_their_units() {
        let texts = of("nb");
        assert_eq!(texts.ago(1_000), "akkurat nå");
        assert_eq!(texts.ago(90_999), "for 90 sekunder siden");
        assert_eq!(texts.ago(91_000), "for 2 minutter siden");
        let message = "Too many attempts. Try again in 1 second.";
        assert_eq!(english().too_many_attempts(1), message);
        assert!(english().too_many_codes(5).ends_with("in 5 seconds."));
    }
}
