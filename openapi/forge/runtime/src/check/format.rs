//! Formats of strings, by the grammars of their RFCs.
//!
//! Libraries parse dates, times, UUIDs, base64 and IP addresses. The grammars of mailboxes, host
//! names and URIs are here. The crate `email_address` does not fit: it accepts letters beyond ASCII
//! and any text in brackets, and does not bound the whole. For URIs, `fluent-uri` would replace
//! the grammar, and add two crates to the service of Accord.

use std::net::{Ipv4Addr, Ipv6Addr};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Timelike};
use uuid::Uuid;

use crate::table::StringFormat;

/// Of a second. `chrono` counts further in a leap second.
const NANOSECONDS: u32 = 1_000_000_000;

/// Whether text is of a format.
pub(super) fn is_of(format: StringFormat, text: &str) -> bool {
    match format {
        StringFormat::DateTime => is_date_time(text),
        StringFormat::Date => is_date(text),
        StringFormat::Time => is_time(text),
        StringFormat::Duration => is_duration(text),
        StringFormat::Email => is_mailbox(text),
        StringFormat::Uri => is_uri(text),
        StringFormat::Uuid => is_uuid(text),
        StringFormat::Byte => STANDARD.decode(text).is_ok(),
        StringFormat::Binary => true,
        StringFormat::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
        StringFormat::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
        StringFormat::Hostname => is_host_name(text),
    }
}

/// The description of a format, with an example if its name does not show how to write it.
pub(super) fn description(format: StringFormat) -> &'static str {
    match format {
        StringFormat::DateTime => "a date and time such as 2026-01-31T09:30:00Z",
        StringFormat::Date => "a date such as 2026-01-31",
        StringFormat::Time => "a time such as 09:30:00Z",
        StringFormat::Duration => "a duration such as P1DT12H",
        StringFormat::Email => "an email address",
        StringFormat::Uri => "an absolute URI",
        StringFormat::Uuid => "a UUID such as 123e4567-e89b-12d3-a456-426614174000",
        StringFormat::Byte => "base64",
        StringFormat::Binary => "binary",
        StringFormat::Ipv4 => "an IPv4 address",
        StringFormat::Ipv6 => "an IPv6 address",
        StringFormat::Hostname => "a host name",
    }
}

/// The number of bytes that text of format `binary` represents.
pub(super) fn bytes_in(text: &str) -> u64 {
    let padding = text.bytes().rev().take_while(|byte| *byte == b'=').count();
    ((text.len() / 4 * 3).saturating_sub(padding)) as u64
}

/// RFC 3339, `full-date`.
fn is_date(text: &str) -> bool {
    is_date_time(&format!("{text}T00:00:00Z"))
}

/// RFC 3339, `full-time`.
fn is_time(text: &str) -> bool {
    is_date_time(&format!("1970-01-01T{text}"))
}

/// RFC 3339, appendix A, `duration`, in capitals as in ISO 8601.
fn is_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else {
        return false;
    };
    match rest.split_once('T') {
        None => has_units(rest, "YMD") || has_units(rest, "W"),
        Some((date, time)) => (date.is_empty() || has_units(date, "YMD")) && has_units(time, "HMS"),
    }
}

/// Whether a text consists of numbers with units, of which none between the first and the last one
/// is missing.
fn has_units(text: &str, units: &str) -> bool {
    let mut written = String::new();
    let mut has_number = false;
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            has_number = true;
        } else if has_number {
            written.push(letter);
            has_number = false;
        } else {
            return false;
        }
    }
    !written.is_empty() && !has_number && units.contains(&written)
}

/// RFC 3339, `date-time`; the letters may be lower case. `chrono` also accepts a space for the `T`,
/// and the minus sign beyond ASCII. A leap second is valid only at the end of a UTC day.
fn is_date_time(text: &str) -> bool {
    let Ok(parsed) = DateTime::parse_from_rfc3339(text) else {
        return false;
    };
    let utc = parsed.naive_utc();
    let is_leap = utc.nanosecond() >= NANOSECONDS;
    text.is_ascii() && !text.contains(' ') && (!is_leap || (utc.hour(), utc.minute()) == (23, 59))
}

