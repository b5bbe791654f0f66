//! RFC 7522: SAML 2.0 assertions as a client's identification. All of them are
//! signed by `xmlsec1`.

use accord_server::identity::sweep;
use base64::Engine;
use base64::engine::general_purpose::{
    GeneralPurpose, STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD,
};

use super::super::saml::{CLIENT, ISSUER, Provider, audience, element, present, refused};
use super::clauses;
use crate::harness::{Server, both_databases};

/// Refuses an assertion with this change.
async fn refuses(server: &Server, why: &str, change: impl FnOnce(&mut Provider)) {
    let mut provider = Provider::new(server).await;
    change(&mut provider);
    provider.is_refused(why).await;
}

/// Signs the assertion after this change of its text, and presents it.
async fn rewritten(server: &Server, from: &str, to: &str) -> super::Answer {
    let mut provider = Provider::new(server).await;
    provider.rewrite = Some((from.to_owned(), to.to_owned()));
    let signed = provider.signed().await;
    assert!(signed.contains(to), "{signed}");
    provider.present(&signed).await
}

/// A signed assertion whose base64 and base64url differ, and whose length is as wanted.
async fn unlike(server: &Server, is_wanted: impl Fn(usize) -> bool) -> String {
    let mut provider = Provider::new(server).await;
    let mut filling = "~~~~????".to_owned();
    loop {
        provider.rewrite = Some(("classes:X509".to_owned(), format!("classes:{filling}")));
        let signed = provider.signed().await;
        let assertion = element(&signed);
        if is_wanted(assertion.len()) {
            return assertion.to_owned();
        }
        filling.push('?');
    }
}

