"""Completes the device flow with Authlib, as a confidential client.

Arguments: the issuer, a client identifier, its secret, the name and the
password of a user.
"""

import re
import sys
import time

import requests
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session

issuer, client_id, secret, username, password = sys.argv[1:]
metadata = requests.get(f"{issuer}/.well-known/oauth-authorization-server").json()

session = OAuth2Session(
    client_id, secret, token_endpoint_auth_method="client_secret_basic"
)
asked = session.request(
    "POST",
    metadata["device_authorization_endpoint"],
    withhold_token=True,
    data={"client_id": client_id, "scope": "accounts.read offline_access"},
).json()


def poll():
    return session.fetch_token(
        metadata["token_endpoint"],
        grant_type="urn:ietf:params:oauth:grant-type:device_code",
        device_code=asked["device_code"],
    )


try:
    poll()
    raise SystemExit("a token before the user has decided")
except OAuthError as error:
    assert error.error == "authorization_pending", error

browser = requests.Session()


def submit(page, **fields):
    found = re.search(r'name="csrf_token" value="([^"]+)"', page.text)
    fields["csrf_token"] = found.group(1)
    page = browser.post(page.url, data=fields)
    page.raise_for_status()
    return page


page = browser.get(asked["verification_uri_complete"])
code = asked["user_code"]
page = submit(page, username=username, password=password, user_code=code)
page = submit(page, user_code=code, action="continue")
page = submit(page, user_code=code, action="approve")
assert "Device approved" in page.text, page.text

time.sleep(asked["interval"] + 0.2)
token = poll()
assert token["token_type"] == "Bearer", token
api = f"{issuer}/api/user/organizations"
assert session.get(api).status_code == 200
refreshed = session.refresh_token(metadata["token_endpoint"])
assert refreshed["access_token"] != token["access_token"]
assert session.get(api).status_code == 200
session.revoke_token(metadata["revocation_endpoint"], refreshed["refresh_token"])
assert session.get(api).status_code == 401
print("success")
