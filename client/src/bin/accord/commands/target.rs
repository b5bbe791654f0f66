//! The target of a request: an operation of a document, or a method and a path.

use accord_client::{Area, Operation, accounts, identity, inference, patterns, reqwest::Method};

/// The areas, with their names and operations.
const AREAS: [(&str, Area, &[Operation]); 4] = [
    ("accounts", Area::Accounts, accounts::OPERATIONS),
    ("identity", Area::Identity, identity::OPERATIONS),
    ("inference", Area::Inference, inference::OPERATIONS),
    ("patterns", Area::Patterns, patterns::OPERATIONS),
];

/// The target of a request.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) method: Method,
    pub(super) area: Area,
    pub(super) path: String,
    pub(super) query: Vec<(String, String)>,
}

impl Target {
    /// Parses the arguments: an operation with its parameters, or a method with the area and the path. The error says
    /// which argument is wrong.
    pub(super) fn parse(first: &str, rest: &[String]) -> Result<Self, String> {
        let mut operations = AREAS.iter().flat_map(|(_, area, operations)| {
            operations.iter().map(move |operation| (*area, operation))
        });
        match operations.find(|(_, operation)| operation.id == first) {
            Some((area, operation)) => Self::of_operation(area, operation, rest),
            None => Self::of_path(first, rest),
        }
    }

    fn of_operation(area: Area, operation: &Operation, rest: &[String]) -> Result<Self, String> {
        let mut path = operation.path.to_owned();
        let mut query = Vec::new();
        for text in rest {
            let (name, value) = parameter(text).map_err(|form| format!("{text}: {form}"))?;
            let variable = format!("{{{name}}}");
            match path.contains(&variable) {
                true => path = path.replace(&variable, &segment(&name, &value)?),
                false => query.push((name, value)),
            }
        }
        if let Some((_, missing)) = path.split_once('{') {
            let name = missing.split('}').next().unwrap_or_default();
            return Err(format!("{} needs {name}=VALUE", operation.id));
        }
        let method = operation.method.parse();
        Ok(Self {
            method: method.map_err(|_| format!("{} has no method", operation.id))?,
            area,
            path,
            query,
        })
    }

    fn of_path(method: &str, rest: &[String]) -> Result<Self, String> {
        let [area, path] = rest else {
            // An operation begins with a small letter.
            return Err(match method.bytes().all(|byte| byte.is_ascii_uppercase()) {
                true => format!("{method} needs an area and a path, such as inference /apikeys"),
                false => format!(
                    "{method} is not an operation; write an operation, or a method, an area and a path"
                ),
            });
        };
        let found = AREAS.iter().find(|(name, ..)| name == area);
        let (_, area, _) = found.ok_or_else(|| {
            let names = AREAS.map(|(name, ..)| name).join(", ");
            format!("{area} is not an area; write one of {names}")
        })?;
        let method = method.to_ascii_uppercase().parse();
        Ok(Self {
            method: method.map_err(|_| "write a method, such as GET".to_owned())?,
            area: *area,
            path: path.to_owned(),
            query: Vec::new(),
        })
    }
}

/// A parameter that a person writes: NAME=VALUE.
pub(super) fn parameter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// A value as one segment of a path.
fn segment(name: &str, value: &str) -> Result<String, String> {
    // A URL parser removes these segments, also if they are encoded.
    if matches!(value, "" | "." | "..") {
        return Err(format!("{name} is in the path, and cannot be {value:?}"));
    }
    let mut segment = String::new();
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                segment.push(char::from(byte));
            }
            other => segment += &format!("%{other:02X}"),
        }
    }
    Ok(segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(first: &str, rest: &[&str]) -> Result<Target, String> {
        let rest: Vec<String> = rest.iter().map(|text| (*text).to_owned()).collect();
        Target::parse(first, &rest)
    }

    #[test]
    fn a_value_is_in_the_path_or_in_the_query() {
        let target = parse(
            "getPattern",
            &["projectId=a b", "id=X|1", "integrationInstance=i=1"],
        );
        let target = target.expect("a target");
        assert!(
            target.path.contains("a%20b") && target.path.contains("X%7C1"),
            "{target:?}"
        );
        let expected = [("integrationInstance".to_owned(), "i=1".to_owned())];
        assert_eq!(target.query, expected);
        assert_eq!(target.method, Method::GET);
    }

    #[test]
    fn a_parameter_is_parsed_or_rejected_with_its_form() {
        assert_eq!(parameter("q=a=b"), Ok(("q".to_owned(), "a=b".to_owned())));
        assert!(parameter("q").is_err_and(|form| form.contains("NAME=VALUE")));
    }

    #[test]
    fn a_target_is_not_guessed() {
        for (first, rest, words) in [
            ("getModel", &[][..], "getModel needs model=VALUE"),
            ("getModel", &["model=.."], "cannot be"),
            ("getModel", &["model"], "write NAME=VALUE"),
            ("getModels", &["model=a"], "not an operation"),
            ("GET", &["accounts"], "GET needs an area and a path"),
            (
                "GET",
                &["billing", "/a"],
                "accounts, identity, inference, patterns",
            ),
            ("G T", &["accounts", "/a"], "write a method"),
        ] {
            let error = parse(first, rest).expect_err(first);
            assert!(error.contains(words), "{error}");
        }
        let target = parse("patch", &["accounts", "/a"]).expect("a target");
        assert_eq!(target.method, Method::PATCH);
    }
}
