//! Regular expressions that match in one pass, without backtracking.
//!
//! `^[A-Z]{4}-[0-9]+(\.[0-9]+)*$` is a sequence of character classes and groups, each with a
//! quantifier. The expression is one-pass if the next character decides every choice (repeat,
//! or continue with the rest).

/// A one-pass expression that matches a whole text.
#[derive(Debug)]
pub(super) struct OnePassPattern(Vec<Group>);

/// A sequence of pieces with a quantifier.
#[derive(Debug)]
struct Group {
    pieces: Vec<Piece>,
    repeat: Repeat,
}

/// A character class with a quantifier.
#[derive(Debug)]
struct Piece {
    class: Class,
    repeat: Repeat,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Repeat {
    min: usize,
    max: usize,
}

const ONCE: Repeat = Repeat { min: 1, max: 1 };

#[derive(Debug, Clone, Copy)]
struct Class {
    /// The ASCII characters of the class, a bit each.
    ascii: u128,
    /// Whether the class has all other characters.
    others: bool,
}

const NOTHING: Class = Class {
    ascii: 0,
    others: false,
};

impl OnePassPattern {
    /// Parses an expression. `None` if it is not one-pass.
    pub(super) fn parse(source: &str) -> Option<OnePassPattern> {
        let mut rest = source.strip_prefix('^')?.strip_suffix('$')?;
        let mut groups = Vec::new();
        while !rest.is_empty() {
            groups.extend(group(&mut rest)?);
        }
        let pattern = OnePassPattern(groups);
        pattern.is_deterministic().then_some(pattern)
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        let mut rest = text;
        self.0.iter().all(|group| group.consume(&mut rest)) && rest.is_empty()
    }

    /// Whether the next character decides every choice.
    fn is_deterministic(&self) -> bool {
        self.0.iter().enumerate().all(|(index, group)| {
            let groups = self.0.get(index + 1..).unwrap_or_default();
            group.is_deterministic(first_of_groups(groups))
        })
    }
}

impl Group {
    /// Consumes a match of the group from the front of a text. Returns whether there is one.
    fn consume(&self, rest: &mut &str) -> bool {
        let mut count = 0;
        while count < self.repeat.max && (self.repeat == ONCE || self.begins(rest)) {
            if !self.pieces.iter().all(|piece| piece.consume(rest)) {
                return false;
            }
            count += 1;
        }
        count >= self.repeat.min
    }

    /// Whether the first character of a text can begin the group.
    fn begins(&self, rest: &str) -> bool {
        let first = rest.chars().next();
        first.is_some_and(|first| self.first().has(first))
    }

    /// The characters that the group can begin with. A group that repeats begins with its first
    /// piece.
    fn first(&self) -> Class {
        first_of_pieces(&self.pieces)
    }

    /// Whether the next character decides where the group ends. `after` is the class of the
    /// characters that may follow it.
    fn is_deterministic(&self, after: Class) -> bool {
        if self.repeat.varies() && !self.first().is_disjoint(after) {
            return false;
        }
        self.pieces.iter().enumerate().all(|(index, piece)| {
            let pieces = self.pieces.get(index + 1..).unwrap_or_default();
            let mut follows = first_of_pieces(pieces);
            if pieces.iter().all(|piece| piece.repeat.min == 0) {
                follows = follows.union(after);
                if self.repeat.max > 1 {
                    follows = follows.union(self.first());
                }
            }
            !piece.repeat.varies() || piece.class.is_disjoint(follows)
        })
    }
}

impl Piece {
    fn consume(&self, rest: &mut &str) -> bool {
        let mut chars = rest.chars();
        let mut count = 0;
        while count < self.repeat.max {
            let before = chars.as_str();
            match chars.next() {
                Some(char) if self.class.has(char) => count += 1,
                _ => {
                    *rest = before;
                    return count >= self.repeat.min;
                }
            }
        }
        *rest = chars.as_str();
        true
    }
}

impl Repeat {
    fn varies(self) -> bool {
        self.min != self.max
    }
}

impl Class {
    fn of(byte: u8) -> Class {
        Class {
            ascii: 1 << byte,
            others: false,
        }
    }

    fn has(self, char: char) -> bool {
        match u32::from(char) {
            code @ 0..128 => self.ascii & (1 << code) != 0,
            _ => self.others,
        }
    }

    fn union(self, other: Class) -> Class {
        Class {
            ascii: self.ascii | other.ascii,
            others: self.others || other.others,
        }
    }

