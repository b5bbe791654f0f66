//! The maximum size of a policy, and the stack that parses it.
//!
//! Cedar parses, validates and evaluates a policy by recursion, and the policy's author decides the
//! depth. So this happens on a stack of known size, which is the same on every thread. A policy
//! that might need more is rejected before it is parsed.

/// The maximum of bytes of a policy.
const MAX_BYTES: usize = 64 << 10;
/// The maximum depth of brackets.
const MAX_DEPTH: usize = 32;
/// The maximum of operators, each of which can be nested in the one before.
const MAX_OPERATORS: usize = 2_000;
/// The size of the stack that parses policies. Only the used part takes memory.
const STACK: usize = 256 << 20;

/// Runs `body` on the stack that parses policies.
pub fn on_deep_stack<T>(body: impl FnOnce() -> T) -> T {
    stacker::grow(STACK, body)
}

/// Rejects a policy that may be too deep to parse.
///
/// # Errors
///
/// The part that is too large, and its position.
pub fn check(text: &str) -> Result<(), String> {
    if text.len() > MAX_BYTES {
        return Err(format!("it is larger than {MAX_BYTES} bytes"));
    }
    let (mut depth, mut operators) = (0usize, 0usize);
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        match character {
            '"' => {
                while let Some((_, character)) = characters.next() {
                    match character {
                        '"' => break,
                        '\\' => drop(characters.next()),
                        _ => {}
                    }
                }
            }
            '/' if next == Some('/') => {
                while characters
                    .next_if(|(_, character)| *character != '\n')
                    .is_some()
                {}
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '|' | '&' if next == Some(character) => operators += 1,
            '+' | '-' | '*' | '.' | '!' => operators += 1,
            // Each word that may be `if`, `has`, `like`, `is` or `in`.
            'i' | 'h' | 'l' if begins_operator(&text[at..]) => operators += 1,
            _ => {}
        }
        let message = if depth > MAX_DEPTH {
            format!("it has more than {MAX_DEPTH} brackets within each other")
        } else if operators > MAX_OPERATORS {
            format!(
                "it has more than {MAX_OPERATORS} operators; list entities in a set, such as \
                 resource in [Model::\"a\", Model::\"b\"]"
            )
        } else {
            continue;
        };
        let line = text[..at].lines().count().max(1);
        return Err(format!("line {line}: {message}"));
    }
    Ok(())
}

fn begins_operator(text: &str) -> bool {
    ["if", "has", "like", "is", "in"].iter().any(|word| {
        let rest = text.strip_prefix(word);
        rest.is_some_and(|rest| {
            !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> Option<String> {
        check(text).err()
    }

    #[test]
    fn a_policy_that_may_be_too_deep_is_refused_with_its_line() {
        let nested = |depth: usize| {
            let (open, close) = ("(".repeat(depth), ")".repeat(depth));
            format!("permit (principal, action, resource)\nwhen {{ {open}true{close} }};")
        };
        assert_eq!(complaint(&nested(30)), None);
        let message = complaint(&nested(100)).expect("too deep");
        assert_eq!(
            message,
            "line 2: it has more than 32 brackets within each other"
        );
        for operator in [" || true", " && true", " + 1", "-1", ".a", " has a", " if"] {
            assert!(complaint(&operator.repeat(2_001)).is_some(), "{operator}");
        }
        assert!(complaint(&"x".repeat(MAX_BYTES + 1)).is_some());
    }

    #[test]
    fn texts_and_comments_are_not_counted() {
        let brackets = "(".repeat(100);
        for text in [format!("\"\\\"{brackets}\""), format!("// {brackets}\n")] {
            assert_eq!(complaint(&text), None, "{text}");
        }
    }
}
