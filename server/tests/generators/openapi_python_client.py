"""Signs in and calls all four areas with clients that openapi-python-client makes.

Arguments: the address of the service, and an empty folder. Prints `approve CODE` when a user has
to approve a device, and `all is well` at the end.
"""

import json
import sys
from pathlib import Path

from generating import AREAS, DEVICE_CODE, PROGRAMS, SCOPE, approved, document, polled, run

address, folder = sys.argv[1], Path(sys.argv[2])
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
from identity.api.device import create_device_authorization
from identity.api.token import create_token
from identity.models import DeviceAuthorizationRequest, Error, TokenRequest
from inference.api.keys import create_api_key, list_api_keys
from inference.api.models import create_chat_completion, list_models
from inference.models import ChatCompletionRequest, ChatMessage, CreateApiKeyDetails, KeyDetails
from patterns.api.agent_patterns import list_patterns

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
            grant_type=DEVICE_CODE, device_code=device.device_code, client_id="accord-cli"
        ),
    )
    if isinstance(answer, Error):
        assert answer.error == "authorization_pending", answer
        return None
    return answer


token = polled(poll, device.interval).access_token


def client(area, secret):
    return area.AuthenticatedClient(base_url=servers[area.__name__], token=secret)


listed = list_organizations.sync(client=client(accounts, token))
assert "North Works Ltd" in [one.name for one in listed], listed

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

with_secret = client(inference, made.keys[0].key)
models = list_models.sync(client=with_secret)
assert "accord.echo" in [model.id for model in models.data], models
answer = create_chat_completion.sync_detailed(
    client=with_secret,
    body=ChatCompletionRequest(
        model="accord.echo", messages=[ChatMessage(role="user", content="Hello")]
    ),
)
assert answer.status_code == 200, answer

listed = list_patterns.sync(
    "RETAIL", client=client(patterns, token), integration_instance="design-eu-1"
)
assert listed.items is not None, listed

print("all is well")
