//! Rejects requests that refer to data of an upstream's store.
//!
//! An upstream stores the responses, files and caches of all callers in one place, and does not
//! know whose they are. Its ids do not show the owner either: some upstreams let a caller choose the
//! id of a response. So references are rejected, unless the configuration of the model allows them.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, Error as DeError, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::members::{Name, folded};
use crate::inference::problem::{Code, Fault, Problem};

/// A reference.
struct Reference {
    /// The member of the body that has it.
    param: String,
    /// The text for the caller.
    subject: String,
}

/// Requires that a body does not refer to stored data.
pub(super) fn reject(body: &[u8]) -> Result<(), Problem> {
    let mut found = None;
    let walk = Walk {
        place: Place::Body,
        param: "",
        found: &mut found,
    };
    let walked = walk.deserialize(&mut serde_json::Deserializer::from_slice(body));
    if let Some(Reference { param, subject }) = found {
        let message = format!(
            "{subject} refers to data that the upstream stores. The model does not allow this, \
             because the data may belong to another caller. Send the data itself."
        );
        let problem = Problem::new(Fault::Request, Code::UnsupportedParameter, message);
        return Err(problem.param(&param));
    }
    walked.map(|_| ()).map_err(Problem::invalid_body)
}

/// The role of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The body, or further members of it.
    Body,
    /// An input item, or a list of them.
    Items,
    /// The type of an item.
    Type,
    /// A container of a tool: its id, or its settings.
    Container,
    /// Audio of an earlier message.
    Audio,
    /// An id, or a list of them.
    Reference,
    /// Any other part of items, messages and tools.
    Inside,
}

impl Place {
    /// The role of a member, or nothing if it cannot have a reference.
    fn member(self, name: &str) -> Option<Place> {
        match (self, name) {
            (Place::Body, "previous_response_id" | "conversation" | "prompt") => {
                Some(Place::Reference)
            }
            // vLLM, SGLang and TensorRT-LLM find the cache or the session of another request by these.
            (
                Place::Body,
                "bootstrap_room" | "disaggregated_params" | "kv_transfer_params" | "session_params",
            ) => Some(Place::Reference),
            // Gemini finds a cache by its name.
            (_, "cached_content" | "cachedcontent") => Some(Place::Reference),
            (_, "container_id" | "file_id" | "file_ids" | "skill_id" | "vector_store_ids") => {
                Some(Place::Reference)
            }
            (Place::Body, "input") => Some(Place::Items),
            (Place::Body, "google" | "messages" | "tools") => Some(Place::Inside),
            // LiteLLM sends these members beside the others.
            (Place::Body, "extra_body") => Some(Place::Body),
            (Place::Body, _) => None,
            (Place::Items, "type") => Some(Place::Type),
            (Place::Audio, "id") => Some(Place::Reference),
            // vLLM finds an image of an earlier request by it.
            (_, "uuid") => Some(Place::Reference),
            (_, "audio") => Some(Place::Audio),
            (_, "container") => Some(Place::Container),
            // Schemas and values of functions have names of their own. Annotations and search
            // results cite files.
            (_, "annotations" | "arguments" | "input_schema" | "parameters" | "results") => None,
            _ => Some(Place::Inside),
        }
    }
}

/// The members that show whether an item has its data itself: two for its kind, the others for its
/// content.
const OWN_DATA: [&str; 11] = [
    "role",
    "type",
    "approval_request_id",
    "arguments",
    "call_id",
    "content",
    "encrypted_content",
    "output",
    "result",
    "results",
    "tools",
];
/// The bits of the members for the kind.
const KIND: u16 = 0b11;

/// The members of an input item. Each of [`OWN_DATA`] has one bit.
#[derive(Default)]
struct Item {
    has_id: bool,
    filled: u16,
    /// The members with an empty value, or in another case. The upstream decides which one of several
    /// values counts.
    doubtful: u16,
}