    fn is_disjoint(self, other: Class) -> bool {
        self.ascii & other.ascii == 0 && !(self.others && other.others)
    }
}

/// The characters that a match of the pieces can begin with.
fn first_of_pieces(pieces: &[Piece]) -> Class {
    let mut first = NOTHING;
    for piece in pieces {
        first = first.union(piece.class);
        if piece.repeat.min > 0 {
            break;
        }
    }
    first
}

/// The characters that a match of the groups can begin with.
fn first_of_groups(groups: &[Group]) -> Class {
    let mut first = NOTHING;
    for group in groups {
        first = first.union(group.first());
        let some = group.pieces.iter().any(|piece| piece.repeat.min > 0);
        if group.repeat.min > 0 && some {
            break;
        }
    }
    first
}

/// Parses a piece, or a group in parentheses, at the front of an expression. A group without
/// a quantifier needs no parentheses.
fn group(rest: &mut &str) -> Option<Vec<Group>> {
    let Some(inner) = rest.strip_prefix('(') else {
        return Some(vec![alone(piece(rest)?)]);
    };
    *rest = inner.strip_prefix("?:").unwrap_or(inner);
    let mut pieces = Vec::new();
    while !rest.starts_with(')') {
        pieces.push(piece(rest)?);
    }
    *rest = rest.get(1..)?;
    let repeat = quantifier(rest)?;
    if repeat == ONCE {
        return Some(pieces.into_iter().map(alone).collect());
    }
    // The first character of a group has to decide whether it repeats.
    let first = pieces.first()?;
    (first.repeat.min > 0).then(|| vec![Group { pieces, repeat }])
}

fn alone(piece: Piece) -> Group {
    Group {
        pieces: vec![piece],
        repeat: ONCE,
    }
}

/// Parses a class or a character at the front, with its quantifier.
fn piece(rest: &mut &str) -> Option<Piece> {
    let class = match rest.strip_prefix('[') {
        Some(inner) => {
            *rest = inner;
            class(rest)?
        }
        None => Class::of(character(rest)?),
    };
    let repeat = quantifier(rest)?;
    Some(Piece { class, repeat })
}

/// Parses the rest of a class of ASCII characters at the front.
fn class(rest: &mut &str) -> Option<Class> {
    let negated = rest.starts_with('^');
    if negated {
        *rest = rest.get(1..)?;
    }
    let mut ascii: u128 = 0;
    // At the beginning, `-` is an ordinary character.
    if rest.starts_with('-') && !rest.starts_with("--") {
        ascii |= 1 << b'-';
        *rest = rest.get(1..)?;
    }
    while !rest.starts_with(']') {
        let first = class_character(rest)?;
        let is_range = rest.starts_with('-') && !rest.starts_with("-]");
        let last = match is_range {
            true => {
                *rest = rest.get(1..)?;
                class_character(rest)?
            }
            false => first,
        };
        if last < first {
            return None;
        }
        for byte in first..=last {
            ascii |= 1 << byte;
        }
    }
    *rest = rest.get(1..)?;
    Some(Class {
        ascii: if negated { !ascii } else { ascii },
        others: negated,
    })
}

/// Parses one character of a class at the front. `None` for an escaped class and for an
/// operator.
fn class_character(rest: &mut &str) -> Option<u8> {
    let plain = |byte: u8| !matches!(byte, b'[' | b'^' | b'&');
    match rest.bytes().next()? {
        b'\\' => escaped(rest),
        // At the end it is ordinary, too.
        b'-' if !rest.starts_with("-]") => None,
        byte if byte.is_ascii() && plain(byte) => {
            *rest = rest.get(1..)?;
            Some(byte)
        }
        _ => None,
    }
}

/// Parses one character outside of classes at the front. `None` for an operator.
fn character(rest: &mut &str) -> Option<u8> {
    match rest.bytes().next()? {
        b'\\' => escaped(rest).filter(|byte| *byte != b'-'),
        byte if byte.is_ascii() && !b"^$.*+?()[]{}|".contains(&byte) => {
            *rest = rest.get(1..)?;
            Some(byte)
        }
        _ => None,
    }
}

/// Parses an escaped character at the front.
fn escaped(rest: &mut &str) -> Option<u8> {
    let hexadecimal = |to: usize| {
        let digits = rest.get(2..to)?;
        let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u8::from_str_radix(digits, 16).ok().filter(|_| all)
    };
    let (code, length) = match rest.as_bytes().get(1).copied()? {
        b'x' => (hexadecimal(4)?, 4),
        b'u' => (hexadecimal(6)?, 6),
        sign if b"-./\\[]^$|*+?(){}".contains(&sign) => (sign, 2),
        _ => return None,
    };
    *rest = rest.get(length..)?;
    code.is_ascii().then_some(code)
}

/// Parses a quantifier, `{1,1}` if there is none. Lazy quantifiers are unsupported.
fn quantifier(rest: &mut &str) -> Option<Repeat> {
    let of = |min, max| Repeat { min, max };
    let (repeat, length) = match rest.bytes().next() {
        Some(b'*') => (of(0, usize::MAX), 1),
        Some(b'+') => (of(1, usize::MAX), 1),
        Some(b'?') => (of(0, 1), 1),
        Some(b'{') => {
            let end = rest.find('}')?;
            let counts = rest.get(1..end)?;
            let repeat = match counts.split_once(',') {
                None => of(number(counts)?, number(counts)?),
                Some((min, "")) => of(number(min)?, usize::MAX),
                Some((min, max)) => of(number(min)?, number(max)?),
            };
            (repeat, end + 1)
        }
        _ => return Some(ONCE),
    };
    *rest = rest.get(length..)?;
    (repeat.min <= repeat.max && !rest.starts_with('?')).then_some(repeat)
}

fn number(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// The expression as an engine of ECMA 262 has it.
    fn expression(source: &str) -> Option<regress::Regex> {
        let unicode = regress::Regex::with_flags(source, "u");
        unicode.or_else(|_| regress::Regex::new(source)).ok()
    }

    const TEXTS: [&str; 36] = [
        "",
        "a",
        "-",
        "A-b",
        "abcd",
        "12",
        "1",
        "BC",
        "BCD",
        "é",
        "😀",
        "a\n",
        "\n",
        "a b",
        "\u{0}",
        "\u{7f}",
        "a.b",
        "\\",
        "BG",
        "~",
        " ",
        "en",
        "en-GB",
        "en_US-x-y",
        "en-",
        "1.2.3",
        "1..2",
        "1.",
        "a|1.2",
        "-17",
        "--1",
        "sk-abc",
        "\"12\"",
        "{ name : /a/ }",
        "abcdefghi",
        "zh-Hant-TW",
    ];

    #[test]
    fn a_pattern_matches_as_an_engine_does() {
        let patterns = [
            "^$",
            r"^[^\u0000-\u001F\u007F]*$",
            "^[A-Za-z0-9_-]+$",
            r"^[^\u0000]+$",
            r"^[\x21-\x7E]+$",
            "^[BCDFG]{2}$",
            "^[A-Za-z0-9_.-]{1,3}$",
            "^[0-9]{2,}$",
            r"^[a\-\\]*$",
            "^[-a][a-]?$",
            "^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$",
            r"^[0-9]+(\.[0-9]+)*$",
            r"^[A-Za-z0-9_.-]{1,100}\|[0-9]+(\.[0-9]+)*$",
            "^-?[0-9]{1,18}$",
            "^sk-[a-z]{3}$",
            "^\"[0-9]+\"$",
            r"^ {0,9}[{] {0,9}name {0,9}: {0,9}/[^\u0000/]{1,200}/ {0,9}[}] {0,9}$",
            "^[a-z]?$",
            "^(?:ab){2}c?$",
            "^(a)b$",
            "^([0-9]{2}a?){1,2}$",
        ];
        for pattern in patterns {
            let one_pass = OnePassPattern::parse(pattern).unwrap_or_else(|| panic!("{pattern}"));
            let whole = expression(pattern).expect("an expression");
            for text in TEXTS {
                let expected = whole.find(text).is_some();
                assert_eq!(one_pass.is_match(text), expected, "{pattern} {text:?}");
            }
        }
    }

    #[test]
    fn everything_else_is_left_to_the_engine() {
        for pattern in [
            "[a-z]+",
            "^[a-z]+",
            r"^[\d]+$",
            r"^[\p{L}]+$",
            "^[é]+$",
            "^é$",
            "^[a-z]{1,2}|b$",
            "^[z-a]+$",
            "^[a-z]*?$",
            "^.$",
            "^a{2,1}$",
            "^(a|b)$",
            "^((a))$",
            "^(?=a)a$",
            r"^\d$",
            r"^(a)\1$",
            // The next character does not decide whether the class repeats.
            "^[a-z]*a$",
            "^[a-z]*[0-9]?a$",
            "^(ab)*a$",
            "^([0-9]+){1,2}$",
            "^(a?)*$",
        ] {
            assert!(OnePassPattern::parse(pattern).is_none(), "{pattern}");
        }
    }

    fn pieces() -> BoxedStrategy<String> {
        let class = select(vec!["[ab]", "[0-9]", "[^a]", "a", "b", "-", r"\.", "[b-]"]);
        let repeat = select(vec!["", "", "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}"]);
        let piece = (class, repeat).prop_map(|(class, repeat)| format!("{class}{repeat}"));
        proptest::collection::vec(piece, 1..4)
            .prop_map(|pieces| pieces.concat())
            .boxed()
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: ProptestConfig::default().cases.max(2000),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn any_pattern_matches_as_an_engine_does(
            before in pieces(),
            group in pieces(),
            repeat in select(vec!["", "*", "+", "?", "{2}", "{1,3}"]),
            after in pieces(),
            texts in proptest::collection::vec("[ab0.é-]{0,9}", 12),
        ) {
            for pattern in [
                format!("^{before}$"),
                format!("^({group}){repeat}$"),
                format!("^{before}({group}){repeat}{after}$"),
            ] {
                let Some(one_pass) = OnePassPattern::parse(&pattern) else {
                    continue;
                };
                let whole = expression(&pattern).expect("an expression");
                for text in &texts {
                    let expected = whole.find(text).is_some();
                    prop_assert_eq!(one_pass.is_match(text), expected, "{} {:?}", pattern, text);
                }
            }
        }
    }
}
