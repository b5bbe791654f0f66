//! Streams of chat completions, and the events that they become.

use super::*;
use crate::inference::gateway::response::MAX_RESPONSE_BYTES;

const DONE: &str = "data: [DONE]\n\n";

fn chunk(delta: Value, finish_reason: Option<&str>) -> String {
    let chunk = json!({"id": "chatcmpl-7", "created": 5, "choices": [
        {"index": 0, "delta": delta, "finish_reason": finish_reason}]});
    format!("data: {chunk}\n\n")
}

/// Names and data of the events.
fn translated(pieces: &[String]) -> Vec<(String, Value)> {
    let request = json!({"model": "m"});
    let mut translation = Translation::new(request.as_object().cloned().unwrap_or_default());
    let mut text = String::new();
    for piece in pieces {
        text += &String::from_utf8_lossy(&translation.piece(piece.as_bytes()));
    }
    if !translation.is_ended() {
        text += &String::from_utf8_lossy(&translation.broken_off());
    }
    let event = |block: &str| {
        let (name, data) = block.split_once('\n').expect("two lines");
        let data = data.strip_prefix("data: ").expect("data");
        let data: Value = serde_json::from_str(data).expect("JSON");
        assert_eq!(
            name,
            format!("event: {}", data["type"].as_str().unwrap_or(""))
        );
        (data["type"].as_str().unwrap_or_default().to_owned(), data)
    };
    let events: Vec<_> = text.split_terminator("\n\n").map(event).collect();
    for (number, (_, data)) in events.iter().enumerate() {
        assert_eq!(data["sequence_number"], number);
    }
    events
}

fn names(events: &[(String, Value)]) -> Vec<&str> {
    let names = events.iter().map(|(name, _)| name.as_str());
    names
        .map(|n| n.strip_prefix("response.").unwrap_or(n))
        .collect()
}

#[test]
fn text_becomes_events_in_the_order_of_the_convention() {
    let events = translated(&[
        chunk(json!({"role": "assistant", "content": ""}), None),
        chunk(json!({"content": "Hel"}), None) + &chunk(json!({"content": "lo"}), None),
        chunk(json!({}), Some("stop")),
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}\n\n".into(),
        "data: [DONE]\n\n".into(),
    ]);
    let expected = "created in_progress output_item.added content_part.added output_text.delta \
         output_text.delta output_text.done content_part.done output_item.done completed";
    assert_eq!(names(&events).join(" "), expected);
    assert_eq!(events[6].1["text"], "Hello");
    let last = &events[9].1["response"];
    assert_eq!(last["output"][0]["content"][0]["text"], "Hello");
    assert_eq!(last["usage"]["total_tokens"], 3);
}

#[test]
fn thoughts_are_an_item_of_their_own_that_is_done_when_the_message_begins() {
    let events = translated(&[
        chunk(json!({"role": "assistant", "reasoning_content": "H"}), None),
        chunk(json!({"reasoning": "m."}), None),
        chunk(json!({"reasoning_content": null, "content": "Yes."}), None),
        chunk(json!({}), Some("stop")),
        DONE.into(),
    ]);
    let expected = "created in_progress output_item.added content_part.added reasoning_text.delta \
         reasoning_text.delta reasoning_text.done content_part.done output_item.done \
         output_item.added content_part.added output_text.delta output_text.done \
         content_part.done output_item.done completed";
    assert_eq!(names(&events).join(" "), expected);
    assert_eq!(events[2].1["item"]["type"], "reasoning");
    assert_eq!(events[2].1["item"]["content"], json!([]));
    assert_eq!(events[6].1["text"], "Hm.");
    assert_eq!(events[5].1["output_index"], 0);
    assert_eq!(events[11].1["output_index"], 1);
    let output = &events[15].1["response"]["output"];
    let thoughts = json!({"type": "reasoning_text", "text": "Hm."});
    assert_eq!(output[0]["content"][0], thoughts);
    assert_eq!(output[1]["content"][0]["text"], "Yes.");
}

#[test]
fn thoughts_that_were_cut_are_incomplete() {
    let events = translated(&[
        chunk(json!({"reasoning_content": "H"}), None),
        chunk(json!({}), Some("length")),
        DONE.into(),
    ]);
    let (name, data) = events.last().expect("events");
    assert_eq!(name, "response.incomplete");
    assert_eq!(data["response"]["output"][0]["status"], "incomplete");
}