impl Item {
    fn add(&mut self, name: &str, folded: &str, is_filled: bool) {
        self.has_id |= is_filled && folded == "id";
        if let Some(at) = OWN_DATA.iter().position(|own| *own == folded) {
            let bit = 1_u16 << at;
            match is_filled && name == folded {
                true => self.filled |= bit,
                false => self.doubtful |= bit,
            }
        }
    }

    /// Whether the upstream would look the item up by its id.
    fn is_reference(&self) -> bool {
        let own = self.filled & !self.doubtful;
        self.has_id && (own & KIND == 0 || own & !KIND == 0)
    }
}

/// Visits a value in one pass, and returns whether it is neither null nor empty.
struct Walk<'a> {
    place: Place,
    /// The member of the body that has the value. Empty for the body.
    param: &'a str,
    found: &'a mut Option<Reference>,
}

impl Walk<'_> {
    /// Visits the value of a member.
    fn member<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        let Some(place) = self.place.member(name) else {
            return Ok(map.next_value::<Option<IgnoredAny>>()?.is_some());
        };
        let param = match self.param {
            "" => name,
            param => param,
        };
        let is_filled = map.next_value_seed(Walk {
            place,
            param,
            found: &mut *self.found,
        })?;
        if is_filled && place == Place::Reference {
            self.record(name);
        }
        Ok(is_filled)
    }

    /// Records a reference, if it is the first one.
    fn record(&mut self, subject: &str) {
        if self.found.is_some() {
            return;
        }
        let (param, subject) = match self.param {
            "" => (subject, subject.to_owned()),
            param => (param, format!("{subject} in {param}")),
        };
        *self.found = Some(Reference {
            param: param.to_owned(),
            subject,
        });
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = bool;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: DeError>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_bool<E: DeError>(self, _: bool) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_i64<E: DeError>(self, _: i64) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_u64<E: DeError>(self, _: u64) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_f64<E: DeError>(self, _: f64) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_str<E: DeError>(mut self, text: &str) -> Result<bool, E> {
        match self.place {
            Place::Container if !text.is_empty() => self.record("container"),
            Place::Type if text == "item_reference" => self.record("An item_reference"),
            _ => {}
        }
        Ok(!text.is_empty())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<bool, A::Error> {
        let mut is_filled = false;
        loop {
            let walk = Walk {
                place: self.place,
                param: self.param,
                found: &mut *self.found,
            };
            match seq.next_element_seed(walk)? {
                Some(_) => is_filled = true,
                None => return Ok(is_filled),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<bool, A::Error> {
        let mut is_filled = false;
        let mut item = Item::default();
        while let Some(Name(name)) = map.next_key::<Name<'de>>()? {
            is_filled = true;
            let folded = folded(&name);
            let has_value = self.member(&folded, &mut map)?;
            if self.place == Place::Items {
                item.add(&name, &folded, has_value);
            }
        }
        if item.is_reference() {
            self.record("An item with an id but without content");
        }
        Ok(is_filled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn rejected(body: &Value) -> Problem {
        let problem = reject(body.to_string().as_bytes());
        problem.expect_err(&body.to_string())
    }

    fn items(item: Value) -> Value {
        json!({"model": "m", "input": [{"role": "user", "content": "x"}, item]})
    }

    #[test]
    fn a_member_that_refers_to_stored_data_is_rejected() {
        for (name, value) in [
            ("previous_response_id", json!("resp_1")),
            ("Previous_Response_ID", json!("resp_1")),
            ("previou\u{17f}_response_id", json!("resp_1")),
            ("conversation", json!("conv_1")),
            ("conversation", json!({"id": "conv_1"})),
            ("prompt", json!({"id": "pmpt_1", "variables": {}})),
            ("kv_transfer_params", json!({"remote_block_ids": [1]})),
            ("session_params", json!({"id": "session_1"})),
            ("bootstrap_room", json!(7)),
            ("disaggregated_params", json!({"ctx_request_id": 7})),
            ("vector_store_ids", json!(["vs_1"])),
        ] {
            let problem = rejected(&json!({"model": "m", "input": "x", name: value}));
            let folded = name.to_uppercase().to_lowercase();
            assert_eq!(problem.param.as_deref(), Some(&*folded));
            assert_eq!(problem.code, Code::UnsupportedParameter);
            let expected = format!("{folded} refers to data");
            assert!(problem.message.starts_with(&expected), "{problem}");
            assert!(reject(json!({"input": "x", name: null}).to_string().as_bytes()).is_ok());
        }
        // A second value of a name, and a name in escapes.
        for body in [
            r#"{"previous_response_id":"r","previous_response_id":null}"#,
            r#"{"previous_response_id":null,"previous_response_id":"r"}"#,
            r#"{"\u0070revious_response_id":"r"}"#,
        ] {
            assert!(reject(body.as_bytes()).is_err(), "{body}");
        }
    }

    #[test]
    fn a_reference_in_further_members_is_rejected() {
        let cache = json!({"google": {"cached_content": "cachedContents/1"}});
        let in_camel_case = json!({"google": {"cachedContent": "cachedContents/1"}});
        for (param, value, subject) in [
            (
                "google",
                cache["google"].clone(),
                "cached_content in google",
            ),
            ("extra_body", cache, "cached_content in extra_body"),
            ("extra_body", in_camel_case, "cachedcontent in extra_body"),
            (
                "extra_body",
                json!({"extra_body": {"previous_response_id": "resp_1"}}),
                "previous_response_id in extra_body",
            ),
            (
                "extra_body",
                json!({"input": [{"type": "item_reference", "id": "msg_1"}]}),
                "An item_reference in extra_body",
            ),
        ] {
            let problem = rejected(&json!({"model": "m", param: value}));
            assert_eq!(problem.param.as_deref(), Some(param));
            let expected = format!("{subject} refers to data");
            assert!(problem.message.starts_with(&expected), "{problem}");
        }
    }

    #[test]
    fn an_item_with_content_in_doubt_is_rejected() {
        let reasoning = |members: &str| {
            let item = format!(r#"{{"id":"rs_1","type":"reasoning","summary":[],{members}}}"#);
            format!(r#"{{"model":"m","input":[{item}]}}"#)
        };
        for members in [
            r#""encrypted_content":"x","encrypted_content":null"#,
            r#""encrypted_content":null,"encrypted_content":"x""#,
            r#""encrypted_content":"x","\u0065ncrypted_content":"""#,
            r#""Encrypted_Content":"x""#,
            r#""encrypted_content":"x","Encrypted_Content":null"#,
            r#""encrypted_content":"x","Type":"reasoning""#,
            r#""encrypted_content":"x","type":null"#,
            r#""encrypted_content":null,"id":null"#,
        ] {
            assert!(reject(reasoning(members).as_bytes()).is_err(), "{members}");
        }
        for members in [
            r#""content":[],"encrypted_content":"x""#,
            r#""encrypted_content":"x","encrypted_content":"y""#,
            r#""encrypted_content":"x","status":null,"Status":null"#,
        ] {
            let outcome = reject(reasoning(members).as_bytes());
            assert!(outcome.is_ok(), "{members}: {outcome:?}");
        }
    }

    #[test]
    fn an_item_that_the_upstream_would_look_up_is_rejected() {
        for item in [
            json!({"type": "item_reference", "id": "msg_1"}),
            json!({"TYPE": "item_reference", "ID": "msg_1", "content": "x"}),
            json!({"id": "msg_1"}),
            json!({"id": "msg_1", "type": null, "content": "x"}),
            json!({"id": "rs_1", "type": "reasoning", "summary": []}),
            json!({"id": "rs_1", "type": "reasoning", "content": [], "encrypted_content": null}),
            json!({"id": "ig_1", "type": "image_generation_call", "result": null}),
            json!({"id": "ws_1", "type": "web_search_call", "status": "completed"}),
        ] {
            let problem = rejected(&items(item.clone()));
            assert_eq!(problem.param.as_deref(), Some("input"), "{item}");
            assert!(problem.message.starts_with("An item"), "{problem}");
        }
        for item in [
            json!({"role": "user", "content": "previous_response_id"}),
            json!({"id": "msg_1", "type": "message", "role": "assistant", "content": [
                {"type": "output_text", "text": "x", "annotations": [
                    {"type": "file_citation", "file_id": "file_1", "index": 1},
                ]},
            ]}),
            json!({"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "x"}),
            json!({"id": "rs_1", "type": "reasoning", "summary": [],
                "content": [{"type": "reasoning_text", "text": "x"}]}),
            json!({"type": "reasoning", "summary": []}),
            json!({"id": "fc_1", "type": "function_call", "call_id": "c", "name": "f",
                "arguments": "{\"file_id\":1}"}),
            json!({"type": "function_call_output", "call_id": "c", "output": "file_id"}),
            json!({"id": "fs_1", "type": "file_search_call", "queries": ["x"],
                "results": [{"file_id": "file_1", "text": "x"}]}),
        ] {
            let outcome = reject(items(item.clone()).to_string().as_bytes());
            assert!(outcome.is_ok(), "{item}: {outcome:?}");
        }
    }

    fn part(part: Value) -> Value {
        items(json!({"role": "user", "content": [part]}))
    }

    fn tool(tool: Value) -> Value {
        json!({"model": "m", "input": "x", "tools": [tool]})
    }

    fn message(message: Value) -> Value {
        json!({"model": "m", "messages": [message]})
    }

    #[test]
    fn a_file_or_a_container_is_rejected_where_it_can_be_used() {
        for (body, subject) in [
            (
                part(json!({"type": "input_file", "file_id": "file_1"})),
                "file_id in input",
            ),
            (
                items(json!({"type": "function_call_output", "call_id": "c",
                    "output": [{"type": "input_image", "file_id": "file_1"}]})),
                "file_id in input",
            ),
            (
                items(json!({"type": "code_interpreter_call", "container_id": "cntr_1"})),
                "container_id in input",
            ),
            (
                tool(json!({"type": "file_search", "vector_store_ids": ["vs_1"]})),
                "vector_store_ids in tools",
            ),
            (
                tool(json!({"type": "code_interpreter", "container": "cntr_1"})),
                "container in tools",
            ),
            (
                tool(json!({"type": "code_interpreter",
                    "container": {"type": "auto", "file_ids": ["file_1"]}})),
                "file_ids in tools",
            ),
            (
                message(json!({"role": "user",
                    "content": [{"type": "file", "file": {"file_id": "file_1"}}]})),
                "file_id in messages",
            ),
            (
                message(json!({"role": "user",
                    "content": [{"type": "image_url", "image_url": null, "uuid": "image-1"}]})),
                "uuid in messages",
            ),
            (
                message(json!({"role": "assistant", "audio": {"id": "audio_1"}})),
                "id in messages",
            ),
        ] {
            let problem = rejected(&body);
            let param = subject.split(" in ").nth(1);
            assert_eq!(problem.param.as_deref(), param, "{body}");
            let expected = format!("{subject} refers to data");
            assert!(problem.message.starts_with(&expected), "{problem}");
        }
    }

    #[test]
    fn a_body_that_has_its_data_itself_passes() {
        for body in [
            part(json!({"type": "input_file", "file_data": "data:,x", "file_id": null})),
            tool(json!({"type": "code_interpreter",
                "container": {"type": "auto", "file_ids": []}})),
            tool(json!({"type": "function", "name": "f", "parameters": {
                "type": "object", "properties": {"file_id": {"type": "string"}}}})),
            message(json!({"role": "assistant", "content": "x", "audio": null})),
            tool(
                json!({"type": "mcp", "server_label": "s", "server_url": "https://h",
                "headers": {"authorization": "x"}, "allowed_tools": ["t"]}),
            ),
            tool(json!({"type": "image_generation", "input_image_mask": null})),
            message(json!({"role": "user", "content": [
                {"type": "input_audio", "input_audio": {"data": "x", "format": "wav"}},
                {"type": "file", "file": {"file_data": "data:,x", "filename": "f"}}]})),
            message(json!({"role": "assistant", "content": null, "tool_calls": [
                {"id": "call_1", "type": "function",
                    "function": {"name": "f", "arguments": "{\"file_id\":1}"}}]})),
            json!({"model": "m", "input": "x", "prompt_cache_key": "k", "safety_identifier": "s",
                "user": "u", "store": false, "include": ["reasoning.encrypted_content"],
                "text": {"format": {"type": "json_schema", "schema": {
                    "properties": {"container": {"type": "string"}, "file_id": {}}}}},
                "extra_body": {"google": {"thinking_config": {"thinking_budget": 0}}}}),
            json!({"model": "m", "audio": {"voice": "v"}, "metadata": {"file_id": "file_1"},
                "messages": [{"role": "user", "content": "x"}], "seed": -1, "top_p": 0.5}),
        ] {
            let outcome = reject(body.to_string().as_bytes());
            assert!(outcome.is_ok(), "{body}: {outcome:?}");
        }
    }

    /// The items that SDKs send back with `store: false`.
    #[test]
    fn whole_items_of_an_earlier_response_pass() {
        let output = json!({"type": "computer_screenshot", "image_url": "data:,x"});
        for item in [
            json!({"id": "cu_1", "type": "computer_call", "call_id": "c", "status": "completed",
                "action": {"type": "wait"}, "pending_safety_checks": [{"id": "sc_1"}]}),
            json!({"type": "computer_call_output", "call_id": "c", "output": output,
                "acknowledged_safety_checks": [{"id": "sc_1", "code": "c"}]}),
            json!({"id": "mcpl_1", "type": "mcp_list_tools", "server_label": "s", "tools": [
                {"name": "t", "input_schema": {"properties": {"file_id": {"type": "string"}}}}]}),
            json!({"id": "mcp_1", "type": "mcp_call", "server_label": "s", "name": "t",
                "arguments": "{}", "output": null, "approval_request_id": null}),
            json!({"id": "mcpr_1", "type": "mcp_approval_request", "arguments": "{}"}),
            json!({"type": "mcp_approval_response", "approval_request_id": "mcpr_1"}),
            json!({"id": "ctc_1", "type": "custom_tool_call", "call_id": "c", "input": ""}),
            json!({"id": "fc_1", "type": "function_call_output", "call_id": "c", "output": ""}),
            json!({"id": "lsh_1", "type": "local_shell_call", "call_id": "c"}),
            json!({"id": "cmp_1", "type": "compaction", "encrypted_content": "x"}),
            json!({"id": "ig_1", "type": "image_generation_call", "result": "x"}),
            json!({"type": "web_search_call", "action": {"type": "search", "query": "x"}}),
            json!({"id": "msg_1", "role": "assistant", "content": [
                {"type": "output_text", "text": "", "annotations": [
                    {"type": "container_file_citation", "container_id": "cntr_1"}]}]}),
        ] {
            let outcome = reject(items(item.clone()).to_string().as_bytes());
            assert!(outcome.is_ok(), "{item}: {outcome:?}");
        }
    }

    #[test]
    fn a_body_that_cannot_be_walked_is_rejected() {
        let deep = format!(r#"{{"input":{}{}}}"#, "[".repeat(1000), "]".repeat(1000));
        let problem = reject(deep.as_bytes()).expect_err("a deep body");
        assert_eq!(problem.code, Code::InvalidValue);
    }
}
