// A person with a browser looks after API keys in the console, calls a model, and reads the usage:
//   node console.mjs BROWSER SERVICE USERNAME PASSWORD PICTURES PYTHON
// axe checks every page, in light and dark, on a desktop and on a phone.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, openPage, PATIENCE } from "./browser.mjs";
import { checkPage } from "./check_page.mjs";

const [executablePath, service, username, password, pictures, python] = process.argv.slice(2);
const browser = await launch(executablePath);
await browser.defaultBrowserContext().overridePermissions(service, ["clipboard-read", "clipboard-sanitized-write"]);
const page = await openPage(browser);
const complaints = [];
page.on("pageerror", (error) => complaints.push(error.message));
page.on("console", (message) => {
  // The browser reports refused forms, and the 503 of builtin/broken, as errors.
  if (message.type() === "error" && !/status of (4\d\d|503)/.test(message.text())) complaints.push(message.text());
});
const foreign = [];
page.on("request", (request) => {
  const url = request.url();
  if (!url.startsWith(`${service}/`) && !url.startsWith("data:")) foreign.push(url);
});

const check = (name) => checkPage(page, pictures, `console-${name}`);

const text = () => page.$eval("main", (main) => main.textContent.replace(/\s+/g, " "));
const submit = (selector) => Promise.all([page.waitForNavigation(), page.click(selector)]);
async function fill(fields) {
  for (const [name, value] of Object.entries(fields)) {
    await page.$eval(`input[name=${name}]:not([hidden])`, (input) => { input.value = ""; });
    await page.type(`input[name=${name}]:not([hidden])`, value);
  }
}
// Follows the link or presses the button with this text.
async function choose(label) {
  const found = await page.evaluateHandle((label) => {
    const all = [...document.querySelectorAll("main a, main button")];
    return all.find((one) => one.textContent.trim() === label && !one.hidden);
  }, label);
  assert.ok(found.asElement(), `no ${label}: ${await text()}`);
  await Promise.all([page.waitForNavigation(), found.asElement().click()]);
}

// Runs the calls that the page shows, as they are printed.
async function runCalls(secret, answer) {
  const shown = (name) => page.$eval(`[data-call=${name}]`, (code) => code.textContent);
  const env = { ...process.env, ACCORD_API_KEY: secret };
  const run = (program, ...rest) => execFileSync(program, rest, { env, encoding: "utf8", timeout: PATIENCE });
  const curl = await shown("curl");
  assert.ok(!curl.includes(secret), "the secret is not in the call");
  const data = run("sh", "-c", curl).split("\n").filter((line) => line.startsWith("data: {"));
  const texts = data.map((line) => JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? "");
  assert.equal(texts.join(""), answer, curl);
  assert.equal(run(python, "-c", await shown("python")), answer);
  const script = fileURLToPath(new URL(`call-${process.pid}.mjs`, import.meta.url));
  try {
    writeFileSync(script, await shown("javascript"));
    assert.equal(run(process.execPath, script), answer);
  } finally {
    rmSync(script, { force: true });
  }
}

// Calls a model in the playground, and returns the response.
async function ask(model, message, { system = "" } = {}) {
  await page.waitForSelector("#model:not(:disabled)");
  await page.select("#model", model);
  for (const [id, value] of Object.entries({ system, message })) {
    await page.$eval(`#${id}`, (field) => { field.value = ""; field.dispatchEvent(new Event("input", { bubbles: true })); });
    if (value) await page.type(`#${id}`, value);
  }
  await page.click("[data-send]");
  await page.waitForFunction(() => document.querySelector("[data-response]").ariaBusy === "false");
  return page.$eval("[data-response]", (response) => response.textContent);
}

