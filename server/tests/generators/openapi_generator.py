"""Signs in and calls all four areas with clients that openapi-generator makes for Python.

Arguments: the address of the service, an empty folder, and the address of the stand-in. Prints
`approve CODE` when a user has to approve a device, and `success` at the end.
"""

import importlib
import json
import sys
from pathlib import Path

from generating import ACCELERATOR, AREAS, DEVICE_CODE, SCOPE, approved, openapi_generator, polled

address, folder, stand_in = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
openapi_generator(
    address,
    folder,
    lambda area: {
        "generatorName": "python",
        "outputDir": str(folder / area),
        "packageName": f"{area}_client",
    },
)
for area in AREAS:
    sys.path.insert(0, str(folder / area))
accounts, identity, inference, patterns = (
    importlib.import_module(f"{area}_client") for area in AREAS
)


def client(area, access_token=None, host=None):
    """A client as its README says: the token is all that it is given."""
    return area.ApiClient(area.Configuration(access_token=access_token, host=host))


# Identity: the device flow, as a public client.
with client(identity) as anonymous:
    device = identity.DeviceAuthorizationApi(anonymous).create_device_authorization(
        client_id="accord-cli", scope=SCOPE
    )
    tokens = identity.TokensApi(anonymous)
    approved(device.user_code)

    def poll():
        try:
            return tokens.create_token(
                grant_type=DEVICE_CODE,
                device_code=device.device_code,
                client_id="accord-cli",
            )
        except identity.ApiException as refusal:
            assert refusal.data.error == "authorization_pending", refusal
            return None

    token = polled(poll, device.interval).access_token

with client(accounts, token) as signed_in:
    listed = accounts.DirectoryApi(signed_in).list_organizations()
    assert "North Works Ltd" in [one.name for one in listed], listed
    user = accounts.HubUserRequest(
        email_address="eva@north.example",
        first_name="Eva",
        last_name="North",
        language="en",
        hub_organization_id=3104,
        set_password=False,
    )
    created = accounts.UsersApi(signed_in).create_user(accounts.CreateUserRequest(hub_user=user))
    assert created.hub_user.display_name == "Eva North", created

with client(inference, token) as signed_in:
    keys = inference.APIKeysApi(signed_in)
    made = keys.create_api_key(
        inference.CreateApiKeyDetails(
            compartment_id="compartment.demo",
            display_name="made_by_openapi-generator",
            key_details=[inference.KeyDetails(key_name="one")],
        )
    )
    listed = keys.list_api_keys("compartment.demo")
    assert made.id in [one.id for one in listed.items], listed
    secret = made.keys[0].key

with client(inference, secret, stand_in) as later:
    # A value of an enumeration that the document does not know.
    assert inference.APIKeysApi(later).get_api_key(made.id).lifecycle_state == "HIBERNATING"

with client(inference, secret) as with_secret:
    known = inference.ModelsApi(with_secret).list_models()
    assert "acme.chat" in [model.id for model in known.data], known
    completions = inference.ChatCompletionsApi(with_secret)

    def chat(messages):
        answer = completions.create_chat_completion(
            inference.ChatCompletionRequest(model="acme.chat", messages=messages, tools=[weather])
        )
        return answer.choices[0]

    weather = inference.Tool(
        type="function",
        function=inference.FunctionDefinition(
            name="get_weather",
            parameters={"type": "object", "properties": {"city": {"type": "string"}}},
        ),
    )
    question = inference.ChatMessage(
        role="user", content=inference.MessageContent("How warm is it in Lyon?")
    )
    choice = chat([question])
    assert choice.finish_reason == "tool_calls", choice
    call = choice.message.tool_calls[0]
    assert call.function.name == "get_weather", call
    city = json.loads(call.function.arguments)["city"]
    result = inference.MessageContent(f"21 degrees in {city}")
    choice = chat(
        [
            question,
            inference.ChatMessage(role="assistant", tool_calls=[call]),
            inference.ChatMessage(role="tool", tool_call_id=call.id, content=result),
        ]
    )
    assert choice.message.content == "21 degrees in Lyon", choice

with client(patterns, token) as signed_in:
    recipes = patterns.AgentPatternsApi(signed_in)
    created = recipes.create_pattern_from_accelerator(
        "RETAIL",
        "design-eu-1",
        patterns.CreatePatternRequest(
            pattern_code="ORDER_TRIAGE",
            pattern_version="01.00.0000",
            project_code="RETAIL",
            id=ACCELERATOR,
            # The service ignores it.
            usage_count=7,
        ),
    )
    read = recipes.get_pattern("RETAIL", "design-eu-1", "ORDER_TRIAGE|01.00.0000")
    assert (read, read.usage_count) == (created, 0), read
    listed = recipes.list_patterns("RETAIL", "design-eu-1")
    assert [one.id for one in listed.items] == [read.id], listed

print("success")
