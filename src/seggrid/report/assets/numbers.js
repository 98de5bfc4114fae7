// Number formats: a real minus sign, thousands separators, three decimals for scores.

const MINUS = "\u2212";
const signed = (text) => text.replace("-", MINUS);
const whole = (value) => signed(Math.round(value).toLocaleString("en"));
const score = (value) => (typeof value === "number" ? signed(value.toFixed(3)) : "–");
const gain = (value) => (typeof value === "number" ? (value > 0 ? "+" : "") + signed(value.toFixed(3)) : "–");
const pValue = (p) => {
  const level = [0.001, 0.01, 0.05].find((alpha) => p <= alpha);
  return level ? `p ≤ ${level}` : `p = ${p.toFixed(3)}`;
};

const plural = (count, one, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`;
