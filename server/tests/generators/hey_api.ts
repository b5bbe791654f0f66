// Signs in and calls all four areas with clients that @hey-api/openapi-ts makes.

import * as accounts from "./accounts/sdk.gen";
import { client as accountsClient } from "./accounts/client.gen";
import * as identity from "./identity/sdk.gen";
import * as inference from "./inference";
import { client as inferenceClient } from "./inference/client.gen";
import * as patterns from "./patterns/sdk.gen";
import { client as patternsClient } from "./patterns/client.gen";

function check(condition: boolean, what: unknown) {
  if (!condition) throw new Error(JSON.stringify(what));
}

// Identity: the device flow, as a public client.
async function signIn(): Promise<string> {
  const { data: device } = await identity.createDeviceAuthorization({
    body: {
      client_id: "accord-cli",
      scope: "accounts.read accounts.write apikeys.read apikeys.write patterns.read patterns.write",
    },
    throwOnError: true,
  });
  console.log("approve", device.user_code);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const { data: token, error } = await identity.createToken({
      body: {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: device.device_code,
        client_id: "accord-cli",
      },
    });
    if (token) return token.access_token;
    check(error?.error === "authorization_pending", error);
    await new Promise((resolve) => setTimeout(resolve, 1000 * device.interval));
  }
  throw new Error("the device was not approved");
}

// A chat in which the model calls a tool.
async function callTool() {
  const weather: inference.Tool = {
    type: "function",
    function: {
      name: "get_weather",
      parameters: { type: "object", properties: { city: { type: "string" } } },
    },
  };
  const chat = async (messages: inference.ChatMessage[]) => {
    const { data } = await inference.createChatCompletion({
      body: { model: "acme.chat", messages, tools: [weather] },
      throwOnError: true,
    });
    return data.choices[0];
  };
  const question: inference.ChatMessage = { role: "user", content: "How warm is it in Lyon?" };
  const asked = await chat([question]);
  check(asked.finish_reason === "tool_calls", asked);
  const [call] = asked.message.tool_calls ?? [];
  const called = call.function;
  if (called?.name !== "get_weather") throw new Error(JSON.stringify(call));
  const { city } = JSON.parse(called.arguments);
  const final = await chat([
    question,
    { role: "assistant", tool_calls: [call] },
    { role: "tool", tool_call_id: call.id, content: `21 degrees in ${city}` },
  ]);
  check(final.message.content === "21 degrees in Lyon", final);
}

async function main() {
  const token = await signIn();
  // The token is all that the clients are told; the documents say where it goes.
  for (const client of [accountsClient, inferenceClient, patternsClient]) {
    client.setConfig({ auth: () => token });
  }

  const organizations = await accounts.listOrganizations({ throwOnError: true });
  check(organizations.data.some((one) => one.name === "North Works Ltd"), organizations.data);
  const user = await accounts.createUser({
    body: {
      hubUser: {
        emailAddress: "eva@north.example",
        firstName: "Eva",
        lastName: "North",
        language: "en",
        hubOrganizationId: 3104,
        setPassword: false,
      },
    },
    throwOnError: true,
  });
  check(user.data.hubUser.displayName === "Eva North", user.data);

  const made = await inference.createApiKey({
    body: {
      compartmentId: "compartment.demo",
      displayName: "made_by_hey-api",
      keyDetails: [{ keyName: "one" }],
    },
    throwOnError: true,
  });
  const listed = await inference.listApiKeys({
    query: { compartmentId: "compartment.demo" },
    throwOnError: true,
  });
  check(listed.data.items.some((one) => one.id === made.data.id), listed.data);

  // A value of an enumeration that the document does not know.
  const later = await inference.getApiKey({
    baseUrl: process.argv[2],
    path: { apiKeyId: made.data.id },
    throwOnError: true,
  });
  check(later.data.lifecycleState === "HIBERNATING", later.data);

  inferenceClient.setConfig({ auth: () => made.data.keys[0].key ?? "" });
  const models = await inference.listModels({ throwOnError: true });
  check(models.data.data.some((model) => model.id === "acme.chat"), models.data);
  await callTool();

  const query = { integrationInstance: "design-eu-1" };
  const created = await patterns.createPatternFromAccelerator({
    path: { projectId: "RETAIL" },
    query,
    body: {
      patternCode: "ORDER_TRIAGE",
      patternVersion: "01.00.0000",
      projectCode: "RETAIL",
      id: "3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01",
      // The service ignores it.
      usageCount: 7,
    },
    throwOnError: true,
  });
  const read = await patterns.getPattern({
    path: { projectId: "RETAIL", id: "ORDER_TRIAGE|01.00.0000" },
    query,
    throwOnError: true,
  });
  check(read.data.usageCount === 0, read.data);
  check(JSON.stringify(read.data) === JSON.stringify(created.data), [read.data, created.data]);
  const page = await patterns.listPatterns({
    path: { projectId: "RETAIL" },
    query,
    throwOnError: true,
  });
  check(page.data.items.length === 1 && page.data.items[0].id === read.data.id, page.data);
  console.log("success");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
