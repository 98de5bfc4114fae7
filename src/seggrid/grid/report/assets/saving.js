// Saving figures and tables: SVG and PNG in the colors of the light theme, CSV, LaTeX.

/** @param {string} name @param {Blob} content */
function download(name, content) {
  const address = URL.createObjectURL(content);
  h("a", { download: name, href: address }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param {string} name @param {any[][]} rows the headings, and the rows */
const saveCsv = (name, rows) => download(`${name}.csv`, new Blob([csv(rows)], { type: "text/csv" }));

// The color of page.css under the light theme, whatever the page's.
/** @param {string} name */
function printed(name) {
  const probe = h("span", { style: `color-scheme: light; color: var(${name})` });
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/**
 * A drawing as a file of its own: on white, with the colors as numbers, and the page's font.
 * @param {SVGSVGElement} drawing
 */
function standalone(drawing) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const { width, height } = drawing.getBoundingClientRect();
  const size = { width: Math.ceil(width), height: Math.ceil(height) };
  build(copy, { xmlns: SVG, ...size, "font-family": getComputedStyle(document.body).fontFamily }, []);
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  copy.prepend(s("rect", { width: "100%", height: "100%", fill: "#fff" }));
  for (const node of copy.querySelectorAll("*")) {
    for (const name of ["fill", "stroke", "style"]) {
      const value = node.getAttribute(name);
      if (value?.includes("var("))
        node.setAttribute(
          name,
          value.replace(/var\((--[\w-]+)\)/g, (_, color) => printed(color)),
        );
    }
  }
  return { text: new XMLSerializer().serializeToString(copy), ...size };
}

/** @param {string} name @param {SVGSVGElement} drawing */
const saveSvg = (name, drawing) =>
  download(`${name}.svg`, new Blob([standalone(drawing).text], { type: "image/svg+xml" }));

/** @param {string} name @param {SVGSVGElement} drawing */
async function savePng(name, drawing) {
  const { text, width, height } = standalone(drawing);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { width: 2 * width, height: 2 * height }));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((content) => content && download(`${name}.png`, content));
}

// Text as the name of a file.
/** @param {string} text */
const fileName = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

/**
 * A line of buttons.
 * @param {string} what what they save, for screen readers
 * @param {Record<string, () => void>} kinds what each does, by its label
 */
const saveButtons = (what, kinds) =>
  h(
    "p",
    { class: "save", role: "group", "aria-label": `Save ${what}` },
    "Save: ",
    Object.entries(kinds).map(([label, save]) =>
      h("button", { type: "button", class: "quiet", onclick: save }, label),
    ),
  );

/**
 * The buttons of a figure.
 * @param {string} name
 * @param {SVGSVGElement} drawing
 * @param {() => any[][]} rows what it shows, with headings
 */
const figureButtons = (name, drawing, rows) =>
  saveButtons(name, {
    SVG: () => saveSvg(fileName(name), drawing),
    PNG: () => savePng(fileName(name), drawing),
    CSV: () => saveCsv(fileName(name), rows()),
  });
