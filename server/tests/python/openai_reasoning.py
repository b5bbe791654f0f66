"""Calls a model that thinks before it answers with the official `openai` package,
and holds every item and event to the package's own types.

Arguments: the base address, an accepted secret, the model.
"""

import sys

import openai
import pydantic
from openai.types.responses import Response, ResponseStreamEvent

base_url, secret, model = sys.argv[1:]
client = openai.OpenAI(base_url=base_url, api_key=secret, max_retries=0)
EVENTS = pydantic.TypeAdapter(ResponseStreamEvent)


def check(actual, expected):
    if actual != expected:
        raise SystemExit(f"expected {expected!r}, got {actual!r}")


def check_response(response):
    # The package reads leniently; its types do not.
    Response.model_validate(response.to_dict())
    thoughts, message = response.output
    check((thoughts.type, thoughts.summary, thoughts.status), ("reasoning", [], "completed"))
    check([part.text for part in thoughts.content], ["Two and two."])
    check((message.type, response.output_text), ("message", "Four."))
    check(response.usage.output_tokens_details.reasoning_tokens, 3)


whole = client.responses.create(model=model, input="2 + 2?")
check_response(whole)

kinds, thoughts, places = [], "", set()
for event in client.responses.create(model=model, input="2 + 2?", stream=True):
    EVENTS.validate_python(event.to_dict())
    kinds.append(event.type.removeprefix("response."))
    if event.type == "response.reasoning_text.delta":
        thoughts += event.delta
        places.add((event.output_index, event.content_index))
    if event.type == "response.reasoning_text.done":
        check(event.text, "Two and two.")
    if event.type == "response.completed":
        check_response(event.response)
check((thoughts, places), ("Two and two.", {(0, 0)}))
item = ["output_item.added", "content_part.added"], ["content_part.done", "output_item.done"]
expected = ["created", "in_progress"]
expected += item[0] + ["reasoning_text.delta"] * 2 + ["reasoning_text.done"] + item[1]
expected += item[0] + ["output_text.delta"] + ["output_text.done"] + item[1]
check(kinds, expected + ["completed"])

with client.responses.stream(model=model, input="2 + 2?") as stream:
    check_response(stream.get_final_response())

# The next turn gives all of the answer back, as the conventions ask.
history = [{"role": "user", "content": "2 + 2?"}]
history += [item.to_dict() for item in whole.output]
history += [{"role": "user", "content": "Sure?"}]
check_response(client.responses.create(model=model, input=history))

print("success")
