// A person adds a passkey, signs in with it, and loses it; others try to get in
// with what they have seen of it:
//   node passkeys.mjs BROWSER ISSUER USERNAME PASSWORD PICTURES
// Chromium's virtual authenticator holds the keys.

import assert from "node:assert/strict";
import { launch, openPage, PATIENCE } from "./browser.mjs";
import { checkPage } from "./check_page.mjs";

const [executablePath, issuer, username, password, pictures] = process.argv.slice(2);
const browser = await launch(executablePath);
const page = await openPage(browser);
const complaints = [];
page.on("pageerror", (error) => complaints.push(error.message));
page.on("console", (message) => {
  if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
});
const devtools = await page.createCDPSession();
await devtools.send("WebAuthn.enable");
const plugIn = (isUserVerified = true) => devtools.send("WebAuthn.addVirtualAuthenticator", {
  options: {
    protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true,
    isUserVerified, automaticPresenceSimulation: true,
  },
});
let { authenticatorId } = await plugIn();

const text = () => page.$eval("main", (main) => main.textContent);
const submit = (selector) => Promise.all([page.waitForNavigation(), page.click(selector)]);
const open = (path) => page.goto(issuer + path, { waitUntil: "load" });

const check = (name) => checkPage(page, pictures, `identity-${name}`);

async function signIn() {
  await open("/ui/v1/signin");
  await page.type("input[name=username]", username);
  await page.type("input[name=password]", password);
  await submit("button[type=submit]");
}

async function signOut() {
  await open("/ui/v1/signout");
  await submit("main button[type=submit]");
}

async function add(name) {
  await open("/ui/v1/account/passkeys");
  await page.type("#name", name);
  await submit("form[data-passkey] button");
}

const usePasskey = () => submit("form[data-passkey] button");
const isSignedIn = async () => {
  await open("/ui/v1/account");
  return page.url().endsWith("/ui/v1/account");
};

// Asks the authenticator, lets `change` spoil its answer, and leaves the form
// unsent. Returns what the form holds.
async function spoil(change = () => {}) {
  const fields = await page.evaluate(async () => {
    const form = document.querySelector("form[data-passkey]");
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options));
    const credential = (await navigator.credentials.get({ publicKey })).toJSON();
    return { credential, ceremony: form.elements.ceremony.value };
  });
  const spoilt = change(fields.credential, fields);
  fields.credential = spoilt ?? JSON.stringify(fields.credential);
  await page.evaluate((fields) => {
    const { elements } = document.querySelector("form[data-passkey]");
    for (const [name, value] of Object.entries(fields)) elements[name].value = value;
  }, fields);
  return fields;
}
const flip = (base64) => base64.slice(0, 12) + (base64[12] === "A" ? "B" : "A") + base64.slice(13);
const rewrite = (base64, change) => {
  const text = Buffer.from(base64, "base64url").toString("latin1");
  return Buffer.from(change(text), "latin1").toString("base64url");
};
const send = () => Promise.all([
  page.waitForNavigation(),
  page.$eval("form[data-passkey]", (form) => form.submit()),
]);

