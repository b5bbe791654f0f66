//! A page of the patterns of a project, ordered and filtered.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::catalog::Project;
use super::error::PatternError;
use super::pattern::{COLUMNS, Pattern, from_row};
use crate::params;
use crate::store::{Tx, Value, containing, cut_page};

/// The patterns to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// Maximum number of patterns of the page.
    pub limit: i32,
    /// Number of patterns of the whole list to skip.
    pub offset: i32,
    /// The order of the whole list.
    pub order: Order,
    /// The filter by name.
    pub filter: Option<Filter>,
    /// The place after which to continue.
    pub after: Option<Cursor>,
}

/// A place in a list, between two patterns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    order: Order,
    /// When the pattern before it was last changed, in Unix milliseconds.
    updated_at: i64,
    sort_key: Vec<u8>,
}

impl Cursor {
    fn after(pattern: &Pattern, order: Order) -> Cursor {
        Cursor {
            order,
            updated_at: pattern.updated.0.timestamp_millis(),
            sort_key: pattern.sort_key(),
        }
    }

    /// Parses the text of [`Cursor::fmt`](std::fmt::Display::fmt) for a list of this order.
    /// `None` for any other text.
    pub fn parse(text: &str, order: Order) -> Option<Cursor> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (first, rest) = bytes.split_first()?;
        let (updated_at, sort_key) = rest.split_first_chunk()?;
        (*first == order.letter()).then(|| Cursor {
            order,
            updated_at: i64::from_be_bytes(*updated_at),
            sort_key: sort_key.to_vec(),
        })
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut bytes = vec![self.order.letter()];
        bytes.extend(self.updated_at.to_be_bytes());
        bytes.extend(&self.sort_key);
        f.write_str(&URL_SAFE_NO_PAD.encode(bytes))
    }
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By name without regard to case, then by code and version.
    Name,
    /// The latest update first, then by name.
    Time,
}

impl Order {
    fn letter(self) -> u8 {
        match self {
            Order::Name => b'n',
            Order::Time => b't',
        }
    }
}

/// A filter by name: `{name: /TEXT/}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// The text that names must contain, in lower case.
    contains: String,
}

impl Filter {
    /// Parses a filter. `None` for a text of another form.
    pub fn parse(text: &str) -> Option<Self> {
        let member = text
            .trim_matches(' ')
            .strip_prefix('{')?
            .strip_suffix('}')?;
        let (name, value) = member.split_once(':')?;
        let wanted = value
            .trim_matches(' ')
            .strip_prefix('/')?
            .strip_suffix('/')?;
        let well_formed =
            name.trim_matches(' ') == "name" && !wanted.is_empty() && !wanted.contains('\0');
        well_formed.then(|| Filter {
            contains: wanted.to_lowercase(),
        })
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The project.
    pub project: Project,
    /// The patterns of this page.
    pub patterns: Vec<Pattern>,
    /// The number of patterns in the whole list.
    pub total: i64,
    /// The beginning of the next page, if more patterns follow.
    pub next: Option<Cursor>,
}

/// Lists patterns of a project.
///
/// # Errors
///
/// When the store fails.
pub fn list(
    tx: &mut Tx<'_>,
    project: Project,
    selection: &Selection,
) -> Result<Page, PatternError> {
    let mut parameters = params![&project.id].to_vec();
    let mut condition = "project_id = $1".to_owned();
    if let Some(filter) = &selection.filter {
        condition += " AND name_key LIKE $2 ESCAPE '!'";
        parameters.push(Value::from(containing(&filter.contains)));
    }
    let total = tx.query_integer(
        &format!("SELECT COUNT(*) FROM agent_patterns WHERE {condition}"),
        &parameters,
    )?;
    let order = match selection.order {
        Order::Name => "sort_key",
        Order::Time => "updated_at DESC, sort_key",
    };
    if let Some(cursor) = &selection.after {
        parameters.push(Value::from(cursor.sort_key.clone()));
        let key = parameters.len();
        condition += &match selection.order {
            Order::Name => format!(" AND sort_key > ${key}"),
            Order::Time => {
                parameters.push(Value::from(cursor.updated_at));
                let time = parameters.len();
                format!(
                    " AND (updated_at < ${time} OR (updated_at = ${time} AND sort_key > ${key}))"
                )
            }
        };
    }
    // PostgreSQL caches a prepared statement for each SQL text, so the caller's numbers are
    // parameters.
    let limit = i64::from(selection.limit);
    parameters.push(Value::from(limit + 1));
    let limit_at = parameters.len();
    parameters.push(Value::from(i64::from(selection.offset)));
    let offset_at = parameters.len();
    let patterns = tx
        .query(
            &format!(
                "SELECT {COLUMNS} FROM agent_patterns WHERE {condition} \
                 ORDER BY {order} LIMIT ${limit_at} OFFSET ${offset_at}"
            ),
            &parameters,
        )?
        .iter()
        .map(|row| from_row(row, &project))
        .collect::<Result<Vec<_>, _>>()?;
    let (patterns, more) = cut_page(patterns, limit);
    let last = patterns.last().filter(|_| more);
    Ok(Page {
        next: last.map(|last| Cursor::after(last, selection.order)),
        project,
        patterns,
        total,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_read_with_and_without_spaces() {
        for text in [
            "{name: /Triage/}",
            "{name:/triage/}",
            " { name : /TRIAGE/ } ",
        ] {
            assert_eq!(Filter::parse(text).unwrap().contains, "triage", "{text:?}");
        }
        assert_eq!(Filter::parse("{name: /a/b/}").unwrap().contains, "a/b");
    }

    #[test]
    fn a_text_of_another_form_is_not_a_filter() {
        for text in [
            "",
            "triage",
            "{}",
            "{name}",
            "{name: triage}",
            "{name: //}",
            "{code: /x/}",
            "{name: /}",
            "name: /x/",
        ] {
            assert_eq!(Filter::parse(text), None, "{text:?}");
        }
    }
}
