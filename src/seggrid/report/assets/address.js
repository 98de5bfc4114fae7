// What the reader has chosen lives in the address, after the section: #explorer?x=merges&y=f1

/** @type {{ section: string, chosen: URLSearchParams, listeners: (() => void)[] }} */
const address = { section: "", chosen: new URLSearchParams(), listeners: [] };

function readAddress() {
  const [section, query] = location.hash.slice(1).split(/\?(.*)/s);
  address.section = section;
  address.chosen = new URLSearchParams(query ?? "");
}

function chosen(name, fallback) {
  return address.chosen.get(name) ?? fallback;
}

// A value of null is the default, and stays out of the address.
function choose(section, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) address.chosen.delete(name);
    else address.chosen.set(name, value);
  }
  address.section = section;
  const query = address.chosen.toString();
  history.replaceState(null, "", `#${section}${query ? `?${query}` : ""}`);
}

// A cell's id is long: eight characters of its FNV-1a hash stand for it.
function shortName(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(36).padStart(13, "0").slice(-8);
}

addEventListener("hashchange", () => {
  readAddress();
  for (const listener of address.listeners) listener();
});
readAddress();
