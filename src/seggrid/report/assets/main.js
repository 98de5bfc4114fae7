// Fill the places of charts and tables, and mark the section in view.

async function start() {
  theme(redrawAll);
  for (const [name, { spec, rows }] of Object.entries(REPORT.charts)) chart($(`chart-${name}`), spec, rowsOf(rows));
  Object.keys(REPORT.tables).forEach(table);
  if (VIEWED.size) alignments();
  for (const button of document.querySelectorAll("[data-cell]")) {
    const cell = CELLS[Number(button.getAttribute("data-cell"))];
    if (!inViewer(cell)) continue;
    button.removeAttribute("hidden");
    button.addEventListener("click", () => openCell(cell));
  }
  for (const term of document.querySelectorAll("[data-said]")) build(term, says(term.getAttribute("data-said") ?? ""), []);
  if (REPORT.views) explorer(await inflate(REPORT.views));
  follow(/** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".bar nav a")]));
  if (address.section) document.getElementById(address.section)?.scrollIntoView();
  whenIdle(drawNext);
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
