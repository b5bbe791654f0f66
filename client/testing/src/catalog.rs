//! The operations of the four documents, and the examples of their responses.

use std::sync::LazyLock;

use dropforge_runtime::http::StatusCode;
use dropforge_runtime::table::{Api, Codec, MediaType, Operation, Response, Status};
use serde_json::Value;

use crate::reject::{self, Form};
use crate::servers::{accounts, identity, inference, patterns};

/// One document.
pub(crate) struct Area {
    /// Its tables.
    pub(crate) api: &'static Api,
    /// The document itself.
    document: Value,
    /// The form of its rejections.
    pub(crate) form: Form,
}

/// One operation of a document.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub(crate) area: &'static Area,
    pub(crate) operation: &'static Operation,
}

/// The paths of the identity document begin at the root, so this document is the last.
static AREAS: LazyLock<[Area; 4]> = LazyLock::new(|| {
    [
        area(&accounts::API, accounts::SOURCE_JSON, reject::accounts),
        area(&inference::API, inference::SOURCE_JSON, reject::inference),
        area(&patterns::API, patterns::SOURCE_JSON, reject::patterns),
        area(&identity::API, identity::SOURCE_JSON, reject::identity),
    ]
});

fn area(api: &'static Api, document: &str, form: Form) -> Area {
    Area {
        api,
        document: serde_json::from_str(document).expect("the build has written JSON"),
        form,
    }
}

/// The four documents.
pub(crate) fn areas() -> &'static [Area; 4] {
    &AREAS
}

/// Every operation of the four documents.
pub(crate) fn operations() -> impl Iterator<Item = Known> {
    areas().iter().flat_map(|area| {
        let operations = area.api.operations.iter();
        operations.map(move |operation| Known { area, operation })
    })
}

/// The operation with this id.
pub(crate) fn find(id: &str) -> Option<Known> {
    operations().find(|known| known.operation.id == id)
}

/// The document whose server has this path. `None` if no document has it.
pub(crate) fn area_of(path: &str) -> Option<&'static Area> {
    areas().iter().find(|area| {
        let rest = path.strip_prefix(area.api.base_path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

impl Known {
    /// The response to a successful request: the listed one with the lowest status.
    pub(crate) fn success(&self) -> StatusCode {
        let codes = self.operation.responses.iter();
        let codes = codes.filter_map(|response| match response.status {
            Status::Code(code @ 200..=299) => StatusCode::from_u16(code).ok(),
            _ => None,
        });
        codes.min().unwrap_or(StatusCode::OK)
    }

    /// The examples of a body with this media type, each with its name. For an event stream, the
    /// text of the whole stream.
    pub(crate) fn examples(
        &self,
        response: &Response,
        media: &MediaType,
    ) -> Vec<(&'static str, &'static Value)> {
        let content = &self.described(response)["content"][media.name];
        let examples = match media.codec {
            Codec::EventStream => &content["x-dropforge-stream"]["examples"],
            _ => &content["examples"],
        };
        let examples = examples.as_object().into_iter().flatten();
        let examples = examples.map(|(name, example)| (name, &self.resolve(example)["value"]));
        examples
            .map(|(name, value)| (name.as_str(), value))
            .collect()
    }

    /// The example of a header, as it is sent.
    pub(crate) fn header(&self, response: &Response, name: &str) -> Option<String> {
        let headers = &self.described(response)["headers"];
        match &self.resolve(&headers[name])["example"] {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        }
    }

    /// The place of the operation: the document and the JSON Pointer in it.
    pub(crate) fn place(&self) -> String {
        format!("{}.yaml#{}", self.area.api.name, self.operation.pointer)
    }

    /// A response as the document describes it.
    fn described(&self, response: &Response) -> &'static Value {
        let status = match response.status {
            Status::Code(code) => code.to_string(),
            Status::Range(digit) => format!("{digit}XX"),
            Status::Default => "default".to_owned(),
        };
        let operation = self.area.document.pointer(self.operation.pointer);
        let operation = operation.unwrap_or(&Value::Null);
        self.resolve(&operation["responses"][status])
    }

    /// The value that a reference names, or the value itself.
    fn resolve(&self, value: &'static Value) -> &'static Value {
        let reference = value["$ref"].as_str();
        match reference.and_then(|reference| reference.strip_prefix('#')) {
            Some(pointer) => self.area.document.pointer(pointer).unwrap_or(&Value::Null),
            None => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_among_the_documents() {
        let mut ids: Vec<&str> = operations().map(|known| known.operation.id).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all);
        assert!(all > 20, "{all} operations");
    }

    #[test]
    fn the_first_examples_of_429_and_503_name_the_seconds_of_retry_after() {
        let mut count = 0;
        for known in operations() {
            for response in known.operation.responses {
                let Status::Code(code @ (429 | 503)) = response.status else {
                    continue;
                };
                for media in response.media {
                    // The examples after the first one are of limits that last longer.
                    let examples = known.examples(response, media);
                    let text = examples.first().map(|(_, example)| example.to_string());
                    let text = text.unwrap_or_default();
                    let Some((_, rest)) = text.split_once("Try again in ") else {
                        continue;
                    };
                    let header = known.header(response, "Retry-After");
                    let place = known.place();
                    assert_eq!(rest.split(' ').next(), header.as_deref(), "{place}: {code}");
                    count += 1;
                }
            }
        }
        assert!(count > 20, "{count} examples");
    }

    #[test]
    fn a_path_belongs_to_one_document() {
        for known in operations() {
            let area = area_of(known.operation.path).expect("a document");
            assert_eq!(area.api.name, known.area.api.name, "{}", known.operation.id);
        }
        let area = area_of("/apiary").expect("a document");
        assert_eq!(area.api.name, "identity");
    }
}
