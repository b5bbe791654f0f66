//! A strict parser for the XML of an assertion.
//!
//! One parser builds one tree, and both the signature and the claims are read from that tree.
//! Signature wrapping exploits two readers that disagree about the same text. The parser first
//! rejects constructs that an assertion never has: document types and entities, processing
//! instructions, CDATA, and too many nodes or levels. It also rejects comments, because they split
//! a text in two and canonicalization drops them.

use std::collections::HashSet;

use uppsala::{Document, NodeId, NodeKind, Parser};

use super::error::AssertionError;

/// Namespace of assertions.
pub const SAML: &str = "urn:oasis:names:tc:SAML:2.0:assertion";
/// Namespace of signatures.
pub const DSIG: &str = "http://www.w3.org/2000/09/xmldsig#";
/// Namespace of the parameter of exclusive canonicalization, which is also the
/// name of that algorithm.
pub const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";

/// The error of an element of the signature that has other children than expected.
pub const OTHER_PARTS: AssertionError = AssertionError("the signature has unexpected parts");

/// The maximum of levels of elements.
const MAX_DEPTH: u32 = 24;
/// The maximum of nodes of all kinds.
const MAX_NODES: usize = 1000;
/// Names of attributes that a reference can use as an identifier.
const IDENTIFIERS: [&str; 3] = ["id", "Id", "ID"];

/// A parsed assertion.
pub struct Tree<'t> {
    document: Document<'t>,
    root: NodeId,
    signature: NodeId,
    id: String,
}

/// An element of a [`Tree`].
#[derive(Clone, Copy)]
pub struct Element<'e> {
    document: &'e Document<'e>,
    node: NodeId,
}

impl<'t> Tree<'t> {
    /// Parses a text that must be one `Assertion` with one signature, which is the assertion's own
    /// child.
    ///
    /// # Errors
    ///
    /// When the text has any other form.
    pub fn parse(text: &'t str) -> Result<Tree<'t>, AssertionError> {
        let document = Parser::new()
            .with_forbid_dtd(true)
            .with_forbid_entities(true)
            .with_max_depth(MAX_DEPTH)
            .parse(text)
            .map_err(|_| {
                AssertionError("the assertion is not valid XML, or uses unsupported XML")
            })?;
        let signature = only_signature(&document)?;
        let root = document
            .document_element()
            .filter(|root| document.parent(signature) == Some(*root))
            .ok_or(AssertionError("the signature is not the assertion's own"))?;
        let top = Element {
            document: &document,
            node: root,
        };
        if !top.is(SAML, "Assertion") || top.attribute("Version") != Some("2.0") {
            return Err(AssertionError("the document is not a SAML 2.0 assertion"));
        }
        let id = top.attribute("ID").unwrap_or_default().to_owned();
        if !is_identifier(&id) {
            return Err(AssertionError("the assertion has no usable ID"));
        }
        Ok(Tree {
            document,
            root,
            signature,
            id,
        })
    }

    /// The parser's tree, for canonicalization.
    pub fn document(&self) -> &Document<'t> {
        &self.document
    }

    /// The assertion.
    pub fn root(&self) -> Element<'_> {
        self.element(self.root)
    }

    /// Its signature.
    pub fn signature(&self) -> Element<'_> {
        self.element(self.signature)
    }

    /// The assertion's identifier.
    pub fn id(&self) -> &str {
        &self.id
    }

    fn element(&self, node: NodeId) -> Element<'_> {
        Element {
            document: &self.document,
            node,
        }
    }
}

impl<'e> Element<'e> {
    /// The node, for canonicalization.
    pub fn node(self) -> NodeId {
        self.node
    }

    /// Whether the element has this name.
    pub fn is(self, namespace: &str, name: &str) -> bool {
        self.document
            .element(self.node)
            .is_some_and(|element| element.matches_name_ns(namespace, name))
    }

