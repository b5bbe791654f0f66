use http::HeaderValue;
use proptest::prelude::*;

use super::*;

const PROXY: &str = "10.0.0.1";
const CALLER: &str = "192.0.2.7";

fn proxies(header: ClientAddressHeader) -> Proxies {
    Proxies {
        trusted: vec![
            "10.0.0.0/8".parse().unwrap(),
            "2001:db8:a::/48".parse().unwrap(),
        ],
        header,
        forwarded: vec![ForwardedHeader::Proto, ForwardedHeader::Host],
    }
}

fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
        headers.append(*name, value);
    }
    headers
}

fn listed(lines: &[&str]) -> String {
    let lines: Vec<_> = lines
        .iter()
        .map(|line| ("x-forwarded-for", *line))
        .collect();
    let headers = headers(&lines);
    let proxies = proxies(ClientAddressHeader::XForwardedFor);
    let caller = proxies.caller(PROXY.parse().unwrap(), &headers);
    caller.address.to_string()
}

fn forwarded(lines: &[&str]) -> String {
    let lines: Vec<_> = lines.iter().map(|line| ("forwarded", *line)).collect();
    let headers = headers(&lines);
    let proxies = proxies(ClientAddressHeader::Forwarded);
    let caller = proxies.caller(PROXY.parse().unwrap(), &headers);
    caller.address.to_string()
}

#[test]
fn the_list_is_read_from_the_right_past_trusted_proxies() {
    for (lines, address) in [
        (&[CALLER] as &[&str], CALLER),
        (&["203.0.113.9, 192.0.2.7"], CALLER),
        (&["203.0.113.9", "192.0.2.7"], CALLER),
        (&["203.0.113.9, 192.0.2.7, 10.9.9.9"], CALLER),
        (&["203.0.113.9, 192.0.2.7", "10.9.9.9"], CALLER),
        (&["10.3.3.3, 10.2.2.2"], "10.3.3.3"),
        (&[], PROXY),
    ] {
        assert_eq!(listed(lines), address, "{lines:?}");
    }
}

#[test]
fn an_element_that_cannot_be_read_ends_at_the_last_good_one() {
    for (lines, address) in [
        (&["192.0.2.7, nonsense"] as &[&str], PROXY),
        (&["192.0.2.7, unix:, 10.2.2.2"], "10.2.2.2"),
        (&["192.0.2.7,,10.2.2.2"], "10.2.2.2"),
        (&["192.0.2.7, "], PROXY),
        (&["192.0.2.7", ""], PROXY),
        (&["192.0.2.7, fe80::1%eth0"], PROXY),
        (&["192.0.2.7, 192.0.2.8:x"], PROXY),
        (&["192.0.2.7, 192.0.2.8:123456"], PROXY),
        // The caller's part is not looked at, whatever it holds.
        (&["\u{ff}\u{fe}, 192.0.2.7"], CALLER),
        (&["\", 192.0.2.7"], CALLER),
    ] {
        assert_eq!(listed(lines), address, "{lines:?}");
    }
}

#[test]
fn ports_and_brackets_are_left_out_and_mapped_addresses_are_ipv4() {
    for (element, address) in [
        ("192.0.2.7:4711", CALLER),
        ("2001:DB8::7", "2001:db8::7"),
        ("[2001:db8::7]", "2001:db8::7"),
        ("[2001:db8::7]:4711", "2001:db8::7"),
        ("::ffff:192.0.2.7", CALLER),
        ("[2001:db8::7]4711", PROXY),
        ("[2001:db8::7", PROXY),
        ("[192.0.2.7]", PROXY),
    ] {
        assert_eq!(listed(&[element]), address, "{element}");
    }
    // A trusted proxy may call by either family.
    let headers = headers(&[("x-forwarded-for", CALLER)]);
    let proxies = proxies(ClientAddressHeader::XForwardedFor);
    for peer in ["::ffff:10.0.0.1", "2001:db8:a::1"] {
        let caller = proxies.caller(peer.parse().unwrap(), &headers);
        assert_eq!(caller.address.to_string(), CALLER, "{peer}");
    }
}

