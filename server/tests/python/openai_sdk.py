"""Calls the service with the official `openai` package, as its users do.

Arguments: the base address, an accepted secret, one that is not.
"""

import sys

import openai

base_url, secret, standby = sys.argv[1:]
client = openai.OpenAI(base_url=base_url, api_key=secret, max_retries=0)
QUESTION = [{"role": "user", "content": "Hello from Python"}]


def check(actual, expected):
    if actual != expected:
        raise SystemExit(f"expected {expected!r}, got {actual!r}")


def refused(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise SystemExit(f"expected {kind.__name__}")


models = [model.id for model in client.models.list()]
check(models, ["accord.echo", "meta.echo", "builtin/slow", "builtin/broken"])

completion = client.chat.completions.create(model="accord.echo", messages=QUESTION)
check(completion.choices[0].message.content, "Hello from Python")
check(completion.choices[0].finish_reason, "stop")
check(completion.usage.total_tokens, 6)
check(bool(completion._request_id), True)

text, finish, usage = "", None, None
stream = client.chat.completions.create(
    model="accord.echo", messages=QUESTION, stream=True, stream_options={"include_usage": True}
)
for chunk in stream:
    for choice in chunk.choices:
        text += choice.delta.content or ""
        finish = choice.finish_reason or finish
    usage = chunk.usage or usage
check((text, finish, usage.completion_tokens), ("Hello from Python", "stop", 3))

with client.chat.completions.stream(model="accord.echo", messages=QUESTION) as stream:
    check(stream.get_final_completion().choices[0].message.content, "Hello from Python")

response = client.responses.create(model="accord.echo", input="Hello from Python")
check((response.status, response.output_text), ("completed", "Hello from Python"))
check(response.usage.total_tokens, 6)

text, kinds = "", []
for event in client.responses.create(model="accord.echo", input="Hello from Python", stream=True):
    kinds.append(event.type)
    if event.type == "response.output_text.delta":
        text += event.delta
    if event.type == "response.completed":
        check(event.response.output_text, "Hello from Python")
check((text, kinds[0], kinds[-1]), ("Hello from Python", "response.created", "response.completed"))

with client.responses.stream(model="accord.echo", input="Hello from Python") as stream:
    check(stream.get_final_response().output_text, "Hello from Python")

error = refused(
    openai.BadRequestError, lambda: client.responses.create(model="meta.echo", input="x")
)
check((error.code, error.param), ("unsupported_model", "model"))
error = refused(
    openai.NotFoundError,
    lambda: client.chat.completions.create(model="nobody", messages=QUESTION),
)
check(error.code, "model_not_found")
idle = openai.OpenAI(base_url=base_url, api_key=standby, max_retries=0)
error = refused(openai.AuthenticationError, idle.models.list)
check(error.code, "invalid_api_key")
check(bool(error.request_id), True)

print("success")
