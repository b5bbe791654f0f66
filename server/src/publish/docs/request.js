// Trying an operation: parameters, credentials and a body in, the answer out,
// piece by piece when it is a stream.

import { block, element } from "./dom.js";

// Entered once, used by every operation with that scheme; gone with the page.
const credentials = new Map();

/** The form to try an operation with. */
export function tryView(source, operation) {
  const { origin } = new URL(source.server, location.href);
  if (origin !== location.origin) return elsewhere(origin);
  const fields = operation.parameters.map((parameter) => field(source, parameter));
  const keys = source.schemes(operation).map(credential);
  const body = bodyEditor(source, operation);
  const accepted = acceptable(source, operation);
  const accept = accepted.length > 1 ? select("Answer as", accepted) : undefined;
  const answer = element("div", { class: "answer", "aria-live": "polite" });
  const command = element("pre", { class: "command", tabindex: "0" });
  const collect = () => compose(source, operation, fields, keys, body, accept?.value() ?? accepted[0]);

  let running;
  const send = element("button", { type: "submit" }, "Send");
  const form = element("form", {
    class: "try",
    oninput: () => { command.textContent = asCommand(collect()); },
    onsubmit: async (event) => {
      event.preventDefault();
      if (running) return running.abort();
      running = new AbortController();
      send.textContent = "Stop";
      await perform(collect(), answer, running.signal);
      running = undefined;
      send.textContent = "Send";
    },
  }, fields.map((one) => one.node), keys.map((one) => one.node), body.node, accept?.node, send);
  command.textContent = asCommand(collect());
  return element("div", {}, form, command, answer);
}

/** A browser lets a page call only what is served where the page comes from. */
function elsewhere(origin) {
  return element("p", { class: "note" }, "Served elsewhere: try it at ",
    element("a", { href: `${origin}/docs${location.hash}` }, `${origin}/docs`), ".");
}

function labelled(text, control, note) {
  return element("label", {}, element("span", {}, text), control,
    note ? element("small", {}, note) : undefined);
}

function select(text, options, onchange = () => {}) {
  const control = element("select", { onchange }, options.map((one) => element("option", {}, one)));
  return { node: labelled(text, control), value: () => control.value };
}

function field(source, parameter) {
  const schema = source.resolve(parameter.schema);
  const [example] = source.examples(parameter);
  const values = schema.enum ?? schema["x-extensible-enum"];
  const control = values
    ? element("select", {}, parameter.required ? [] : element("option", { value: "" }, "(none)"),
      values.map((value) => element("option", {}, String(value))))
    : element("input", {
      autocomplete: "off", required: parameter.required,
      value: parameter.required ? example?.value : undefined,
      placeholder: example?.value ?? schema.default,
    });
  return {
    parameter,
    value: () => control.value,
    node: labelled(`${parameter.name} (${parameter.in})`, control, parameter.required ? "required" : undefined),
  };
}

function credential(scheme) {
  const known = credentials.get(scheme.name) ?? {};
  credentials.set(scheme.name, known);
  const input = (key, text, type) => labelled(text, element("input", {
    type, autocomplete: "off", value: known[key],
    oninput: (event) => { known[key] = event.target.value.trim(); },
  }), scheme.optional ? "may be left out" : undefined);
  const isBasic = scheme.type === "http" && scheme.scheme.toLowerCase() === "basic";
  const nodes = isBasic
    ? [input("user", `${scheme.name}: user`, "text"), input("secret", `${scheme.name}: password`, "password")]
    : [input("secret", `${scheme.name}${scheme.scopes.length ? ` (${scheme.scopes.join(" ")})` : ""}`, "password")];
  return {
    node: element("div", {}, nodes),
    apply(request) {
      if (isBasic && known.user) {
        const text = `${encodeURIComponent(known.user)}:${encodeURIComponent(known.secret ?? "")}`;
        request.headers.Authorization = `Basic ${btoa(text)}`;
      } else if (scheme.type === "apiKey" && known.secret) {
        if (scheme.in === "query") request.query.append(scheme.name, known.secret);
        else request.headers[scheme.name] = known.secret;
      } else if (known.secret) {
        request.headers.Authorization = `Bearer ${known.secret}`;
      }
    },
  };
}

