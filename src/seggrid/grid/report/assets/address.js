// The page's address stores the section and the reader's choices: #explorer?x=merges&y=f1

/** @type {{ section: string, chosen: URLSearchParams, listeners: (() => void)[] }} */
const address = { section: "", chosen: new URLSearchParams(), listeners: [] };

function readAddress() {
  const [section, query] = location.hash.slice(1).split(/\?(.*)/s);
  address.section = section;
  // A link to a section or a term has no choices of its own: the reader's are kept.
  if (query !== undefined) address.chosen = new URLSearchParams(query);
}

function chosen(name, fallback) {
  return address.chosen.get(name) ?? fallback;
}

// A value of null means the default, which is not written to the address.
function choose(section, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) address.chosen.delete(name);
    else address.chosen.set(name, value);
  }
  address.section = section;
  const query = address.chosen.toString();
  history.replaceState(null, "", `#${section}${query ? `?${query}` : ""}`);
}

// A short name of a cell, whose id is long: the last eight characters of its FNV-1a hash.
function shortName(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(36).padStart(13, "0").slice(-8);
}

// Show the alignments of a cell, if the viewer has it.
function openCell(cell) {
  if (!inViewer(cell)) return;
  choose("alignments", { pair: cell.pair, a: shortName(cell.cell), b: NONE });
  for (const listener of address.listeners) listener();
}

addEventListener("hashchange", () => {
  readAddress();
  for (const listener of address.listeners) listener();
});
readAddress();

// The light and the dark theme: the reader's system chooses, and a button.

const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";

/** @param {() => void} redraw draws again what does not take its colors from the style sheet */
function theme(redraw) {
  const button = $("theme");
  const name = () =>
    replace(button, isDark() ? "Light" : "Dark").setAttribute(
      "aria-label",
      `Use the ${isDark() ? "light" : "dark"} theme`,
    );
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    name();
    redraw();
  });
  dark.addEventListener("change", () => {
    name();
    redraw();
  });
  name();
}
