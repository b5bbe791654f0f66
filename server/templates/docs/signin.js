// Signs in by device authorization (RFC 8628): the user approves in another tab, and this page polls for the token.

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";

const part = (id) => document.getElementById(id);
const dialog = part("device");

/** Prepares the buttons and the dialog. `endpoint` returns the address of an operation of the identity document. */
export function setUpSignIn(endpoint, credentials) {
  let attempt;
  part("sign-in").addEventListener("click", () => {
    show("start");
    dialog.showModal();
  });
  part("device-go").addEventListener("click", async () => {
    attempt?.abort();
    attempt = new AbortController();
    try {
      await signIn(endpoint, credentials, attempt.signal);
      dialog.close();
      // The button that opened the dialog is hidden now.
      part("sign-out").focus();
    } catch (error) {
      if (error.name === "AbortError") return;
      show("start", error.message);
      part("device-client").focus();
    }
  });
  part("device-client").addEventListener("keydown", (event) => {
    if (event.key === "Enter") part("device-go").click();
  });
  part("device-cancel").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => attempt?.abort());
  part("sign-out").addEventListener("click", () => {
    const token = credentials.of("accessToken");
    credentials.use("accessToken", undefined);
    part("sign-in").focus();
    // The page forgets the token in any case, so a failure to revoke it is of no interest.
    post(endpoint("revokeToken"), { token, client_id: client() }).catch(() => {});
  });
  credentials.onChange(() => showState(credentials));
  showState(credentials);
}

const client = () => part("device-client").value.trim();

/** Shows one of the two steps, with the problem that occurred. */
function show(step, problem = "") {
  const isWaiting = step === "wait";
  for (const id of ["device-start", "device-go"]) part(id).hidden = isWaiting;
  for (const id of ["device-wait", "device-approve"]) part(id).hidden = !isWaiting;
  part("device-problem").hidden = !problem;
  part("device-problem").textContent = problem;
}

async function signIn(endpoint, credentials, signal) {
  const started = await post(endpoint("createDeviceAuthorization"), { response_type: "device_code", client_id: client() }, signal);
  if (!started.ok) throw new Error(started.body.error_description);
  const { device_code, user_code, verification_uri_complete, interval, expires_in } = started.body;
  part("device-code").textContent = user_code.replace(/^(.{4})(.{4})$/, "$1-$2");
  part("device-approve").href = verification_uri_complete;
  show("wait");
  part("device-approve").focus();
  const token = await poll(endpoint("createToken"), device_code, interval, expires_in, signal);
  credentials.use("accessToken", token.access_token, token.expires_in);
}

/** Asks for the token until there is one (RFC 8628, section 3.5). */
async function poll(address, device_code, interval, expires_in, signal) {
  const end = Date.now() + expires_in * 1000;
  while (Date.now() < end) {
    await pause(interval * 1000, signal);
    const answer = await post(address, { grant_type: GRANT, device_code, client_id: client() }, signal).catch((error) => {
      if (error.name === "AbortError") throw error;
    });
    if (answer?.ok) return answer.body;
    // The network or the service has failed for a moment.
    if (!answer || answer.status >= 500) interval *= 2;
    else if (answer.body.error === "slow_down") interval += 5;
    else if (answer.body.error !== "authorization_pending") throw new Error(answer.body.error_description);
  }
  throw new Error("The code has expired.");
}

async function post(address, form, ...signals) {
  const response = await fetch(address, {
    method: "POST", body: new URLSearchParams(form), credentials: "omit", cache: "no-store",
    signal: AbortSignal.any([AbortSignal.timeout(30_000), ...signals]),
  });
  const body = await response.json().catch(() => ({}));
  return { ok: response.ok, status: response.status, body: { error_description: `The service responded with ${response.status}.`, ...body } };
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("The sign-in was canceled.", "AbortError"));
    }, { once: true });
  });
}

/** Shows whether the page has an access token, and whose it is. */
function showState(credentials) {
  const token = credentials.of("accessToken");
  part("sign-in").hidden = Boolean(token);
  part("sign-out").hidden = !token;
  part("state").textContent = token ? `Signed in${nameIn(token)}` : "";
}

/** The name in a token that can be read; the page does not rely on it. */
function nameIn(token) {
  try {
    const claims = token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(claims), (letter) => letter.codePointAt(0));
    const { user_displayname } = JSON.parse(new TextDecoder().decode(bytes));
    return user_displayname ? ` as ${user_displayname}` : "";
  } catch {
    return "";
  }
}
