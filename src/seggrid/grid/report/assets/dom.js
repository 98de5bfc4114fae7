// Building elements. Text enters the page only as text nodes and attribute values, so it cannot inject
// markup.

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

const h = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => build(document.createElementNS(SVG, tag), attributes, children);

/**
 * An element of page.html, by id.
 * @param {string} id
 * @returns {HTMLElement}
 */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

function replace(parent, ...children) {
  parent.replaceChildren();
  return build(parent, null, children);
}

// The value for "nothing chosen" in a select and in the address.
const NONE = "none";

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

const csv = (rows) =>
  rows
    .map((row) =>
      row.map((v) => (/[",\n]/.test(v ?? "") ? `"${String(v).replaceAll('"', '""')}"` : (v ?? ""))).join(","),
    )
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

// What an element has that says a sentence when it is pointed at or has the focus.
/** @param {string | undefined} text */
const says = (text) =>
  text && {
    "aria-description": text,
    onpointermove: (event) => showTip(event, text),
    onpointerleave: (event) => showTip(event, null),
    onblur: (event) => showTip(event, null),
    onfocus: (event) => {
      const { left, bottom } = event.target.getBoundingClientRect();
      showTip({ clientX: left, clientY: bottom }, text);
    },
  };

// Number formats: a real minus sign, thousands separators, three decimals for scores.

const MINUS = "\u2212";
const signed = (text) => text.replace("-", MINUS);
const whole = (value) => signed(Math.round(value).toLocaleString("en"));
const score = (value) => (typeof value === "number" ? signed(value.toFixed(3)) : "–");
// Rounded first, so that there is no −0.000.
const gain = (value) =>
  typeof value === "number"
    ? (value >= 0.0005 ? "+" : "") + signed((Math.round(value * 1000) / 1000 + 0).toFixed(3))
    : "–";
const pValue = (p) => {
  const level = [0.001, 0.01, 0.05].find((alpha) => p <= alpha);
  return level ? `p ≤ ${level}` : `p = ${p.toFixed(3)}`;
};

const plural = (count, one, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`;