try {
  await page.goto(`${service}/ui`);
  await fill({ username, password });
  await submit("button[type=submit]");
  assert.match(page.url(), /\/ui\/v1\/keys$/, "signing in leads to the keys");
  await check("keys-none");
  // With the keyboard: the first stop is the link that skips the navigation.
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "content");

  await page.goto(`${service}/ui/v1/nowhere`);
  assert.match(await text(), /Page not found/);
  await check("not-found");

  await page.goto(`${service}/ui/v1/keys/new?compartment=compartment.demo`);
  await check("new-key");
  await fill({ name: "1st key" });
  await submit("main button[type=submit]");
  assert.match(await text(), /The name must match the pattern/);
  await check("new-key-wrong");
  await fill({ name: "reporting" });
  await submit("main button[type=submit]");
  assert.match(await text(), /Store the secrets now/);
  const shown = await page.$$eval("code.value", (all) => all.map((one) => one.textContent));
  assert.equal(shown.length, 2);
  await page.click("button[data-copy=secret-1]");
  await page.waitForFunction(() => document.querySelector("[data-copy=secret-1]").textContent === "Copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shown[0]);
  assert.equal(await page.$eval("main > [role=status].hidden", (one) => one.textContent), "Copied");
  // The page calls a model with the new secret.
  assert.equal(await ask("accord.echo", "Hello there"), "Hello there");
  assert.match(await text(), /first token after .* done after .* 2 input tokens, 2 output tokens/);
  await page.evaluate(() => { for (const one of document.querySelectorAll("code.value")) one.textContent = "sk-ab2cde3fgh4j-hidden-in-this-picture"; });
  await check("secrets");
  // A reload sends the form again, which creates nothing and shows the same secrets.
  await Promise.all([page.waitForNavigation(), page.reload()]);
  assert.deepEqual(await page.$$eval("code.value", (all) => all.map((one) => one.textContent)), shown);

  await page.goto(`${service}/ui/v1/playground`);
  assert.ok(await page.$("[data-send]:disabled"), "without a secret there is nothing to send");
  assert.ok(await page.$("[data-key-state] a[href='/ui/v1/keys/new']"), "the script leaves the link to a new key");
  await check("playground-empty");
  await page.type("#secret", "sk-wrong");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.body.textContent.includes("Incorrect API key provided"));
  await page.$eval("#secret", (field) => { field.value = ""; });
  await page.type("#secret", shown[0]);
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => /may call \d+ models/.test(document.body.textContent));
  const quoted = "It's \"quoted\" \\ ünicode";
  assert.equal(await ask("accord.echo", quoted, { system: "Be brief." }), quoted);
  await check("playground");
  await runCalls(shown[0], quoted);
  // A stream that is stopped on the way.
  await page.select("#model", "builtin/slow");
  await page.$eval("#message", (field) => { field.value = `pace:300 ${"word ".repeat(50)}`; });
  await page.click("[data-send]");
  await page.waitForFunction(() => /word/.test(document.querySelector("[data-response]").textContent));
  await page.click("[data-stop]");
  await page.waitForFunction(() => /stopped/.test(document.querySelector("[data-measures]").textContent));
  assert.ok((await page.$eval("[data-response]", (one) => one.textContent)).split("word").length < 50);
  await page.select("#model", "builtin/broken");
  await page.$eval("#message", (field) => { field.value = "status:503 please"; });
  await page.click("[data-send]");
  await page.waitForSelector("[data-problem]:not([hidden])");
  await check("playground-failed");
  // A response that ends too early is not shown as a complete one.
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async () => {
      window.fetch = fetch;
      return new Response('data: {"choices":[{"delta":{"content":"Half"}}]}\n\ndata: {"choi');
    };
  });
  await page.click("[data-send]");
  await page.waitForFunction(() => /interrupted/.test(document.querySelector("[data-problem]").textContent));
  assert.equal(await page.$eval("[data-response]", (one) => one.textContent), "Half");
  assert.ok(!(await page.$eval("[data-measures]", (one) => one.textContent)).includes("done after"));
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]));
  assert.ok(!stored.includes(shown[0]));
  // The page can call nothing else.
  const policy = await page.evaluate(() => fetch("/20231130/apikeys").then(() => "called", () => "refused"));
  assert.equal(policy, "refused");

  await page.goto(`${service}/ui/v1/usage?compartment=compartment.demo&days=7`);
  assert.match(await text(), /requests/);
  await check("usage");
  await page.click("summary");
  await check("usage-table");

  await page.goto(`${service}/ui/v1/keys`);
  await page.click("tbody th a");
  await page.waitForSelector(".slots");
  await check("key-standby");
  await choose("Activate key-two");
  assert.match(await text(), /The secret is active/);
  await check("key-both-active");
  await choose("Deactivate key-one");
  await check("key-deactivated");
  await choose("Revoke key-one");
  assert.match(await text(), /This cannot be undone/);
  await check("revoke");
  await choose("Revoke");
  assert.match(await text(), /The secret is revoked/);
  await check("key-revoked");
  await choose("Renew key-one");
  await check("renew");
  await choose("Renew");
  assert.match(await text(), /Store the secret now/);
  await page.click("main .back a");
  await page.waitForSelector(".slots");
  await choose("Edit name, description and tags");
  await page.type("#tags", "team=reports");
  await check("edit-key");
  await choose("Save");
  await choose("Move");
  await check("move-key");
  await choose("Move");
  assert.match(await text(), /in another compartment/);
  await page.goto(`${service}/ui/v1/keys`);
  assert.match(await text(), /reporting/);
  await check("keys");
  await page.click("tbody th a");
  await page.waitForSelector(".slots");
  await choose("Edit name, description and tags");
  await fill({ name: "n".repeat(255) });
  await choose("Save");
  await check("key-with-a-long-name");
  await choose("Delete");
  await check("delete-key");
  await choose("Delete");
  assert.match(await text(), /The API key is deleted/);

  await page.goto(`${service}/ui/v1/patterns`);
  await check("patterns-none");
  await choose("Create a pattern");
  await check("accelerators");
  await choose("Look at Invoice clerk");
  await check("accelerator");
  await choose("Create a pattern");
  await check("new-pattern");
  await fill({ code: "not a code", name: "Invoices of the north" });
  await submit("main button[type=submit]");
  assert.match(await text(), /The code must match the pattern/);
  await check("new-pattern-wrong");
  await fill({ code: "INVOICES" });
  await submit("main button[type=submit]");
  assert.match(await text(), /The pattern is created/);
  await check("pattern");
  await page.click("summary");
  await check("pattern-list");
  await page.goto(`${service}/ui/v1/patterns`);
  await check("patterns");

  await page.goto(`${service}/ui/v1/users`);
  await check("users");
  await choose("Create a user");
  await check("new-user");
  await fill({ email: "mira@north.example", first_name: "Mira", last_name: "Lund", projects: "LOCK-1, MOON" });
  await page.select("#workplace", "71:5201");
  await page.$eval("#organization", (field) => { field.options[0].value = "4210"; });
  await submit("main button[type=submit]");
  assert.match(await text(), /You do not administer this organization/);
  await check("new-user-wrong");
  await page.select("#organization", "3104");
  await submit("main button[type=submit]");
  assert.match(await text(), /Mira Lund signs in as mira@north.example/);
  await check("created-user");
  await page.goto(`${service}/ui/v1/users/import`);
  await check("import-users");
  // With scripts, a file is read into the field, unless its letters would be lost.
  const file = join(tmpdir(), `users-${process.pid}.csv`);
  const foreignFile = file.replace("users-", "latin-1-");
  writeFileSync(foreignFile, Buffer.from("emailAddress\nj\xf8rgen@north.example\n", "latin1"));
  await (await page.$("#file")).uploadFile(foreignFile);
  await page.waitForFunction(() => /UTF-8/.test(document.querySelector("#file").validationMessage));
  assert.equal(await page.$eval("#rows", (rows) => rows.value), "");
  rmSync(foreignFile);
  writeFileSync(file, "emailAddress,firstName,lastName,language,hubOrganizationId\n" +
    "nora@north.example,Nora,Vik,nb,3104\nmira@north.example,Mira,Lund,en,3104\ncy@south.example,Cy,South,en,4210\n");
  try {
    await (await page.$("#file")).uploadFile(file);
    await page.waitForFunction(() => document.querySelector("#rows").value.includes("nora@"));
  } finally {
    rmSync(file, { force: true });
  }
  await submit("main button[type=submit]");
  assert.match(await text(), /1 created 0 created before 2 failed/);
  await check("import-report");

  await page.goto(`${service}/ui/v1/operations`);
  assert.match(await text(), /inference createChatCompletion/);
  await submit("main form button");
  assert.match(await text(), /events, none changed/);
  await check("operations");

  await page.goto(`${service}/ui/v1/operations/policies`);
  await fill({ key: "apikey.local.none" });
  await submit("main form button");
  assert.match(await text(), /No API key has this id/);
  await check("policies-wrong");
  await choose("Create a policy");
  await check("new-policy");
  await fill({ id: "no-echo" });
  await page.type("#statement", "permit everything");
  await choose("Create policy");
  assert.match(await text(), /This is invalid/);
  await check("new-policy-wrong");
  await page.$eval("#statement", (field) => { field.value = ""; });
  await page.type("#statement", 'forbid (principal, action, resource == Model::"meta.echo")\nwhen { principal in Compartment::"compartment.demo" };');
  await choose("Create policy");
  assert.match(await text(), /The policy is created/);
  await check("policy");
  await page.goto(`${service}/ui/v1/keys/new?compartment=compartment.demo`);
  await fill({ name: "explained" });
  await submit("main button[type=submit]");
  const key = await page.$eval("main .back a", (link) => link.href.split("/").at(-1));
  await page.goto(`${service}/ui/v1/operations/policies`);
  await fill({ key });
  await page.select("#model", "meta.echo");
  await submit("main form button");
  assert.match(await text(), /No\. .* may not call meta\.echo: no-echo forbids it\./);
  await check("policies");

  await page.goto(`${service}/ui/v1/operations/clients`);
  await check("clients");
  await choose("Register a client");
  await check("new-client");
  await fill({ id: "kiosk", name: "Kiosk of the harbour" });
  await choose("Register client");
  assert.match(await text(), /Choose at least one/);
  await check("new-client-wrong");
  await page.click("input[name=accounts_reader]");
  await page.click("input[name=apikeys_reader]");
  await choose("Register client");
  assert.match(await text(), /Store the secret now/);
  await page.evaluate(() => { document.querySelector("#secret").textContent = "cs_hidden-in-this-picture"; });
  await check("client-secret");
  await page.click("main .back a");
  await page.waitForSelector("#registration");
  await check("client");
  await choose("Disable");
  assert.match(await text(), /The client is disabled/);
  await check("client-disabled");

  await page.goto(`${service}/ui/v1/operations/grants`);
  await fill({ resource: "compartment:compartment.demo", user: "nobody@north.example" });
  await choose("Set grant");
  assert.match(await text(), /No user has this email address or id/);
  await check("grants-wrong");
  await fill({ user: "mira@north.example" });
  await page.select("#verb", "use");
  await choose("Set grant");
  assert.match(await text(), /The grant is set/);
  await check("grants-of-one");
  await page.goto(`${service}/ui/v1/operations/grants`);
  await check("grants");

  await page.goto(`${service}/ui/v1/operations/users`);
  await check("operator-users");
  await fill({ user: "ben@north.example", organization: "1" });
  await choose("Add");
  assert.match(await text(), /There is no hub organization 1/);
  await check("operator-users-wrong");

  await page.goto(`${service}/ui/v1/account`);
  await check("account");
  // No script of another page of this origin reads the console.
  await page.goto(`${service}/docs`);
  const read = await page.evaluate(async () => {
    const response = await fetch("/ui/v1/keys").catch((error) => ({ status: String(error) }));
    return response.status;
  });
  assert.notEqual(read, 200);
  complaints.splice(0, complaints.length, ...complaints.filter((one) => !/Content Security Policy|Fetch API cannot load/.test(one)));
  assert.deepEqual(foreign, [], "requests to other servers");
  assert.deepEqual(complaints, [], "the browser's console");
} finally {
  await browser.close();
}
console.log("all is well");
