//! The lines in the picture of the compiler's errors, which is out of date when one of them has changed.

/// A line that the picture shows.
#[derive(Debug, PartialEq)]
pub struct Shown {
    pub file: String,
    pub line: usize,
    pub text: String,
}

/// The lines of files in a drawing of the compiler's messages.
///
/// The compiler writes `--> file:line:column`, and below it `line | text`. Its marks of an
/// expression over several lines may stand before the text.
pub fn shown(drawing: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    let mut file = None;
    for line in text_of(drawing).lines().map(str::trim) {
        if let Some(place) = line.strip_prefix("--> ") {
            let mut parts = place.splitn(2, ':');
            file = parts.next().map(str::to_owned);
            // `cargo xtask check` adds `--> document:line | text`.
            found.extend(
                parts
                    .next()
                    .and_then(|rest| numbered(file.as_deref(), rest)),
            );
        } else {
            found.extend(numbered(file.as_deref(), line));
        }
    }
    found
}

/// Takes `line | text` apart.
fn numbered(file: Option<&str>, line: &str) -> Option<Shown> {
    let (number, text) = line.split_once(" | ")?;
    Some(Shown {
        file: file?.to_owned(),
        line: number.trim().parse().ok()?,
        text: text.trim_start_matches(['|', ' ']).trim_end().to_owned(),
    })
}

/// The text of a drawing without its elements.
fn text_of(drawing: &str) -> String {
    let outside = drawing.split('<').map(|part| match part.split_once('>') {
        Some((_, text)) => text,
        None => part,
    });
    let text: String = outside.collect();
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[test]
fn a_line_is_found_with_its_file() {
    let drawing = "<tspan>  --&gt; a.rs:7:3</tspan>\n<tspan>7 | |  .b(<b>c</b>)</tspan>\n\
                   <tspan> --&gt; openapi/a.yaml:2 | d: e</tspan>";
    let line = |file: &str, line, text: &str| Shown {
        file: file.to_owned(),
        line,
        text: text.to_owned(),
    };
    assert_eq!(
        shown(drawing),
        [line("a.rs", 7, ".b(c)"), line("openapi/a.yaml", 2, "d: e")]
    );
}
