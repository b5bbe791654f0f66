// Elements, made of text only: nothing that a document or an answer says can
// become markup.

/** An element with attributes, listeners (`onclick`) and children. */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null));
  return node;
}

/** A part that opens and closes. */
export function section(title, open, ...children) {
  return element("details", { open }, element("summary", {}, title), ...children);
}

/**
 * A description: headings, paragraphs, lists with `-` or `*`, tables, fenced blocks, `code` and
 * **strong**. Documents use no more of Markdown.
 */
export function prose(text) {
  if (!text) return [];
  // Every second part stands between fences.
  return text.trim().split(/^```\w*\n([^]*?)\n```$/m).flatMap((part, index) =>
    index % 2 ? block(part) : blocks(part));
}

function blocks(text) {
  return text.trim().split(/\n\s*\n/).filter((block) => block).map((block) => {
    const lines = block.split("\n");
    if (/^#+ /.test(block)) return element("h4", {}, spans(block.replace(/^#+ /, "")));
    if (/^\|/.test(block)) return table(lines);
    if (!/^\s*[-*] /.test(lines[0])) return element("p", {}, spans(block));
    const items = [];
    for (const line of lines) {
      if (/^\s*[-*] /.test(line)) items.push(line.replace(/^\s*[-*] /, ""));
      else items[items.length - 1] += ` ${line.trim()}`;
    }
    return element("ul", {}, items.map((item) => element("li", {}, spans(item))));
  });
}

/** A table: its header, the line that sets the columns apart, its rows. */
function table([header, , ...rows]) {
  const row = (kind) => (line) => element("tr", {},
    line.replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) =>
      element(kind, {}, spans(cell.trim().replaceAll("\\|", "|")))));
  return element("table", {}, element("thead", {}, row("th")(header)),
    element("tbody", {}, rows.map(row("td"))));
}

function spans(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (/^`.+`$/s.test(part)) return element("code", {}, part.slice(1, -1));
    if (/^\*\*.+\*\*$/s.test(part)) return element("strong", {}, part.slice(2, -2));
    return part;
  });
}

/** JSON, or whatever it is, as a block. */
export function block(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return element("pre", { tabindex: "0" }, text);
}
