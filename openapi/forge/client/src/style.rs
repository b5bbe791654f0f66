//! Parameters in the styles of OpenAPI 3.0.3, section "Style Values".
//!
//! The text of a value is escaped, and the separators of its style are not, so that a server reads the same pieces. A
//! value that the style cannot represent is an error: a server would read another value.

use crate::escape::encode;
use serde_json::Value;

/// The style of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// `a,b` in paths and headers.
    Simple,
    /// `.a,b` in paths.
    Label,
    /// `;name=a,b` in paths.
    Matrix,
    /// `name=a&name=b` in queries and cookies.
    Form,
    /// `name=a%20b` in queries.
    SpaceDelimited,
    /// `name=a%7Cb` in queries.
    PipeDelimited,
    /// `name[key]=a` in queries.
    DeepObject,
}

/// The texts of a value.
enum Pieces {
    One(String),
    List(Vec<String>),
    /// An object; a member that is a list has several texts.
    Members(Vec<(String, Member)>),
}

enum Member {
    One(String),
    List(Vec<String>),
}

/// One segment of a path, or a part of one, escaped.
pub(crate) fn path(
    name: &str,
    value: &Value,
    style: Style,
    explode: bool,
) -> Result<String, String> {
    let key = encode(name);
    // A dot separates the elements of a label.
    let escaped = |text: &str| match style {
        Style::Label => encode(text).replace('.', "%2E"),
        _ => encode(text),
    };
    let (before, separator) = match (style, explode) {
        (Style::Label, true) => (".".to_owned(), "."),
        (Style::Label, false) => (".".to_owned(), ","),
        (Style::Matrix, true) => (";".to_owned(), ";"),
        (Style::Matrix, false) => (format!(";{key}="), ","),
        _ => (String::new(), ","),
    };
    let pieces = pieces(value)?;
    let text = match (style, explode, &pieces) {
        (Style::Matrix, true, Pieces::One(text)) => format!("{key}={}", escaped(text)),
        (Style::Matrix, true, Pieces::List(items)) => {
            let items = items.iter().map(|item| format!("{key}={}", escaped(item)));
            items.collect::<Vec<_>>().join(separator)
        }
        _ => joined(&pieces, separator, explode, &escaped)?,
    };
    let text = before + &text;
    if matches!(text.replace("%2E", ".").as_str(), "" | "." | "..") {
        return Err("a path cannot hold this value".to_owned());
    }
    Ok(text)
}

/// The value of a header.
pub(crate) fn header(value: &Value, explode: bool) -> Result<String, String> {
    let pieces = pieces(value)?;
    if let Pieces::One(text) = pieces {
        return Ok(text);
    }
    // Headers have no escapes, and the receiver strips spaces.
    let is_unfit = |text: &str| text.contains(',') || text.trim() != text;
    if texts(&pieces).into_iter().any(is_unfit) {
        return Err(
            "a header cannot hold a comma, or a space at an end, within an element".to_owned(),
        );
    }
    if let Pieces::Members(members) = &pieces
        && explode
        && members.iter().any(|(name, _)| name.contains('='))
    {
        return Err("a header cannot hold `=` in the name of a member".to_owned());
    }
    joined(&pieces, ",", explode, &str::to_owned)
}

/// Names and values of a query or of cookies, escaped by `escaped`.
pub(crate) fn pairs(
    name: &str,
    value: &Value,
    style: Style,
    explode: bool,
    escaped: &dyn Fn(&str) -> String,
) -> Result<Vec<(String, String)>, String> {
    let key = escaped(name);
    let (separator, reserved) = match style {
        Style::SpaceDelimited => ("%20", Some(' ')),
        Style::PipeDelimited => ("%7C", Some('|')),
        _ => (",", None),
    };
    let pieces = pieces(value)?;
    match pieces {
        Pieces::One(text) => Ok(vec![(key, escaped(&text))]),
        Pieces::List(items) if explode => Ok(items
            .iter()
            .map(|item| (key.clone(), escaped(item)))
            .collect()),
        Pieces::Members(members)
            if style == Style::DeepObject || explode && style == Style::Form =>
        {
            let deep = style == Style::DeepObject;
            let mut all = Vec::new();
            for (member, value) in members {
                let member = match deep {
                    true => format!("{key}%5B{}%5D", encode(&member)),
                    false => escaped(&member),
                };
                match value {
                    Member::One(text) => all.push((member, escaped(&text))),
                    Member::List(texts) => {
                        all.extend(texts.iter().map(|text| (member.clone(), escaped(text))));
                    }
                }
            }
            Ok(all)
        }
        pieces => {
            if let Some(reserved) = reserved
                && texts(&pieces).iter().any(|text| text.contains(reserved))
            {
                return Err(format!(
                    "its style cannot hold {reserved:?} within an element"
                ));
            }
            Ok(vec![(key, joined(&pieces, separator, explode, escaped)?)])
        }
    }
}

/// One text of all pieces. Members are `name=value` where they are exploded, and `name,value` where they are not.
fn joined(
    pieces: &Pieces,
    separator: &str,
    explode: bool,
    escaped: &dyn Fn(&str) -> String,
) -> Result<String, String> {
    let texts: Vec<String> = match pieces {
        Pieces::One(text) => return Ok(escaped(text)),
        // A list of one empty element would look like an empty list.
        Pieces::List(items) if items.len() == 1 && items[0].is_empty() => {
            return Err("its style cannot hold a list of one empty text".to_owned());
        }
        Pieces::List(items) => items.iter().map(|item| escaped(item)).collect(),
        Pieces::Members(members) => {
            let mut texts = Vec::new();
            for (name, member) in members {
                let Member::One(text) = member else {
                    return Err(format!(
                        "its style cannot hold the list in the member `{name}`"
                    ));
                };
                match explode {
                    true => texts.push(format!("{}={}", escaped(name), escaped(text))),
                    false => texts.extend([escaped(name), escaped(text)]),
                }
            }
            texts
        }
    };
    Ok(texts.join(separator))
}