/// RFC 5321, `Mailbox`: a dot-string or quoted string, at a domain or address.
fn is_mailbox(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    if local.is_empty() || local.len() > 64 || text.len() > 254 {
        return false;
    }
    let atom = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
    let dot_string = local
        .split('.')
        .all(|part| !part.is_empty() && part.bytes().all(atom));
    (dot_string || is_quoted(local)) && (is_host_name(domain) || is_address_literal(domain))
}

fn is_quoted(local: &str) -> bool {
    let Some(content) = local
        .strip_prefix('"')
        .and_then(|local| local.strip_suffix('"'))
    else {
        return false;
    };
    let mut bytes = content.bytes();
    while let Some(byte) = bytes.next() {
        let fine = match byte {
            b'\\' => bytes.next().is_some_and(|next| (32..=126).contains(&next)),
            b'"' => false,
            other => (32..=126).contains(&other),
        };
        if !fine {
            return false;
        }
    }
    true
}

fn is_address_literal(domain: &str) -> bool {
    let inner = domain
        .strip_prefix('[')
        .and_then(|domain| domain.strip_suffix(']'));
    inner.is_some_and(|inner| match inner.strip_prefix("IPv6:") {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => inner.parse::<Ipv4Addr>().is_ok(),
    })
}

/// RFC 1123, section 2.1.
fn is_host_name(text: &str) -> bool {
    text.len() <= 253
        && text.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
}

/// RFC 3986, `URI`: a scheme, followed by the rest of the grammar.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let mut letters = scheme.bytes();
    let scheme = letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if !scheme {
        return false;
    }
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (hierarchy, query) = rest.split_once('?').unwrap_or((rest, ""));
    let path = match hierarchy.strip_prefix("//") {
        Some(rest) => {
            let end = rest.find('/').unwrap_or(rest.len());
            if !is_authority(&rest[..end]) {
                return false;
            }
            &rest[end..]
        }
        None => hierarchy,
    };
    consists_of(path, b":@/") && consists_of(query, b":@/?") && consists_of(fragment, b":@/?")
}

fn is_authority(authority: &str) -> bool {
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    if !consists_of(user, b":") {
        return false;
    }
    let (host, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let Some((address, port)) = rest.split_once(']') else {
                return false;
            };
            let future = address.starts_with(['v', 'V']) && consists_of(address, b":");
            if !future && address.parse::<Ipv6Addr>().is_err() {
                return false;
            }
            ("", port)
        }
        None => match host.find(':') {
            Some(colon) => host.split_at(colon),
            None => (host, ""),
        },
    };
    let port = match port.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_digit()),
        None => port.is_empty(),
    };
    consists_of(host, b"") && port
}

/// Whether text consists of unreserved characters, sub-delimiters, percent
/// escapes and `others`.
fn consists_of(text: &str, others: &[u8]) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let fine = match byte {
            b'%' => {
                let hex = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_hexdigit());
                hex(bytes.next()) && hex(bytes.next())
            }
            _ => {
                byte.is_ascii_alphanumeric()
                    || b"-._~!$&'()*+,;=".contains(&byte)
                    || others.contains(&byte)
            }
        };
        if !fine {
            return false;
        }
    }
    true
}

