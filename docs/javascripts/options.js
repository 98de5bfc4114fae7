// The search takes a hyphen before a word for "without it", so that an option such as --probabilities would not be found.
document.addEventListener("input", (event) => {
  if (event.target.matches(".md-search__input") && /(^|\s)-/.test(event.target.value)) {
    event.target.value = event.target.value.replace(/(^|\s)-+/g, "$1");
  }
}, true);
