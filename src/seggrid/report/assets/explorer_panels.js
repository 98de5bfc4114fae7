// Panels and labels that lines and heat maps share.

const nameOf = (field) => AXES[field] ?? METRICS[field];
const labeled = (axis, values) => ({ labelExpr: labelExpression(axis, values) });

// Vega names values by an expression: an object literal of the labels, looked up by value.
function labelExpression(axis, values) {
  const labels = Object.fromEntries(values.map((value) => [String(value), valueLabel(axis, value)]));
  return `${JSON.stringify(labels)}[datum.value]`;
}

// Whether panels are of pairs, each with its own range of scores.
const apart = (facet) => facet === "pair" || facet === "setting" || facet === "spaced";

function panels(spec, points, { facet }, width, height, sharedColor = true) {
  if (facet === NONE) return { ...spec, width: width - 66, height };
  const values = distinct(points, facet);
  const { columns, width: each } = multiples(width, values.length, 240, apart(facet) ? 76 : 24);
  const { data, ...inner } = spec;
  return {
    data,
    facet: { field: facet, type: "nominal", sort: values, header: { labelExpr: labelExpression(facet, values) } },
    columns,
    spacing: 24,
    spec: { ...inner, width: each, height: Math.min(height, Math.max(220, each * 0.75)) },
    // Scores of different pairs are not comparable, so each pair has its own range.
    resolve: { scale: apart(facet) ? { y: "independent", color: sharedColor ? "shared" : "independent" } : {} },
  };
}
