// Someone who has only what the service printed at its start signs in, creates an API key in the console, and asks a
// model in the playground:
//   node newcomer.mjs BROWSER CONSOLE USERNAME PASSWORD
// The last line is a secret of the key.

import assert from "node:assert/strict";
import { launch, openPage } from "./browser.mjs";

const [executablePath, console_, username, password] = process.argv.slice(2);
const browser = await launch(executablePath);
try {
  const page = await openPage(browser);
  // Follows the link or presses the button that begins with this text.
  async function choose(label) {
    const found = await page.evaluateHandle((label) => {
      const all = [...document.querySelectorAll("main a, main button")];
      return all.find((one) => one.textContent.trim().startsWith(label));
    }, label);
    assert.ok(found.asElement(), `no ${label} in ${await page.$eval("body", (body) => body.innerText)}`);
    await Promise.all([page.waitForNavigation(), found.asElement().click()]);
  }
  await page.goto(console_);
  await page.type("input[name=username]", username);
  await page.type("input[name=password]", password);
  await choose("Sign in");
  await choose("Create an API key");
  await page.type("input[name=name]", "first");
  await choose("Create");
  const secret = await page.$eval("code.value", (code) => code.textContent);

  // The page of the new key has a playground with its secret.
  await page.waitForSelector("#model:not(:disabled)");
  await page.select("#model", "accord.echo");
  await page.$eval("#message", (field) => { field.value = ""; });
  await page.type("#message", "Hello from the playground");
  const pieces = page.evaluate(() => new Promise((resolve) => {
    const response = document.querySelector("[data-response]");
    const lengths = new Set();
    new MutationObserver(() => {
      lengths.add(response.textContent.length);
      if (response.ariaBusy === "false") resolve(lengths.size);
    }).observe(response, { attributes: true, childList: true, characterData: true, subtree: true });
  }));
  await page.click("[data-send]");
  assert.ok(await pieces > 1, "the answer arrives in pieces");
  assert.equal(await page.$eval("[data-response]", (response) => response.textContent), "Hello from the playground");
  process.stdout.write(`${secret}\n`);
} finally {
  await browser.close();
}
