//! The signature of an assertion (XML Signature 1.1, in the profile of SAML 2.0
//! core, section 5.4).
//!
//! The profile leaves one shape. The signature is the assertion's child and has one reference, to
//! the assertion's ID. That reference is transformed by "enveloped" and exclusive canonicalization.
//! So nothing is resolved here. The digested element is the root of the tree by construction.
//! [`Verified`], which only this file makes, holds that same root, so claims cannot be read from
//! another element. `KeyInfo` is ignored; the keys are the registered ones.

use aws_lc_rs::digest::{self, SHA256, SHA384, SHA512};
use aws_lc_rs::signature::{
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512,
    RsaParameters, RsaPublicKeyComponents,
};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bergshamra_c14n::{C14nMode, canonicalize_doc};
use bergshamra_xml::NodeSet;

use super::error::AssertionError;
use super::xml::{DSIG, EXCLUSIVE, Element, OTHER_PARTS, Tree};
use crate::identity::clients::ClientKey;

const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";

/// The supported signature algorithms. SHA-1 is not among them.
static SIGNATURES: [(&str, &RsaParameters); 3] = [
    (
        "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
        &RSA_PKCS1_2048_8192_SHA256,
    ),
    (
        "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384",
        &RSA_PKCS1_2048_8192_SHA384,
    ),
    (
        "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
        &RSA_PKCS1_2048_8192_SHA512,
    ),
];

/// The supported digest algorithms.
static DIGESTS: [(&str, &digest::Algorithm); 3] = [
    ("http://www.w3.org/2001/04/xmlenc#sha256", &SHA256),
    ("http://www.w3.org/2001/04/xmldsig-more#sha384", &SHA384),
    ("http://www.w3.org/2001/04/xmlenc#sha512", &SHA512),
];

/// An assertion with a valid signature.
pub struct Verified<'v>(Element<'v>);

impl<'v> Verified<'v> {
    /// The signed element.
    pub fn assertion(&self) -> Element<'v> {
        self.0
    }
}

/// Verifies the signature of an assertion with one of the keys that are
/// registered for its client.
///
/// # Errors
///
/// When the signature has another shape or algorithm, or is invalid.
pub fn verify<'v>(tree: &'v Tree<'_>, keys: &[ClientKey]) -> Result<Verified<'v>, AssertionError> {
    let parts = tree.signature().children()?;
    let (signed_info, value) = match parts.as_slice() {
        [info, value] => (*info, *value),
        [info, value, key_info] if key_info.is(DSIG, "KeyInfo") => (*info, *value),
        _ => return Err(OTHER_PARTS),
    };
    if !signed_info.is(DSIG, "SignedInfo") || !value.is(DSIG, "SignatureValue") {
        return Err(OTHER_PARTS);
    }
    let [canonicalization, method, reference] = signed_info.exactly(
        DSIG,
        ["CanonicalizationMethod", "SignatureMethod", "Reference"],
    )?;
    let [] = method.exactly(DSIG, [])?;
    let algorithm = find(&SIGNATURES, method)?;
    check_digest(tree, reference)?;

    let prefixes = exclusive_prefixes(canonicalization)?;
    let nodes = NodeSet::tree_without_comments(signed_info.node(), tree.document());
    let message = canonical(tree, &nodes, &prefixes)?;
    let signature = decoded(value)?;
    let good = keys.iter().any(|key| {
        public_key(key).is_some_and(|key| key.verify(algorithm, &message, &signature).is_ok())
    });
    match good {
        true => Ok(Verified(tree.root())),
        false => Err(AssertionError(
            "the signature is invalid under every registered key",
        )),
    }
}

/// The reference must be to the root, and have the root's digest.
fn check_digest(tree: &Tree<'_>, reference: Element<'_>) -> Result<(), AssertionError> {
    let [transforms, method, value] =
        reference.exactly(DSIG, ["Transforms", "DigestMethod", "DigestValue"])?;
    if reference.attribute("URI") != Some(format!("#{}", tree.id()).as_str()) {
        return Err(AssertionError(
            "the signature does not refer to the assertion",
        ));
    }
    let [enveloped, exclusive] = transforms.exactly(DSIG, ["Transform", "Transform"])?;
    let [] = enveloped.exactly(DSIG, [])?;
    if enveloped.attribute("Algorithm") != Some(ENVELOPED) {
        return Err(AssertionError(
            "the signature uses an unsupported transform",
        ));
    }
    let prefixes = exclusive_prefixes(exclusive)?;
    let [] = method.exactly(DSIG, [])?;
    let algorithm = find(&DIGESTS, method)?;

    let document = tree.document();
    let whole = NodeSet::tree_without_comments(tree.root().node(), document);
    let signature = NodeSet::tree_with_comments(tree.signature().node(), document);
    let bytes = canonical(tree, &whole.subtract(&signature), &prefixes)?;
    match digest::digest(algorithm, &bytes).as_ref() == decoded(value)? {
        true => Ok(()),
        false => Err(AssertionError(
            "the signature covers another element than the assertion",
        )),
    }
}

/// The prefixes that exclusive canonicalization is to treat inclusively.
fn exclusive_prefixes(method: Element<'_>) -> Result<Vec<String>, AssertionError> {
    if method.attribute("Algorithm") != Some(EXCLUSIVE) {
        return Err(AssertionError(
            "the signature uses an unsupported canonicalization",
        ));
    }
    match method.children()?.as_slice() {
        [] => Ok(Vec::new()),
        [one] if one.is(EXCLUSIVE, "InclusiveNamespaces") && one.children()?.is_empty() => {
            let list = one.attribute("PrefixList").unwrap_or_default();
            Ok(list.split_ascii_whitespace().map(str::to_owned).collect())
        }
        _ => Err(OTHER_PARTS),
    }
}

fn canonical(
    tree: &Tree<'_>,
    nodes: &NodeSet,
    prefixes: &[String],
) -> Result<Vec<u8>, AssertionError> {
    canonicalize_doc(tree.document(), C14nMode::Exclusive, Some(nodes), prefixes)
        .map_err(|_| AssertionError("the assertion cannot be canonicalized"))
}

fn find<T>(
    known: &[(&str, &'static T)],
    method: Element<'_>,
) -> Result<&'static T, AssertionError> {
    let name = method.attribute("Algorithm");
    known
        .iter()
        .find(|(known, _)| Some(*known) == name)
        .map(|(_, algorithm)| *algorithm)
        .ok_or(AssertionError(
            "the signature uses an unsupported algorithm",
        ))
}

/// Decodes base64 with the line breaks that signers insert.
fn decoded(element: Element<'_>) -> Result<Vec<u8>, AssertionError> {
    let mut text = element.text()?;
    text.retain(|c| !c.is_ascii_whitespace());
    STANDARD
        .decode(text)
        .map_err(|_| AssertionError("the signature is not valid base64"))
}

fn public_key(key: &ClientKey) -> Option<RsaPublicKeyComponents<Vec<u8>>> {
    Some(RsaPublicKeyComponents {
        n: URL_SAFE_NO_PAD.decode(&key.modulus).ok()?,
        e: URL_SAFE_NO_PAD.decode(&key.exponent).ok()?,
    })
}
