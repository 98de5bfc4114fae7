// Panels and labels that lines and heat maps share.

const nameOf = (field) => AXES[field] ?? METRICS[field];
const labeled = (axis, values) => ({ labelExpr: labelExpression(axis, values) });

// A Vega expression for labels: an object literal of the labels, indexed by value.
function labelExpression(axis, values) {
  const labels = Object.fromEntries(values.map((value) => [String(value), valueLabel(axis, value)]));
  return `${JSON.stringify(labels)}[datum.value]`;
}

// Whether each panel has its own range of scores, since panels show different pairs.
const apart = (facet) => facet === "pair" || facet === "setting" || facet === "spaced";

// The number of panels side by side, and the width of each.
function layout(points, { facet }, width) {
  if (facet === NONE) return { columns: 1, width: width - 66 };
  return multiples(width, distinct(points, facet).length, 240, apart(facet) ? 76 : 24);
}

// The height of a single panel, in pixels, and that of a panel of some width among others.
const HIGHEST = 380;
const panelHeight = ({ facet }, width) => (facet === NONE ? HIGHEST : Math.min(HIGHEST, Math.max(220, width * 0.75)));

function panels(spec, points, now, width, height, sharedColor = true) {
  const { facet } = now;
  const { columns, width: each } = layout(points, now, width);
  if (facet === NONE) return { ...spec, width: each, height };
  const values = distinct(points, facet);
  const { data, ...inner } = spec;
  return {
    data,
    facet: { field: facet, type: "nominal", sort: values, header: { labelExpr: labelExpression(facet, values) } },
    columns,
    spacing: 24,
    spec: { ...inner, width: each, height: Math.min(height, panelHeight(now, each)) },
    // Scores of different pairs are not comparable, so each pair has its own range.
    resolve: { scale: apart(facet) ? { y: "independent", color: sharedColor ? "shared" : "independent" } : {} },
  };
}
