//! Rules of style and structure for documents.
//!
//! A document from which code can be generated may still be hard to use. The rules here require
//! what a reader looks for: the name and purpose of an operation, how it can fail, the meaning of a
//! field, the form of a body. Each rule has a name, which its findings carry.

mod components;
mod contents;
mod extensions;
mod nulls;
mod operations;
mod schemas;
mod shared;

pub(super) use operations::period;
pub use shared::{UNUSED, unused_in_shared_files};

pub use super::rule::Rule;

use super::document_index::DocumentIndex;
use super::examples;
use crate::document::{Diagnostics, Document};
use crate::{lower, structure};

/// All rules. Beside their findings, [`lint`] reports references that cannot be followed, and
/// everything that the generator refuses or warns of.
pub const RULES: &[Rule] = &[
    Rule {
        id: "operation-id-missing",
        asks: "Every operation has an operationId: generated code is named after it.",
    },
    Rule {
        id: "operation-id-case",
        asks: "An operationId is camelCase.",
    },
    Rule {
        id: "summary-missing",
        asks: "Every operation has a summary.",
    },
    Rule {
        id: "summary-period",
        asks: "A summary is a title: it does not end with a period.",
    },
    Rule {
        id: "description-missing",
        asks: "The document, its tags, operations, parameters, bodies, responses, headers, named \
               schemas and security schemes have a description.",
    },
    Rule {
        id: "tag-count",
        asks: "Every operation has exactly one tag.",
    },
    Rule {
        id: "tag-undeclared",
        asks: "The tag of an operation is declared under `tags`.",
    },
    Rule {
        id: "security-implicit",
        asks: "Every operation says itself how it is secured, if only by `security: []`.",
    },
    Rule {
        id: "scope-undescribed",
        asks: "The description of an operation names the scopes that it requires.",
    },
    Rule {
        id: "scope-not-required",
        asks: "An operation requires each scope that its description says it requires.",
    },
    Rule {
        id: "scope-without-flow",
        asks: "Requirements list scopes only for `oauth2` and `openIdConnect`; others use `x-required-scopes`.",
    },
    Rule {
        id: "error-response-missing",
        asks: "An operation lists 400 when it takes parameters or a body, 401 when it is secured, and 500.",
    },
    Rule {
        id: "component-unused",
        asks: "Every component is used by an operation, directly or through others.",
    },
    Rule {
        id: "property-undescribed",
        asks: "Every property has a description, or its schema has one.",
    },
    Rule {
        id: "schema-name-case",
        asks: "The names of schemas are PascalCase.",
    },
    Rule {
        id: "schema-name-clash",
        asks: "No schema is named like another schema and one of its properties: generators name types so.",
    },
    Rule {
        id: "property-name-style",
        asks: "The properties of one schema are all camelCase or all snake_case.",
    },
    Rule {
        id: "example-missing",
        asks: "Every body of a request or a response has an example.",
    },
    Rule {
        id: examples::INVALID,
        asks: "Every example, default and enum value is what its schema says.",
    },
    Rule {
        id: "null-outside-json",
        asks: "Parameters and the fields of forms are not `nullable`: only JSON has null.",
    },
    Rule {
        id: "decision-in-document",
        asks: "A document has no `x-decision`: decisions belong in `openapi/decisions.yaml`.",
    },
];

/// The findings of all rules in a document, in its order.
pub fn lint(document: &Document) -> Diagnostics {
    let index = DocumentIndex::new(document);
    let mut findings = match lower::lower(document, "document") {
        Ok(lowered) => lowered.warnings,
        Err(diagnostics) => diagnostics,
    };
    for reference in &index.references {
        findings.extend(index.follow(reference).err());
    }
    operations::check(&index, &mut findings);
    contents::check(&index, &mut findings);
    schemas::check(&index, &mut findings);
    components::check(&index, &mut findings);
    extensions::check(&index, &mut findings);
    nulls::check(&index, &mut findings);
    if !structure::is_too_deep(&findings) {
        findings.extend(examples::of_index(&index));
    }
    findings.sort();
    findings
}

#[cfg(test)]
mod tests;
