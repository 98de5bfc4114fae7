// The explorer: the reader picks a view; its parameters, which Vega binds to selects, are kept in the
// address.

/** @param {{ title: string, spec: any }[]} views */
function explorer(views) {
  const place = $("chart-explorer");
  const index = () => {
    const at = views.findIndex(({ title }) => title === chosen("view"));
    return Math.max(0, at);
  };

  // The view with the choices of the address, as far as they are possible here: it may come from another
  // report.
  function specification() {
    const { spec } = views[index()];
    const params = spec.params.map((param) => {
      const options = param.bind?.options ?? [];
      const value = options.includes(chosen(param.name)) ? chosen(param.name) : param.value;
      return { ...param, value, ...(param.bind && { bind: { ...param.bind, element: "#parameters" } }) };
    });
    return { ...spec, params };
  }

  // What the chosen score is, if the view lets one choose.
  function meaning() {
    const { params } = specification();
    replace(
      $("score-meaning"),
      own(REPORT.meanings, params.find(({ name, bind }) => bind && name === "score")?.value),
    );
  }

  function update() {
    replace(
      $("views"),
      views.map(({ title }, at) => {
        const pick = () => (choose("explorer", { view: at ? title : null }), update());
        return h("button", { type: "button", "aria-pressed": String(at === index()), onclick: pick }, title);
      }),
    );
    meaning();
    const known = drawn.get(place);
    if (known) known.spec = specification();
    else chart(place, specification(), CELLS);
    if (known?.seen) draw(place);
  }

  // Vega writes a choice into its view; the next drawing, of another width, has to have it too.
  $("parameters").addEventListener("change", (event) => {
    const { name, value } = /** @type {HTMLSelectElement} */ (event.target);
    const { spec } = views[index()];
    const usual = spec.params.find((param) => param.name === name)?.value;
    choose("explorer", { [name]: value === usual ? null : value });
    meaning();
    const known = drawn.get(place);
    if (known) known.spec = specification();
  });
  address.listeners.push(update);
  update();
}
