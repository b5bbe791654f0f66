// A person with a browser connects a device, and looks after it:
//   node identity_pages.mjs BROWSER ISSUER USERNAME PASSWORD PICTURES
// Axe checks every page, in light and dark and on a phone.

import assert from "node:assert/strict";
import { launch, openPage } from "./browser.mjs";
import { checkPage } from "./check_page.mjs";

const [executablePath, issuer, username, password, pictures] = process.argv.slice(2);
const browser = await launch(executablePath);
const page = await openPage(browser);
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

const check = (name) => checkPage(page, pictures, `identity-${name}`);

const text = () => page.$eval("main", (main) => main.textContent);
const submit = (selector) => Promise.all([page.waitForNavigation(), page.click(selector)]);

async function fill(fields) {
  for (const [name, value] of Object.entries(fields)) {
    await page.$eval(`input[name=${name}]:not([hidden])`, (input) => { input.value = ""; });
    await page.type(`input[name=${name}]:not([hidden])`, value);
  }
}

// Checks a page in every language but English. Each has words of its own length.
async function checkInEveryLanguage(name, address) {
  for (const language of ["de", "es", "fr", "it", "nb", "nl"]) {
    await page.setExtraHTTPHeaders({ "accept-language": language });
    await page.goto(address);
    assert.equal(await page.evaluate(() => document.documentElement.lang), language);
    await check(`${name}-${language}`);
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
  await check("signin");
  const type = () => page.$eval("#password", (input) => input.type);
  await page.click("[data-reveal] input");
  assert.equal(await type(), "text");
  await page.click("[data-reveal] input");
  assert.equal(await type(), "password");
  await page.goto(`${issuer}/ui/v1/forgot`);
  await check("forgot");
  await page.evaluate(() => { document.forms[0].noValidate = true; });
  await fill({ username: "nobody" });
  await submit("main button[type=submit]");
  assert.match(await text(), /Enter your email address/);
  await check("forgot-wrong");
  await fill({ username: "nobody@north.example" });
  await submit("main button[type=submit]");
  assert.match(await text(), /Check your email/);
  await check("forgot-sent");
  await checkInEveryLanguage("signin", `${issuer}/ui/v1/signin`);
  await checkInEveryLanguage("forgot", `${issuer}/ui/v1/forgot`);
  await page.goto(device.verification_uri_complete, { waitUntil: "load" });
  await fill({ username, password: "not the password" });
  await submit("button[type=submit]");
  assert.match(await text(), /is wrong/);
  await check("signin-wrong");
  await fill({ username, password });
  await submit("button[type=submit]");

  // Opening the link has submitted nothing: the code waits in its field.
  assert.equal(await page.$eval("#user_code", (input) => input.value.replace("-", "")), device.user_code);
  await check("code");
  await checkInEveryLanguage("code", `${issuer}/ui/v1/device`);
  await page.goto(`${issuer}/ui/v1/device`);
  await fill({ user_code: "BCDF-GHJK" });
  await submit("button[type=submit]");
  assert.match(await text(), /not valid/);
  await check("code-wrong");
  // With the keyboard alone.
  await page.$eval("#user_code", (input) => { input.value = ""; input.focus(); });
  await page.keyboard.type(device.user_code.toLowerCase());
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  const consent = await text();
  for (const part of ["Accord command line", "127.0.0.1", "Does your device show this code?", "deny"]) {
    assert.ok(consent.includes(part), `${part} is missing: ${consent}`);
  }
  await check("consent");
  await page.setExtraHTTPHeaders({ "accept-language": "fr" });
  await page.goto(device.verification_uri_complete);
  await submit("button[type=submit]");
  assert.match(await text(), /Votre appareil affiche-t-il ce code/);
  await check("consent-fr");
  await page.setExtraHTTPHeaders({});
  await page.goto(device.verification_uri_complete);
  await submit("button[type=submit]");
  await submit("button[value=approve]");
  assert.match(await text(), /Device approved[^]*Accord command line can now act for you/);
  await check("approved");

  // Longer than the interval, which the first poll has begun.
  await new Promise((wake) => setTimeout(wake, 5200));
  const token = await poll();
  assert.equal(token.token_type, "Bearer", JSON.stringify(token));

  await page.goto(`${issuer}/ui/v1/account`);
  assert.match(await text(), /Chrome on Linux[^]*This browser[^]*Accord command line/);
  await check("account");
  await page.click("summary");
  await check("account-scopes");
  await checkInEveryLanguage("account", `${issuer}/ui/v1/account`);
  await checkInEveryLanguage("elsewhere", `${issuer}/ui/v1/account/elsewhere`);
  await checkInEveryLanguage("password", `${issuer}/ui/v1/account/password`);
  await page.goto(`${issuer}/ui/v1/account/elsewhere`);
  await check("elsewhere");
  await submit("main button[type=submit]");
  assert.match(await text(), /All other browsers are signed out/);
  await submit("a[href*=disconnect]");
  assert.match(await text(), /Disconnect Accord command line\?/);
  await check("disconnect");
  await checkInEveryLanguage("disconnect", page.url());
  await page.goto(`${issuer}/ui/v1/account`);
  await submit("a[href*=disconnect]");
  await submit("button[value=disconnect]");
  assert.match(await text(), /no longer connected/);
  await check("account-disconnected");
  const used = await fetch(`${issuer}/api/user/organizations`, {
    headers: { authorization: `Bearer ${token.access_token}` },
  });
  assert.equal(used.status, 401);

  await page.goto(`${issuer}/ui/v1/account/password`);
  await check("password");
  const change = (present, next, again) => fill({ present, password: next, again })
    .then(() => submit("main button[type=submit]"));
  await change(password, "password1234", "password1234");
  assert.match(await text(), /easy to guess/);
  await check("password-refused");
  await change("not the password", "seven quiet otters", "seven quiet otters");
  assert.match(await text(), /not your current password/);
  await change(password, "seven quiet otters", "seven quiet otters");
  assert.match(await text(), /Password changed/);
  await check("password-changed");

  await page.goto(`${issuer}/ui/v1/signout`);
  await check("signout");
  await submit("main button[type=submit]");
  assert.match(await text(), /Signed out/);
  await page.goto(`${issuer}/ui/v1/account`);
  assert.match(page.url(), /signin/);
  await fill({ username, password: "seven quiet otters" });
  await submit("button[type=submit]");
  await page.goto(`${issuer}/ui/v1/device`);
  // Right to left, nothing sticks out. The change is not a part of the load.
  await new Promise((wake) => setTimeout(wake, 100));
  await page.evaluate(() => { document.documentElement.dir = "rtl"; });
  await check("code-rtl");
  assert.deepEqual(complaints, [], "the browser's console");
} finally {
  await browser.close();
}
console.log("success");
