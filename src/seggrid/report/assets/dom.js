// Elements and text. Text only ever enters the page as text nodes and attribute values.

const SVG = "http://www.w3.org/2000/svg";

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

const h = (tag, attributes, ...children) =>
  build(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) =>
  build(document.createElementNS(SVG, tag), attributes, children);
const $ = (id) => document.getElementById(id);

function replace(parent, ...children) {
  parent.replaceChildren();
  return build(parent, null, children);
}

// Numbers as a reader wants them: a real minus sign, thousands apart, three decimals for scores.
const MINUS = "\u2212";
const signed = (text) => text.replace("-", MINUS);
const whole = (value) => signed(Math.round(value).toLocaleString("en"));
const score = (value) => (value === null || value === undefined ? "–" : signed(value.toFixed(3)));
const gain = (value) =>
  value === null || value === undefined ? "–" : (value > 0 ? "+" : "") + signed(value.toFixed(3));
const pValue = (p) => {
  const level = [0.001, 0.01, 0.05].find((alpha) => p <= alpha);
  return level ? `p ≤ ${level}` : `p = ${p.toFixed(2)}`;
};

function duration(seconds) {
  if (seconds < 1) return `${(1000 * seconds).toFixed(0)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const plural = (count, one, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`;

function select(label, options, value, onchange) {
  return h(
    "label",
    { class: "field" },
    h("span", null, label),
    h(
      "select",
      { onchange: (event) => onchange(event.target.value) },
      options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
    ),
  );
}

// Columns: [heading, row => cell, "number"?]. A cell is text or a node. Where the window is narrow, a
// table scrolls sideways; one that is to be `stacked` shows each row as a paragraph instead.
function table(rows, columns, { limit = Infinity, stacked = false } = {}) {
  const body = rows.slice(0, limit).map((row) =>
    h(
      "tr",
      null,
      columns.map(([heading, cell, kind]) =>
        h("td", { class: kind, "data-heading": heading }, cell(row)),
      ),
    ),
  );
  return h(
    "div",
    { class: stacked ? "stacked" : "scroll", tabindex: stacked ? null : "0" },
    h(
      "table",
      null,
      h("thead", null, h("tr", null, columns.map(([heading, , kind]) => h("th", { class: kind, scope: "col" }, heading)))),
      h("tbody", null, body),
    ),
    rows.length > limit &&
      h("p", { class: "note" }, `The first ${whole(limit)} of ${whole(rows.length)}.`),
  );
}

// A table that is made when it is first opened, and made anew when `fill` is called while open.
function unfold(details, make) {
  const fill = () => details.open && replace(details.querySelector("div"), make());
  details.addEventListener("toggle", fill);
  return fill;
}

function download(name, text) {
  const link = h("a", { download: name, href: `data:text/csv;charset=utf-8,${encodeURIComponent(text)}` });
  link.click();
}

const csv = (rows) =>
  rows
    .map((row) => row.map((v) => (/[",\n]/.test(v ?? "") ? `"${String(v).replaceAll('"', '""')}"` : (v ?? ""))).join(","))
    .join("\n") + "\n";

function showTip(event, content) {
  const tip = $("tip");
  if (!content) {
    tip.hidden = true;
    return;
  }
  replace(tip, content);
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const right = event.clientX + 14 + width <= room;
  const x = right ? event.clientX + 14 : Math.max(4, event.clientX - 14 - width);
  const y = event.clientY + 14 + height <= innerHeight ? event.clientY + 14 : event.clientY - 14 - height;
  tip.style.left = `${Math.min(x, Math.max(4, room - width - 4))}px`;
  tip.style.top = `${Math.max(4, y)}px`;
}