/// All texts but those of lists in members, which [`joined`] refuses.
fn texts(pieces: &Pieces) -> Vec<&str> {
    match pieces {
        Pieces::One(text) => vec![text.as_str()],
        Pieces::List(items) => items.iter().map(String::as_str).collect(),
        Pieces::Members(members) => {
            let texts = members.iter().flat_map(|(name, member)| match member {
                Member::One(text) => [name.as_str(), text.as_str()],
                Member::List(_) => [name.as_str(), ""],
            });
            texts.collect()
        }
    }
}

fn pieces(value: &Value) -> Result<Pieces, String> {
    match value {
        Value::Array(items) => items
            .iter()
            .map(scalar)
            .collect::<Result<_, _>>()
            .map(Pieces::List),
        Value::Object(members) => {
            // A null member is treated as absent.
            let members = members.iter().filter(|(_, value)| !value.is_null());
            let members = members.map(|(name, value)| {
                let member = match value {
                    Value::Array(items) => {
                        Member::List(items.iter().map(scalar).collect::<Result<_, _>>()?)
                    }
                    value => Member::One(scalar(value)?),
                };
                Ok((name.clone(), member))
            });
            members.collect::<Result<_, String>>().map(Pieces::Members)
        }
        value => scalar(value).map(Pieces::One),
    }
}

fn scalar(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Bool(_) | Value::Number(_) => Ok(value.to_string()),
        Value::Null => Err("no style can hold null".to_owned()),
        Value::Array(_) | Value::Object(_) => {
            Err("no style can hold a list or an object within another".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_style_of_paths_is_written_as_openapi_lists_it() {
        let color = json!({"R": 100, "G": 200});
        let list = json!(["blue", "black"]);
        for (style, explode, value, expected) in [
            (Style::Simple, false, &list, "blue,black"),
            (Style::Simple, false, &color, "R,100,G,200"),
            (Style::Simple, true, &color, "R=100,G=200"),
            (Style::Label, false, &list, ".blue,black"),
            (Style::Label, true, &list, ".blue.black"),
            (Style::Label, false, &color, ".R,100,G,200"),
            (Style::Label, true, &color, ".R=100.G=200"),
            (Style::Label, false, &json!("blue"), ".blue"),
            (Style::Matrix, false, &list, ";color=blue,black"),
            (Style::Matrix, true, &list, ";color=blue;color=black"),
            (Style::Matrix, false, &color, ";color=R,100,G,200"),
            (Style::Matrix, true, &color, ";R=100;G=200"),
            (Style::Matrix, true, &json!("blue"), ";color=blue"),
        ] {
            assert_eq!(
                path("color", value, style, explode).as_deref(),
                Ok(expected)
            );
        }
    }

    #[test]
    fn every_style_of_queries_is_written_as_openapi_lists_it() {
        let color = json!({"R": 100, "G": 200, "B": null});
        let list = json!(["blue", "black"]);
        for (style, explode, value, expected) in [
            (Style::Form, true, &list, "color=blue&color=black"),
            (Style::Form, false, &list, "color=blue,black"),
            (Style::Form, true, &color, "R=100&G=200"),
            (Style::Form, false, &color, "color=R,100,G,200"),
            (Style::SpaceDelimited, false, &list, "color=blue%20black"),
            (Style::SpaceDelimited, true, &list, "color=blue&color=black"),
            (Style::PipeDelimited, false, &list, "color=blue%7Cblack"),
            (
                Style::PipeDelimited,
                false,
                &color,
                "color=R%7C100%7CG%7C200",
            ),
            (
                Style::DeepObject,
                true,
                &color,
                "color%5BR%5D=100&color%5BG%5D=200",
            ),
            (
                Style::DeepObject,
                true,
                &json!({"a": [1, 2]}),
                "color%5Ba%5D=1&color%5Ba%5D=2",
            ),
        ] {
            let pairs = pairs("color", value, style, explode, &encode)
                .expect("a value that can be written");
            let pairs: Vec<String> = pairs
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            assert_eq!(pairs.join("&"), expected);
        }
    }

    #[test]
    fn separators_within_a_value_are_escaped_or_refused() {
        let list = json!(["a,b", "c.d"]);
        assert_eq!(
            path("x", &list, Style::Simple, false).as_deref(),
            Ok("a%2Cb,c.d")
        );
        assert_eq!(
            path("x", &list, Style::Label, true).as_deref(),
            Ok(".a%2Cb.c%2Ed")
        );
        assert!(header(&list, false).is_err());
        for (style, text) in [
            (Style::SpaceDelimited, "a b"),
            (Style::PipeDelimited, "a|b"),
        ] {
            assert!(pairs("x", &json!([text, "c"]), style, false, &encode).is_err());
        }
        assert!(pairs("x", &json!([""]), Style::Form, false, &encode).is_err());
        assert!(
            pairs(
                "x",
                &json!({"a": {"b": 1}}),
                Style::DeepObject,
                true,
                &encode
            )
            .is_err()
        );
        for value in [json!("."), json!("")] {
            assert!(path("x", &value, Style::Label, false).is_err(), "{value}");
        }
    }
}