clauses! {
    /// RFC 7522, section 2.2, MUST: `client_assertion` has one assertion, in base64url.
    async fn an_assertion_is_one_and_in_base64url(server: Server) {
        let provider = Provider::new(&server).await;
        let signed = provider.signed().await;
        let one = element(&signed);
        refused(&provider.present(&format!("{one}{one}")).await, "two");
        refused(&provider.present(&format!("<x>{one}{one}</x>")).await, "two under a root");
        refused(&present(&server, one).await, "not encoded");
        assert_eq!(present(&server, &URL_SAFE_NO_PAD.encode(one)).await.status, 200);
    }

    /// RFC 7522, section 2.2, SHOULD NOT: the encoding has no line breaks and no padding.
    /// The server accepts padding, which some senders write, in base64url and in base64. It
    /// rejects line breaks.
    async fn padding_is_accepted_and_line_breaks_are_not(server: Server) {
        for (name, encode) in [
            ("base64url", &URL_SAFE as &GeneralPurpose),
            ("base64", &STANDARD),
            ("base64 without padding", &STANDARD_NO_PAD),
        ] {
            let encoded = encode.encode(unlike(&server, |length| length % 3 != 0).await);
            assert_eq!(present(&server, &encoded).await.status, 200, "{name}: {encoded}");
        }
        let signed = unlike(&server, |length| length % 3 == 1).await;
        let padded = STANDARD.encode(&signed);
        let unpadded = URL_SAFE_NO_PAD.encode(&signed);
        let mixed = padded.replacen('+', "-", 1);
        assert!(mixed.contains('/') && mixed.contains('-'), "{mixed}");
        refused(&present(&server, &mixed).await, "two alphabets");
        refused(&present(&server, &format!("{padded}=")).await, "too much padding");
        let broken = format!("{}\n{}", &unpadded[..76], &unpadded[76..]);
        refused(&present(&server, &broken).await, "broken lines");
        assert_eq!(present(&server, &unpadded).await.status, 200);
        refused(&present(&server, &padded).await, "replayed in another encoding");
    }

    /// RFC 7522, section 3 (1), MUST: the Issuer is the registered one, compared character
    /// by character.
    async fn the_issuer_is_the_registered_one(server: Server) {
        refuses(&server, "another", |p| p.issuer = "https://other.example".into()).await;
        refuses(&server, "in capitals", |p| p.issuer = ISSUER.to_uppercase()).await;
        refuses(&server, "with a space", |p| p.issuer = format!("{ISSUER} ")).await;
        let issuer = format!("<saml:Issuer>{ISSUER}</saml:Issuer>");
        refused(&rewritten(&server, &issuer, "").await, "none");
    }

    /// RFC 7522, section 3 (2), MUST: the Conditions have an AudienceRestriction whose
    /// Audience is this server; the server rejects others.
    async fn the_audience_is_this_server(server: Server) {
        refuses(&server, "another", |p| p.audience = audience("https://other.example")).await;
        refuses(&server, "in capitals", |p| p.audience = p.audience.to_uppercase()).await;
        refuses(&server, "none", |p| p.audience = String::new()).await;
    }

    /// RFC 7522, section 3 (2), MUST: the server rejects Conditions without an
    /// AudienceRestriction.
    async fn conditions_restrict_the_audience(server: Server) {
        let restriction = format!(
            "<saml:AudienceRestriction>{}</saml:AudienceRestriction>",
            audience(&server.url(""))
        );
        refused(&rewritten(&server, &restriction, "").await, "no restriction");
    }

    /// RFC 7522, section 3 (3), MUST: the Subject is the client's identifier.
    async fn the_subject_is_the_client(server: Server) {
        refuses(&server, "another client", |p| p.subject = "accord-web".into()).await;
        refuses(&server, "nobody", |p| p.subject = "nobody".into()).await;
        refuses(&server, "in capitals", |p| p.subject = CLIENT.to_uppercase()).await;
    }

    /// RFC 7522, section 3 (4), MUST: an assertion has an expiry, and the server rejects
    /// one too far in the future.
    async fn an_assertion_expires(server: Server) {
        refuses(&server, "never", |p| p.confirmation = None).await;
        refuses(&server, "in an hour and more", |p| {
            (p.not_on_or_after, p.confirmation) = (3700, Some(3700));
        })
        .await;
    }

    /// RFC 7522, section 3 (5), MUST: an assertion has a SubjectConfirmation of the bearer
    /// method.
    async fn the_subject_is_confirmed_by_a_bearer(server: Server) {
        refuses(&server, "holder of key", |p| {
            p.method = "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key";
        })
        .await;
        refuses(&server, "sender vouches", |p| {
            p.method = "urn:oasis:names:tc:SAML:2.0:cm:sender-vouches";
        })
        .await;
    }

    /// RFC 7522, section 3 (5), MUST: the confirmation's Recipient is the token endpoint.
    async fn the_recipient_is_the_token_endpoint(server: Server) {
        refuses(&server, "another", |p| p.recipient = "https://other.example/token".into()).await;
        refuses(&server, "the issuer", |p| p.recipient = p.server.url("")).await;
        let recipient = format!(" Recipient=\"{}\"", server.url("/oauth2/v1/token"));
        refused(&rewritten(&server, &recipient, "").await, "none");
    }

    /// RFC 7522, section 3 (5), MUST: the confirmation's data have an expiry.
    async fn the_confirmation_says_until_when(server: Server) {
        refuses(&server, "no NotOnOrAfter", |p| p.confirmation = None).await;
        let mut provider = Provider::new(&server).await;
        provider.confirmation = Some(120);
        provider.is_taken().await;
    }

    /// RFC 7522, section 3 (6), MUST: the server rejects an assertion whose conditions have
    /// expired.
    async fn expired_conditions_are_rejected(server: Server) {
        refuses(&server, "conditions", |p| p.not_on_or_after = -1).await;
    }

    /// RFC 7522, section 3 (6), MUST: the server ignores an expired confirmation, and
    /// accepts another one.
    async fn an_expired_confirmation_is_rejected(server: Server) {
        refuses(&server, "confirmation", |p| p.confirmation = Some(-1)).await;
        let expired = "<saml:SubjectConfirmation Method=\"urn:oasis:names:tc:SAML:2.0:cm:bearer\">\
            <saml:SubjectConfirmationData NotOnOrAfter=\"2020-01-01T00:00:00Z\" Recipient=\"x\"/>\
            </saml:SubjectConfirmation>";
        let both = format!("</saml:NameID>{expired}");
        let answer = rewritten(&server, "</saml:NameID>", &both).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    /// RFC 7522, section 3 (6), MAY: the server may reject an expiry far in the future, in
    /// any confirmation; it rejects more than an hour.
    async fn no_confirmation_lives_long(server: Server) {
        let mut provider = Provider::new(&server).await;
        provider.not_on_or_after = 36_000;
        provider.confirm_until(36_000);
        provider.is_refused("ten hours in the second confirmation").await;
        // Conditions end all confirmations.
        let mut provider = Provider::new(&server).await;
        provider.confirm_until(36_000);
        provider.is_taken().await;
    }

    /// RFC 7522, section 3 (8), MAY: the server ignores other statements.
    async fn other_statements_change_nothing(server: Server) {
        let statement = "</saml:AuthnStatement><saml:AttributeStatement><saml:Attribute \
            Name=\"role\"><saml:AttributeValue>admin</saml:AttributeValue></saml:Attribute>\
            </saml:AttributeStatement>";
        let answer = rewritten(&server, "</saml:AuthnStatement>", statement).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    /// RFC 7522, section 3 (9), MUST: the issuer signs the assertion, and the server
    /// rejects an invalid signature.
    async fn an_assertion_is_signed(server: Server) {
        refuses(&server, "with another's key", |p| p.key = 1).await;
        let provider = Provider::new(&server).await;
        refused(&provider.present(&provider.xml("")).await, "not signed");
        let signed = provider.signed().await;
        let changed = signed.replace("2.0:ac:classes:X509", "2.0:ac:classes:Password");
        refused(&provider.present(&changed).await, "changed");
    }

    /// RFC 7522, section 3 (11), MUST: an unknown condition makes the assertion invalid.
    async fn an_unknown_condition_is_not_met(server: Server) {
        refuses(&server, "unknown", |p| {
            p.conditions = "<x:Condition xmlns:x=\"urn:x\"/>".into();
        })
        .await;
    }

    /// RFC 7522, section 3 (11), MUST: an assertion is invalid before its NotBefore.
    async fn an_assertion_is_not_good_too_early(server: Server) {
        refuses(&server, "not yet", |p| p.not_before = 120).await;
        let mut provider = Provider::new(&server).await;
        provider.not_before = 30;
        provider.is_taken().await;
    }

    /// RFC 7522, section 3 (11), MUST: an assertion has what the SAML specification
    /// requires: the version, the ID, the time of issue.
    async fn an_assertion_is_valid_saml(server: Server) {
        for (from, to) in [("Version=\"2.0\"", "Version=\"1.1\""), (" Version=\"2.0\"", "")] {
            refused(&rewritten(&server, from, to).await, to);
        }
        refuses(&server, "in the future", |p| p.issued = 120).await;
    }

    /// RFC 7522, section 3.2, MUST: an invalid assertion is `invalid_client`.
    async fn a_bad_assertion_is_an_invalid_client(server: Server) {
        Provider::new(&server).await;
        let answer = present(&server, "PHg-").await;
        assert_eq!(answer.error(), (401, "invalid_client"));
        assert_eq!(answer.text("error_description"), "The client could not be authenticated.");
    }
}

both_databases! {
    /// RFC 7522, section 3 (6), MAY: the server may reject a repeated assertion. It
    /// remembers each until the last of its confirmations expires.
    async fn no_confirmation_lets_an_assertion_be_replayed(server: Server) {
        for later in [900, 3600] {
            let mut provider = Provider::new(&server).await;
            provider.confirmation = Some(4);
            provider.not_on_or_after = later;
            provider.confirm_until(later);
            let signed = provider.signed().await;
            assert_eq!(provider.present(&signed).await.status, 200);
            for wait in [0, 5, 60, later - 70, 4, 1, 60, 60] {
                server.advance(wait);
                sweep(&server.app().identity).await.unwrap();
                refused(&provider.present(&signed).await, "replayed");
            }
        }
    }
}
