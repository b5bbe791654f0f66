// Reads the reference page at `/docs` in a browser, and tries its operations, as a newcomer does.
//
// Arguments: the browser, the page's address, an accepted secret of an API key, e-mail address and password of a user,
// a directory for screenshots, which are taken if the environment has ACCORD_PICTURES, and every operation there is.

import assert from "node:assert/strict";
import { join } from "node:path";
import { launch, openPage, settled } from "./browser.mjs";

const [executablePath, docs, secret, email, password, pictures, operations] = process.argv.slice(2);
const origin = new URL(docs).origin;
const browser = await launch(executablePath);
const complaints = [];
const requests = [];

// A tab whose requests and complaints are recorded.
async function open(address, { scripts = true, width = 1440, height = 1000, isMobile = false } = {}) {
  const page = await openPage(browser);
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.setJavaScriptEnabled(scripts);
  await page.setViewport({ width, height, isMobile, hasTouch: isMobile });
  await page.goto(address, { waitUntil: "networkidle0" });
  return page;
}

const picture = async (page, name) => {
  if (process.env.ACCORD_PICTURES) await page.screenshot({ path: join(pictures, `docs-${name}.png`) });
};
const shows = (page, text) => page.waitForFunction((text) => document.body.textContent.includes(text), {}, text);

// Shows an operation, and returns the id of its section.
async function follow(page, operation) {
  const id = await page.evaluate((operation) => {
    const link = document.querySelector(`[data-operation="${operation}"]`);
    location.hash = link.hash;
    return link.hash.slice(1);
  }, operation);
  await page.waitForFunction((id) => document.getElementById(id)?.querySelector("h3"), {}, id);
  return id;
}

// Opens the form to send an operation's request.
async function prepare(page, operation) {
  const id = await follow(page, operation);
  const open = (id) => {
    const button = document.getElementById(id)?.querySelector("button.show-api-client-button");
    button?.click();
    return Boolean(button);
  };
  await page.waitForFunction(open, {}, id);
  await page.waitForSelector(".scalar-client[role=dialog]", { visible: true });
  await page.waitForFunction(() => document.querySelector(".scalar-client[role=dialog] .cm-content, .scalar-client[role=dialog] form"));
  await settled(page);
}

async function replace(page, selector, text) {
  await page.click(selector);
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.sendCharacter(text);
}

const setBody = (page, value) => replace(page, ".scalar-client[role=dialog] .cm-content", JSON.stringify(value));
const client = (page) => page.$$eval(".scalar-client", (parts) => parts.map((part) => part.textContent).join("\n"));

// Sends the request, and waits for a text of the response.
async function send(page, pattern) {
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
  const found = (source) => {
    const parts = [...document.querySelectorAll(".scalar-client")];
    return new RegExp(source).test(parts.map((part) => part.textContent).join("\n"));
  };
  await page.waitForFunction(found, {}, pattern.source).catch(async () => {
    assert.fail(`no ${pattern} in the response:\n${await client(page)}`);
  });
}

async function close(page) {
  await page.evaluate(() => {
    const buttons = [...document.querySelectorAll(".scalar-client button")];
    buttons.find((button) => button.textContent.includes("Close Client")).click();
  });
  await page.waitForSelector(".scalar-client[role=dialog]", { hidden: true });
}

// Without scripts, the page lists the operations and links to the documents.
async function listsWithoutScripts() {
  const page = await open(docs, { scripts: false });
  const hrefs = await page.$$eval("main a", (links) => links.map((link) => link.getAttribute("href")));
  for (const operation of operations.split(",")) {
    const [area, id] = operation.split("/");
    assert.ok(hrefs.some((href) => href.startsWith(`#${area}/`) && href.endsWith(`/${id}`)), `${operation} has no link`);
    assert.ok(hrefs.includes(`/openapi/${area}.yaml`), `${area} has no link`);
  }
  await picture(page, "without-scripts");
  await page.close();
}

const STREAMS = ["inference/createChatCompletion", "inference/createResponse"];

// Every operation of the four documents is rendered, and an address of the earlier form leads to it.
async function rendersEveryOperation() {
  const page = await open(`${docs}#/accounts/createUser`);
  await page.waitForFunction(() => location.hash === "#accounts/tag/users/createUser");
  for (const part of ["Create a hub account", "hubOrganizationId", "accounts.write", "curl", "Test Request"]) {
    await shows(page, part);
  }
  await picture(page, "operation");
  for (const operation of operations.split(",")) {
    const id = await follow(page, operation);
    const [title, summary, text, streams] = await page.evaluate((id, operation) => [
      document.getElementById(id).querySelector("h3").textContent,
      document.querySelector(`[data-operation="${operation}"]`).textContent,
      document.getElementById(id).textContent,
      [...document.getElementById(id).querySelectorAll(".badge")].some((badge) => badge.textContent.trim() === "stream"),
    ], id, operation);
    assert.equal(streams, STREAMS.includes(operation), `${operation} has a badge only if it streams`);
    assert.ok(title.includes(summary), `${operation}: ${title}`);
    assert.ok(!text.includes("[object "), `${operation}: ${text}`);
  }
  await page.close();
}

