"""Signs in and calls all four areas with clients that openapi-python-client makes.

Arguments: the address of the service, an empty folder, and the address of the stand-in. Prints
`approve CODE` when a user has to approve a device, and `success` at the end.
"""

import json
import sys
from pathlib import Path
from uuid import UUID

from generating import ACCELERATOR, AREAS, DEVICE_CODE, PROGRAMS, SCOPE, approved, document, polled, run

address, folder, stand_in = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
servers = {}
for area in AREAS:
    file = document(address, area, folder)
    servers[area] = json.loads(file.read_text())["servers"][0]["url"]
    printed = run(
        [str(PROGRAMS / "openapi-python-client"), "generate", "--meta", "none"]
        + ["--path", str(file), "--output-path", str(folder / area)],
        # It formats what it wrote with a program of the same environment.
        env={"PATH": str(PROGRAMS)},
    )
    assert "WARNING" not in printed, printed
sys.path.insert(0, str(folder))

import accounts
import identity
import inference
import patterns
from accounts.api.directory import list_organizations
from accounts.api.users import create_user
from accounts.models import CreateUserRequest, HubUserRequest
from identity.api.device_authorization import create_device_authorization
from identity.api.tokens import create_token
from identity.models import DeviceAuthorizationRequest, GrantType, OAuthError, TokenRequest
from inference.api.api_keys import create_api_key, get_api_key, list_api_keys
from inference.api.chat_completions import create_chat_completion
from inference.api.models import list_models
from inference.models import (
    ChatCompletionRequest,
    ChatMessage,
    CreateApiKeyDetails,
    FunctionDefinition,
    KeyDetails,
    Tool,
)
from patterns.api.agent_patterns import (
    create_pattern_from_accelerator,
    get_pattern,
    list_patterns,
)
from patterns.models import CreatePatternRequest

# Identity: the device flow, as a public client.
anonymous = identity.Client(base_url=servers["identity"])
device = create_device_authorization.sync(
    client=anonymous, body=DeviceAuthorizationRequest(client_id="accord-cli", scope=SCOPE)
)
approved(device.user_code)


def poll():
    answer = create_token.sync(
        client=anonymous,
        body=TokenRequest(
            grant_type=GrantType(DEVICE_CODE),
            device_code=device.device_code,
            client_id="accord-cli",
        ),
    )
    if isinstance(answer, OAuthError):
        assert answer.error == "authorization_pending", answer
        return None
    return answer


token = polled(poll, device.interval).access_token


def client(area, secret, base_url=None):
    return area.AuthenticatedClient(base_url=base_url or servers[area.__name__], token=secret)


signed_in = client(accounts, token)
listed = list_organizations.sync(client=signed_in)
assert "North Works Ltd" in [one.name for one in listed], listed
user = HubUserRequest(
    email_address="eva@north.example",
    first_name="Eva",
    last_name="North",
    language="en",
    hub_organization_id=3104,
    set_password=False,
)
created = create_user.sync(client=signed_in, body=CreateUserRequest(hub_user=user))
assert created.hub_user.display_name == "Eva North", created

signed_in = client(inference, token)
made = create_api_key.sync(
    client=signed_in,
    body=CreateApiKeyDetails(
        compartment_id="compartment.demo",
        display_name="made_by_openapi-python-client",
        key_details=[KeyDetails(key_name="one")],
    ),
)
listed = list_api_keys.sync(client=signed_in, compartment_id="compartment.demo")
assert made.id in [one.id for one in listed.items], listed

# A value of an enumeration that the document does not know.
later = get_api_key.sync(made.id, client=client(inference, token, stand_in))
assert later.lifecycle_state == "HIBERNATING", later

with_secret = client(inference, made.keys[0].key)
models = list_models.sync(client=with_secret)
assert "acme.chat" in [model.id for model in models.data], models


def chat(messages):
    request = ChatCompletionRequest(model="acme.chat", messages=messages, tools=[weather])
    return create_chat_completion.sync(client=with_secret, body=request).choices[0]


parameters = {"type": "object", "properties": {"city": {"type": "string"}}}
weather = Tool.from_dict(
    {"type": "function", "function": {"name": "get_weather", "parameters": parameters}}
)
question = ChatMessage(role="user", content="How warm is it in Lyon?")
choice = chat([question])
assert choice.finish_reason == "tool_calls", choice
call = choice.message.tool_calls[0]
assert call.function.name == "get_weather", call
city = json.loads(call.function.arguments)["city"]
choice = chat(
    [
        question,
        ChatMessage(role="assistant", tool_calls=[call]),
        ChatMessage(role="tool", tool_call_id=call.id, content=f"21 degrees in {city}"),
    ]
)
assert choice.message.content == "21 degrees in Lyon", choice

signed_in = client(patterns, token)
instance = "design-eu-1"
created = create_pattern_from_accelerator.sync(
    "RETAIL",
    client=signed_in,
    integration_instance=instance,
    body=CreatePatternRequest(
        pattern_code="ORDER_TRIAGE",
        pattern_version="01.00.0000",
        project_code="RETAIL",
        id=UUID(ACCELERATOR),
        # The service ignores it.
        usage_count=7,
    ),
)
read = get_pattern.sync(
    "RETAIL", "ORDER_TRIAGE|01.00.0000", client=signed_in, integration_instance=instance
)
assert (read, read.usage_count) == (created, 0), read
listed = list_patterns.sync("RETAIL", client=signed_in, integration_instance=instance)
assert [one.id for one in listed.items] == [read.id], listed

print("success")