#[test]
fn interleaved_calls_are_kept_apart() {
    let call = |index: u64, more: Value| {
        let mut call = json!({"index": index});
        if let (Some(call), Value::Object(more)) = (call.as_object_mut(), more) {
            call.extend(more);
        }
        chunk(json!({"tool_calls": [call]}), None)
    };
    let events = translated(&[
        chunk(json!({"content": "Wait."}), None),
        call(
            0,
            json!({"id": "a", "function": {"name": "f", "arguments": ""}}),
        ),
        call(
            1,
            json!({"id": "b", "function": {"name": "g", "arguments": "{"}}),
        ),
        call(0, json!({"function": {"arguments": "{}"}})),
        call(1, json!({"function": {"arguments": "}"}})),
        chunk(json!({}), Some("tool_calls")),
        DONE.into(),
    ]);
    let output = &events.last().expect("events").1["response"]["output"];
    assert_eq!(output[0]["content"][0]["text"], "Wait.");
    for (index, id, name) in [(1, "a", "f"), (2, "b", "g")] {
        assert_eq!(output[index]["call_id"], id);
        assert_eq!(output[index]["name"], name);
        assert_eq!(output[index]["arguments"], "{}");
    }
    let names = names(&events);
    let done = names.iter().position(|name| *name == "output_item.done");
    let call = names.iter().rposition(|name| *name == "output_item.added");
    assert!(done < call, "a message is done before a call begins");
}

#[test]
fn a_stream_that_ends_early_or_fails_says_so() {
    let begun = chunk(json!({"content": "On"}), None);
    let cut = translated(std::slice::from_ref(&begun));
    let (name, data) = cut.last().expect("events");
    assert_eq!(name, "response.failed");
    assert_eq!(data["response"]["status"], "failed");
    let failed = translated(&[begun, "data: {\"error\":{\"message\":\"No.\"}}\n\n".into()]);
    let (name, data) = failed.last().expect("events");
    assert_eq!(name, "error");
    assert_eq!(data["message"], "No.");
}

#[test]
fn heartbeats_pass() {
    let mut translation = Translation::new(Map::new());
    assert_eq!(translation.piece(b": beat\n\n"), ": keep-alive\n\n");
}

/// The last event, and its response or itself.
fn last(pieces: &[String]) -> (String, Value) {
    let (name, mut data) = translated(pieces).pop().expect("events");
    match data["response"].take() {
        Value::Null => (name, data),
        response => (name, response),
    }
}

/// The output of chunks with these deltas.
fn output(deltas: &[Value]) -> Value {
    let mut pieces: Vec<_> = deltas
        .iter()
        .map(|delta| chunk(delta.clone(), None))
        .collect();
    pieces.push(chunk(json!({}), Some("stop")) + DONE);
    let (name, mut response) = last(&pieces);
    assert_eq!(name, "response.completed");
    response["output"].take()
}

fn names_and_arguments(output: &Value) -> Vec<(&str, &str, &str)> {
    let text = |item: &'_ Value, name: &str| item[name].as_str().map(str::to_owned);
    let items = output.as_array().expect("items").iter();
    items
        .map(|item| {
            assert!(text(item, "call_id").is_some(), "{item}");
            let of = |name: &str| item[name].as_str().unwrap_or_default();
            (of("call_id"), of("name"), of("arguments"))
        })
        .collect()
}

#[test]
fn calls_without_an_index_are_kept_apart() {
    let call = |id: &str, name: &str, arguments: &str| {
        json!({"id": id, "type": "function",
        "function": {"name": name, "arguments": arguments}})
    };
    let both = output(&[json!({"tool_calls": [call("a", "f", "{}"), call("b", "f", "[]")]})]);
    assert_eq!(
        names_and_arguments(&both),
        [("a", "f", "{}"), ("b", "f", "[]")]
    );
    let apart = output(&[
        json!({"tool_calls": [call("a", "f", "{}")]}),
        json!({"tool_calls": [call("b", "g", "[]")]}),
    ]);
    assert_eq!(
        names_and_arguments(&apart),
        [("a", "f", "{}"), ("b", "g", "[]")]
    );
    let without_ids = output(&[
        json!({"tool_calls": [{"function": {"name": "f", "arguments": "{"}},
            {"function": {"name": "g", "arguments": "["}}]}),
        json!({"tool_calls": [{"function": {"arguments": "}"}}, {"function": {"arguments": "]"}}]}),
    ]);
    let expected = [("call_7_0", "f", "{}"), ("call_7_1", "g", "[]")];
    assert_eq!(names_and_arguments(&without_ids), expected);
    // All of them number 0.
    let numbered = |mut call: Value| {
        call["index"] = 0.into();
        json!({"tool_calls": [call]})
    };
    let zero = output(&[
        numbered(call("a", "f", "{}")),
        numbered(call("b", "g", "[]")),
    ]);
    assert_eq!(
        names_and_arguments(&zero),
        [("a", "f", "{}"), ("b", "g", "[]")]
    );
}

