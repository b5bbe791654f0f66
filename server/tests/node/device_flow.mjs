// openid-client, unmodified, completes the device flow as each kind of client:
//   node device_flow.mjs ISSUER USERNAME PASSWORD SECRET KEY_FILE
// Prints one line of JSON for each.

import { createPrivateKey, webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import * as oauth from "openid-client";

const [issuer, username, password, secret, keyFile] = process.argv.slice(2);

const privateKey = await webcrypto.subtle.importKey(
  "pkcs8",
  createPrivateKey(readFileSync(keyFile)).export({ type: "pkcs8", format: "der" }),
  { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  false,
  ["sign"],
);

const clients = [
  ["accord-cli", undefined, oauth.None()],
  ["accord-web", undefined, oauth.ClientSecretBasic(secret)],
  ["accord-robot", undefined, oauth.PrivateKeyJwt({ key: privateKey, kid: "accord-robot" })],
];

// A browser without scripts.
class Browser {
  cookie = "";
  token = "";

  async request(path, form) {
    const response = await fetch(issuer + path, {
      method: form ? "POST" : "GET",
      redirect: "manual",
      headers: { cookie: this.cookie },
      body: form && new URLSearchParams({ csrf_token: this.token, ...form }),
    });
    const set = response.headers.get("set-cookie");
    if (set) this.cookie = set.split(";")[0];
    const text = await response.text();
    this.token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? this.token;
    if (response.status >= 400) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  }

  async approve(userCode) {
    await this.request("/ui/v1/signin");
    await this.request("/ui/v1/signin", { username, password });
    await this.request("/ui/v1/device");
    await this.request("/ui/v1/device", { user_code: userCode, action: "continue" });
    await this.request("/ui/v1/device", { user_code: userCode, action: "approve" });
  }
}

async function flow([clientId, metadata, authentication]) {
  const config = await oauth.discovery(new URL(issuer), clientId, metadata, authentication, {
    algorithm: "oauth2",
    execute: [oauth.allowInsecureRequests],
  });
  const scope = "accounts.read offline_access";
  const device = await oauth.initiateDeviceAuthorization(config, { scope });
  const polling = oauth.pollDeviceAuthorizationGrant(config, device);
  await new Browser().approve(device.user_code);
  const tokens = await polling;
  const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token);
  const introspects = clientId === "accord-web";
  const before = introspects && (await oauth.tokenIntrospection(config, refreshed.access_token));
  await oauth.tokenRevocation(config, refreshed.refresh_token);
  const after = introspects && (await oauth.tokenIntrospection(config, refreshed.access_token));
  return {
    client: clientId,
    scope: tokens.scope,
    type: tokens.token_type,
    active: introspects ? [before.active, after.active] : null,
  };
}

for (const result of await Promise.all(clients.map(flow))) console.log(JSON.stringify(result));