function bodyEditor(source, operation) {
  const content = source.resolve(operation.requestBody).content ?? {};
  const types = Object.keys(content);
  if (!types.length) return { node: undefined, value: () => undefined };
  if (operation.method === "get") {
    const note = "A body is accepted here, but browsers send none with GET.";
    return { node: element("p", { class: "note" }, note), value: () => undefined };
  }
  const text = element("textarea", { rows: "12", spellcheck: "false", "aria-label": "Body" });
  const fill = (type, example) => {
    text.value = example === undefined ? "" : asText(type, example.value);
    text.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const type = select("Body as", types, () => fill(type.value(), source.examples(content[type.value()])[0]));
  const examples = source.examples(content[types[0]]);
  const chooser = element("select", { onchange: () => fill(type.value(), examples[chooser.selectedIndex]) },
    examples.map((one) => element("option", {}, one.summary ?? one.name)));
  fill(types[0], examples[0]);
  return {
    node: element("div", {}, types.length > 1 ? type.node : undefined,
      examples.length > 1 ? labelled("Example", chooser) : undefined,
      labelled(types.length > 1 ? "Body" : `Body (${types[0]})`, text,
        isForm(types[0]) ? "one name=value a line" : undefined)),
    value: () => ({ type: type.value(), text: text.value }),
  };
}

const isForm = (type) => type.startsWith("application/x-www-form-urlencoded");

function asText(type, value) {
  if (typeof value === "string") return value;
  if (isForm(type)) return Object.entries(value).map(([name, one]) => `${name}=${one}`).join("\n");
  return JSON.stringify(value, null, 2);
}

function encoded(body) {
  if (!isForm(body.type)) return body.text;
  const pairs = body.text.split("\n").filter((line) => line.includes("="));
  return new URLSearchParams(pairs.map((line) => {
    const at = line.indexOf("=");
    return [line.slice(0, at).trim(), line.slice(at + 1)];
  })).toString();
}

function acceptable(source, operation) {
  const types = Object.values(operation.responses)
    .flatMap((response) => Object.keys(source.resolve(response).content ?? {}));
  return [...new Set(types)];
}

function compose(source, operation, fields, keys, body, accept) {
  const request = { method: operation.method.toUpperCase(), headers: {}, query: new URLSearchParams() };
  if (accept) request.headers.Accept = accept;
  let path = operation.path;
  for (const { parameter, value } of fields) {
    if (parameter.in === "path") {
      path = path.replace(`{${parameter.name}}`, () => encodeURIComponent(value()) || `{${parameter.name}}`);
    } else if (value() !== "") {
      if (parameter.in === "query") request.query.append(parameter.name, value());
      if (parameter.in === "header") request.headers[parameter.name] = value();
    }
  }
  for (const key of keys) key.apply(request);
  const content = body.value();
  if (content && content.text !== "") {
    request.headers["Content-Type"] = content.type;
    request.body = encoded(content);
  }
  const query = request.query.toString();
  return { ...request, url: source.server + path + (query ? `?${query}` : "") };
}

/** The same for a shell; what was entered as a secret stays out of sight. */
function asCommand(request) {
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = [`curl -i -X ${request.method} ${quote(request.url)}`];
  for (const [name, value] of Object.entries(request.headers)) {
    const shown = name === "Authorization" ? `${value.split(" ")[0]} …` : value;
    parts.push(`-H ${quote(`${name}: ${shown}`)}`);
  }
  if (request.body !== undefined) parts.push(`--data-raw ${quote(request.body)}`);
  return parts.join(" \\\n  ");
}

async function perform(request, into, signal) {
  const began = performance.now();
  const elapsed = () => `${Math.round(performance.now() - began)} ms`;
  into.replaceChildren(element("p", {}, "Waiting for the answer."));
  try {
    const answer = await fetch(request.url, {
      method: request.method, headers: request.headers, body: request.body, signal,
      credentials: "omit", cache: "no-store", redirect: "manual",
    });
    const status = element("p", { class: answer.ok ? "ok" : "failed" },
      `${answer.status} ${answer.statusText} after ${elapsed()}`);
    const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    into.replaceChildren(status, block(headers));
    await show(answer, into);
    status.textContent = `${answer.status} ${answer.statusText}, complete after ${elapsed()}`;
  } catch (error) {
    const reason = signal.aborted ? "Stopped." : `No answer: ${error.message}`;
    into.append(element("p", { class: "failed" }, reason));
  }
}

async function show(answer, into) {
  const type = answer.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) {
    const output = block("");
    into.append(output);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      output.append(piece.value);
      output.scrollTop = output.scrollHeight;
    }
    return;
  }
  const text = await answer.text();
  if (text === "") return;
  let value;
  try { value = JSON.parse(text); } catch { value = text; }
  into.append(block(value));
  if (typeof value?.access_token === "string") {
    const keep = (event) => {
      credentials.set("accessToken", { secret: value.access_token });
      event.target.replaceWith("Every operation that takes an access token now uses this one.");
    };
    into.append(element("p", {}, element("button", { type: "button", onclick: keep }, "Use this access token")));
  }
}
