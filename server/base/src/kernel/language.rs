//! The languages of mails and pages, and the choice of one of them.
//!
//! All of them are written from left to right.

/// Every language: its tag (RFC 5646), and its own name.
pub const LANGUAGES: [(&str, &str); 7] = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("it", "Italiano"),
    ("nb", "Norsk"),
    ("nl", "Nederlands"),
];

/// The language for everybody whose own language is not available.
pub const FALLBACK: &str = "en";

/// The available language for a tag such as `en-GB` or `nn_NO`.
pub fn available(tag: &str) -> &'static str {
    find(tag).unwrap_or(FALLBACK)
}

/// The available language that the header `Accept-Language` prefers (RFC 9110, section 12.5.4). Of
/// languages with the same weight, the first one counts.
pub fn accepted(header: &str) -> &'static str {
    let (mut best, mut highest) = (FALLBACK, 0.0);
    for range in header.split(',') {
        let (tag, weight) = range.split_once(';').unwrap_or((range, "q=1"));
        let weight = weight.split_once('=').map_or("", |(_, weight)| weight);
        let weight: f32 = weight.trim().parse().unwrap_or(0.0);
        if let Some(language) = find(tag.trim())
            && weight > highest
        {
            (best, highest) = (language, weight);
        }
    }
    best
}

fn find(tag: &str) -> Option<&'static str> {
    let primary = tag.split(['-', '_']).next().unwrap_or_default();
    let primary = match primary.to_ascii_lowercase() {
        norwegian if norwegian == "no" || norwegian == "nn" => "nb".to_owned(),
        other => other,
    };
    let mut tags = LANGUAGES.iter().map(|(tag, _)| *tag);
    tags.find(|tag| *tag == primary)
}

/// Replaces the placeholders, such as `{name}`, in one pass: placeholders in the values stay
/// unchanged.
pub fn fill<'a>(sentence: &str, value: impl Fn(&str) -> &'a str) -> String {
    let mut text = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (place, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(value(place));
        rest = after;
    }
    text + rest
}

/// The placeholders of a sentence, each once, for tests of translations.
pub fn places(sentence: &str) -> Vec<&str> {
    let parts = sentence.split('{').skip(1);
    let mut places: Vec<_> = parts.filter_map(|part| part.split('}').next()).collect();
    places.sort_unstable();
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_found_by_its_first_part_and_english_is_the_default() {
        let found = ["de-AT", "FR", "en_US", "nn-NO", "no", "tlh", "", "-"].map(available);
        assert_eq!(found, ["de", "fr", "en", "nb", "nb", "en", "en", "en"]);
    }

    #[test]
    fn the_language_with_the_highest_weight_is_accepted() {
        for (header, language) in [
            ("", "en"),
            ("*", "en"),
            ("de", "de"),
            ("da, nl;q=0.8, fr;q=0.9", "fr"),
            ("de;q=0.5,it;q=0.5", "de"),
            ("es ; q=0.1", "es"),
            ("nn-NO,no;q=0.9,en;q=0.8", "nb"),
            ("de;q=0, it;q=x, ;;,", "en"),
            ("zh-CN,zh;q=0.9", "en"),
        ] {
            assert_eq!(accepted(header), language, "{header}");
        }
    }

    #[test]
    fn values_are_not_expanded() {
        let filled = fill("{a} and {b}{c}, {", |place| match place {
            "a" => "{b}",
            "b" => "2",
            _ => "",
        });
        assert_eq!(filled, "{b} and 2, ");
    }
}