try {
  await signIn();
  await open("/ui/v1/account/passkeys");
  assert.match(await text(), /You have none yet/);
  await check("passkeys-none");
  await add("Laptop of Ana");
  assert.match(await text(), /The passkey was added[^]*Laptop of Ana[^]*Not used yet/);
  await check("passkeys");

  // After a while, the page asks again who adds a passkey. The test moves the clock.
  const deadline = Date.now() + PATIENCE;
  while (!/Confirm that it is you/.test(await text())) {
    assert.ok(Date.now() < deadline, "the session stays fresh");
    await new Promise((wake) => setTimeout(wake, 200));
    await open("/ui/v1/account/passkeys");
  }
  await check("passkeys-confirm");
  await page.type("#present", "not the password");
  await submit("button[value=confirm]");
  assert.match(await text(), /not your current password/);
  await check("passkeys-confirm-wrong");
  await submit("form[data-passkey=use] button");
  assert.ok(await page.$("form[data-passkey=make]"), "a passkey confirms");

  // The same authenticator makes no second one.
  await page.type("#name", "Again");
  await page.click("form[data-passkey] button");
  await page.waitForSelector("form[data-passkey] [role=alert]:not([hidden])");
  assert.match(await text(), /already has a passkey/);
  await signOut();

  await open("/ui/v1/signin?user_code=BCDF-GHJK");
  await check("signin-with-passkey");
  await usePasskey();
  assert.match(page.url(), /device\?user_code=BCDFGHJK/, "the code is kept on the way");
  assert.ok(await isSignedIn());
  await open("/ui/v1/account/passkeys");
  assert.match(await text(), /Used just now/);
  await signOut();

  // What was sent once is worth nothing a second time.
  await open("/ui/v1/signin");
  const seen = await spoil();
  await send();
  assert.ok(await isSignedIn());
  await signOut();
  const inClientData = (change) => ({ response }) => {
    response.clientDataJSON = rewrite(response.clientDataJSON, change);
  };
  const wrong = {
    "the answer of before": () => seen.credential,
    "another signature": ({ response }) => { response.signature = flip(response.signature); },
    "another origin": inClientData((text) => text.replace("http://localhost", "https://evil.example")),
    "another challenge": inClientData((text) => text.replace(/"challenge":"..../, '"challenge":"AAAA')),
    "another purpose": inClientData((text) => text.replace("webauthn.get", "webauthn.create")),
    "another user": ({ response }) => { response.userHandle = flip(response.userHandle); },
    "nobody verified": ({ response }) => {
      response.authenticatorData = rewrite(response.authenticatorData, (text) =>
        text.slice(0, 32) + String.fromCharCode(text.charCodeAt(32) & ~4) + text.slice(33));
    },
    "an unknown passkey": (credential) => { credential.id = credential.rawId = flip(credential.id); },
    "no JSON": () => "{",
  };
  for (const [name, change] of Object.entries(wrong)) {
    await open("/ui/v1/signin");
    await spoil(change);
    await send();
    assert.match(await text(), /was not accepted/, name);
    assert.ok(!await isSignedIn(), name);
  }
  // A ceremony that another browser was given.
  await open("/ui/v1/signin");
  await spoil((_, fields) => { fields.ceremony = seen.ceremony; });
  await send();
  assert.match(await text(), /out of date/);
  assert.ok(!await isSignedIn());

  // An authenticator that does not know who holds it.
  await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await open("/ui/v1/signin");
  await page.click("form[data-passkey] button");
  await page.waitForSelector("form[data-passkey] [role=alert]:not([hidden])");
  assert.match(await text(), /Nothing came from the passkey/);
  await check("signin-passkey-cancelled");
  await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });

  // A name and an address at which somebody guesses passwords stay open for a passkey.
  await open("/ui/v1/signin");
  for (let tries = 0; !/Too many attempts/.test(await text()); tries += 1) {
    assert.ok(tries < 40, "wrong passwords have no limit");
    await page.$eval("input[name=username]", (input, name) => { input.value = name; }, username);
    await page.type("input[name=password]", "a guess");
    await submit("button[type=submit]");
  }
  await page.$eval("input[name=username]", (input, name) => { input.value = name; }, username);
  await page.type("input[name=password]", password);
  await submit("button[type=submit]");
  assert.match(await text(), /Too many attempts/, "the right password has to wait as well");
  await usePasskey();
  assert.ok(await isSignedIn(), "a passkey has not");
  await signOut();

  // Whoever has signed in with the passkey that is removed is signed out.
  await open("/ui/v1/signin");
  const asked = await page.evaluate(() => {
    let asked = 0;
    const { get } = CredentialsContainer.prototype;
    CredentialsContainer.prototype.get = () => {
      asked += 1;
      return asked > 1 ? Promise.reject(new Error("asked twice")) : new Promise(() => {});
    };
    const button = document.querySelector("form[data-passkey] button");
    button.click();
    button.click();
    CredentialsContainer.prototype.get = get;
    return asked;
  });
  assert.equal(asked, 1, "a second press waits for the first one");
  await open("/ui/v1/signin");
  await usePasskey();
  assert.ok(await isSignedIn());
  await open("/ui/v1/account/passkeys");
  await submit("a[href*='passkeys/remove']");
  assert.match(await text(), /Remove .*\?[^]*no longer sign in with it/);
  await check("passkeys-remove");
  await submit("button[value=remove]");
  assert.match(await text(), /was removed[^]*You had signed in with it/);
  await check("passkeys-removed");
  assert.ok(!await isSignedIn());
  await open("/ui/v1/signin");
  await usePasskey();
  assert.match(await text(), /was not accepted/);
  await check("signin-passkey-refused");
  assert.deepEqual(complaints, [], "the browser's console");
} catch (error) {
  console.error(page.url(), complaints, await text());
  throw error;
} finally {
  await browser.close();
}
console.log("success");
