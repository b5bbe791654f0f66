//! SAML assertions (RFC 7522), signed by tools that others have written: good
//! ones, and every way in which one can be bad.

use std::process::Stdio;
use std::sync::LazyLock;

use accord_server::identity::clients::{ClientKey, Kind, put_key};
use accord_server::identity::keys::NewKey;
use accord_server::store::StoreError;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD};
use chrono::{SecondsFormat, TimeDelta};

use super::client::{Answer, Device, post, register};
use crate::harness::{Server, both_databases, tools};

pub(super) const SAML2_BEARER: &str = "urn:ietf:params:oauth:client-assertion-type:saml2-bearer";
pub(super) const CLIENT: &str = "saml-robot";
pub(super) const ISSUER: &str = "https://idp.example/metadata";

/// The provider's key, and one that is not registered.
static KEYS: LazyLock<[NewKey; 2]> =
    LazyLock::new(|| [NewKey::generate().unwrap(), NewKey::generate().unwrap()]);

/// An identity provider: what it is about to say and sign.
pub(super) struct Provider {
    pub(super) server: Server,
    pub(super) id: String,
    pub(super) issuer: String,
    pub(super) subject: String,
    /// `Audience` elements.
    pub(super) audience: String,
    pub(super) recipient: String,
    /// Seconds from now.
    pub(super) issued: i64,
    pub(super) not_before: i64,
    pub(super) not_on_or_after: i64,
    /// More conditions, as XML.
    pub(super) conditions: String,
    /// Attributes of the confirmation's data.
    pub(super) confirmation: Option<i64>,
    pub(super) method: &'static str,
    pub(super) signature: &'static str,
    pub(super) digest: &'static str,
    pub(super) canonicalization: &'static str,
    pub(super) reference: String,
    /// More in the list of transforms.
    pub(super) transforms: &'static str,
    pub(super) key: usize,
    /// What is replaced in the text before it is signed.
    pub(super) rewrite: Option<(String, String)>,
}

impl Provider {
    /// One whose client and key are registered, with an assertion that is good.
    pub(super) async fn new(server: &Server) -> Provider {
        register(server, |client| {
            client.id = CLIENT.into();
            client.kind = Kind::Saml;
            client.saml_issuer = Some(ISSUER.into());
        })
        .await;
        let public = KEYS[0].public();
        let key = ClientKey {
            kid: public.kid.clone(),
            x5t: None,
            modulus: public.modulus.clone(),
            exponent: public.exponent.clone(),
            algorithm: Default::default(),
        };
        let store = &server.app().store;
        store
            .write(move |tx| -> Result<(), StoreError> { put_key(tx, CLIENT, &key, 0) })
            .await
            .unwrap();
        let id = format!("_{}", uuid::Uuid::new_v4());
        Provider {
            reference: format!("#{id}"),
            id,
            issuer: ISSUER.into(),
            subject: CLIENT.into(),
            audience: audience(&server.url("")),
            recipient: server.url("/oauth2/v1/token"),
            issued: 0,
            not_before: 0,
            not_on_or_after: 300,
            conditions: String::new(),
            confirmation: Some(300),
            method: "urn:oasis:names:tc:SAML:2.0:cm:bearer",
            signature: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
            digest: "http://www.w3.org/2001/04/xmlenc#sha256",
            canonicalization: "http://www.w3.org/2001/10/xml-exc-c14n#",
            transforms: "",
            key: 0,
            rewrite: None,
            server: server.clone(),
        }
    }

    fn time(&self, seconds: i64) -> String {
        let time = self.server.app().clock.now() + TimeDelta::seconds(seconds);
        time.to_rfc3339_opts(SecondsFormat::Secs, true)
    }

