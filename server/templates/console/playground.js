// Calls a model with the secret of an API key, and shows the response as it arrives. The secret is
// in the field and nowhere else: no storage, no address, no request but those to the models.
{
  const root = document.querySelector("[data-playground]");
  const find = (selector) => root.querySelector(selector);
  const { address, path } = root.dataset;
  const secret = find("#secret");
  const model = find("#model");
  const response = find("[data-response]");
  const problem = find("[data-problem]");
  const measures = find("[data-measures]");
  const state = find("[data-key-state]");
  const send = find("[data-send]");
  const stop = find("[data-stop]");
  let running;

  // The hint of the page, which has a link.
  const hint = [...state.childNodes];
  // A model is chosen, and no call is running.
  const updateSend = () => { send.disabled = model.disabled || running !== undefined; };

  const call = (route, options) => fetch(path + route, {
    ...options,
    headers: { ...options?.headers, Authorization: `Bearer ${secret.value.trim()}` },
    credentials: "omit",
    cache: "no-store",
    redirect: "error",
  });

  const body = () => {
    const system = find("#system").value.trim();
    const messages = [{ role: "user", content: find("#message").value }];
    if (system) messages.unshift({ role: "system", content: system });
    return { model: model.value || "MODEL", messages };
  };

  async function failure(answer) {
    const text = await answer.text();
    let message = text;
    try {
      message = JSON.parse(text).error?.message ?? text;
    } catch { /* The text is not JSON. */ }
    const wait = answer.headers.get("retry-after");
    return `${message} (${answer.status}${wait ? `, try again in ${wait} s` : ""})`;
  }

  function show(text) {
    problem.textContent = text;
    problem.hidden = !text;
  }

  // The models that the policies of the key allow.
  let asked = 0;
  async function listModels() {
    const turn = ++asked;
    const before = model.value;
    let models = [];
    let text;
    if (secret.value.trim()) {
      try {
        const answer = await call("/models", { signal: AbortSignal.timeout(30_000) });
        if (answer.ok) {
          models = (await answer.json()).data.map((one) => one.id);
          text = models.length
            ? `It may call ${models.length === 1 ? "1 model" : `${models.length} models`}.`
            : "It may call no model: no policy allows it. An operator can: accord-server policy allow.";
        } else {
          text = await failure(answer);
        }
      } catch (error) {
        text = `The models cannot be listed: ${error.message}`;
      }
    }
    if (turn !== asked) return;
    state.replaceChildren(...(text === undefined ? hint : [text]));
    const options = models.map((name) => new Option(name, name));
    model.replaceChildren(...(options.length ? options : [new Option("Enter a secret first", "")]));
    if (models.includes(before)) model.value = before;
    model.disabled = !models.length;
    updateSend();
    describe();
  }

  // The data of events, as they arrive (HTML, section 9.2.6). An incomplete line at the end is not an event.
  async function* events(stream) {
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (value ?? "")).split(/\r\n|\n/);
      rest = lines.pop();
      for (const line of lines) {
        if (line.startsWith("data:")) yield line.slice(5).trim();
      }
      if (done) return;
    }
  }

  function measure(begun, first, usage, ended) {
    const seconds = (from, to) => `${((to - from) / 1000).toFixed(2)} s`;
    const parts = [];
    if (first) parts.push(`first token after ${seconds(begun, first)}`);
    if (ended) parts.push(`done after ${seconds(begun, ended)}`);
    if (usage) parts.push(`${usage.prompt_tokens} input tokens, ${usage.completion_tokens} output tokens`);
    measures.textContent = parts.join(" · ");
  }

  async function run() {
    const begun = performance.now();
    let first;
    let usage;
    show("");
    response.textContent = "";
    measures.textContent = "";
    response.setAttribute("aria-busy", "true");
    running = new AbortController();
    updateSend();
    stop.disabled = false;
    try {
      const answer = await call("/chat/completions", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...body(), stream: true, stream_options: { include_usage: true } }),
        signal: running.signal,
      });
      if (!answer.ok) return show(await failure(answer));
      let isDone = false;
      for await (const data of events(answer.body)) {
        isDone ||= data === "[DONE]";
        if (isDone) continue;
        const event = JSON.parse(data);
        if (event.error) return show(event.error.message);
        const text = event.choices?.[0]?.delta?.content;
        usage = event.usage ?? usage;
        if (text) {
          response.append(text);
          // Once, because screen readers read each change.
          if (!first) measure(begun, first = performance.now());
        }
      }
      if (!isDone) return show("The response was interrupted before its end.");
      measure(begun, first, usage, performance.now());
    } catch (error) {
      if (error.name !== "AbortError") return show(`The call failed: ${error.message}`);
      measure(begun, first, usage, performance.now());
      measures.append(" · stopped");
    } finally {
      // The model server stops as well if the response was not read to its end.
      running.abort();
      running = undefined;
      response.setAttribute("aria-busy", "false");
      updateSend();
      stop.disabled = true;
    }
  }

  // The same call in other languages, with a variable in place of the secret.
  const calls = {
    curl({ model, messages }) {
      const json = JSON.stringify({ model, messages, stream: true }).replaceAll("'", "'\\''");
      return `curl -N ${address}/chat/completions \\\n`
        + "  -H \"Authorization: Bearer $ACCORD_API_KEY\" \\\n"
        + "  -H \"Content-Type: application/json\" \\\n"
        + `  -d '${json}'`;
    },
    python({ model, messages }) {
      return "import os\nfrom openai import OpenAI\n\n"
        + `client = OpenAI(base_url=${JSON.stringify(address)}, api_key=os.environ["ACCORD_API_KEY"])\n`
        + "stream = client.chat.completions.create(\n"
        + `    model=${JSON.stringify(model)},\n`
        + `    messages=${JSON.stringify(messages)},\n`
        + "    stream=True,\n)\n"
        + "for chunk in stream:\n"
        + "    if chunk.choices:\n"
        + "        print(chunk.choices[0].delta.content or \"\", end=\"\")\n";
    },
    javascript({ model, messages }) {
      return "import OpenAI from \"openai\";\n\n"
        + `const client = new OpenAI({ baseURL: ${JSON.stringify(address)}, apiKey: process.env.ACCORD_API_KEY });\n`
        + "const stream = await client.chat.completions.create({\n"
        + `  model: ${JSON.stringify(model)},\n`
        + `  messages: ${JSON.stringify(messages)},\n`
        + "  stream: true,\n});\n"
        + "for await (const chunk of stream) {\n"
        + "  process.stdout.write(chunk.choices[0]?.delta?.content ?? \"\");\n"
        + "}\n";
    },
  };
  function describe() {
    for (const [name, text] of Object.entries(calls)) {
      document.querySelector(`[data-call=${name}]`).textContent = text(body());
    }
  }

  find("[data-form]").addEventListener("submit", (event) => {
    event.preventDefault();
    if (!running) run();
  });
  stop.addEventListener("click", () => running?.abort());
  root.addEventListener("input", describe);
  secret.addEventListener("change", listModels);
  secret.addEventListener("paste", () => setTimeout(listModels));
  const source = secret.dataset.from && document.getElementById(secret.dataset.from);
  if (source) secret.value = source.textContent;
  listModels();
}
