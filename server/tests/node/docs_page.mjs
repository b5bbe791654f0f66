// Reads and tries the documents at `/docs` in a browser, as a newcomer does.
//
// Arguments: the browser, the page's address, an accepted secret of an API key,
// an access token, a directory for screenshots, and every operation there is.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

const [executablePath, docs, secret, token, pictures, operations] = process.argv.slice(2);
const browser = await puppeteer.launch({
  executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"],
});
const page = await browser.newPage();
const complaints = [];
page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
page.on("pageerror", (error) => complaints.push(error.message));
await page.setViewport({ width: 1280, height: 1000 });

// Opens an operation, fills in credentials and body, sends it, and returns what
// the page says of the answer.
async function attempt(operation, credential, body) {
  await page.goto(`${docs}#/${operation}`, { waitUntil: "networkidle0" });
  await page.waitForSelector("form.try");
  await page.$eval("form.try input[type=password]", (input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, credential);
  if (body) {
    await page.$eval("form.try textarea", (area, value) => {
      area.value = value;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }, JSON.stringify(body));
  }
  await page.click("form.try button[type=submit]");
  await page.waitForFunction(() => / complete after |Stopped|No answer/.test(document.querySelector(".answer").textContent));
  await page.$eval(".answer", (answer) => answer.scrollIntoView({ block: "end" }));
  await page.screenshot({ path: join(pictures, `docs-${operation.replace("/", "-")}${body?.stream ? "-streamed" : ""}.png`) });
  return page.$eval(".answer", (answer) => answer.textContent);
}

try {
  await page.goto(`${docs}#/accounts/createUser`, { waitUntil: "networkidle0" });
  const text = await page.$eval("body", (body) => body.textContent);
  for (const part of ["Create a hub account", "hubOrganizationId", "accounts.write", "Send", "curl -i"]) {
    assert.ok(text.includes(part), `${part} is missing:\n${text}`);
  }
  assert.ok(!text.includes("[object "), text);
  // One entry for each operation of the four documents.
  for (const operation of operations.split(",")) {
    assert.ok(await page.$(`a[href="#/${operation}"]`), `${operation} has no link`);
  }
  const chat = { model: "accord.echo", messages: [{ role: "user", content: "Hello from the page" }] };
  const plain = await attempt("inference/createChatCompletion", secret, chat);
  assert.match(plain, /200 .*complete after[^]*Hello from the page/);
  const streamed = await attempt("inference/createChatCompletion", secret, { ...chat, stream: true });
  assert.match(streamed, /200 .*complete after[^]*text\/event-stream[^]*data: [^]*data: \[DONE\]/);
  const listed = await attempt("accounts/listOrganizations", token);
  assert.match(listed, /200 .*complete after/);
  assert.deepEqual(complaints, [], "the browser's console");
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    const { violations } = await page.evaluate(() => axe.run());
    const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
    assert.deepEqual(findings, [], `accessibility, ${scheme}`);
  }
  const refused = await attempt("inference/createChatCompletion", "ak-none", chat);
  assert.match(refused, /401 [^]*invalid_api_key/);
  // What was entered as a secret is nowhere to be read.
  const shown = await page.evaluate(() => document.body.textContent);
  for (const hidden of [secret, token]) assert.ok(!shown.includes(hidden), "a secret is shown");
} finally {
  await browser.close();
}
console.log("success");
