//! The plain value of a secret: how it looks, how it is made, what is kept.
//!
//! A value is `sk-` and 43 url-safe characters, which are 256 random bits. Its
//! form can be checked without looking anything up. Only a keyed hash of it is
//! stored, so a copy of the database opens nothing; a slow hash would add
//! nothing to a value that nobody can guess.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use zeroize::Zeroizing;

use crate::kernel::{Pepper, Random};

const PREFIX: &str = "sk-";
const RANDOM_CHARACTERS: usize = 43;

/// Keyed hash of a secret: what the database and the memory hold of it.
pub type Digest = [u8; 32];

/// A secret in plain. It does not print itself.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainSecret(Zeroizing<String>);

impl PlainSecret {
    /// Makes a new one.
    pub fn generate(random: &dyn Random) -> Self {
        let mut bits = Zeroizing::new([0u8; 32]);
        random.fill(&mut *bits);
        let mut text = Zeroizing::new(String::with_capacity(PREFIX.len() + RANDOM_CHARACTERS));
        text.push_str(PREFIX);
        URL_SAFE_NO_PAD.encode_string(*bits, &mut text);
        PlainSecret(text)
    }

    /// Reads what a caller presents; nothing when it cannot be a secret.
    pub fn parse(text: &str) -> Option<Self> {
        let random = text.strip_prefix(PREFIX)?;
        let well_formed = random.len() == RANDOM_CHARACTERS
            && random
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        well_formed.then(|| PlainSecret(Zeroizing::new(text.to_owned())))
    }

    /// The plain value, for the one answer that shows it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What is stored instead of the value.
    pub fn digest(&self, pepper: &Pepper) -> Digest {
        pepper.mac("inference api key secret", self.0.as_bytes())
    }

    /// What lists show instead of the value.
    pub fn mask(&self) -> String {
        mask(&self.0)
    }
}

impl fmt::Debug for PlainSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlainSecret({})", self.mask())
    }
}

/// The first six and the last four characters of `text`, or fewer where that
/// would tell more than half of it.
pub fn mask(text: &str) -> String {
    let characters: Vec<char> = text.chars().filter(|c| c.is_ascii_graphic()).collect();
    if characters.len() < 20 {
        return "...".into();
    }
    let (head, tail) = (&characters[..6], &characters[characters.len() - 4..]);
    head.iter().chain(&['.', '.', '.']).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUE: &str = "sk-Ab1cV7yPq0sT3uWxYzB4dEfGhJkLmN6oQrStUvW9xYz";

    #[test]
    fn only_the_documented_form_is_a_secret() {
        assert!(PlainSecret::parse(VALUE).is_some());
        for wrong in [
            "",
            "sk-",
            &VALUE[3..],
            &VALUE[..45],
            &format!("{VALUE}x"),
            &VALUE.replace('1', "+"),
            &VALUE.replace("sk-", "pk-"),
            &VALUE.replace('1', "é"),
        ] {
            assert!(PlainSecret::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_mask_shows_the_ends_of_long_values_and_nothing_of_short_ones() {
        assert_eq!(mask(VALUE), "sk-Ab1...9xYz");
        assert_eq!(mask("password"), "...");
        assert_eq!(mask(""), "...");
    }

    #[test]
    fn a_secret_does_not_print_itself() {
        let secret = PlainSecret::parse(VALUE).expect("well formed");
        assert_eq!(format!("{secret:?}"), "PlainSecret(sk-Ab1...9xYz)");
    }
}
