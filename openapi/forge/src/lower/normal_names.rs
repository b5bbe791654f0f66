//! Names that normalization does not change.
//!
//! The compiler normalizes identifiers to NFC (Rust Reference, "Identifiers"), so names that differ
//! only in their normal form would be one identifier. A name loses each character that NFC replaces
//! or joins with another one: of a Korean syllable in three letters, the first letter stays. The
//! rest is in NFC, so different names are different identifiers.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// The letters and marks that NFC joins with a letter before them, and those that it replaces
/// (`NFC_Quick_Check` of Unicode Standard Annex 15). [`MARKS`] takes away the marks that NFC joins
/// with a mark.
static UNSTABLE: LazyLock<Regex> = LazyLock::new(|| {
    // Joined with a letter.
    const JOINED: &str = r"\u{300}-\u{36F}\u{653}-\u{655}\u{93C}\u{BD7}\u{102E}\u{1161}-\u{1175}
        \u{11A8}-\u{11C2}\u{1B35}\u{3099}\u{309A}\u{110BA}\u{113B8}-\u{113C9}\u{16D67}\u{16D68}";
    // Replaced.
    const REPLACED: &str = r"\u{374}\u{387}\u{958}-\u{95F}\u{9DC}-\u{9DF}\u{A33}\u{A36}
        \u{A59}-\u{A5B}\u{A5E}\u{B5C}-\u{B5D}\u{F43}\u{F4D}\u{F52}\u{F57}\u{F5C}\u{F69}\u{F73}
        \u{F75}-\u{F76}\u{F78}\u{F81}\u{F93}\u{F9D}\u{FA2}\u{FA7}\u{FAC}\u{FB9}\u{1F71}\u{1F73}
        \u{1F75}\u{1F77}\u{1F79}\u{1F7B}\u{1F7D}\u{1FBB}\u{1FBE}\u{1FC9}\u{1FCB}\u{1FD3}\u{1FDB}
        \u{1FE3}\u{1FEB}\u{1FF9}\u{1FFB}\u{2126}\u{212A}-\u{212B}\u{F900}-\u{FA0D}\u{FA10}\u{FA12}
        \u{FA15}-\u{FA1E}\u{FA20}\u{FA22}\u{FA25}-\u{FA26}\u{FA2A}-\u{FAD9}\u{FB1D}\u{FB1F}
        \u{FB2A}-\u{FB4E}\u{2F800}-\u{2FA1D}";
    Regex::new(&format!("(?x)[{JOINED}{REPLACED}]")).expect("a valid expression")
});

/// Several marks on one letter. NFC sorts them, and joins some.
static MARKS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(\p{M})\p{M}+").expect("a valid expression"));

/// The name without characters that NFC changes, and with one mark at most on each letter.
pub(super) fn normal(name: String) -> String {
    if name.is_ascii() {
        return name;
    }
    let stable = UNSTABLE.replace_all(&name, "");
    match MARKS.replace_all(&stable, "$1") {
        Cow::Borrowed(same) => same.to_owned(),
        Cow::Owned(changed) => changed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::names::{Scope, snake_name, table_name, type_name};

    #[test]
    fn texts_that_normalization_makes_equal_become_different_identifiers() {
        // Composed letters, a letter of another block, Japanese and Korean, and two orders of marks.
        for (one, other) in [
            ("caf\u{e9}", "cafe\u{301}"),
            ("\u{2126}", "\u{3a9}"),
            ("\u{f900}", "\u{8c48}"),
            ("\u{304c}", "\u{304b}\u{3099}"),
            ("\u{d55c}", "\u{1112}\u{1161}\u{11ab}"),
            ("\u{5d0}\u{5b7}\u{5b0}", "\u{5d0}\u{5b0}\u{5b7}"),
        ] {
            for name in [snake_name, type_name, table_name] {
                let mut scope = Scope::default();
                let names = [one, other].map(|text| scope.take(name(text)));
                assert_ne!(names[0], names[1]);
                for name in names {
                    assert_eq!(normal(name.clone()), name);
                }
            }
        }
    }

    #[test]
    fn a_name_without_unstable_characters_stays() {
        for name in ["caf\u{e9}", "名前", "ключ", "नाम", "\u{d55c}"] {
            assert_eq!(snake_name(name), name);
        }
        assert_eq!(snake_name("cafe\u{301}"), "cafe");
    }
}
