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

function duration(seconds) {
  if (seconds < 1) return `${(1000 * seconds).toFixed(0)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const memory = (megabytes) => `${whole(megabytes)} MB`;

const sentenceCase = (name) => `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;

// "a, b and c"
/** @param {string[]} words */
const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

const plural = (count, one, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`;
