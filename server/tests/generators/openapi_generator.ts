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
  const device = await new identity.DeviceAuthorizationApi(anonymous).createDeviceAuthorization({
    clientId: "accord-cli",
    scope: "accounts.read accounts.write apikeys.read apikeys.write patterns.read patterns.write",
  });
  console.log("approve", device.userCode);
  const tokens = new identity.TokensApi(anonymous);
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
      const refusal = identity.OAuthErrorFromJSON(await error.response.json());
      check(refusal.error === "authorization_pending", refusal);
      await new Promise((resolve) => setTimeout(resolve, 1000 * device.interval));
    }
  }
  throw new Error("the device was not approved");
}

// A chat in which the model calls a tool.
async function callTool(accessToken: string) {
  const configuration = new inference.Configuration({ accessToken });
  const known = await new inference.ModelsApi(configuration).listModels();
  check(known.data.some((model) => model.id === "acme.chat"), known);
  const weather: inference.Tool = {
    type: "function",
    _function: {
      name: "get_weather",
      parameters: { type: "object", properties: { city: { type: "string" } } },
    },
  };
  const completions = new inference.ChatCompletionsApi(configuration);
  const chat = async (messages: inference.ChatMessage[]) => {
    const completion = await completions.createChatCompletion({
      chatCompletionRequest: { model: "acme.chat", messages, tools: [weather] },
    });
    return completion.choices[0];
  };
  const question: inference.ChatMessage = { role: "user", content: "How warm is it in Lyon?" };
  const asked = await chat([question]);
  check(asked.finishReason === "tool_calls", asked);
  const [call] = asked.message.toolCalls ?? [];
  const called = call._function;
  if (called?.name !== "get_weather") throw new Error(JSON.stringify(call));
  const { city } = JSON.parse(called.arguments);
  const final = await chat([
    question,
    { role: "assistant", toolCalls: [call] },
    { role: "tool", toolCallId: call.id, content: `21 degrees in ${city}` },
  ]);
  check(final.message.content === "21 degrees in Lyon", final);
}

async function main() {
  const accessToken = await signIn();

  const signedIn = new accounts.Configuration({ accessToken });
  const directory = new accounts.DirectoryApi(signedIn);
  const organizations = await directory.listOrganizations();
  check(organizations.some((one) => one.name === "North Works Ltd"), organizations);
  const user = await new accounts.UsersApi(signedIn).createUser({
    createUserRequest: {
      hubUser: {
        emailAddress: "eva@north.example",
        firstName: "Eva",
        lastName: "North",
        language: "en",
        hubOrganizationId: 3104,
        setPassword: false,
      },
    },
  });
  check(user.hubUser.displayName === "Eva North", user);

  const keys = new inference.APIKeysApi(new inference.Configuration({ accessToken }));
  const made = await keys.createApiKey({
    createApiKeyDetails: {
      compartmentId: "compartment.demo",
      displayName: "made_by_typescript-fetch",
      keyDetails: [{ keyName: "one" }],
    },
  });
  const listed = await keys.listApiKeys({ compartmentId: "compartment.demo" });
  check(listed.items.some((one) => one.id === made.id), listed);

  // A value of an enumeration that the document does not know.
  const later = new inference.APIKeysApi(
    new inference.Configuration({ accessToken, basePath: process.argv[2] }),
  );
  const unknown = await later.getApiKey({ apiKeyId: made.id });
  check((unknown.lifecycleState as string) === "HIBERNATING", unknown);

  await callTool(made.keys[0].key ?? "");

  const recipes = new patterns.AgentPatternsApi(new patterns.Configuration({ accessToken }));
  const project = { projectId: "RETAIL", integrationInstance: "design-eu-1" };
  const created = await recipes.createPatternFromAccelerator({
    ...project,
    createPatternRequest: {
      patternCode: "ORDER_TRIAGE",
      patternVersion: "01.00.0000",
      projectCode: "RETAIL",
      id: "3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01",
      // The service ignores it.
      usageCount: 7,
    },
  });
  const read = await recipes.getPattern({ ...project, id: "ORDER_TRIAGE|01.00.0000" });
  check(read.usageCount === 0, read);
  check(JSON.stringify(read) === JSON.stringify(created), [read, created]);
  const page = await recipes.listPatterns(project);
  check(page.items.length === 1 && page.items[0].id === read.id, page);
  console.log("success");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
