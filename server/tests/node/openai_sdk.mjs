// Calls the service with the official `openai` package, as its users do.
//
// Arguments: the base address, an accepted secret, one that is not.

import assert from "node:assert/strict";
import OpenAI from "openai";

const [baseURL, secret, standby] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey: secret, maxRetries: 0 });
const messages = [{ role: "user", content: "Hello from Node" }];

const models = [];
for await (const model of client.models.list()) models.push(model.id);
assert.deepEqual(models, ["accord.echo", "meta.echo", "builtin/slow", "builtin/broken"]);

const completion = await client.chat.completions.create({ model: "accord.echo", messages });
assert.equal(completion.choices[0].message.content, "Hello from Node");
assert.equal(completion.choices[0].finish_reason, "stop");
assert.equal(completion.usage.total_tokens, 6);
assert.ok(completion._request_id);

let text = "", finish, usage;
for await (const chunk of await client.chat.completions.create({
  model: "accord.echo", messages, stream: true, stream_options: { include_usage: true },
})) {
  for (const choice of chunk.choices) {
    text += choice.delta.content ?? "";
    finish = choice.finish_reason ?? finish;
  }
  usage = chunk.usage ?? usage;
}
assert.deepEqual([text, finish, usage.completion_tokens], ["Hello from Node", "stop", 3]);

const gathered = await client.chat.completions.stream({ model: "accord.echo", messages }).finalContent();
assert.equal(gathered, "Hello from Node");

const response = await client.responses.create({ model: "accord.echo", input: "Hello from Node" });
assert.deepEqual([response.status, response.output_text], ["completed", "Hello from Node"]);

const kinds = [];
text = "";
for await (const event of await client.responses.create({
  model: "accord.echo", input: "Hello from Node", stream: true,
})) {
  kinds.push(event.type);
  if (event.type === "response.output_text.delta") text += event.delta;
}
assert.deepEqual(
  [text, kinds.at(0), kinds.at(-1)],
  ["Hello from Node", "response.created", "response.completed"],
);

const refused = async (kind, call) => {
  const error = await call().then(() => assert.fail(`expected ${kind.name}`), (reason) => reason);
  assert.ok(error instanceof kind, String(error));
  return error;
};
const bad = await refused(OpenAI.BadRequestError, () => client.responses.create({ model: "meta.echo", input: "x" }));
assert.deepEqual([bad.code, bad.param], ["unsupported_model", "model"]);
const unknown = await refused(OpenAI.NotFoundError, () => client.chat.completions.create({ model: "nobody", messages }));
assert.equal(unknown.code, "model_not_found");
const idle = new OpenAI({ baseURL, apiKey: standby, maxRetries: 0 });
const denied = await refused(OpenAI.AuthenticationError, () => idle.models.list());
assert.equal(denied.code, "invalid_api_key");
assert.ok(denied.requestID);

console.log("success");