// A model call with a secret that is typed in; a stream shows its events as they arrive.
async function callsModels(page) {
  await prepare(page, "inference/createChatCompletion");
  const chat = { model: "accord.echo", messages: [{ role: "user", content: "Hello from the page" }] };
  await setBody(page, chat);
  await page.click(".scalar-client[role=dialog] input[placeholder=Token]");
  await page.keyboard.sendCharacter("ak-none");
  await send(page, /401[^]*invalid_api_key/);
  for (const complaint of complaints.splice(0)) assert.match(complaint, /status of 401/);
  await replace(page, ".scalar-client[role=dialog] input[placeholder=Token]", secret);
  await send(page, /200 OK[^]*"assistant"[^]*Hello from the page/);
  const words = "one two three four five six seven eight nine ten";
  await setBody(page, { ...chat, model: "builtin/slow", stream: true, messages: [{ role: "user", content: words }] });
  const ended = new Promise((resolve) => page.once("requestfinished", resolve));
  await send(page, /data: \{/);
  assert.ok(!(await client(page)).includes("[DONE]"), "the first event is shown before the last one arrives");
  await shows(page, "data: [DONE]");
  await ended;
  await settled(page);
  await picture(page, "stream");
  await close(page);
}

// Device authorization: the user signs in and approves in another tab.
async function signsIn(page) {
  await page.click("#sign-in");
  await picture(page, "sign-in");
  // A poll that gets no response is repeated.
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (...request) => {
      if (!String(request[0]).endsWith("/token")) return fetch(...request);
      window.fetch = fetch;
      throw new TypeError("Failed to fetch");
    };
  });
  await page.click("#device-go");
  const link = await page.waitForSelector("#device-approve", { visible: true });
  await picture(page, "sign-in-code");
  const shown = await page.$eval("#device-code", (code) => code.textContent);
  const opened = new Promise((resolve) => browser.once("targetcreated", resolve));
  await link.click();
  const tab = await (await opened).page();
  await tab.waitForSelector("#username");
  await tab.type("#username", email);
  await tab.type("#password", password);
  const submit = (selector) => Promise.all([tab.waitForNavigation(), tab.click(selector)]);
  await submit("form[action='/ui/v1/signin'] button[type=submit]");
  await submit("form[action='/ui/v1/device'] button[type=submit]");
  const approve = await tab.waitForSelector("button[value=approve]");
  assert.ok((await tab.$eval("main", (main) => main.textContent)).includes(shown), "the tab shows the same code");
  await approve.click();
  await tab.waitForFunction(() => document.body.textContent.includes("Device approved"));
  await tab.close();
  await page.waitForSelector("#sign-out", { visible: true });
  assert.match(await page.$eval("#state", (state) => state.textContent), /^Signed in as Ana North$/);
  await page.waitForFunction(() => document.activeElement.id === "sign-out");
  // The page may have asked for the token before the approval.
  for (const complaint of complaints.splice(0)) assert.match(complaint, /status of 400/);
}

// The page offers to use the credentials of a response, and uses them where the documents require them.
async function usesCredentials(page) {
  await prepare(page, "accounts/listOrganizations");
  await send(page, /200 OK[^]*"name"/);
  await close(page);
  await prepare(page, "inference/createApiKey");
  await send(page, /200 OK[^]*"key"/);
  const use = await page.waitForSelector("#offer button", { visible: true });
  assert.equal(await use.evaluate((button) => button.textContent), "Use this API key secret");
  await picture(page, "offer");
  await use.click();
  await page.click("#offer button");
  await close(page);
  await prepare(page, "inference/createChatCompletion");
  await send(page, /200 OK[^]*"assistant"/);
  await close(page);
  const used = await page.evaluate(async () => {
    const folder = document.querySelector("script[type=module]").src;
    const { offerFrom } = await import(new URL("offer.js", folder).href);
    const { Credentials } = await import(new URL("credentials.js", folder).href);
    const credentials = new Credentials();
    await offerFrom(credentials)({ response: Response.json({ access_token: "at-1", expires_in: 3600 }) });
    const button = document.querySelector("#offer button");
    const text = button.textContent;
    button.click();
    document.querySelector("#offer button").click();
    return [text, credentials.of("accessToken"), document.getElementById("offer").hidden];
  });
  assert.deepEqual(used, ["Use this access token", "at-1", true]);
}