#[test]
fn a_call_is_whole_however_it_is_spread_over_pieces() {
    let call = |call: Value| json!({"tool_calls": [call]});
    let spread = output(&[
        call(json!({"index": 0, "function": {"name": "get_"}})),
        call(json!({"index": 0, "id": "a", "function": {"name": "weather"}})),
        call(json!({"index": 0, "function": {"arguments": "{}"}})),
    ]);
    assert_eq!(names_and_arguments(&spread), [("a", "get_weather", "{}")]);
    let repeated = output(&[
        call(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}})),
        call(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}})),
        call(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "}"}})),
    ]);
    assert_eq!(names_and_arguments(&repeated), [("a", "f", "{}")]);
    let object = output(&[call(json!({"index": 0, "id": "a",
        "function": {"name": "f", "arguments": {"x": 1}}}))]);
    assert_eq!(names_and_arguments(&object), [("a", "f", "{\"x\":1}")]);
    let old = output(&[
        json!({"function_call": {"name": "f", "arguments": "{"}}),
        json!({"function_call": {"arguments": "}"}}),
    ]);
    assert_eq!(names_and_arguments(&old), [("call_7_0", "f", "{}")]);
}

#[test]
fn only_the_first_choice_is_translated() {
    let choice = |index: u64, text: &str| json!({"index": index, "delta": {"content": text}});
    let chunk_of = |choices: Value| format!("data: {}\n\n", json!({"id": "7", "choices": choices}));
    let (name, response) = last(&[
        chunk_of(json!([choice(1, "B0"), choice(0, "A0")])),
        chunk_of(json!([choice(1, "B1")])),
        chunk_of(json!([{"index": 1, "delta": {}, "finish_reason": "length"}])),
        chunk_of(json!([{"index": 0, "delta": {"content": "A1"}, "finish_reason": "stop"}])),
        DONE.into(),
    ]);
    assert_eq!(name, "response.completed");
    assert_eq!(response["output"][0]["content"][0]["text"], "A0A1");
}

#[test]
fn content_in_parts_is_text_and_thought() {
    let output = output(&[
        json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]}),
        json!({"content": [{"type": "text", "text": "Ye"}, {"type": "text", "text": "s."}]}),
    ]);
    assert_eq!(
        output[0]["content"][0],
        json!({"type": "reasoning_text", "text": "Hm."})
    );
    assert_eq!(output[1]["content"][0]["text"], "Yes.");
}

#[test]
fn data_over_several_lines_is_one_chunk() {
    let (name, response) = last(&[
        "data: {\"id\":\"7\",\"choices\":[{\"index\":0,\ndata: \"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n".into(),
        DONE.into(),
    ]);
    assert_eq!(name, "response.completed");
    assert_eq!(response["output"][0]["content"][0]["text"], "x");
}

#[test]
fn content_without_a_translation_fails_the_response() {
    let begun = chunk(json!({"content": "On"}), None);
    for bad in [
        "data: {\"malformed\n\n".to_owned(),
        "data: 7\n\n".into(),
        "data: {\"choices\":7}\n\n".into(),
        chunk(json!({"content": [{"type": "image_url"}]}), None),
        chunk(json!({"content": 7}), None),
        chunk(json!({"audio": {"data": "x"}}), None),
        chunk(json!({"tool_calls": {}}), None),
    ] {
        let (name, response) = last(&[begun.clone(), bad.clone(), DONE.into()]);
        assert_eq!(name, "response.failed", "{bad}");
        assert_eq!(response["output"][0]["content"][0]["text"], "On");
        assert!(response["error"]["message"].is_string());
    }
    let nameless = chunk(
        json!({"tool_calls": [{"index": 0, "id": "a"}]}),
        Some("tool_calls"),
    );
    let (name, response) = last(&[nameless, DONE.into()]);
    assert_eq!(name, "response.failed");
    assert_eq!(response["error"]["message"], NAMELESS);
    // Without its end mark, the stream is incomplete.
    assert_eq!(
        last(&[chunk(json!({"content": "x"}), Some("stop"))]).0,
        "response.failed"
    );
}