/// RFC 4122, section 3: the only form of this length has hyphens.
fn is_uuid(text: &str) -> bool {
    text.len() == 36 && Uuid::try_parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bars separate the texts.
    fn all(format: StringFormat, good: &str, bad: &str) {
        for text in good.split('|') {
            assert!(is_of(format, text), "{text:?} is {format:?}");
        }
        for text in bad.split('|') {
            assert!(!is_of(format, text), "{text:?} is not {format:?}");
        }
    }

    #[test]
    fn dates_and_times_are_those_of_rfc_3339() {
        all(
            StringFormat::DateTime,
            "2026-11-21T00:00:00Z|2026-11-21t00:00:00z|\
             2024-02-29T23:59:59.123456789+05:30|2016-12-31T23:59:60Z|\
             2017-01-01T00:59:60+01:00",
            "2026-11-21|2026-11-21T00:00:00|2026-11-21 00:00:00Z|2026-02-29T00:00:00Z|\
             2026-11-21T24:00:00Z|2026-11-21T00:00:60Z|2026-11-21T00:00:00.Z|\
             2026-11-21T00:00:00+24:00|2026-11-21T00:00:00+0100|\
             2026-11-21T00:00:00\u{2212}01:00|2026-11-21T23:59:60+01:00|\
             2026-11-21T00:00:00Z |2026-11-21T00:00:0ö|+026-11-21T00:00:00Z|",
        );
        all(
            StringFormat::Date,
            "2026-11-21|2000-02-29",
            "2026-1-21|2026-13-01|1900-02-29|2026-11-21Z|2026-11-2 |2026-11-21T00:00:00Z|\
             ２026-11-1",
        );
    }

    #[test]
    fn times_and_durations_are_those_of_rfc_3339() {
        all(
            StringFormat::Time,
            "00:00:00Z|09:30:00.5z|23:59:60Z|00:59:60+01:00|09:30:00-23:59",
            "09:30:00|9:30:00Z|09:30Z|24:00:00Z|09:30:60Z|09:30:00.Z|09:30:00+0100|\
             T09:30:00Z| 09:30:00Z|",
        );
        all(
            StringFormat::Duration,
            "P1Y2M3DT4H5M6S|P4Y|P1M|P1M2D|P0D|PT36H|PT1M30S|PT0S|P1DT12H|P2W",
            "|P|PT|P1|P1YT|1D|p1d|P1D2H|PT1D|P1Y2D|PT1H2S|P2D1Y|P1Y2W|P1WT1H|P-1D|P1.5D|\
             P1D |P\u{9e7}Y|PT1HT1M",
        );
    }

    #[test]
    fn mailboxes_are_those_of_rfc_5321() {
        all(
            StringFormat::Email,
            "a@b|first.last+tag@sub.example.com|\"a b\\\"\"@x.org|u@[192.0.2.1]",
            "|@b|a@|a|a..b@c|.a@c|a b@c|a@-c|a@b..c|a@b@c|ü@b",
        );
    }

    #[test]
    fn uris_are_absolute_and_escaped() {
        all(
            StringFormat::Uri,
            "https://user:pw@[::1]:8080/a/b;c?d=e/?#f|\
             urn:ietf:params:oauth:grant-type:device_code|mailto:a@b.c|http://x.org/%7C|\
             about:blank",
            "|/a|a b:c|http://a b|http://x/%7|http://[1]/|1a:b|http://h:p/",
        );
        assert!(!is_of(StringFormat::Uri, "x:a|b"));
    }

    #[test]
    fn names_addresses_and_encodings_keep_their_grammar() {
        all(
            StringFormat::Uuid,
            "123e4567-e89b-12d3-a456-426614174000",
            "123e4567e89b12d3a456426614174000|{123e4567-e89b-12d3-a456-426614174000}|\
             123e4567-e89b-12d3-a456_426614174000|\
             urn:uuid:123e4567e89b12d3a456426614174000|",
        );
        all(StringFormat::Byte, "|YQ==|YWJj", "YQ|Y-_=|Y Q=");
        all(
            StringFormat::Ipv4,
            "192.0.2.1",
            "192.0.2|192.0.2.01|256.0.0.1",
        );
        all(
            StringFormat::Ipv6,
            "::1|2001:db8::",
            "::g|1:2:3|fe80::1%eth0",
        );
        all(StringFormat::Hostname, "a|a-b.c1", "|-a|a-|a..b|a_b|a.");
    }

    #[test]
    fn the_length_of_binary_text_is_counted_in_bytes() {
        assert_eq!(bytes_in(""), 0);
        assert_eq!(bytes_in("YQ=="), 1);
        assert_eq!(bytes_in("YWI="), 2);
        assert_eq!(bytes_in("YWJj"), 3);
    }
}
