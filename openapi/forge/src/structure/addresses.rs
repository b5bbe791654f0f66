//! Checks URLs and email addresses. A relative URL is valid, so only those that nobody means are found.

use super::key::{Object, ValueType, Version};
use super::tables;
use crate::document::{Diagnostic, Node, similar};

/// The keys of pages and endpoints. Others, such as `$id`, name things.
const URLS: [&str; 6] = [
    "authorizationUrl",
    "openIdConnectUrl",
    "refreshUrl",
    "termsOfService",
    "tokenUrl",
    "url",
];

/// Checks the addresses of an object. That of a server may have variables, and is checked later.
pub(super) fn check(node: &Node, object: &Object, version: Version) -> Vec<Diagnostic> {
    if object.is(&tables::SERVER) {
        return Vec::new();
    }
    let urls = object
        .keys_of(version)
        .filter(|key| matches!(key.value_type, ValueType::Url) && URLS.contains(&key.name));
    let urls = urls.filter_map(|key| node.get(key.name));
    let mut found: Vec<Diagnostic> = urls.filter_map(url).collect();
    if object.is(&tables::CONTACT) {
        found.extend(node.get("email").and_then(email));
    }
    found
}

fn url(node: &Node) -> Option<Diagnostic> {
    let text = node.as_str()?;
    let problem = url_problem(text)?;
    let message = format!("`{text}` is not a URL: {problem}");
    let finding = Diagnostic::warning("url-invalid", node.span, message);
    Some(finding.help("write it as in `https://example.com/docs`"))
}

fn email(node: &Node) -> Option<Diagnostic> {
    let text = node.as_str()?;
    let is_part = |text: &str| {
        let separates = |char: char| char.is_whitespace() || "@,;<>".contains(char);
        !text.is_empty() && !text.contains(separates)
    };
    let parts = text.split_once('@');
    let is_address = parts.is_some_and(|(name, host)| is_part(name) && is_part(host));
    if is_address && !text.starts_with("mailto:") {
        return None;
    }
    let message = format!("`{text}` is not an email address");
    let finding = Diagnostic::warning("email-invalid", node.span, message);
    Some(finding.help("write one address, as in `support@example.com`"))
}

/// Why a text is not a URL. The names in braces are variables.
pub(crate) fn url_problem(text: &str) -> Option<String> {
    let Some((scheme, rest)) = text.split_once("://") else {
        return without_slashes(text);
    };
    if scheme.contains(['/', '?', '#']) {
        // A relative URL, with an absolute one in its query.
        return None;
    }
    let is_known = ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str());
    if !is_known {
        let near = similar::nearest(["http", "https"], scheme, 1);
        let is_scheme = |char: char| char.is_ascii_alphanumeric() || "+-.{}".contains(char);
        return match near {
            Some(near) => Some(format!("its scheme is `{scheme}`, and not `{near}`")),
            None => (!scheme.chars().all(is_scheme)).then(|| format!("its scheme is `{scheme}`")),
        };
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    match authority.trim_end_matches(':') {
        "" => return Some("it has no host".to_owned()),
        "http" | "https" => return Some("it has two schemes".to_owned()),
        _ => {}
    }
    host(authority)
}

/// The problem of a URL in which a character of `://` is missing or wrong.
fn without_slashes(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    if lower.starts_with("www.") {
        return Some("it has no scheme".to_owned());
    }
    let behind = lower.strip_prefix("http")?;
    let behind = behind.strip_prefix('s').unwrap_or(behind);
    let is_scheme = [":", "//", ";//"].iter().any(|one| behind.starts_with(one));
    is_scheme.then(|| "it has no `://` behind its scheme".to_owned())
}

/// The problem of a host and its port, apart from their variables.
fn host(authority: &str) -> Option<String> {
    let mut literal = String::new();
    let mut rest = authority.rsplit('@').next().unwrap_or_default();
    while let Some((before, behind)) = rest.split_once('{') {
        literal.push_str(before);
        rest = behind.split_once('}').map_or("", |(_, after)| after);
    }
    literal.push_str(rest);
    let is_foreign = |char: char| char.is_whitespace() || "{}$<>\"\\^`|".contains(char);
    if literal.contains(is_foreign) {
        return Some(format!("`{authority}` is not a host"));
    }
    // An address of version 6 has colons.
    let behind = literal
        .rsplit_once(']')
        .map_or(literal.as_str(), |(_, port)| port);
    let (_, port) = behind.rsplit_once(':')?;
    let is_port = port.is_empty() || port.parse::<u16>().is_ok();
    (!is_port).then(|| format!("`{port}` is not a port"))
}

#[cfg(test)]
mod tests {
    use super::url_problem;

    #[test]
    fn urls_that_nobody_means_are_noticed() {
        for (text, problem) in [
            ("https:/a.example", "it has no `://` behind its scheme"),
            ("https//a.example", "it has no `://` behind its scheme"),
            ("https;//a.example", "it has no `://` behind its scheme"),
            ("http:a.example", "it has no `://` behind its scheme"),
            ("www.a.example", "it has no scheme"),
            ("htps://a.example", "its scheme is `htps`, and not `https`"),
            (
                "hhttps://a.example",
                "its scheme is `hhttps`, and not `https`",
            ),
            (
                "<https://a.example>",
                "its scheme is `<https`, and not `https`",
            ),
            ("\u{201c}ftp://a.example", "its scheme is `\u{201c}ftp`"),
            ("https:///docs", "it has no host"),
            ("https://https://a.example", "it has two schemes"),
            ("https://a example/docs", "`a example` is not a host"),
            ("http://host}/a", "`host}` is not a host"),
            ("http://127.0.0.1:80800", "`80800` is not a port"),
            ("http://127.0.0.1:8080ic/api", "`8080ic` is not a port"),
        ] {
            assert_eq!(url_problem(text).as_deref(), Some(problem), "{text}");
        }
        for text in [
            "https://a.example",
            "HTTP://a.example:8080/b?c=http://d",
            "http://[::1]:8080/",
            "http://user:password@a.example:/",
            "https://{host}:{port}/a",
            "https://{host}/a:b",
            "{scheme}://a.example",
            "ftp://a.example",
            "wss://a.example",
            "mailto:a@b.example",
            "urn:a:b",
            "/oauth/token",
            "/go?to=https://a.example",
            "docs/index.html",
            "httpdocs/a",
            "https",
            "",
        ] {
            assert_eq!(url_problem(text), None, "{text}");
        }
    }
}
