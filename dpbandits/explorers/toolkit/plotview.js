// The browser's part of a plot: brings plotly.js into the page once, and draws whenever there is room and something new.
// What changes lives in core models ("data", "page"), not in this view's own: see plotview.py.

const ARRAYS = { uint8: Uint8Array, int16: Int16Array, int32: Int32Array, float32: Float32Array, float64: Float64Array };
const PATIENCE = 20_000; // milliseconds without plotly.js after which the plot says so; it waits on
const LOWEST = 300, ROW = 150; // pixels: a plot is never flatter, with so many more for each further row of axes
const BEYOND = 24; // pixels by which a y title may be longer than its axis
const AROUND = 150; // pixels of a window that Jupyter's own bars take

// --- plotly.js: a promise for each version, one for all notebooks of the page ---

const plotlys = (globalThis.dpbanditsPlotly ??= new Map());

function plotlyOf(manager, page, tell) {
  const version = page.get("version");
  if (!plotlys.has(version)) {
    const coming = bring(manager, page, tell).then((plotly) => {
      if (plotly.version !== version) throw new Error(`plotly.js ${plotly.version} came in place of ${version}`);
      return plotly;
    });
    plotlys.set(version, coming);
    coming.catch(() => plotlys.delete(version)); // so that another try can begin
  }
  return plotlys.get(version);
}

async function bring(manager, page, tell) {
  if (globalThis.Plotly?.version === page.get("version")) return globalThis.Plotly;
  const source = await arrival(manager, page, tell);
  if (!globalThis.DecompressionStream) throw new Error("this browser is too old: it cannot unpack plotly.js");
  const text = await new Response(new Blob([source]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  return evaluate(text);
}

// The compressed bytes, once their model is there. The kernel sends it unasked behind the first panel.
async function arrival(manager, page, tell) {
  for (const start = Date.now(); ; await pause(200)) {
    if (page.get("problem")) throw new Error(page.get("problem"));
    const id = page.get("library");
    const model = id ? await manager.get_model(id).catch(() => null) : null;
    if (model?.get("source")) return model.get("source");
    if (stopped(manager, page)) throw new Error(STOPPED);
    if (Date.now() - start > PATIENCE) tell("plotly.js is still not here: the line is slow, or the kernel is busy or has stopped.");
  }
}

const STOPPED = "the kernel stopped before plotly.js was here. Run the cell again";
const stopped = (manager, page) =>
  page.comm_live === false || ["restarting", "autorestarting", "dead"].includes(manager.kernel?.status); // Jupyter's alone

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// As a script of its own. The page's `define` (RequireJS) is hidden from it, and another plotly keeps its place.
async function evaluate(text) {
  const before = Object.getOwnPropertyDescriptor(globalThis, "Plotly");
  const parts = ["(function (define, module, exports) {", text, "\n}).call(globalThis);"];
  const url = URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
  const script = document.createElement("script");
  try {
    await new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = () => reject(new Error("this page does not let plotly.js run"));
      script.src = url;
      document.head.append(script);
    });
    if (!globalThis.Plotly?.react) throw new Error("what came is not plotly.js");
    return globalThis.Plotly;
  } finally {
    script.remove();
    URL.revokeObjectURL(url);
    if (before) Object.defineProperty(globalThis, "Plotly", before);
    else delete globalThis.Plotly;
  }
}

// --- the figure ---

const decoded = new WeakMap(); // bytes -> array: plotly compares arrays by identity, and what did not change must be the same

function unpack({ dtype, shape, bytes, words }) {
  if (decoded.has(bytes)) return decoded.get(bytes);
  const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  let values = new ARRAYS[dtype](whole);
  if (words) values = Array.from(values, (code) => words[code]);
  if (shape.length > 1) {
    const [rows, columns] = shape;
    values = Array.from({ length: rows }, (_, row) => values.slice(row * columns, (row + 1) * columns));
  }
  decoded.set(bytes, values);
  return values;
}

// A copy of what stands in the model, with arrays in their places and colours as the theme has them.
function copy(value, model, dark) {
  if (typeof value === "string") return dark?.[value] ?? value;
  if (Array.isArray(value)) return value.map((item) => copy(item, model, dark));
  if (value === null || typeof value !== "object") return value;
  if ("part" in value) {
    const part = unpack(model.get(value.part));
    return dark && typeof part[0] === "string" ? part.map((item) => dark[item] ?? item) : part;
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item, model, dark)]));
}

