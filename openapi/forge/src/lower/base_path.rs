//! The base path of a document: the path of its first server, with which all paths begin.
//!
//! Servers, clients and the checks of documents use this file, so that they agree. Server Object
//! and Server Variable Object of OpenAPI 3.0.3.

use super::cursor::Cursor;
use super::lowering::Lowering;
#[cfg(feature = "check")]
use crate::document::Document;
use crate::document::{Diagnostic, Node, similar};
use crate::structure::url_problem;

/// The base path of a server's URL.
#[derive(Debug, Default, PartialEq, Eq)]
struct BasePath {
    /// Begins with a slash and does not end with one; percent-encoded as in the document. Empty if
    /// the server has no path.
    path: String,
    /// Whether the URL is neither absolute nor begins with a slash.
    is_relative: bool,
    /// Variables of the path that have no default.
    undeclared: Vec<String>,
}

/// The base path of a document. Empty if it has no server, or one without a URL.
#[cfg(feature = "check")]
pub fn of(document: &Document) -> String {
    let Some(server) = document.at("/servers/0") else {
        return String::new();
    };
    of_server(server).path
}

/// Lowers the base path, and reports its errors.
pub(super) fn lower(lowering: &mut Lowering<'_>, root: &Cursor<'_>) -> String {
    let servers = root.elements_of("servers");
    let Some(server) = servers.first() else {
        return String::new();
    };
    // The check of the structure has reported a server without a URL.
    let Some(url) = server.get("url") else {
        return String::new();
    };
    let text = url.node.as_str().unwrap_or_default();
    let base = of_server(server.node);
    for (index, other) in servers.iter().enumerate() {
        let reported: &[String] = if index == 0 { &base.undeclared } else { &[] };
        check_variables(lowering, other, reported);
        check_address(lowering, other);
        if index > 0 {
            check_path(lowering, other, &base.path);
        }
    }
    for name in &base.undeclared {
        lowering.refuse(
            "server-variable",
            url.span(),
            format!("the path of the server has `{{{name}}}`, and no default for it"),
            "declare it under `variables` with a `default`",
        );
    }
    if base.is_relative {
        lowering.warn(
            "server-url",
            url.span(),
            format!(
                "`{text}` is relative to the address of the document; the server uses `{}`",
                base.path
            ),
            "write a whole URL, or a path that begins with `/`",
        );
    }
    base.path
}

/// Reports the differences between the variables of a server's URL and those that the server declares. `reported`
/// are undeclared variables with an error of their own.
fn check_variables(lowering: &mut Lowering<'_>, server: &Cursor<'_>, reported: &[String]) {
    let Some(url) = server.get("url") else {
        return;
    };
    let text = url.node.as_str().unwrap_or_default();
    let behind = text.split('{').skip(1);
    let used: Vec<&str> = behind
        .filter_map(|rest| Some(rest.split_once('}')?.0))
        .collect();
    let declared = server.members_of("variables");
    let is_declared = |name: &str| declared.iter().any(|(known, _)| *known == name);
    for (name, variable) in &declared {
        if used.contains(name) {
            continue;
        }
        let span = lowering.key_span(variable);
        let message = format!("the URL of the server has no `{{{name}}}`");
        let missing = used.iter().copied().filter(|name| !is_declared(name));
        match similar::nearest(missing, name, 2) {
            Some(near) => lowering
                .report(Diagnostic::error("server-variable", span, message).did_you_mean(near)),
            None => lowering.warn(
                "server-variable",
                span,
                message,
                "write it into the URL, or remove the variable",
            ),
        }
    }
    let is_near =
        |name: &str| similar::nearest(declared.iter().map(|(n, _)| *n), name, 2).is_some();
    for name in used
        .iter()
        .filter(|name| !is_declared(name) && !is_near(name))
        .filter(|name| !reported.iter().any(|known| known == *name))
    {
        lowering.warn(
            "server-variable",
            url.span(),
            format!("the server does not declare `{name}`"),
            "declare it under `variables` with a `default`",
        );
    }
}