// Signing out forgets the token and revokes it.
async function signsOut(page) {
  const revoked = page.waitForResponse((response) => response.url() === `${origin}/oauth2/v1/revoke`);
  await page.click("#sign-out");
  assert.equal((await revoked).status(), 200);
  await page.waitForSelector("#sign-in", { visible: true });
  await prepare(page, "accounts/listOrganizations");
  await send(page, /401/);
  await close(page);
  for (const complaint of complaints.splice(0)) assert.match(complaint, /status of 401/);
}

// On a phone, nothing is wider than the page, and a menu leads to the operations.
async function fitsAPhone() {
  const page = await open(`${docs}#inference/tag/chat-completions/createChatCompletion`, { width: 390, height: 844, isMobile: true });
  await shows(page, "Create a chat completion");
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= width, `${content} pixels in ${width}`);
  await picture(page, "phone");
  await page.close();
}

const STORED = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]);

// A secret in a code sample is masked, and nothing keeps one beyond the page.
async function keepsSecrets(page, secrets) {
  const exposed = await page.evaluate((secrets) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { textContent, parentElement } = walker.currentNode;
      const isMasked = parentElement.closest(".credential-value") && getComputedStyle(parentElement).fontSize === "0px";
      if (secrets.some((secret) => textContent.includes(secret)) && !isMasked) found.push(parentElement.outerHTML);
    }
    return found;
  }, secrets);
  assert.deepEqual(exposed, [], "a secret is shown");
  const stored = await page.evaluate(STORED);
  for (const secret of secrets) assert.ok(!stored.includes(secret), `a secret is stored: ${stored}`);
}

// The script of the page reaches neither other hosts nor the pages under `/ui`.
async function staysAway() {
  const page = await open(docs);
  const outcomes = await page.evaluate(async () => {
    const outcome = (promise) => promise.then(() => "loaded", () => "refused");
    const frame = document.createElement("iframe");
    frame.src = "/ui/v1/signin";
    const loaded = new Promise((resolve) => { frame.onload = resolve; });
    document.body.append(frame);
    await loaded;
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: "/ui/v1/signin", target: "_blank" });
    document.body.append(form);
    form.submit();
    return {
      page: await outcome(fetch("/ui/v1/signin")),
      posted: await outcome(fetch("/ui/v1/signin", { method: "POST" })),
      metrics: await outcome(fetch("/metrics")),
      elsewhere: await outcome(fetch(location.origin.replace("127.0.0.1", "localhost") + "/openapi")),
      beacon: navigator.sendBeacon("/ui/v1/signin") ? "queued" : "refused",
      framed: frame.contentDocument?.body?.textContent ? "loaded" : "refused",
      worker: await outcome(navigator.serviceWorker.register(document.scripts[0].src)),
      document: await outcome(fetch("/openapi/accounts.json")),
    };
  });
  const refused = "refused";
  assert.deepEqual({ ...outcomes, beacon: refused }, {
    page: refused, posted: refused, metrics: refused, elsewhere: refused, beacon: refused, framed: refused,
    worker: refused, document: "loaded",
  });
  // A tab that it opens is out of its reach as soon as the tab shows a page.
  const opened = new Promise((resolve) => browser.once("targetcreated", resolve));
  await page.evaluate(() => { window.opened = window.open("/ui/v1/account"); });
  const tab = await (await opened).page();
  await tab.waitForFunction(() => location.pathname.startsWith("/ui/") && document.querySelector("h1"));
  assert.equal(await page.evaluate(() => window.opened.closed), true);
  assert.equal(await tab.evaluate(() => window.opener), null);
  await tab.close();
  const pages = await browser.pages();
  assert.ok(!pages.some((one) => one !== page && one.url().includes("/ui/")), "the form was sent");
  await page.close();
}

try {
  await listsWithoutScripts();
  await rendersEveryOperation();
  const typed = await open(docs);
  await callsModels(typed);
  await keepsSecrets(typed, [secret]);
  await typed.close();
  const page = await open(docs);
  await signsIn(page);
  await usesCredentials(page);
  await picture(page, "signed-in");
  await signsOut(page);
  await fitsAPhone();
  assert.deepEqual(complaints, [], "the browser's console");
  const foreign = requests.filter((url) => new URL(url).origin !== origin && !/^(data|blob):/.test(url));
  assert.deepEqual(foreign, [], "requests to other addresses");
  await staysAway();
} finally {
  await browser.close();
}
console.log("success");
