//! Masks API keys in texts from outside.

/// The prefix of keys, here and at most providers.
const KEY: &str = "sk-";
/// The minimum length of a key, in bytes. A shorter text with the prefix proves nothing.
const MIN_KEY_LENGTH: usize = 16;
/// The replacement of a secret.
pub const MASK: &str = "…";

/// The text with each apparent API key replaced.
pub fn without_keys(text: &str) -> String {
    let of_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let mut safe = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(KEY) {
        let (before, here) = rest.split_at(at);
        let begins = !before.bytes().next_back().is_some_and(|byte| of_key(&byte));
        let length = here.bytes().take_while(of_key).count();
        safe.push_str(before);
        if begins && length >= MIN_KEY_LENGTH {
            safe.push_str(KEY);
            safe.push_str(MASK);
        } else {
            safe.push_str(&here[..length]);
        }
        rest = &here[length..];
    }
    safe.push_str(rest);
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_not_a_key_stays() {
        for text in [
            "sk-",
            "a task-oriented-conversation-model",
            "sk-learn",
            "ask sk-é-sk-",
        ] {
            assert_eq!(without_keys(text), text);
        }
        let key = "sk-proj-0123456789abcdef";
        assert_eq!(without_keys(&format!("({key}) {key}é")), "(sk-…) sk-…é");
    }
}
