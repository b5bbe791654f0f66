// Offers to use a credential that a response contains: an access token, or the secret of an API key.

const bar = document.getElementById("offer");

/** Returns the function that the renderer calls with each response. */
export function offerFrom(credentials) {
  return async ({ response }) => {
    bar.hidden = true;
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || !type.startsWith("application/json")) return;
    const found = credentialIn(await response.clone().json().catch(() => undefined));
    if (found) show(found, credentials);
  };
}

function credentialIn(body) {
  if (typeof body?.access_token === "string") {
    return { scheme: "accessToken", name: "access token", secret: body.access_token, seconds: body.expires_in };
  }
  const key = Array.isArray(body?.keys) ? body.keys.find(({ key }) => typeof key === "string") : undefined;
  return key && { scheme: "apiKeySecret", name: "API key secret", secret: key.key };
}

function show({ scheme, name, secret, seconds }, credentials) {
  const use = button(`Use this ${name}`, () => {
    credentials.use(scheme, secret, seconds);
    bar.replaceChildren(`Every operation that takes an ${name} now uses this one.`, close);
    close.focus();
  });
  const close = button("Close", () => { bar.hidden = true; });
  close.className = "second";
  bar.replaceChildren(`The response contains an ${name}.`, use, close);
  bar.hidden = false;
}

function button(text, onclick) {
  return Object.assign(document.createElement("button"), { type: "button", textContent: text, onclick });
}