/// Warns of a server that no caller can connect to. A relative URL has a warning of its own.
fn check_address(lowering: &mut Lowering<'_>, server: &Cursor<'_>) {
    let Some(url) = server.get("url") else {
        return;
    };
    let text = url.node.as_str().unwrap_or_default();
    let text = filled(text, |name| default_of(server.node, name));
    if text.contains("://")
        && let Some(problem) = url_problem(&text)
    {
        lowering.warn(
            "server-url",
            url.span(),
            format!("`{text}` is not the address of a server: {problem}"),
            "correct the URL, or the default of its variable",
        );
    }
}

/// Warns of a server whose path differs from that of the first server, which is in use.
fn check_path(lowering: &mut Lowering<'_>, server: &Cursor<'_>, first: &str) {
    let Some(url) = server.get("url") else {
        return;
    };
    let path = of_server(server.node).path;
    if path != first {
        lowering.warn(
            "server-path",
            url.span(),
            format!("the paths are served under `{first}/`, as at the first server, and not under `{path}/`"),
            "give all servers one path, or move the one that is served to the front",
        );
    }
}

/// The base path of a server of a document.
fn of_server(server: &Node) -> BasePath {
    let url = server.text("url").unwrap_or_default();
    read(url, |name| default_of(server, name))
}

/// The default of a server's variable.
fn default_of<'n>(server: &'n Node, name: &str) -> Option<&'n str> {
    let variable = server.get("variables")?.get(name)?;
    variable.get("default")?.as_str()
}

/// A URL with the defaults of its variables. A variable without a default at the beginning of the URL represents
/// scheme, host and port, or the scheme alone.
fn filled<'v>(url: &str, default: impl Fn(&str) -> Option<&'v str>) -> String {
    let mut text = String::new();
    let mut rest = url;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((name, after)) = behind.split_once('}') else {
            break;
        };
        text.push_str(before);
        match default(name) {
            Some(value) => text.push_str(value),
            None if text.is_empty() && after.starts_with("://") => text.push_str("http"),
            None if text.is_empty() => text.push_str("http://host"),
            None => text.push_str(&format!("{{{name}}}")),
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Takes the path of a URL, with the defaults of its variables.
fn read<'v>(url: &str, default: impl Fn(&str) -> Option<&'v str>) -> BasePath {
    let text = filled(url, default);
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let text = &text[..end];
    let authority = match text.split_once("://") {
        Some((_, rest)) => Some(rest),
        None => text.strip_prefix("//"),
    };
    let path = match authority {
        Some(rest) => rest.find('/').map_or("", |start| &rest[start..]),
        None => text,
    };
    let segments = path.split('/');
    let segments = segments.filter(|segment| !matches!(*segment, "" | "." | ".."));
    let path: String = segments.map(|segment| format!("/{segment}")).collect();
    let undeclared = path.split('{').skip(1).map(|rest| {
        let (name, _) = rest.split_once('}').unwrap_or((rest, ""));
        name.to_owned()
    });
    BasePath {
        undeclared: undeclared.collect(),
        is_relative: authority.is_none() && !text.starts_with('/') && !text.is_empty(),
        path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_path_has_no_host_and_the_defaults_of_its_variables() {
        let default = |name: &str| match name {
            "v" => Some("v1"),
            "base" => Some("http://127.0.0.1:80/in"),
            _ => None,
        };
        for (url, path) in [
            ("https://h/{v}", "/v1"),
            ("https://h/a/{v}/", "/a/v1"),
            ("https://h", ""),
            ("https://{host}:{port}/a", "/a"),
            ("//h/a", "/a"),
            ("{base}/api", "/in/api"),
            ("{unknown}/api", "/api"),
            ("{unknown}", ""),
            ("{unknown}://h/a", "/a"),
            ("/", ""),
            ("/a%20b", "/a%20b"),
            ("/a?b#c", "/a"),
            ("", ""),
            ("v1", "/v1"),
            ("./v1", "/v1"),
            ("../v1/", "/v1"),
        ] {
            assert_eq!(read(url, default).path, path, "{url}");
        }
        assert!(read("v1", default).is_relative);
        assert!(!read("/v1", default).is_relative);
        assert!(!read("https://h", default).is_relative);
        assert_eq!(read("https://h/{x}", default).undeclared, ["x"]);
        assert_eq!(read("https://{x}/", default).undeclared, [""; 0]);
    }
}