#[test]
fn forwarded_is_read_as_its_rfc_has_it() {
    for (lines, address) in [
        (&["for=192.0.2.7"] as &[&str], CALLER),
        (&["For=\"192.0.2.7:4711\";proto=https;by=10.0.0.1"], CALLER),
        (&["for=\"[2001:db8::7]:4711\""], "2001:db8::7"),
        (&["for=\"[2001:db8::7]:_port\""], "2001:db8::7"),
        (&["for=203.0.113.9, for=192.0.2.7, for=10.9.9.9"], CALLER),
        (&["for=203.0.113.9", "for=192.0.2.7"], CALLER),
        (&["host=\"a,b;c\"; for=192.0.2.7"], CALLER),
        (&["for=\"192.0.2.\\7\""], CALLER),
        // No address, or none that can be read.
        (&["for=192.0.2.7, for=unknown"], PROXY),
        (&["for=192.0.2.7, for=_hidden, for=10.2.2.2"], "10.2.2.2"),
        (&["for=192.0.2.7, proto=https"], PROXY),
        (&["for=192.0.2.7, for=2001:db8::7"], PROXY),
        (&["for=192.0.2.7, for=192.0.2.8;for=192.0.2.9"], PROXY),
        (&["for=192.0.2.7, for = 192.0.2.8"], PROXY),
        (&["for=192.0.2.7, for=\"192.0.2.8"], PROXY),
        (&["192.0.2.7"], PROXY),
        (&[""], PROXY),
        // A quote that the caller opened does not swallow the proxy's part.
        (&["for=\"203.0.113.9, for=192.0.2.7"], CALLER),
        (&["for=\"203.0.113.9\\", "for=192.0.2.7"], CALLER),
        (&["for=\"203.0.113.9\\, for=\"192.0.2.7\""], CALLER),
    ] {
        assert_eq!(forwarded(lines), address, "{lines:?}");
    }
}

#[test]
fn only_one_header_is_believed_and_only_a_trusted_peer() {
    let headers = headers(&[
        ("forwarded", "for=203.0.113.1;host=evil.example;proto=https"),
        ("x-forwarded-for", "203.0.113.2"),
        ("x-forwarded-host", "evil.example"),
        ("x-real-ip", "203.0.113.3"),
    ]);
    for (header, address) in [
        (ClientAddressHeader::Forwarded, "203.0.113.1"),
        (ClientAddressHeader::XForwardedFor, "203.0.113.2"),
    ] {
        let proxies = proxies(header);
        let through = proxies.caller(PROXY.parse().unwrap(), &headers);
        assert_eq!(through.address.to_string(), address);
        let direct = proxies.caller(CALLER.parse().unwrap(), &headers);
        assert_eq!(direct.address.to_string(), CALLER);
        assert_eq!((direct.scheme, direct.host), (None, None));
        assert!(!direct.is_proxy && !through.is_proxy);
    }
}

