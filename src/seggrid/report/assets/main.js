// The sections of the report, and the navigation.

// Each section: id, name in the navigation, whether this report has it, the function that fills it.
/** @type {[string, string, () => any, () => void][]} */
const SECTIONS = [
  ["overview", "Overview", () => true, overview],
  ["explorer", "Explorer", () => SCORED.length > 1, explorer],
  ["published", "Published", () => PUBLISHED.length > 0, published],
  ["claims", "Claims", () => hasTables("claims"), () => fillTables("claims")],
  ["measures", "Measures", () => CORRELATIONS.length > 0, measures],
  ["ensembles", "Votes", () => hasTables("ensembles"), ensembles],
  ["knockout", "Knockout", () => hasKnockout(), knockout],
  ["language-models", "Language models", () => hasTables("language-models"), () => fillTables("language-models")],
  ["alignments", "Alignments", () => Object.keys(REPORT.viewer).length > 0, alignments],
  ["cost", "Cost", () => REPORT.tables.cost, cost],
];

function start() {
  theme(redrawAll);
  const links = new Map();
  for (const [id, name, present, fill] of SECTIONS) {
    if (!present()) {
      $(id).remove();
      continue;
    }
    fill();
    links.set(id, h("a", { href: `#${id}`, onclick: (event) => (event.preventDefault(), go(id)) }, name));
  }
  replace(document.querySelector(".bar nav"), [...links.values()]);

  follow(links);
  if (address.section && $(address.section)) $(address.section).scrollIntoView();
}

// Mark the navigation link of the section in view.
function follow(links) {
  const visible = new Set();
  const mark = (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) visible.add(target.id);
      else visible.delete(target.id);
    }
    const current = [...links.keys()].find((id) => visible.has(id));
    for (const [id, link] of links) {
      if (id !== current) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) {
        link.setAttribute("aria-current", "true");
        link.parentElement.scrollTo({ left: link.offsetLeft - link.parentElement.offsetLeft - 40 });
      }
    }
  };
  const observer = new IntersectionObserver(mark, { rootMargin: "-80px 0px -55% 0px" });
  for (const id of links.keys()) observer.observe($(id));
}

function go(id) {
  choose(id, {});
  $(id).scrollIntoView();
}

start();
