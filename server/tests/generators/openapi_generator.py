"""Signs in and calls all four areas with clients that openapi-generator makes for Python.

Arguments: the address of the service, and an empty folder. Prints `approve CODE` when a user has
to approve a device, and `all is well` at the end.
"""

import importlib
import sys
from pathlib import Path

from generating import AREAS, DEVICE_CODE, SCOPE, approved, openapi_generator, polled

address, folder = sys.argv[1], Path(sys.argv[2])
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


def client(area, access_token=None):
    """A client as its README says: the token is all that it is told."""
    return area.ApiClient(area.Configuration(access_token=access_token))


# Identity: the device flow, as a public client.
with client(identity) as anonymous:
    device = identity.DeviceApi(anonymous).create_device_authorization(
        client_id="accord-cli", scope=SCOPE
    )
    tokens = identity.TokenApi(anonymous)
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

with client(inference, token) as signed_in:
    keys = inference.KeysApi(signed_in)
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

with client(inference, secret) as with_secret:
    models = inference.ModelsApi(with_secret)
    assert "accord.echo" in [model.id for model in models.list_models().data]
    answer = models.create_chat_completion(
        inference.ChatCompletionRequest(
            model="accord.echo",
            messages=[
                inference.ChatMessage(role="user", content=inference.MessageContent("Hello"))
            ],
        )
    )
    assert answer, answer

with client(patterns, token) as signed_in:
    listed = patterns.AgentPatternsApi(signed_in).list_patterns("RETAIL", "design-eu-1")
    assert listed.items is not None, listed

print("all is well")