// Whether light letters stand on a dark ground here, whoever made the page.
function isDark(el) {
  for (let node = el; node; node = node.parentElement) {
    const [red, green, blue, alpha = 1] = (getComputedStyle(node).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    if (alpha > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 110;
  }
  return false;
}

// A title that is wider than its plot, on several lines.
function wrapped(text, room, font) {
  const pen = (wrapped.pen ??= document.createElement("canvas").getContext("2d"));
  pen.font = font;
  const wide = (line) => pen.measureText(line.replace(/<[^>]*>/g, "")).width > room;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (lines.at(-1) && wide(longer)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

// As tall as it was made, or as its window has room for, but not too flat for its rows of axes.
function tall(layout, room) {
  const domains = Object.keys(layout).filter((name) => /^yaxis\d*$/.test(name)).map((name) => layout[name].domain ?? [0, 1]);
  const rows = new Set(domains.filter(([low, high]) => high - low > 0.1).map(([low]) => low)).size;
  return Math.min(layout.height, Math.max(layout.meta?.lowest ?? LOWEST + ROW * (rows - 1), room));
}

function fitted(layout, { width, height }) {
  Object.assign(layout, { width, height });
  const size = layout.title?.font?.size ?? 14;
  const lines = wrapped(layout.title?.text ?? "", 0.96 * width, `${size}px ${layout.font?.family ?? "sans-serif"}`);
  if (lines.length > 1) {
    layout.title.text = lines.join("<br>");
    layout.margin = { ...layout.margin, t: (layout.margin?.t ?? 50) + 1.3 * size * (lines.length - 1) };
  }
  return layout;
}

// Draws a fitted layout; y titles that are too long for their axes, whose heights plotly finds, on several lines. `turns`
// remembers what became of each, so that a move draws once.
async function paint(plotly, plot, traces, layout, config, turns) {
  const titles = Object.entries(layout).filter(([name, axis]) => /^yaxis\d*$/.test(name) && axis.title?.text && axis.visible !== false)
    .map(([name, { title }]) => ({ name, title, key: `${[name, title.text, layout.width, layout.height]}` }));
  const draw = () => {
    for (const { name, title, key } of titles) layout[name] = { ...layout[name], title: { ...title, ...turns.get(key) } };
    return plotly.react(plot, traces, { ...layout }, { ...config });
  };
  await draw();
  const fresh = titles.filter(({ key }) => !turns.has(key));
  for (const { name, title, key } of fresh) {
    const { _length, title: { font } } = plot._fullLayout[name];
    const lines = wrapped(title.text, _length + BEYOND, `${font.size}px ${font.family}`);
    turns.set(key, lines[1] && { text: lines.join("<br>"), standoff: 16 }); // clear of the ticks
  }
  if (fresh.some(({ key }) => turns.get(key))) await draw();
}

// --- the view ---

async function render({ model, el, signal }) {
  const manager = model.widget_manager;
  const part = (name) => manager.get_model(model.get(name).replace("IPY_MODEL_", ""));
  const [data, page] = await Promise.all([part("data"), part("page")]);
  dress(page);
  const note = Object.assign(document.createElement("div"), { className: "dpb-note" });
  note.setAttribute("role", "status");
  const sheet = Object.assign(document.createElement("div"), { className: "dpb-sheet" });
  el.append(note, sheet);

  const turns = new Map();
  let plotly = null, drawing = false, again = false, shown = "", gone = false;

  const tell = (text, retry) => {
    note.textContent = text;
    if (!retry) return;
    const button = Object.assign(document.createElement("button"), { className: "jupyter-button", textContent: "Try again" });
    button.addEventListener("click", retry);
    note.append(document.createElement("br"), button);
  };

  const fetch = async () => {
    tell("plotly.js, which draws the plot, is on its way …");
    try {
      plotly = await plotlyOf(manager, page, tell);
    } catch (error) {
      tell(`No plot: ${error.message}.`.replace("..", "."), () => {
        page.send({ ask: "plotly.js" });
        page.set("problem", ""); // the kernel says so again where it stays
        fetch();
      });
      return;
    }
    draw();
  };

  // How large the plot may be now; null out of sight. Its place is kept from the first moment, so that nothing jumps.
  const room = () => {
    const width = el.clientWidth;
    if (!el.isConnected || width === 0) return null;
    el.closest(".dpb-panel")?.classList.add("dpb-awake"); // the sentence of waiting() is no longer needed
    const pixels = window.top === window ? window.innerHeight : screen.availHeight;
    const share = Number(getComputedStyle(el).getPropertyValue("--dpb-share")) || 1; // of the height, for the plot
    const height = tall(data.get("layout"), share * (pixels - AROUND));
    el.style.minHeight = `${height}px`;
    return { width, height };
  };

  // The plot as a file. Whether there was one to save.
  const save = () => {
    if (!shown || sheet.hidden) return false;
    plotly.downloadImage(sheet, { format: "png", scale: 2, filename: data.get("picture") });
    return true;
  };

  // Draws when there is room, and what is newest: while one drawing is under way, later ones become one.
  const draw = async () => {
    again = true;
    if (!room() && sheet.hidden) shown = ""; // what failed is tried again when it is back
    if (room() && plotly && !drawing) {
      drawing = true;
      try {
        while (again && !gone) {
          again = false;
          await once();
        }
      } finally {
        drawing = false;
      }
    }
  };

  const once = async () => {
    const size = room();
    if (!size) return; // the observer calls when that changes
    adopt(el, data, save);
    const dark = isDark(el);
    const key = [data.get("version"), size.width, size.height, dark].join();
    if (key === shown) return;
    shown = key;
    try {
      const colours = dark ? data.get("dark") : null;
      const traces = data.get("order").map((name) => copy(data.get(name), data, colours));
      const layout = fitted(copy(data.get("layout"), data, colours), size);
      const empty = traces.every((trace) => trace.visible === false);
      sheet.hidden = empty; // never bare axes
      if (!empty) await paint(plotly, sheet, traces, layout, data.get("config"), turns);
      tell(empty ? "Nothing to draw yet: see the line beside the controls." : "");
      sheet.setAttribute("role", "figure");
      sheet.setAttribute("aria-label", data.get("layout").title?.text ?? "plot");
      el.dataset.version = key.split(",")[0];
    } catch (error) {
      sheet.hidden = true; // never curves that belong to other settings
      if (!room()) shown = ""; // it left the page
      else tell(`No plot: plotly.js cannot draw this (${error.message}).`, () => { shown = ""; draw(); });
    }
  };

  const resized = new ResizeObserver(() => draw());
  resized.observe(el);
  const theme = new MutationObserver(() => setTimeout(draw, 50)); // the style sheet of the theme comes first
  for (const node of [document.body, document.documentElement]) {
    theme.observe(node, { attributes: true, attributeFilter: ["class", "theme", "data-jp-theme-light", "data-jp-theme-name", "data-vscode-theme-kind"] });
  }
  window.addEventListener("resize", draw);
  const follow = { draw: () => draw() };
  data.on("change", follow.draw, follow);

  const leave = () => {
    gone = true;
    resized.disconnect();
    theme.disconnect();
    window.removeEventListener("resize", draw);
    data.off(null, null, follow);
    if (plotly) plotly.purge(sheet);
  };
  fetch(); // not awaited: the view is up at once
  return leave;
}

// The style sheet of all panels, once a page.
function dress(page) {
  const id = `dpb-style-${page.get("style_name")}`;
  if (document.getElementById(id)) return;
  document.head.append(Object.assign(document.createElement("style"), { id, textContent: page.get("style") }));
}

// What the panel around a plot needs from the browser: its PNG button, and sliders with a name and the arrow keys.
const adopted = new WeakSet();

function adopt(el, data, save) {
  const panel = el.closest(".dpb-panel");
  if (!panel) return;
  for (const row of panel.querySelectorAll(".dpb-number")) {
    const name = row.querySelector(".widget-text label")?.textContent;
    const handle = row.querySelector(".noUi-handle");
    handle?.setAttribute("aria-label", `${name}, slider; the box beside it has the value`);
    handle?.setAttribute("data-lm-suppress-shortcuts", "true"); // else Notebook 7 keeps the arrow keys to itself
  }
  if (adopted.has(panel)) return;
  adopted.add(panel);
  panel.addEventListener("click", (event) => {
    if (!event.target.closest(".dpb-png")) return;
    data.send({ picture: save() });
  });
}

export default { render };
