// Explorers without a kernel: a slider shows what was computed for its positions when the site was made.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");

for (const section of document.querySelectorAll(".live")) {
  const { opened, sliders, arrays, dark: shades, config } = window.dpbLive[section.dataset.explorer];
  const [sheet, summary, table] = [".sheet", ".summary", ".numbers"].map((part) => section.querySelector(part));
  const controls = [...section.querySelectorAll("input")];
  let moved = null; // the one slider that is not where the panel opened

  const decoded = [];
  const numbers = (place) => (decoded[place] ??= new Float32Array(Uint8Array.from(atob(arrays[place]), (c) => c.charCodeAt(0)).buffer));

  // A copy with arrays in their places and colours as the theme has them.
  const copy = (value) => {
    if (typeof value === "string") return dark.matches ? shades[value] ?? value : value;
    if (Array.isArray(value)) return value.map(copy);
    if (value === null || typeof value !== "object") return value;
    if ("array" in value) return numbers(value.array);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]));
  };

  const over = (before, changed) =>
    Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value !== null));

  const draw = () => {
    const frame = moved ? sliders[moved.dataset.control].frames[moved.value] : { traces: {}, layout: {} };
    const traces = Object.entries(opened.traces).map(([name, trace]) => copy(over(trace, frame.traces[name])));
    const layout = copy(over(opened.layout, frame.layout));
    delete layout.width;
    const narrow = sheet.clientWidth < 560;
    if (narrow) Object.assign(layout.title, { text: "" });
    if (narrow) layout.legend = { ...layout.legend, font: { size: 10 } };
    Plotly.react(sheet, traces, layout, { ...config, responsive: true });
    sheet.setAttribute("aria-label", opened.layout.title?.text ?? "plot");
    summary.textContent = frame.summary ?? opened.summary;
    table.innerHTML = frame.table ?? opened.table;
    for (const control of controls) control.nextElementSibling.value = sliders[control.dataset.control].frames[control.value].value;
  };

  for (const control of controls) {
    const { at, frames } = sliders[control.dataset.control];
    Object.assign(control, { max: frames.length - 1, value: at });
    control.addEventListener("input", () => {
      moved = control;
      for (const other of controls) if (other !== control) other.value = sliders[other.dataset.control].at;
      draw();
    });
  }
  dark.addEventListener("change", draw);
  draw();
}
