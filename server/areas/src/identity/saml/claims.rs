//! The claims of an assertion, and whether they are meant for this server (RFC 7522, section 3).
//!
//! All claims are read from a [`Verified`] assertion. An unknown condition counts as unmet (SAML
//! 2.0 core, section 2.5.1). The server rejects a repetition of a part that may occur once.

use chrono::DateTime;

use super::error::AssertionError;
use super::signature::Verified;
use super::xml::{DSIG, Element, SAML};
use crate::identity::CLOCK_SKEW;
use crate::identity::assertions::{Audience, MAX_LIFETIME};

const BEARER: &str = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
/// The other parts that an assertion can have beside its issuer, subject and conditions. The server
/// uses none of them.
const STATEMENTS: [&str; 5] = [
    "Advice",
    "Statement",
    "AuthnStatement",
    "AuthzDecisionStatement",
    "AttributeStatement",
];

/// The required claims of an assertion.
pub struct Expected<'x> {
    /// The registered issuer of the client.
    pub issuer: &'x str,
    /// The client.
    pub client_id: &'x str,
    /// The endpoint that receives the assertion.
    pub audience: &'x Audience,
    /// Whether the issuer identifier is the only audience (RFC 10070).
    pub strict: bool,
    /// Now, in Unix milliseconds.
    pub now: i64,
}

/// The client that an assertion names, read before any verification. It selects the keys to try,
/// and nothing else.
///
/// # Errors
///
/// When the assertion names no client.
pub fn unverified_subject(assertion: Element<'_>) -> Result<String, AssertionError> {
    assertion.only("Subject")?.only("NameID")?.text()
}

/// Checks all claims of an assertion.
///
/// # Errors
///
/// The first unexpected claim.
pub fn check(assertion: &Verified<'_>, expected: &Expected<'_>) -> Result<(), AssertionError> {
    let assertion = assertion.assertion();
    for child in assertion.children()? {
        let known = ["Issuer", "Subject", "Conditions"]
            .iter()
            .chain(&STATEMENTS);
        if !child.is(DSIG, "Signature") && !known.into_iter().any(|name| child.is(SAML, name)) {
            return Err(AssertionError("the assertion has an unknown part"));
        }
    }
    if assertion.only("Issuer")?.text()? != expected.issuer {
        return Err(AssertionError(
            "the issuer is not the one that is registered",
        ));
    }
    let subject = assertion.only("Subject")?;
    if subject.only("NameID")?.text()? != expected.client_id {
        return Err(AssertionError("the subject is not the client"));
    }
    let soon = expected.now + CLOCK_SKEW;
    if instant(assertion, "IssueInstant")?.is_none_or(|issued| issued > soon) {
        return Err(AssertionError("the assertion was issued in the future"));
    }
    let conditions = check_conditions(assertion.only("Conditions")?, expected)?;
    let confirmed = check_confirmation(subject, expected)?;
    let last_use = conditions.map_or(confirmed, |until| until.min(confirmed));
    match last_use > soon + MAX_LIFETIME {
        true => Err(AssertionError("the lifetime of the assertion is too long")),
        false => Ok(()),
    }
}

fn check_conditions(
    conditions: Element<'_>,
    expected: &Expected<'_>,
) -> Result<Option<i64>, AssertionError> {
    let expires = check_times(conditions, expected.now)?;
    let mut restricted = false;
    for condition in conditions.children()? {
        if condition.is(SAML, "AudienceRestriction") {
            // Each restriction must be met, by any of its audiences.
            restricted = true;
            check_audiences(condition, expected)?;
        } else if !condition.is(SAML, "OneTimeUse") && !condition.is(SAML, "ProxyRestriction") {
            return Err(AssertionError("the assertion has an unknown condition"));
        }
    }
    match restricted {
        true => Ok(expires),
        false => Err(AssertionError("the assertion names no audience")),
    }
}

fn check_audiences(
    restriction: Element<'_>,
    expected: &Expected<'_>,
) -> Result<(), AssertionError> {
    let Audience {
        issuer,
        token_endpoint,
    } = expected.audience;
    let mut ours = false;
    for audience in restriction.children()? {
        if !audience.is(SAML, "Audience") {
            return Err(AssertionError("the assertion has an unknown condition"));
        }
        let name = audience.text()?;
        let met = name == *issuer || (!expected.strict && name == *token_endpoint);
        if expected.strict && !met {
            return Err(AssertionError(
                "the issuer identifier is not the only audience",
            ));
        }
        ours |= met;
    }
    match ours {
        true => Ok(()),
        false => Err(AssertionError("the assertion is for another server")),
    }
}

/// Checks that one bearer confirmation is for the token endpoint and valid now. Returns the expiry
/// of the last confirmation for the token endpoint, which can be another one.
fn check_confirmation(
    subject: Element<'_>,
    expected: &Expected<'_>,
) -> Result<i64, AssertionError> {
    let mut outcome: Result<(), AssertionError> = Err(AssertionError(
        "the assertion has no bearer confirmation for the subject",
    ));
    let mut last = i64::MIN;
    for confirmation in subject.children()? {
        if !confirmation.is(SAML, "SubjectConfirmation")
            || confirmation.attribute("Method") != Some(BEARER)
        {
            continue;
        }
        outcome = match confirms_until(confirmation, expected) {
            // An expired confirmation confirms nothing, now or later. Another one may.
            Err(error) => outcome.or(Err(error)),
            Ok((data, until)) => {
                last = last.max(until);
                outcome.or_else(|_| check_times(data, expected.now).map(drop))
            }
        };
    }
    outcome.map(|()| last)
}

/// The data of a confirmation for the token endpoint, and its expiry.
fn confirms_until<'e>(
    confirmation: Element<'e>,
    expected: &Expected<'_>,
) -> Result<(Element<'e>, i64), AssertionError> {
    let data = confirmation.only("SubjectConfirmationData")?;
    if data.attribute("Recipient") != Some(&expected.audience.token_endpoint) {
        return Err(AssertionError("the recipient is not the token endpoint"));
    }
    let until =
        instant(data, "NotOnOrAfter")?.ok_or(AssertionError("the confirmation never expires"))?;
    Ok((data, until))
}

/// `NotBefore` and `NotOnOrAfter` of an element; returns the latter.
fn check_times(element: Element<'_>, now: i64) -> Result<Option<i64>, AssertionError> {
    if instant(element, "NotBefore")?.is_some_and(|from| from > now + CLOCK_SKEW) {
        return Err(AssertionError("the assertion is not valid yet"));
    }
    let until = instant(element, "NotOnOrAfter")?;
    match until.is_some_and(|until| until <= now) {
        true => Err(AssertionError("the assertion has expired")),
        false => Ok(until),
    }
}

/// A time of an attribute, in Unix milliseconds. SAML's times are in UTC.
fn instant(element: Element<'_>, name: &str) -> Result<Option<i64>, AssertionError> {
    const UNREADABLE: AssertionError = AssertionError("a time of the assertion cannot be read");
    let Some(text) = element.attribute(name) else {
        return Ok(None);
    };
    if !text.ends_with('Z') {
        return Err(UNREADABLE);
    }
    let time = DateTime::parse_from_rfc3339(text).map_err(|_| UNREADABLE)?;
    Ok(Some(time.timestamp_millis()))
}
