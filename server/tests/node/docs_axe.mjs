// axe on the whole reference page at `/docs`, the renderer's parts included: desktop and phone, light and dark, with and
// without the form to send a request, a search and the form to sign in.
//
// Arguments: the browser, and the page's address.

import assert from "node:assert/strict";
import { launch, openPage, settled } from "./browser.mjs";
import { axe, RULES } from "./check_page.mjs";

const [executablePath, docs] = process.argv.slice(2);
const browser = await launch(executablePath);

const DESKTOP = { width: 1440, height: 1000 };
const PHONE = { width: 390, height: 844, isMobile: true, hasTouch: true };
const STATES = [
  ["accounts/tag/users/createUser", DESKTOP],
  ["identity/tag/tokens/createToken", DESKTOP],
  ["patterns", DESKTOP],
  ["inference/tag/chat-completions/createChatCompletion", DESKTOP],
  ["inference/tag/chat-completions/createChatCompletion", PHONE],
];

async function hasNoFindings(page, name) {
  for (const [scheme, rules] of Object.entries(RULES)) {
    await page.evaluate((scheme) => { document.body.className = `${scheme}-mode`; }, scheme);
    await settled(page);
    const { violations } = await page.evaluate((rules) => axe.run({ ...rules, resultTypes: ["violations"] }), rules);
    const findings = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
    assert.deepEqual(findings, [], `${name}, ${scheme}`);
  }
}

const click = (page, selector, text) => page.evaluate((selector, text) => {
  [...document.querySelectorAll(selector)].find((button) => button.textContent.includes(text)).click();
}, selector, text);
const isLocked = (page) => page.$eval("main.references-rendered", (main) => main.inert);

try {
  for (const [place, size] of STATES) {
    const page = await openPage(browser);
    await page.setViewport(size);
    await page.goto(`${docs}#${place}`, { waitUntil: "networkidle0" });
    await page.waitForSelector("#reference h1");
    await settled(page);
    await page.evaluate(axe);
    const name = `${place}, ${size.width} pixels`;
    await hasNoFindings(page, name);
    if (place.startsWith("inference")) {
      await click(page, "button.show-api-client-button", "");
      await page.waitForSelector(".scalar-client[role=dialog]", { visible: true });
      await settled(page);
      assert.equal(await isLocked(page), true);
      await hasNoFindings(page, `${name}, a request`);
      await click(page, ".scalar-client button", "Close Client");
      await page.waitForFunction(() => !document.querySelector("main.references-rendered").inert);
      await page.keyboard.down("Control");
      await page.keyboard.press("k");
      await page.keyboard.up("Control");
      await page.waitForSelector("input[role=combobox]", { visible: true });
      await page.keyboard.type("key");
      await settled(page);
      await hasNoFindings(page, `${name}, a search`);
      await page.keyboard.press("Escape");
      await page.evaluate(() => document.getElementById("device").showModal());
      await hasNoFindings(page, `${name}, signing in`);
    }
    await page.close();
  }
} finally {
  await browser.close();
}
console.log("success");
