//! Formats the YAML of the contract.
//!
//! `pretty_yaml` decides on quotes, indentation and line breaks. It leaves the choice
//! between block and flow style to authors, so [`short`] makes that choice first. The
//! formatted text must parse to the same values as before.

mod short;

use anyhow::{Context, ensure};
use dropforge::check::lint::Rule;
use dropforge::document::{Diagnostic, Source, Span};
use pretty_yaml::config::{
    FormatOptions, LanguageOptions, LayoutOptions, LineBreak, ProseWrap, Quotes,
};

use crate::repository;

/// Columns of a line. Longer text stays as it is.
const WIDTH: usize = 120;

/// The rule of `cargo xtask lint` about the YAML of the contract.
pub(crate) const RULE: Rule = Rule {
    id: "unformatted",
    asks: "The YAML of the contract is formatted by `cargo xtask format`.",
};

/// Formats the text of a YAML file.
///
/// # Errors
///
/// The file is not YAML, or formatting would change its meaning.
pub(crate) fn format(source: &Source) -> anyhow::Result<String> {
    let name = &source.name;
    let meaning = meaning(name, &source.text)?;
    // The first pass can move a value onto the line of its key, so that another value
    // fits into a line.
    let once = pass(name, &source.text)?;
    let formatted = pass(name, &once)?;
    ensure!(
        pass(name, &formatted)? == formatted,
        "{name}: the formatting is not stable; report this with the file"
    );
    ensure!(
        self::meaning(name, &formatted)? == meaning,
        "{name}: formatting would change its values; report this with the file"
    );
    Ok(formatted)
}

fn pass(name: &str, text: &str) -> anyhow::Result<String> {
    let document = repository::load_text(name, text)?;
    let short = short::shorten(&document, WIDTH);
    pretty_yaml::format_text(&short, &options()).with_context(|| format!("{name} is not YAML"))
}

/// All values with their keys, in order.
fn meaning(name: &str, text: &str) -> anyhow::Result<String> {
    Ok(repository::load_text(name, text)?.to_json().to_string())
}

fn options() -> FormatOptions {
    FormatOptions {
        layout: LayoutOptions {
            print_width: WIDTH,
            indent_width: 2,
            line_break: LineBreak::Lf,
        },
        language: LanguageOptions {
            quotes: Quotes::PreferDouble,
            brace_spacing: false,
            bracket_spacing: false,
            flow_sequence_prefer_single_line: Some(true),
            flow_map_prefer_single_line: Some(true),
            format_comments: false,
            indent_block_sequence_in_map: true,
            prose_wrap: ProseWrap::Preserve,
            ..LanguageOptions::default()
        },
    }
}

/// The finding about a file that is not formatted, at the first line that differs.
pub(crate) fn finding(source: &Source, formatted: &str) -> Option<Diagnostic> {
    if source.text == formatted {
        return None;
    }
    let mut start = 0;
    let mut expected = formatted.split_inclusive('\n');
    for line in source.text.split_inclusive('\n') {
        let wanted = expected.next();
        if wanted == Some(line) {
            start += line.len();
            continue;
        }
        return Some(at(start, line, wanted));
    }
    Some(at(start, "", expected.next()))
}

/// The finding about a line at this offset.
fn at(start: usize, line: &str, wanted: Option<&str>) -> Diagnostic {
    let span = Span::new(start, start + line.trim_end().len());
    let effect = match wanted.map(str::trim).unwrap_or_default() {
        "" => "it removes this line".to_owned(),
        // The line would look the same.
        wanted if wanted == line.trim_start_matches('\u{feff}').trim() => {
            "it changes only blanks, line breaks or a byte order mark".to_owned()
        }
        wanted => format!("the line becomes `{wanted}`"),
    };
    Diagnostic::error(RULE.id, span, "the file is not formatted")
        .label("the first line that differs")
        .help(format!("run `cargo xtask format`; {effect}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(text: &str) -> String {
        format(&Source::new("x.yaml", text)).expect("YAML")
    }

    #[test]
    fn quotes_indentation_and_single_members_have_one_form() {
        let text = "\
# Stays.
openapi: '3.0.3'
paths:
    /user:
      get:
        tags:
        - Users
        security:
          - accessToken: []
        parameters:
        - $ref: '#/a'
        responses:
          '400':
            $ref: '#/components/responses/Wrong'
          '500':
            # Why.
            $ref: '#/components/responses/Failed'
        description: |-
          Two   lines,
            kept.
";
        let expected = "\
# Stays.
openapi: \"3.0.3\"
paths:
  /user:
    get:
      tags: [Users]
      security: [{accessToken: []}]
      parameters:
        - $ref: \"#/a\"
      responses:
        \"400\": {$ref: \"#/components/responses/Wrong\"}
        \"500\":
          # Why.
          $ref: \"#/components/responses/Failed\"
      description: |-
        Two   lines,
          kept.
";
        assert_eq!(formatted(text), expected);
        assert_eq!(formatted(expected), expected);
    }

    #[test]
    fn plain_text_with_signs_of_flow_style_stays_in_block_style() {
        let text = "\
tags:
  - name: Users, groups
paths:
  /user:
    $ref: user.yaml#/paths/~1user~1{id}
  /group:
    $ref: \"group.yaml#/paths/~1group~1{id}\"
";
        let group = "/group: {$ref: \"group.yaml#/paths/~1group~1{id}\"}";
        let expected = text.replace(
            "/group:\n    $ref: \"group.yaml#/paths/~1group~1{id}\"",
            group,
        );
        assert_eq!(formatted(text), expected);
    }

    #[test]
    fn a_finding_names_the_first_line_that_differs() {
        let source = Source::new("x.yaml", "a: 1\nb: 'x'\nc: 'y'\n");
        let finding = finding(&source, &formatted(&source.text)).expect("a finding");
        assert_eq!(&source.text[finding.span.start..finding.span.end], "b: 'x'");
        assert!(finding.help.is_some_and(|help| help.contains("`b: \"x\"`")));
    }

    #[test]
    fn a_difference_that_cannot_be_seen_is_explained() {
        for text in ["a: 1\r\nb: 2\r\n", "\u{feff}a: 1\nb: 2\n", "a: 1  \nb: 2\n"] {
            let source = Source::new("x.yaml", text);
            let finding = finding(&source, "a: 1\nb: 2\n").expect("a finding");
            let help = finding.help.expect("a help");
            assert!(
                help.ends_with("it changes only blanks, line breaks or a byte order mark"),
                "{help}"
            );
        }
    }

    #[test]
    fn a_formatted_file_has_no_finding() {
        let source = Source::new("x.yaml", "a: 1\nb: \"x\"\n");
        assert_eq!(finding(&source, &formatted(&source.text)), None);
    }
}
