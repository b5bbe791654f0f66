//! The code that a user carries from the device to the page (RFC 8628, section 6.1): eight
//! consonants, so that it is short, can be read aloud and spells no words.

use std::fmt;

use crate::kernel::{Mac, Random, ServerKeys};

const ALPHABET: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
const LENGTH: usize = 8;
const PURPOSE: &str = "identity user code";

/// A user code. 20^8 of them exist.
#[derive(Clone, PartialEq, Eq)]
pub struct UserCode(String);

impl UserCode {
    /// A random code.
    pub fn random(random: &dyn Random) -> UserCode {
        let letter = |_| char::from(ALPHABET[random.below(ALPHABET.len() as u32) as usize]);
        UserCode((0..LENGTH).map(letter).collect())
    }

    /// Parses a user's input: case, spaces and punctuation do not matter. `None` if no device can
    /// have shown it, so that it causes no query.
    pub fn parse(typed: &str) -> Option<UserCode> {
        // The dashes of Unicode, and its minus sign.
        let is_dash = |c: char| matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}');
        let is_part = |c: &char| !(c.is_whitespace() || c.is_ascii_punctuation() || is_dash(*c));
        let mut code = String::with_capacity(LENGTH);
        for letter in typed.chars().filter(is_part) {
            let letter = letter.to_ascii_uppercase();
            if code.len() == LENGTH || !letter.is_ascii() || !ALPHABET.contains(&(letter as u8)) {
                return None;
            }
            code.push(letter);
        }
        (code.len() == LENGTH).then_some(UserCode(code))
    }

    /// The code in the form of the device's response.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The keyed hash under which a new code is stored.
    pub fn mac(&self, server_keys: &ServerKeys) -> Mac {
        server_keys.mac(PURPOSE, self.0.as_bytes())
    }

    /// The keyed hashes that may be stored for it.
    pub fn macs(&self, server_keys: &ServerKeys) -> Vec<Mac> {
        server_keys.macs(PURPOSE, self.0.as_bytes())
    }
}

/// The code for people, in two groups: `KLMR-TVWX`.
impl fmt::Display for UserCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (left, right) = self.0.split_at(LENGTH / 2);
        write!(f, "{left}-{right}")
    }
}

/// Omits the code.
impl fmt::Debug for UserCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UserCode(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::SystemRandom;

    #[test]
    fn a_code_survives_how_people_type_it() {
        for typed in [
            "KLMRTVWX",
            "klmr-tvwx",
            " K L M R  T V W X ",
            "klmr–tvwx",
            "\"KLMR—TVWX\".",
            "klmr/tvwx,",
        ] {
            assert_eq!(
                UserCode::parse(typed).unwrap().as_str(),
                "KLMRTVWX",
                "{typed}"
            );
        }
    }

    #[test]
    fn a_text_that_no_device_shows_is_not_a_code() {
        for typed in [
            "",
            "KLMRTVW",
            "KLMRTVWXZ",
            "KLMRTVWA",
            "KLMRTVW1",
            "KLMRTVWÄ",
            "' OR 1=1",
        ] {
            assert_eq!(UserCode::parse(typed), None, "{typed}");
        }
    }

    #[test]
    fn random_codes_can_be_typed_back() {
        let code = UserCode::random(&SystemRandom);
        assert_eq!(UserCode::parse(&code.to_string()), Some(code));
    }
}
