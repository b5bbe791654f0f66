//! The texts of the pages on which people sign in and out, set a password, approve a device and manage
//! their account, and of error pages, in the languages of the mails.
//!
//! A language is one file, `templates/identity/texts/LANGUAGE.toml`. A missing text is an error of
//! a test. The browser chooses the language by `Accept-Language`. The rest of the console is in
//! English, and uses the English texts for the frame.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use http::{HeaderMap, header};
use serde::Deserialize;

use crate::identity::passwords::{MAX_LENGTH, MIN_LENGTH, Unfit};
use crate::identity::scopes::Scope;
use crate::kernel::language::{FALLBACK, accepted, available, fill};

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
    )*};
}

texts! {
    /// The frame of every page.
    FrameTexts { skip user documentation account sign_out reference error cancel }
    /// Ages of events.
    Ages { just_now seconds minute minutes hour hours day days }
    /// The page for signing in.
    SignIn {
        heading lead lead_device email password show submit forgot empty wrong passkey
        passkey_silent passkey_refused demo
    }
    /// The page that mails a link.
    Forgot { heading lead submit back empty sent sent_text }
    /// The page that such a link opens.
    Password {
        heading lead new hint again show consequences submit short long monotonous username common
        differ set set_text set_text_ended old_link old_link_text another_link
    }
    /// The page for the code of a device.
    Code { heading lead label hint submit empty malformed wrong }
    /// The page on which a device is approved, and its outcome.
    Consent {
        heading lead question application origin same_origin started scopes caution caution_text
        deny approve approved approved_text denied denied_text
    }
    /// What an application can do.
    ScopeTexts {
        accounts_read accounts_write patterns_read patterns_write apikeys_read apikeys_write
        offline_access
    }
    /// Limits of attempts.
    Waiting { attempts codes second seconds }
    /// The page with the browsers and devices of a user.
    Account {
        heading browsers elsewhere this unnamed last_seen signed_in devices no_devices device token
        known_as approved can_do disconnect question warning signing_in ended disconnected back
    }
    /// The page for signing out everywhere else.
    Elsewhere {
        heading none one many this device devices suspicion change done done_devices
    }
    /// The page for changing a password.
    Change {
        heading lead current wrong devices passkeys hint submit done done_text done_devices
        done_passkeys done_both
    }
    /// The page for adding and removing passkeys.
    Passkeys {
        heading lead none passkey added used unused remove question warning add unsupported name
        name_hint name_problem repeated confirm confirm_text with_passkey full impossible done
        failed before foreign not_added not_removed removed removed_here removed_here_text
    }
    /// The page for signing out.
    SigningOut { heading lead done done_text again }
    /// The pages of errors.
    Errors {
        home unknown unknown_text method method_text administrator administrator_text scripted
        scripted_text foreign foreign_text unreadable unreadable_text large large_text requests
        requests_text unavailable unavailable_text failed failed_text
    }
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
    ages: Ages,
    /// The page with the browsers and devices of a user.
    pub account: Account,
    /// The page for signing out everywhere else.
    pub elsewhere: Elsewhere,
    /// The page for changing a password.
    pub change: Change,
    /// The page for adding and removing passkeys.
    pub passkeys: Passkeys,
    /// The page for signing out.
    pub signing_out: SigningOut,
    /// The pages of errors.
    pub errors: Errors,
}

/// The texts in the language of this tag, or else in English.
pub fn of(tag: &str) -> &'static Texts {
    &TEXTS[available(tag)]
}

/// The English texts.
pub fn english() -> &'static Texts {
    of(FALLBACK)
}

/// The texts in the language that a browser prefers.
pub fn preferred(headers: &HeaderMap) -> &'static Texts {
    let values = headers.get_all(header::ACCEPT_LANGUAGE).iter();
    let values: Vec<_> = values.filter_map(|value| value.to_str().ok()).collect();
    of(accepted(&values.join(",")))
}

/// Fills the placeholder of a sentence, which has at most one.
pub fn filled(sentence: &str, value: &str) -> String {
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

    /// The age of an event in its largest unit.
    pub fn age(&self, milliseconds: i64) -> String {
        let texts = &self.ages;
        let minutes = milliseconds / 60_000;
        let (number, one, many) = match minutes {
            ..1 => return texts.just_now.clone(),
            1..60 => (minutes, &texts.minute, &texts.minutes),
            60..1440 => (minutes / 60, &texts.hour, &texts.hours),
            _ => (minutes / 1440, &texts.day, &texts.days),
        };
        match number {
            1 => one.clone(),
            number => filled(many, &number.to_string()),
        }
    }

    /// The age of a request of a device, to the second if it is new.
    pub fn recent_age(&self, milliseconds: i64) -> String {
        let seconds = milliseconds / 1000;
        match seconds {
            ..=1 => self.ages.just_now.clone(),
            2..=90 => filled(&self.ages.seconds, &seconds.to_string()),
            _ => filled(&self.ages.minutes, &((seconds + 30) / 60).to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::language::{LANGUAGES, places};

    /// The texts of a language, in the order of their keys. Every language has the same keys, or else
    /// it cannot be read.
    fn all(language: &str) -> Vec<String> {
        let mut files = FILES.iter();
        let (_, text) = files.find(|(one, _)| *one == language).expect("a file");
        let tables: BTreeMap<String, BTreeMap<String, String>> =
            toml::from_str(text).expect("tables of texts");
        let tables = tables.into_values();
        tables.flat_map(BTreeMap::into_values).collect()
    }

    #[test]
    fn every_language_has_every_text_with_the_same_placeholders() {
        assert_eq!(FILES.len(), LANGUAGES.len());
        for (language, _) in LANGUAGES {
            assert_eq!(of(language).language, language);
            for (theirs, ours) in all(language).iter().zip(&all(FALLBACK)) {
                assert!(!theirs.trim().is_empty(), "{language}: {ours}");
                assert_eq!(places(theirs), places(ours), "{language}: {theirs}");
                assert!(places(theirs).len() <= 1, "{language}: {theirs}");
            }
        }
    }

    #[test]
    fn a_browser_that_was_signed_out_is_not_called_this_one() {
        for (language, _) in LANGUAGES {
            let account = &of(language).account;
            assert!(
                !account.ended.contains(&account.this),
                "{language}: {}",
                account.ended
            );
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
    fn ages_are_in_their_largest_unit() {
        for (milliseconds, age) in [
            (-5, "just now"),
            (59_999, "just now"),
            (60_000, "1 minute ago"),
            (7_200_000, "2 hours ago"),
            (86_400_000, "1 day ago"),
            (200_000_000, "2 days ago"),
        ] {
            assert_eq!(english().age(milliseconds), age);
        }
        assert_eq!(of("de").age(200_000_000), "vor 2 Tagen");
    }

    #[test]
    fn numbers_have_their_units() {
        let texts = of("nb");
        assert_eq!(texts.recent_age(1_000), "akkurat nå");
        assert_eq!(texts.recent_age(90_999), "for 90 sekunder siden");
        assert_eq!(texts.recent_age(91_000), "for 2 minutter siden");
        let message = "Too many attempts. Try again in 1 second.";
        assert_eq!(english().too_many_attempts(1), message);
        assert!(english().too_many_codes(5).ends_with("in 5 seconds."));
    }
}
