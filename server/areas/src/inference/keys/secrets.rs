//! The plain value of a secret: its form, its generation, and its stored parts.
//!
//! A value is `sk-`, a public id of 12 letters and digits, a hyphen, 43 url-safe characters (256
//! random bits), and a checksum. The checksum has 6 letters and digits and covers all characters
//! before it (CRC-32, which scanners for leaked secrets support). So a scanner can recognize a
//! value without a query, and the service rejects an invalid one without a lookup. The public id is
//! stored in plain text: it finds the row. Only a keyed hash of the whole is stored, so a copy of
//! the database does not reveal it. A slow hash would add nothing to a value that cannot be
//! guessed.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use zeroize::Zeroizing;

use crate::kernel::{Mac, Random, ServerKeys};

/// The purpose of the keyed hashes of secrets.
const PURPOSE: &str = "inference api key secret";
const PREFIX: &str = "sk-";
const PUBLIC_CHARACTERS: usize = 12;
const RANDOM_CHARACTERS: usize = 43;
const CHECKSUM_CHARACTERS: usize = 6;
/// The end of the public id.
const PUBLIC_END: usize = PREFIX.len() + PUBLIC_CHARACTERS;
/// The start of the checksum, which covers all characters before it.
const CHECKSUM_START: usize = PUBLIC_END + 1 + RANDOM_CHARACTERS;
const LENGTH: usize = CHECKSUM_START + CHECKSUM_CHARACTERS;
/// The numbers of first and of last characters that a mask shows.
const MASK_HEAD: usize = 6;
const MASK_TAIL: usize = 4;

/// Letters and digits that cannot be confused.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Keyed hash of a secret, in the database and in memory.
pub type Digest = Mac;

/// A secret in plain text, which `Debug` hides.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainSecret(Zeroizing<String>);

impl PlainSecret {
    /// Generates a new secret.
    pub fn generate(random: &dyn Random) -> Self {
        let mut bits = Zeroizing::new([0u8; 32]);
        random.fill(&mut *bits);
        let mut text = Zeroizing::new(String::with_capacity(LENGTH));
        text.push_str(PREFIX);
        text.push_str(&letters(random, PUBLIC_CHARACTERS));
        text.push('-');
        URL_SAFE_NO_PAD.encode_string(*bits, &mut text);
        let sum = checksum(text.as_bytes());
        text.extend(sum.map(char::from));
        PlainSecret(text)
    }

    /// The plain value, for the one response that shows it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The public part, which finds the secret.
    pub fn public_id(&self) -> &str {
        self.presented().public_id()
    }

    /// The keyed hash that is stored.
    pub fn digest(&self, server_keys: &ServerKeys) -> Digest {
        self.presented().digest(server_keys)
    }

    /// The value in the form in which a caller presents it.
    pub fn presented(&self) -> Presented<'_> {
        Presented(&self.0)
    }

    /// The characters of the value that lists show.
    pub fn mask(&self) -> String {
        mask(&self.0)
    }
}

impl fmt::Debug for PlainSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlainSecret({})", self.mask())
    }
}

/// The value that a caller presents, well-formed but not verified. `Debug` hides it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Presented<'a>(&'a str);

impl<'a> Presented<'a> {
    /// Parses it. `None` if it cannot be a secret.
    pub fn parse(text: &'a str) -> Option<Self> {
        let bytes: &[u8; LENGTH] = text.as_bytes().try_into().ok()?;
        let well_formed = text.starts_with(PREFIX)
            && bytes[PREFIX.len()..PUBLIC_END].iter().all(is_letter)
            && bytes[PUBLIC_END] == b'-'
            && bytes[PUBLIC_END..CHECKSUM_START]
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
            && bytes[CHECKSUM_START..] == checksum(&bytes[..CHECKSUM_START]);
        well_formed.then_some(Presented(text))
    }

    /// The public part, which finds the secret.
    pub fn public_id(self) -> &'a str {
        &self.0[PREFIX.len()..PUBLIC_END]
    }

    /// The keyed hash of the value.
    pub fn digest(self, server_keys: &ServerKeys) -> Digest {
        server_keys.mac(PURPOSE, self.0.as_bytes())
    }

    /// Whether this hash is that of the value. Compares in constant time.
    pub fn has_digest(self, server_keys: &ServerKeys, stored: &Digest) -> bool {
        server_keys.is(stored, PURPOSE, self.0.as_bytes())
    }

    /// Copies the value.
    pub fn to_secret(self) -> PlainSecret {
        PlainSecret(Zeroizing::new(self.0.to_owned()))
    }
}

impl fmt::Debug for Presented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Presented({})", mask(self.0))
    }
}

