"""Calls the service with LangChain's chat model, as its users do.

Arguments: the base address, an accepted secret, one that is not.
"""

import asyncio
import sys

import openai
from langchain_openai import ChatOpenAI

base_url, secret, standby = sys.argv[1:]
QUESTION = [("system", "Repeat."), ("human", "Hello from LangChain")]


def model(key=secret, **more):
    return ChatOpenAI(base_url=base_url, api_key=key, model="accord.echo", max_retries=0, **more)


def check(actual, expected):
    if actual != expected:
        raise SystemExit(f"expected {expected!r}, got {actual!r}")


answer = model().invoke(QUESTION)
check(answer.content, "Hello from LangChain")
check(answer.response_metadata["finish_reason"], "stop")
check(answer.usage_metadata["output_tokens"], 3)

pieces = list(model(stream_usage=True).stream(QUESTION))
check("".join(piece.content for piece in pieces), "Hello from LangChain")
check(sum((piece.usage_metadata or {}).get("output_tokens", 0) for piece in pieces), 3)

answer = model(use_responses_api=True).invoke("Hello from LangChain")
check(answer.text, "Hello from LangChain")
pieces = list(model(use_responses_api=True).stream("Hello from LangChain"))
check("".join(piece.text for piece in pieces), "Hello from LangChain")


async def at_once():
    questions = [[("human", f"Question {number}")] for number in range(8)]
    answers = await model().abatch(questions)
    check([answer.content for answer in answers], [f"Question {number}" for number in range(8)])


asyncio.run(at_once())

try:
    model(standby).invoke(QUESTION)
except openai.AuthenticationError as error:
    check(error.code, "invalid_api_key")
else:
    raise SystemExit("a secret that is not active was accepted")

print("success")
