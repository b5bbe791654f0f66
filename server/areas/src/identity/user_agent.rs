//! The header `User-Agent`: the text to store, and a name for people.
//!
//! Libraries that read the header carry databases of thousands of expressions. To distinguish
//! the browsers of one user, a dozen words are enough.

use http::{HeaderMap, header};

/// The maximum length of a stored text, in characters.
const MAX_LENGTH: usize = 300;
/// The maximum length of the name of a program.
const MAX_NAME: usize = 40;

/// Browsers, by a word that they send. The first match counts, because browsers also send the
/// words of browsers that they resemble.
const BROWSERS: [(&str, &str); 10] = [
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Systems, in the same way.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// The text to store: printable ASCII, up to a limit. `None` without any.
pub fn of(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::USER_AGENT)?;
    let printable = value.as_bytes().iter().map(|byte| char::from(*byte));
    let text: String = printable
        .filter(|c| matches!(c, ' '..='~'))
        .take(MAX_LENGTH)
        .collect();
    (!text.trim().is_empty()).then(|| text.trim().to_owned())
}

/// The name of a browser or program for people, such as `Firefox on Linux`. `None` if the text
/// names none.
pub fn name(text: &str) -> Option<String> {
    let find = |words: &[(&str, &'static str)]| {
        let mut words = words.iter();
        words
            .find(|(word, _)| text.contains(word))
            .map(|(_, name)| *name)
    };
    let program = || {
        let product = text.split(' ').next()?;
        let name: String = product.replace('/', " ").chars().take(MAX_NAME).collect();
        (!name.starts_with("Mozilla")).then_some(name)
    };
    let browser = text.starts_with("Mozilla/").then(|| find(&BROWSERS));
    let name = browser.flatten().map(str::to_owned).or_else(program);
    match (name, find(&SYSTEMS)) {
        (Some(name), Some(system)) => Some(format!("{name} on {system}")),
        (name, system) => name.or_else(|| system.map(|system| format!("A browser on {system}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_browser_and_the_system() {
        for (text, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
                Some("Firefox on Linux"),
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
                Some("Edge on Windows"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
                Some("Safari on iPhone"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/142.0.0.0 Mobile Safari/537.36",
                Some("Chrome on Android"),
            ),
            ("accord/0.1.0", Some("accord 0.1.0")),
            ("curl/8.14.1", Some("curl 8.14.1")),
            ("Mozilla/5.0 (Linux)", Some("A browser on Linux")),
            ("Mozilla/5.0", None),
        ] {
            assert_eq!(name(text).as_deref(), expected, "{text}");
        }
        assert!(name(&"x".repeat(300)).is_some_and(|name| name.len() == MAX_NAME));
    }

    #[test]
    fn a_stored_text_is_printable_and_short() {
        let of = |value: &[u8]| {
            let value = http::HeaderValue::from_bytes(value).unwrap();
            super::of(&HeaderMap::from_iter([(header::USER_AGENT, value)]))
        };
        assert_eq!(of(b"a\xff\tb "), Some("ab".to_owned()));
        assert_eq!(of(b"\t "), None);
        assert_eq!(of(&[b'x'; 2000]).map(|text| text.len()), Some(MAX_LENGTH));
        assert_eq!(super::of(&HeaderMap::new()), None);
    }
}