/// Whether it is one of [`LETTERS`].
fn is_letter(byte: &u8) -> bool {
    matches!(byte, b'a'..=b'k' | b'm' | b'n' | b'p'..=b'z' | b'2'..=b'9')
}

/// Unambiguous random letters and digits, of five bits each.
pub(super) fn letters(random: &dyn Random, count: usize) -> String {
    let mut bytes = vec![0; count];
    random.fill(&mut bytes);
    let letter = |byte: &u8| char::from(LETTERS[usize::from(byte % 32)]);
    bytes.iter().map(letter).collect()
}

/// CRC-32 (IEEE 802.3) in letters and digits, the most significant first.
fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_CHARACTERS] {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut rest = crc32fast::hash(bytes) as usize;
    let mut text = [b'0'; CHECKSUM_CHARACTERS];
    for character in text.iter_mut().rev() {
        *character = DIGITS[rest % DIGITS.len()];
        rest /= DIGITS.len();
    }
    text
}

/// The first and the last characters of `text`, or none if they would be more than half of it.
pub fn mask(text: &str) -> String {
    let characters: Vec<char> = text.chars().filter(|c| c.is_ascii_graphic()).collect();
    if characters.len() < 2 * (MASK_HEAD + MASK_TAIL) {
        return "...".into();
    }
    let (head, tail) = (
        &characters[..MASK_HEAD],
        &characters[characters.len() - MASK_TAIL..],
    );
    head.iter().chain(&['.', '.', '.']).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::SystemRandom;

    const HEAD: &str = "sk-ab2cde3fgh4j-V7yPq0sT3uWxYzB4dEfGhJkLmN6oQrStUvW9xYzA1bC";

    fn value() -> String {
        let sum = checksum(HEAD.as_bytes());
        HEAD.chars().chain(sum.map(char::from)).collect()
    }

    #[test]
    fn letters_are_told_from_the_rest() {
        let letters = (0..=u8::MAX).filter(is_letter);
        let mut expected = LETTERS.to_vec();
        expected.sort_unstable();
        assert_eq!(letters.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_checksum_is_the_crc_that_everybody_computes() {
        // The check value of CRC-32: the checksum of 123456789 is cbf43926.
        let mut number = 0u64;
        for character in checksum(b"123456789") {
            let digit = match character {
                b'0'..=b'9' => character - b'0',
                b'A'..=b'Z' => character - b'A' + 10,
                _ => character - b'a' + 36,
            };
            number = number * 62 + u64::from(digit);
        }
        assert_eq!(number, 0xcbf4_3926);
    }

    #[test]
    fn a_generated_secret_is_valid_and_a_changed_one_is_not() {
        for _ in 0..20 {
            let secret = PlainSecret::generate(&SystemRandom);
            let presented = Presented::parse(secret.expose()).expect("well formed");
            assert_eq!(presented.to_secret(), secret);
            for place in 0..LENGTH {
                let mut text = secret.expose().to_owned();
                let other = if text.as_bytes()[place] == b'a' {
                    "b"
                } else {
                    "a"
                };
                text.replace_range(place..=place, other);
                assert!(Presented::parse(&text).is_none(), "{text}");
            }
        }
    }

    #[test]
    fn only_the_documented_form_is_a_secret() {
        let value = value();
        assert!(Presented::parse(&value).is_some());
        let sum = |head: &str| -> String {
            let sum = checksum(head.as_bytes());
            head.chars().chain(sum.map(char::from)).collect()
        };
        for wrong in [
            "",
            "sk-",
            &value[3..],
            &value[..64],
            &format!("{value}x"),
            &sum(&HEAD.replace('7', "+")),
            &sum(&HEAD.replace("sk-", "pk-")),
            &sum(&HEAD.replace("ab2", "AB2")),
            &sum(&HEAD.replace("4j-", "4jx")),
            &sum(&HEAD.replace("7y", "é")),
        ] {
            assert!(Presented::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn the_public_id_is_the_part_behind_the_prefix() {
        let value = value();
        let secret = Presented::parse(&value).expect("well formed");
        assert_eq!(secret.public_id(), "ab2cde3fgh4j");
    }

    #[test]
    fn a_mask_shows_the_ends_of_long_values_and_nothing_of_short_ones() {
        assert_eq!(mask(HEAD), "sk-ab2...A1bC");
        assert_eq!(mask("password"), "...");
        assert_eq!(mask(""), "...");
    }

    #[test]
    fn a_secret_does_not_print_itself() {
        let value = value();
        let secret = Presented::parse(&value).expect("well formed");
        let printed = format!("{secret:?}");
        assert!(printed.starts_with("Presented(sk-ab2...") && printed.len() == 24);
        let printed = format!("{:?}", secret.to_secret());
        assert!(printed.starts_with("PlainSecret(sk-ab2...") && printed.len() == 26);
    }
}
