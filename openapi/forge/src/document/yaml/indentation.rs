//! Lines that are indented by a step that no other line has.

/// The help for a syntax error whose line, counted from 1, is indented wrongly.
pub(super) fn help(content: &str, line: usize) -> Option<String> {
    let lines: Vec<&str> = content.lines().take(line).collect();
    let (wrong, before) = lines.split_last()?;
    let indentation = width(wrong);
    let mut above = before
        .iter()
        .rev()
        .filter(|line| !is_empty(line) && !line.trim_start().starts_with('#'));
    let previous = above.next()?;
    let expected = match width(previous) {
        same if same == indentation => return None,
        less if less < indentation => {
            let text = previous.split(" #").next().unwrap_or_default();
            let opens = text.trim_end().ends_with([':', '|', '>', '-']);
            let key = width_of_key(previous);
            (!opens && key != indentation).then_some(key)?
        }
        more => {
            let outer = above.find(|line| width(line) <= indentation)?;
            let is_known = [width(outer), width_of_key(outer)].contains(&indentation);
            (!is_known).then_some(more)?
        }
    };
    Some(format!(
        "line {line} is indented by {}, but its neighbor by {expected}: indent the keys of one object alike",
        match indentation {
            1 => "1 space".to_owned(),
            count => format!("{count} spaces"),
        }
    ))
}

fn is_empty(line: &str) -> bool {
    line.trim().is_empty()
}

/// The number of spaces before the text of a line.
pub(super) fn width(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The column of a key, which may follow dashes.
fn width_of_key(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '-']).len()
}

#[cfg(test)]
mod tests {
    use super::help;

    #[test]
    fn a_line_beside_its_neighbors_is_named() {
        let deeper = "a:\n  b: 1\n   c: 2\n";
        let expected = "line 3 is indented by 3 spaces, but its neighbor by 2: indent the keys of one object alike";
        assert_eq!(help(deeper, 3).as_deref(), Some(expected));
        let between = "a:\n  b:\n    c: 1\n   d: 2\n";
        assert!(
            help(between, 4)
                .is_some_and(|help| help.contains("by 3 spaces, but its neighbor by 4"))
        );
        let after_a_dash = "a:\n  - b: 1\n     c: 2\n";
        assert!(
            help(after_a_dash, 3)
                .is_some_and(|help| help.contains("by 5 spaces, but its neighbor by 4"))
        );
    }

    #[test]
    fn lines_in_their_place_have_no_such_help() {
        for right in [
            "a:\n  b: 1\n  c: 2\n",
            "a:\n  b: 1\nc: 2\n",
            "a:\n  - b: 1\n    c: 2\n",
            "a:\n  b:\n\n    # text\n    c: 2\n",
            "a:\n  b: # text\n    c: 2\n",
            "c: 2\n",
        ] {
            let last = right.lines().count();
            assert_eq!(help(right, last), None, "{right}");
        }
        assert_eq!(help("", 1), None);
    }
}