#[test]
fn a_comment_cannot_hold_an_event() {
    let mut translation = Translation::new(Map::new());
    let forged = b": x\revent: response.completed\rdata: {\"type\":\"response.completed\"}\n\n";
    let text = String::from_utf8_lossy(&translation.piece(forged)).into_owned();
    assert!(!text.contains("event: response.completed"), "{text}");
    assert_eq!(
        text.matches("sequence_number\":").count(),
        text.matches("event: ").count()
    );
}

#[test]
fn a_stream_holds_as_much_as_a_whole_response_and_fails_beyond() {
    let mut translation = Translation::new(Map::new());
    let mib = chunk(json!({"content": "x".repeat(1 << 20)}), None);
    for _ in 1..MAX_RESPONSE_BYTES >> 20 {
        translation.piece(mib.as_bytes());
        assert!(!translation.is_ended());
    }
    let text = translation.piece(mib.repeat(2).as_bytes());
    let text = String::from_utf8_lossy(&text);
    let end = text.split_terminator("\n\n").last().unwrap_or_default();
    let data = end.strip_prefix("event: response.failed\ndata: ");
    let data: Value = serde_json::from_str(data.expect("a failed response")).expect("JSON");
    assert_eq!(data["response"]["error"]["message"], TOO_LARGE);
    assert_eq!(data["response"]["output"], json!([]));
    assert!(TOO_LARGE.contains(&format!("{} MiB", MAX_RESPONSE_BYTES >> 20)));
    // So do items without content.
    let calls: Vec<_> = (0..20_000).map(|index| json!({"index": index})).collect();
    let (name, response) = last(&[chunk(json!({"tool_calls": calls}), None)]);
    assert_eq!(name, "response.failed");
    assert_eq!(response["error"]["message"], TOO_LARGE);
}

#[test]
fn each_item_costs_the_same_however_many_there_are() {
    const ITEMS: usize = 1_000;
    let alternating = |number: usize| match number % 2 {
        0 => json!({"reasoning_content": "a"}),
        _ => json!({"content": "b"}),
    };
    let call = |number: usize| {
        json!({"tool_calls": [{"index": number, "id": format!("c{number}"),
            "function": {"name": "f", "arguments": "{}"}}]})
    };
    let deltas: [&dyn Fn(usize) -> Value; 2] = [&alternating, &call];
    for delta in deltas {
        let mut translation = Translation::new(Map::new());
        for number in 0..ITEMS {
            translation.piece(chunk(delta(number), None).as_bytes());
        }
        translation.piece((chunk(json!({}), Some("stop")) + DONE).as_bytes());
        assert!(translation.is_ended());
        assert_eq!(translation.resource.output.len(), ITEMS);
        let visits = translation.items.visits;
        assert!(visits <= 6 * ITEMS, "{visits} for {ITEMS} items");
    }
}

#[test]
fn annotations_are_added_to_the_message() {
    let cited = json!({"type": "url_citation", "url_citation": {"url": "u"}});
    let events = translated(&[
        chunk(json!({"content": "Yes."}), None),
        chunk(
            json!({"content": "", "annotations": [cited, cited]}),
            Some("stop"),
        ),
        DONE.into(),
    ]);
    let added: Vec<_> = events
        .iter()
        .filter(|(name, _)| name == "response.output_text.annotation.added")
        .map(|(_, data)| (&data["annotation_index"], &data["annotation"]["url"]))
        .collect();
    assert_eq!(added, [(&json!(0), &json!("u")), (&json!(1), &json!("u"))]);
    let output = &events.last().expect("events").1["response"]["output"];
    let expected =
        json!([{"type": "url_citation", "url": "u"}, {"type": "url_citation", "url": "u"}]);
    assert_eq!(output[0]["content"][0]["annotations"], expected);
    assert_eq!(output[1], Value::Null);
}