    /// The value of an attribute without a namespace.
    pub fn attribute(self, name: &str) -> Option<&'e str> {
        let attributes = &self.document.element(self.node)?.attributes;
        attributes
            .iter()
            .find(|one| one.name.namespace_uri.is_none() && one.name.local_name == name)
            .map(|one| &*one.value)
    }

    /// The child elements, if the element has no text of its own.
    ///
    /// # Errors
    ///
    /// When the element has text.
    pub fn children(self) -> Result<Vec<Element<'e>>, AssertionError> {
        let mut elements = Vec::new();
        for node in self.document.children_iter(self.node) {
            match self.document.node_kind(node) {
                Some(NodeKind::Element(_)) => elements.push(Element { node, ..self }),
                Some(NodeKind::Text(text)) if text.trim_ascii().is_empty() => {}
                _ => return Err(AssertionError("an element has text beside its elements")),
            }
        }
        Ok(elements)
    }

    /// The child elements of a part of the signature, which must be exactly these, in this order.
    ///
    /// # Errors
    ///
    /// When the element has other children.
    pub fn exactly<const N: usize>(
        self,
        namespace: &str,
        names: [&str; N],
    ) -> Result<[Element<'e>; N], AssertionError> {
        let children: [Element<'e>; N] = self.children()?.try_into().map_err(|_| OTHER_PARTS)?;
        let all = children
            .iter()
            .zip(names)
            .all(|(child, name)| child.is(namespace, name));
        if all { Ok(children) } else { Err(OTHER_PARTS) }
    }

    /// The one child of the assertion with this name.
    ///
    /// # Errors
    ///
    /// When there is none, or more than one.
    pub fn only(self, name: &str) -> Result<Element<'e>, AssertionError> {
        let mut found = self
            .children()?
            .into_iter()
            .filter(|one| one.is(SAML, name));
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one),
            _ => Err(AssertionError(
                "a part of the assertion is missing or repeated",
            )),
        }
    }

    /// The text of this element, if it has no other content.
    ///
    /// # Errors
    ///
    /// When the element has other content.
    pub fn text(self) -> Result<String, AssertionError> {
        let mut whole = String::new();
        for node in self.document.children_iter(self.node) {
            match self.document.node_kind(node) {
                Some(NodeKind::Text(text)) => whole.push_str(text),
                _ => return Err(AssertionError("an element has children beside its text")),
            }
        }
        Ok(whole)
    }
}

/// The one signature of a document, all of whose nodes are supported and whose identifiers differ.
fn only_signature(document: &Document<'_>) -> Result<NodeId, AssertionError> {
    let nodes = document.descendants(document.root());
    if nodes.len() > MAX_NODES {
        return Err(AssertionError("the assertion has too many nodes"));
    }
    let mut signatures = Vec::new();
    let mut identifiers = HashSet::new();
    for node in nodes {
        match document.node_kind(node) {
            Some(NodeKind::Element(element)) => {
                if element.matches_name_ns(DSIG, "Signature") {
                    signatures.push(node);
                }
                for attribute in &element.attributes {
                    let is_id = IDENTIFIERS.contains(&&*attribute.name.local_name);
                    if is_id && !identifiers.insert(&*attribute.value) {
                        return Err(AssertionError("an ID is repeated"));
                    }
                }
            }
            Some(NodeKind::Text(_) | NodeKind::Document) => {}
            _ => {
                return Err(AssertionError(
                    "the assertion has comments, instructions or CDATA",
                ));
            }
        }
    }
    match signatures[..] {
        [signature] => Ok(signature),
        _ => Err(AssertionError("the assertion does not have one signature")),
    }
}

/// `xs:ID`, restricted to the characters that generators use.
fn is_identifier(text: &str) -> bool {
    let starts = |c: char| c.is_ascii_alphabetic() || c == '_';
    let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.len() <= 200 && text.starts_with(starts) && text.chars().all(goes_on)
}