    /// The assertion without its signature; `signature` stands in its place.
    pub(super) fn xml(&self, signature: &str) -> String {
        let Provider {
            id,
            issuer,
            subject,
            audience,
            recipient,
            conditions,
            method,
            ..
        } = self;
        let (issued, from, until) = (
            self.time(self.issued),
            self.time(self.not_before),
            self.time(self.not_on_or_after),
        );
        let confirmed = self.confirmation.map_or(String::new(), |seconds| {
            format!(" NotOnOrAfter=\"{}\"", self.time(seconds))
        });
        let xml = format!(
            "<saml:Assertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"{id}\" \
             IssueInstant=\"{issued}\" Version=\"2.0\"><saml:Issuer>{issuer}</saml:Issuer>\
             {signature}<saml:Subject><saml:NameID>{subject}</saml:NameID>\
             <saml:SubjectConfirmation Method=\"{method}\"><saml:SubjectConfirmationData\
             {confirmed} Recipient=\"{recipient}\"/></saml:SubjectConfirmation></saml:Subject>\
             <saml:Conditions NotBefore=\"{from}\" NotOnOrAfter=\"{until}\">\
             <saml:AudienceRestriction>{audience}</saml:AudienceRestriction>{conditions}\
             </saml:Conditions><saml:AuthnStatement AuthnInstant=\"{issued}\"><saml:AuthnContext>\
             <saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:X509\
             </saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>\
             </saml:Assertion>"
        );
        match &self.rewrite {
            Some((from, to)) => xml.replacen(from, to, 1),
            None => xml,
        }
    }

    fn key_file(&self) -> tempfile::NamedTempFile {
        let body = STANDARD.encode(KEYS[self.key].pkcs8());
        let lines: Vec<_> = body
            .as_bytes()
            .chunks(64)
            .map(String::from_utf8_lossy)
            .collect();
        let pem = format!(
            "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
            lines.join("\n")
        );
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), pem).unwrap();
        file
    }

    /// Signed by `xmlsec1`.
    pub(super) async fn signed(&self) -> String {
        let Provider {
            signature,
            digest,
            canonicalization,
            reference,
            transforms,
            ..
        } = self;
        let template = self.xml(&format!(
            "<ds:Signature xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"><ds:SignedInfo>\
             <ds:CanonicalizationMethod Algorithm=\"{canonicalization}\"/>\
             <ds:SignatureMethod Algorithm=\"{signature}\"/><ds:Reference URI=\"{reference}\">\
             <ds:Transforms><ds:Transform \
             Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"/>{transforms}\
             <ds:Transform Algorithm=\"{canonicalization}\"/></ds:Transforms>\
             <ds:DigestMethod Algorithm=\"{digest}\"/><ds:DigestValue/></ds:Reference>\
             </ds:SignedInfo><ds:SignatureValue/><ds:KeyInfo><ds:KeyValue/></ds:KeyInfo>\
             </ds:Signature>"
        ));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), template).unwrap();
        let key = self.key_file();
        let output = tokio::process::Command::new("xmlsec1")
            .args(["--sign", "--privkey-pem"])
            .arg(key.path())
            .args([
                "--id-attr:ID",
                "urn:oasis:names:tc:SAML:2.0:assertion:Assertion",
            ])
            .arg(file.path())
            .stdin(Stdio::null())
            .output()
            .await
            .expect("xmlsec1 is needed; on Debian: apt-get install xmlsec1, or cargo xtask test");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// Presents a text as an assertion.
    pub(super) async fn present(&self, xml: &str) -> Answer {
        present(&self.server, &URL_SAFE_NO_PAD.encode(xml)).await
    }

    pub(super) async fn is_taken(&self) {
        let answer = self.present(&self.signed().await).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    /// Another bearer confirmation beside the usual one, good until so many seconds from now.
    pub(super) fn confirm_until(&mut self, seconds: i64) {
        let confirmation = format!(
            "<saml:SubjectConfirmation Method=\"{}\"><saml:SubjectConfirmationData \
             NotOnOrAfter=\"{}\" Recipient=\"{}\"/></saml:SubjectConfirmation></saml:Subject>",
            self.method,
            self.time(seconds),
            self.recipient
        );
        self.rewrite = Some(("</saml:Subject>".to_owned(), confirmation));
    }

    pub(super) async fn is_refused(&self, why: &str) {
        refused(&self.present(&self.signed().await).await, why);
    }
}

pub(super) fn audience(name: &str) -> String {
    format!("<saml:Audience>{name}</saml:Audience>")
}

/// Revokes a token that nobody has, which asks for identification alone.
pub(super) async fn present(server: &Server, assertion: &str) -> Answer {
    let form = [
        ("token", "x"),
        ("client_assertion_type", SAML2_BEARER),
        ("client_assertion", assertion),
    ];
    post(server, "/oauth2/v1/revoke", &form).await
}

pub(super) fn refused(answer: &Answer, why: &str) {
    assert_eq!(answer.error(), (401, "invalid_client"), "{why}: {answer:?}");
    assert_eq!(
        answer.text("error_description"),
        "The client could not be authenticated."
    );
}

