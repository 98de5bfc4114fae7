// Fill the places of charts and tables, and mark the section in view.

async function start() {
  theme(redrawAll);
  for (const [name, { spec, rows }] of Object.entries(REPORT.charts))
    chart($(`chart-${name}`), spec, rowsOf(rows));
  Object.keys(REPORT.tables).forEach(table);
  if (VIEWED.size) alignments();
  for (const button of document.querySelectorAll("[data-cell]")) {
    const cell = CELLS[Number(button.getAttribute("data-cell"))];
    if (!inViewer(cell)) continue;
    button.removeAttribute("hidden");
    button.addEventListener("click", () => openCell(cell));
  }
  for (const term of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a.term"))) {
    build(term, says($(term.hash.slice(1)).querySelector("dd")?.textContent), []);
  }
  follow(/** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".bar nav a")]));
  address.listeners.push(reveal);
  reveal();
  if (REPORT.views) {
    const failed = (error) =>
      replace(
        $("chart-explorer"),
        h("p", { class: "notice" }, `This browser cannot unpack the explorer (${error}).`),
      );
    await inflate(REPORT.views).then(explorer, failed);
  }
  whenIdle(drawNext);
}

// Go to what the address names, and unfold it.
function reveal() {
  const place = document.getElementById(address.section);
  const folded = place?.closest("details");
  if (folded) folded.open = true;
  place?.scrollIntoView();
}

// Mark the navigation link of the section in view; a link keeps the choices of the address.
/** @param {HTMLAnchorElement[]} links */
function follow(links) {
  const visible = new Set();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target.id);
        else visible.delete(target.id);
      }
      const current = links.find(({ hash }) => visible.has(hash.slice(1)));
      for (const link of links) {
        if (link === current) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-80px 0px -55% 0px" },
  );
  for (const link of links) {
    const id = link.hash.slice(1);
    observer.observe($(id));
    link.addEventListener("click", (event) => {
      event.preventDefault();
      choose(id, {});
      $(id).scrollIntoView();
    });
  }
}

start();
