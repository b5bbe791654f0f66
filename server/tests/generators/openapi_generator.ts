// Signs in and calls all four areas with clients that openapi-generator makes for `fetch`.

import * as accounts from "./accounts";
import * as identity from "./identity";
import * as inference from "./inference";
import * as patterns from "./patterns";

function check(condition: boolean, what: unknown) {
  if (!condition) throw new Error(JSON.stringify(what));
}

// The documents name the address that they were fetched from.
const anonymous = new identity.Configuration();

// Identity: the device flow, as a public client.
async function signIn(): Promise<string> {
  const device = await new identity.DeviceApi(anonymous).createDeviceAuthorization({
    clientId: "accord-cli",
    scope: "accounts.read apikeys.read apikeys.write patterns.read",
  });
  console.log("approve", device.userCode);
  const tokens = new identity.TokenApi(anonymous);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      const token = await tokens.createToken({
        grantType: "urn:ietf:params:oauth:grant-type:device_code",
        deviceCode: device.deviceCode,
        clientId: "accord-cli",
      });
      return token.accessToken;
    } catch (error) {
      if (!(error instanceof identity.ResponseError)) throw error;
      const refusal = identity.ModelErrorFromJSON(await error.response.json());
      check(refusal.error === "authorization_pending", refusal);
      await new Promise((resolve) => setTimeout(resolve, 1000 * device.interval));
    }
  }
  throw new Error("the device was not approved");
}

async function main() {
  const accessToken = await signIn();

  const directory = new accounts.DirectoryApi(new accounts.Configuration({ accessToken }));
  const organizations = await directory.listOrganizations();
  check(organizations.some((one) => one.name === "North Works Ltd"), organizations);

  const keys = new inference.KeysApi(new inference.Configuration({ accessToken }));
  const made = await keys.createApiKey({
    createApiKeyDetails: {
      compartmentId: "compartment.demo",
      displayName: "made_by_typescript-fetch",
      keyDetails: [{ keyName: "one" }],
    },
  });
  const listed = await keys.listApiKeys({ compartmentId: "compartment.demo" });
  check(listed.items.some((one) => one.id === made.id), listed);

  const secret = made.keys[0].key ?? "";
  const models = new inference.ModelsApi(new inference.Configuration({ accessToken: secret }));
  const known = await models.listModels();
  check(known.data.some((model) => model.id === "accord.echo"), known);
  const answer = await models.createChatCompletion({
    chatCompletionRequest: {
      model: "accord.echo",
      messages: [{ role: "user", content: "Hello" }],
    },
  });
  check(answer !== undefined, answer);

  const recipes = new patterns.AgentPatternsApi(new patterns.Configuration({ accessToken }));
  const page = await recipes.listPatterns({
    projectId: "RETAIL",
    integrationInstance: "design-eu-1",
  });
  check(Array.isArray(page.items), page);
  console.log("all is well");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