/// The part of a text from one mark to the end of another.
pub(super) fn cut<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let start = text
        .find(from)
        .unwrap_or_else(|| panic!("no {from} in {text}"));
    let length = text[start..]
        .find(to)
        .unwrap_or_else(|| panic!("no {to} in {text}"));
    &text[start..start + length + to.len()]
}

/// The document element, without the declaration that `xmlsec1` writes.
pub(super) fn element(signed: &str) -> &str {
    cut(signed, "<saml:Assertion", "</saml:Assertion>")
}

pub(super) fn signature(signed: &str) -> &str {
    cut(signed, "<ds:Signature ", "</ds:Signature>")
}

both_databases! {
    async fn a_client_with_an_assertion_of_xmlsec1_gets_a_token(server: Server) {
        let provider = Provider::new(&server).await;
        let device = Device::ask_as(&server, CLIENT, "accounts.read").await;
        device.approve(&server).await;
        let assertion = URL_SAFE_NO_PAD.encode(provider.signed().await);
        let client = [
            ("client_assertion_type", SAML2_BEARER),
            ("client_assertion", assertion.as_str()),
        ];
        let answer = device.poll_with(&server, &client).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    async fn an_assertion_of_signxml_is_taken(server: Server) {
        let provider = Provider::new(&server).await;
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), provider.xml("")).unwrap();
        let key = provider.key_file();
        let paths = [file.path().to_str().unwrap(), key.path().to_str().unwrap()];
        let signed = tools::python("saml_signer.py", &paths).await;
        let answer = provider.present(signed.trim()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    async fn every_digest_and_signature_of_the_sha_2_family_is_taken(server: Server) {
        for (signature, digest) in [
            ("rsa-sha384", "http://www.w3.org/2001/04/xmldsig-more#sha384"),
            ("rsa-sha512", "http://www.w3.org/2001/04/xmlenc#sha512"),
        ] {
            let mut provider = Provider::new(&server).await;
            provider.signature = match signature {
                "rsa-sha384" => "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384",
                _ => "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
            };
            provider.digest = digest;
            provider.is_taken().await;
        }
    }

    async fn known_conditions_are_taken(server: Server) {
        let mut provider = Provider::new(&server).await;
        provider.conditions = "<saml:OneTimeUse/><saml:ProxyRestriction Count=\"1\"/>".into();
        provider.is_taken().await;
    }

    async fn an_assertion_is_good_once(server: Server) {
        let provider = Provider::new(&server).await;
        let signed = provider.signed().await;
        assert_eq!(provider.present(&signed).await.status, 200);
        refused(&provider.present(&signed).await, "replayed");
        // The same assertion in another spelling, which canonicalization removes.
        let other = signed.replace("Version=\"2.0\"", "Version='2.0' ");
        refused(&provider.present(&other).await, "replayed in another spelling");
    }

    async fn a_relaxed_client_may_address_the_token_endpoint(server: Server) {
        let endpoint = audience(&server.url("/oauth2/v1/token"));
        let mut provider = Provider::new(&server).await;
        provider.audience = endpoint.clone();
        provider.is_refused("strict: the token endpoint").await;
        provider.audience = audience(&server.url("")) + &audience("https://other.example");
        provider.is_refused("strict: another audience beside the issuer").await;
        let mut provider = Provider::new(&server).await;
        register(&server, |client| {
            client.id = CLIENT.into();
            client.kind = Kind::Saml;
            client.saml_issuer = Some(ISSUER.into());
            client.strict = false;
        })
        .await;
        provider.audience = audience("https://other.example") + &endpoint;
        provider.is_taken().await;
    }

    async fn a_client_that_is_not_registered_for_saml_is_refused(server: Server) {
        let provider = Provider::new(&server).await;
        for kind in [Kind::Public, Kind::Assertion, Kind::Confidential] {
            register(&server, |client| {
                client.id = CLIENT.into();
                client.kind = kind;
            })
            .await;
            provider.is_refused(kind.as_str()).await;
        }
    }

    async fn a_client_of_a_provider_cannot_just_name_itself(server: Server) {
        Provider::new(&server).await;
        let device = Device::ask_as(&server, CLIENT, "accounts.read").await;
        assert_eq!(device.poll(&server).await.error(), (401, "invalid_client"));
    }

    async fn an_assertion_with_a_wrong_claim_is_refused(server: Server) {
        type Change = fn(&mut Provider);
        let changes: [(&str, Change); 18] = [
            ("issuer", |p| p.issuer = "https://other.example".into()),
            ("issuer with a space", |p| p.issuer += " "),
            ("subject", |p| p.subject = "accord-web".into()),
            ("unknown subject", |p| p.subject = "nobody".into()),
            ("audience", |p| p.audience = audience("https://other.example")),
            ("no audience", |p| p.audience = String::new()),
            ("recipient", |p| p.recipient = "https://other.example/token".into()),
            ("recipient is the issuer", |p| p.recipient = p.server.url("")),
            ("method", |p| p.method = "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key"),
            ("expired", |p| p.not_on_or_after = -1),
            ("confirmation expired", |p| p.confirmation = Some(-1)),
            ("never expires", |p| p.confirmation = None),
            ("the lifetime", |p| (p.not_on_or_after, p.confirmation) = (3700, Some(3700))),
            ("not yet good", |p| p.not_before = 120),
            ("in the future", |p| p.issued = 120),
            ("unknown condition", |p| {
                p.conditions = "<x:Condition xmlns:x=\"urn:x\"/>".into();
            }),
            ("second restriction", |p| {
                p.conditions = format!(
                    "<saml:AudienceRestriction>{}</saml:AudienceRestriction>",
                    audience("https://other.example")
                );
            }),
            ("another's key", |p| p.key = 1),
        ];
        for (why, change) in changes {
            let mut provider = Provider::new(&server).await;
            change(&mut provider);
            provider.is_refused(why).await;
        }
    }

    async fn a_signature_of_another_shape_is_refused(server: Server) {
        type Change = fn(&mut Provider);
        let changes: [(&str, Change); 7] = [
            ("SHA-1 signature", |p| {
                p.signature = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";
            }),
            ("SHA-1 digest", |p| p.digest = "http://www.w3.org/2000/09/xmldsig#sha1"),
            ("inclusive canonicalization", |p| {
                p.canonicalization = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
            }),
            ("canonicalization with comments", |p| {
                p.canonicalization = "http://www.w3.org/2001/10/xml-exc-c14n#WithComments";
            }),
            ("the whole document", |p| p.reference = String::new()),
            ("by XPointer", |p| p.reference = "#xpointer(/)".into()),
            ("another transform", |p| {
                p.transforms = "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xpath-19991116\">\
                    <ds:XPath>not(self::text())</ds:XPath></ds:Transform>";
            }),
        ];
        for (why, change) in changes {
            let mut provider = Provider::new(&server).await;
            change(&mut provider);
            provider.is_refused(why).await;
        }
    }

    async fn a_text_that_is_no_assertion_is_refused(server: Server) {
        let provider = Provider::new(&server).await;
        let signed = provider.signed().await;
        let unsigned = provider.xml("");
        let deep = "<a>".repeat(2000) + &"</a>".repeat(2000);
        let wide = format!("<a>{}</a>", "<b/>".repeat(5000));
        for (why, text) in [
            ("a space", " "),
            ("no XML", "assertion"),
            ("unsigned", unsigned.as_str()),
            ("cut off", &signed[..signed.len() / 2]),
            ("deep", &deep),
            ("wide", &wide),
            ("a second root", &format!("{signed}<a/>")),
        ] {
            refused(&provider.present(text).await, why);
        }
        let spelled = [
            ("padded too much", URL_SAFE.encode(format!("{signed} ")) + "==="),
            ("broken lines", URL_SAFE_NO_PAD.encode(&signed).replacen('P', "\nP", 3)),
            ("no UTF-8", URL_SAFE_NO_PAD.encode([0x3c, 0xff, 0xfe])),
        ];
        for (why, assertion) in spelled {
            refused(&present(&server, &assertion).await, why);
        }
        assert_eq!(provider.present(&signed).await.status, 200);
    }

    /// Each begins with an assertion whose signature is good, for another client
    /// or with another content than the attacker wants.
    async fn signature_wrapping_is_refused(server: Server) {
        let provider = Provider::new(&server).await;
        let signed = provider.signed().await;
        let good = element(&signed).to_owned();
        let its_signature = signature(&good).to_owned();
        let its_id = provider.id.clone();
        let forged_id = "_forged";
        let forged = |signature: &str| {
            good.replace(&its_signature, signature).replace(&its_id, forged_id)
        };
        let extension = |content: &str| {
            format!("<saml:Advice>{content}</saml:Advice></saml:Assertion>")
        };
        let at_end = |whole: String, content: &str| {
            let body = whole.strip_suffix("</saml:Assertion>").unwrap();
            format!("{body}{}", extension(content))
        };
        let without = good.replace(&its_signature, "");
        let object = |content: &str| {
            its_signature.replace(
                "</ds:Signature>",
                &format!("<ds:Object>{content}</ds:Object></ds:Signature>"),
            )
        };
        let attacks = [
            ("1: the signed one as a child of the forged one, signature moved up",
             at_end(forged(&its_signature.replace("_nothing", "")), &without)),
            ("2: the signed one whole inside the forged one",
             at_end(forged(""), &good)),
            ("3: the signed one inside the signature of the forged one",
             forged(&object(&without)).replace(&format!("#{forged_id}"), &format!("#{its_id}"))),
            ("4: both under a common root",
             format!("<x>{}{good}</x>", forged(""))),
            ("5: the forged one first, in a response",
             format!("<samlp:Response xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\">{}{good}\
                      </samlp:Response>", forged(""))),
            ("6: the same ID twice",
             at_end(good.replace(ISSUER, "https://other.example"), &without)),
            ("7: the same ID on the forged one, the signed one in its advice",
             at_end(without.clone(), &good)),
            ("8: a second subject",
             good.replace("<saml:Subject>",
                 "<saml:Subject><saml:NameID>accord-web</saml:NameID></saml:Subject><saml:Subject>")),
            ("9: a comment in the subject",
             good.replace("<saml:NameID>saml-robot", "<saml:NameID>saml-robot<!---->")),
            ("10: CDATA in the subject",
             good.replace("<saml:NameID>saml-robot", "<saml:NameID><![CDATA[saml-robot]]>")),
            ("11: an instruction in the subject",
             good.replace("<saml:NameID>saml-robot", "<saml:NameID>saml-robot<?x?>")),
            ("12: an entity in the subject",
             format!("<!DOCTYPE a [<!ENTITY e \"saml-robot\">]>{}",
                 good.replace("<saml:NameID>saml-robot", "<saml:NameID>&e;"))),
            ("13: a document type that makes another attribute an ID",
             format!("<!DOCTYPE a [<!ATTLIST b c ID #IMPLIED>]>{good}")),
            ("14: two signatures, the first good",
             good.replace(&its_signature, &format!("{its_signature}{its_signature}"))),
            ("15: two references",
             good.replace(cut(&good, "<ds:Reference", "</ds:Reference>"),
                 &cut(&good, "<ds:Reference", "</ds:Reference>").repeat(2))),
            ("16: no reference",
             good.replace(cut(&good, "<ds:Reference", "</ds:Reference>"), "")),
            ("17: an empty signature value",
             good.replace(cut(&good, "<ds:SignatureValue>", "</ds:SignatureValue>"),
                 "<ds:SignatureValue></ds:SignatureValue>")),
            ("18: a digest as a symmetric signature would have it",
             good.replace("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
                 "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256")),
            ("19: the signed info of one and a second one behind it",
             good.replace("</ds:SignedInfo>", &format!("</ds:SignedInfo>{}",
                 cut(&good, "<ds:SignedInfo>", "</ds:SignedInfo>")))),
            ("20: a changed attribute",
             good.replace("Recipient=", "Address=\"127.0.0.1\" Recipient=")),
            ("21: another namespace for the subject",
             good.replace("<saml:Subject>", "<saml:Subject xmlns:saml=\"urn:x\">")),
            ("22: an extension in the signature",
             good.replace(&its_signature, &object("<saml:Subject/>"))),
            ("23: an ID attribute of another namespace",
             good.replace("<saml:Subject>", &format!("<saml:Subject xml:id=\"{its_id}\">"))),
        ];
        for (why, text) in attacks {
            assert_ne!(text, good, "{why}: nothing was changed");
            refused(&provider.present(&text).await, why);
        }
        // What was attacked is good by itself.
        assert_eq!(provider.present(&good).await.status, 200);
    }

    /// Keys that come with an assertion say nothing: the provider's own is in
    /// there, and so is one of the attacker's.
    async fn a_key_in_the_assertion_is_not_believed(server: Server) {
        let mut provider = Provider::new(&server).await;
        provider.key = 1;
        let signed = provider.signed().await;
        assert!(signed.contains("<ds:KeyValue>"), "{signed}");
        refused(&provider.present(&signed).await, "signed with the key that it brings");
    }
}