#[test]
fn scheme_and_host_are_those_of_the_same_proxy() {
    let proxies = proxies(ClientAddressHeader::XForwardedFor);
    let ask = |lines: &[(&'static str, &str)]| {
        let headers = headers(lines);
        let caller = proxies.caller(PROXY.parse().unwrap(), &headers);
        (caller.scheme, caller.host.map(Cow::into_owned))
    };
    let host = |name: &str| Some(name.to_owned());
    // Two proxies that continue each list, and one that replaces the others.
    let lists = [
        ("x-forwarded-for", "203.0.113.9, 192.0.2.7, 10.2.2.2"),
        ("x-forwarded-proto", "ftp, https, http"),
        (
            "x-forwarded-host",
            "evil.example, accord.example, inner.example",
        ),
    ];
    assert_eq!(ask(&lists), (Some("https"), host("accord.example")));
    let replaced = [
        ("x-forwarded-for", "192.0.2.7, 10.2.2.2"),
        ("x-forwarded-proto", "HTTPS"),
        ("x-forwarded-host", "a@b"),
    ];
    assert_eq!(ask(&replaced), (Some("https"), None));

    // A header that the proxies do not write is the caller's.
    for (forwarded, expected) in [
        (vec![], (None, None)),
        (vec![ForwardedHeader::Proto], (Some("https"), None)),
        (vec![ForwardedHeader::Host], (None, host("accord.example"))),
    ] {
        let proxies = Proxies {
            forwarded,
            ..proxies.clone()
        };
        let headers = headers(&lists);
        let caller = proxies.caller(PROXY.parse().unwrap(), &headers);
        assert_eq!((caller.scheme, caller.host.map(Cow::into_owned)), expected);
    }

    let forwarded = Proxies {
        header: ClientAddressHeader::Forwarded,
        ..proxies.clone()
    };
    let headers = headers(&[(
        "forwarded",
        "for=192.0.2.7;host=accord.example;proto=https, for=10.2.2.2;host=inner.example",
    )]);
    let caller = forwarded.caller(PROXY.parse().unwrap(), &headers);
    assert_eq!(caller.scheme, Some("https"));
    assert_eq!(caller.host.as_deref(), Some("accord.example"));
}

#[test]
fn a_target_that_names_a_host_wins_over_the_host_header() {
    let proxies = Proxies {
        trusted: Vec::new(),
        header: ClientAddressHeader::XForwardedFor,
        forwarded: vec![ForwardedHeader::Host],
    };
    let headers = headers(&[("host", "b.example"), ("x-forwarded-host", "c.example")]);
    let peer = PROXY.parse().unwrap();
    let host = |uri| proxies.host(peer, &headers, &Uri::from_static(uri));
    assert_eq!(host("http://A.example./x").as_deref(), Some("a.example"));
    assert_eq!(host("/x").as_deref(), Some("b.example"));
}

#[test]
fn ipv6_counts_by_its_network() {
    let counted = |text: &str| counted_as(text.parse().unwrap());
    assert_eq!(counted("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
    assert_eq!(counted("2001:db8:1:2::ffff"), "2001:db8:1:2::/64");
    assert_ne!(counted("2001:db8:1:3::1"), counted("2001:db8:1:2::1"));
    assert_eq!(counted("192.0.2.7"), "192.0.2.7");
    assert_eq!(counted("::ffff:192.0.2.7"), "192.0.2.7");
}

proptest! {
    /// Whatever a caller sends, on as many lines as it likes: the address is the
    /// one that the proxy appended, on the same line or on one of its own.
    #[test]
    fn a_caller_cannot_choose_its_address(
        forged in prop::collection::vec("[ -~]{0,40}", 0..4),
        same_line in any::<bool>(),
        version_6 in any::<bool>(),
    ) {
        let (bare, node) = match version_6 {
            true => ("2001:db8::7", "\"[2001:db8::7]\""),
            false => (CALLER, CALLER),
        };
        for (name, header, appended) in [
            ("x-forwarded-for", ClientAddressHeader::XForwardedFor, bare.to_owned()),
            ("forwarded", ClientAddressHeader::Forwarded, format!("for={node}")),
        ] {
            let mut lines = forged.clone();
            match lines.last_mut() {
                Some(last) if same_line => *last = format!("{last}, {appended}"),
                _ => lines.push(appended),
            }
            let lines: Vec<_> = lines.iter().map(|line| (name, line.trim())).collect();
            let headers = headers(&lines);
            let caller = proxies(header);
            let caller = caller.caller(PROXY.parse().unwrap(), &headers);
            prop_assert_eq!(caller.address.to_string(), bare);
        }
    }
}
