// A person with a browser connects a device, and looks after it:
//   node identity_pages.mjs BROWSER ISSUER USERNAME PASSWORD PICTURES
// Every page is looked over by axe, in light and dark, and photographed in both
// there and as a phone shows it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

const [executablePath, issuer, username, password, pictures] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await puppeteer.launch({
  executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"],
});
const page = await browser.newPage();
// The pages work without scripts of their own; axe is injected from outside.
const complaints = [];
page.on("pageerror", (error) => complaints.push(error.message));
page.on("console", (message) => {
  // The browser reports the statuses of refused forms as errors.
  if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
});

async function post(path, form) {
  const response = await fetch(issuer + path, { method: "POST", body: new URLSearchParams(form) });
  return response.json();
}

// Looks the page over and photographs it.
async function look(name) {
  await page.evaluate(axe);
  for (const scheme of ["light", "dark"]) {
    await page.setViewport({ width: 1100, height: 800 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    const { violations } = await page.evaluate(() => axe.run());
    const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
    assert.deepEqual(findings, [], `accessibility of ${name}, ${scheme}`);
    await page.screenshot({ path: join(pictures, `identity-${name}-${scheme}.png`), fullPage: true });
  }
  // Not as a mobile: that would load the page again, and so send its form again.
  await page.setViewport({ width: 360, height: 740, deviceScaleFactor: 2 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `${name} is ${overflow} pixels wider than a phone`);
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.screenshot({ path: join(pictures, `identity-${name}-phone-${scheme}.png`), fullPage: true });
  }
  await page.setViewport({ width: 1100, height: 800 });
}

const text = () => page.$eval("main", (main) => main.textContent);
const submit = (selector) => Promise.all([page.waitForNavigation(), page.click(selector)]);

async function fill(fields) {
  for (const [name, value] of Object.entries(fields)) {
    await page.$eval(`input[name=${name}]:not([hidden])`, (input) => { input.value = ""; });
    await page.type(`input[name=${name}]:not([hidden])`, value);
  }
}

// Looks a page over in every language but English. Each has words of its own length.
async function lookInEveryLanguage(name, address) {
  for (const language of ["de", "es", "fr", "it", "nb", "nl"]) {
    await page.setExtraHTTPHeaders({ "accept-language": language });
    await page.goto(address);
    assert.equal(await page.evaluate(() => document.documentElement.lang), language);
    await look(`${name}-${language}`);
  }
  await page.setExtraHTTPHeaders({});
}

try {
  const scope = "accounts.read patterns.read offline_access";
  const device = await post("/oauth2/v1/device", { client_id: "accord-cli", scope });
  const poll = () => post("/oauth2/v1/token", {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: device.device_code,
    client_id: "accord-cli",
  });
  assert.equal((await poll()).error, "authorization_pending");

  await page.goto(device.verification_uri_complete, { waitUntil: "load" });
  await look("signin");
  const type = () => page.$eval("#password", (input) => input.type);
  await page.click("[data-reveal] input");
  assert.equal(await type(), "text");
  await page.click("[data-reveal] input");
  assert.equal(await type(), "password");
  await page.goto(`${issuer}/ui/v1/forgot`);
  await look("forgot");
  await page.evaluate(() => { document.forms[0].noValidate = true; });
  await fill({ username: "nobody" });
  await submit("main button[type=submit]");
  assert.match(await text(), /Enter your email address/);
  await look("forgot-wrong");
  await fill({ username: "nobody@north.example" });
  await submit("main button[type=submit]");
  assert.match(await text(), /Check your email/);
  await look("forgot-sent");
  await lookInEveryLanguage("signin", `${issuer}/ui/v1/signin`);
  await lookInEveryLanguage("forgot", `${issuer}/ui/v1/forgot`);
  await page.goto(device.verification_uri_complete, { waitUntil: "load" });
  await fill({ username, password: "not the password" });
  await submit("button[type=submit]");
  assert.match(await text(), /is wrong/);
  await look("signin-wrong");
  await fill({ username, password });
  await submit("button[type=submit]");

  // Opening the link has submitted nothing: the code waits in its field.
  assert.equal(await page.$eval("#user_code", (input) => input.value.replace("-", "")), device.user_code);
  await look("code");
  await lookInEveryLanguage("code", `${issuer}/ui/v1/device`);
  await page.goto(`${issuer}/ui/v1/device`);
  await fill({ user_code: "BCDF-GHJK" });
  await submit("button[type=submit]");
  assert.match(await text(), /not valid/);
  await look("code-wrong");
  // With the keyboard alone.
  await page.$eval("#user_code", (input) => { input.value = ""; input.focus(); });
  await page.keyboard.type(device.user_code.toLowerCase());
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  const consent = await text();
  for (const part of ["Accord command line", "127.0.0.1", "Does your device show this code?", "deny"]) {
    assert.ok(consent.includes(part), `${part} is missing: ${consent}`);
  }
  await look("consent");
  await page.setExtraHTTPHeaders({ "accept-language": "fr" });
  await page.goto(device.verification_uri_complete);
  await submit("button[type=submit]");
  assert.match(await text(), /Votre appareil affiche-t-il ce code/);
  await look("consent-fr");
  await page.setExtraHTTPHeaders({});
  await page.goto(device.verification_uri_complete);
  await submit("button[type=submit]");
  await submit("button[value=approve]");
  assert.match(await text(), /Device approved[^]*Accord command line can now act for you/);
  await look("approved");

  // Longer than the interval, which the first poll has begun.
  await new Promise((wake) => setTimeout(wake, 5200));
  const token = await poll();
  assert.equal(token.token_type, "Bearer", JSON.stringify(token));

  await page.goto(`${issuer}/ui/v1/account`);
  assert.match(await text(), /Chrome on Linux[^]*This browser[^]*Accord command line/);
  await look("account");
  await page.click("summary");
  await look("account-scopes");
  await lookInEveryLanguage("account", `${issuer}/ui/v1/account`);
  await lookInEveryLanguage("elsewhere", `${issuer}/ui/v1/account/elsewhere`);
  await lookInEveryLanguage("password", `${issuer}/ui/v1/account/password`);
  await page.goto(`${issuer}/ui/v1/account/elsewhere`);
  await look("elsewhere");
  await submit("main button[type=submit]");
  assert.match(await text(), /All other browsers are signed out/);
  await submit("a[href*=disconnect]");
  assert.match(await text(), /Disconnect Accord command line\?/);
  await look("disconnect");
  await lookInEveryLanguage("disconnect", page.url());
  await page.goto(`${issuer}/ui/v1/account`);
  await submit("a[href*=disconnect]");
  await submit("button[value=disconnect]");
  assert.match(await text(), /no longer connected/);
  await look("account-disconnected");
  const used = await fetch(`${issuer}/api/user/organizations`, {
    headers: { authorization: `Bearer ${token.access_token}` },
  });
  assert.equal(used.status, 401);

  await page.goto(`${issuer}/ui/v1/account/password`);
  await look("password");
  const change = (present, next, again) => fill({ present, password: next, again })
    .then(() => submit("main button[type=submit]"));
  await change(password, "password1234", "password1234");
  assert.match(await text(), /easy to guess/);
  await look("password-refused");
  await change("not the password", "seven quiet otters", "seven quiet otters");
  assert.match(await text(), /not your current password/);
  await change(password, "seven quiet otters", "seven quiet otters");
  assert.match(await text(), /Password changed/);
  await look("password-changed");

  await page.goto(`${issuer}/ui/v1/signout`);
  await look("signout");
  await submit("main button[type=submit]");
  assert.match(await text(), /Signed out/);
  await page.goto(`${issuer}/ui/v1/account`);
  assert.match(page.url(), /signin/);
  await fill({ username, password: "seven quiet otters" });
  await submit("button[type=submit]");
  await page.goto(`${issuer}/ui/v1/device`);
  // Right to left, nothing sticks out.
  await page.evaluate(() => { document.documentElement.dir = "rtl"; });
  await look("code-rtl");
  assert.deepEqual(complaints, [], "the browser's console");
} finally {
  await browser.close();
}
console.log("success");
