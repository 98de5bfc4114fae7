// The light and the dark theme: the reader's system chooses, and a button.

const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";

/** @param {() => void} redraw draws again what does not take its colors from the style sheet */
function theme(redraw) {
  const button = $("theme");
  const name = () => replace(button, isDark() ? "Light" : "Dark").setAttribute("aria-label", `Use the ${isDark() ? "light" : "dark"} theme`);
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
