// What cannot be read in a plot: words over words, a legend or a title over the axes, a note over a curve, words that an
// edge cuts, an axis that says the same number twice, and words or curves too faint for what lies behind them.
(({ fitted, tall, paint, copy }) => {
  const turns = new Map(); // as in a panel's view
  const OVER = 1.5; // pixels that two boxes may share: letters do not fill theirs

  // The corners of a text, as it lies on the page, turned or not; without the room above and below its letters.
  const corners = (text) => {
    const { x, y, width, height } = text.getBBox(), lines = Math.max(text.querySelectorAll(":scope > tspan.line").length, 1);
    const free = (0.17 * height) / lines, grid = text.getScreenCTM();
    const places = [[x, y + free], [x + width, y + free], [x + width, y + height - free], [x, y + height - free]];
    return places.map(([a, b]) => new DOMPoint(a, b).matrixTransform(grid));
  };
  const upright = ({ left, right, top, bottom }) =>
    [[left, top], [right, top], [right, bottom], [left, bottom]].map(([x, y]) => ({ x, y }));

  // By how many pixels two convex shapes lie over each other, along the direction that parts them best.
  const shared = (one, other) => {
    let least = Infinity;
    for (const shape of [one, other]) {
      for (let i = 0; i < 2; i++) {
        const [nx, ny] = [shape[i + 1].y - shape[i].y, shape[i].x - shape[i + 1].x], size = Math.hypot(nx, ny) || 1;
        const along = (s) => s.map(({ x, y }) => (x * nx + y * ny) / size);
        const [a, b] = [along(one), along(other)];
        least = Math.min(least, Math.min(Math.max(...a), Math.max(...b)) - Math.max(Math.min(...a), Math.min(...b)));
      }
    }
    return least;
  };

  const words = (plot) => [...plot.querySelectorAll("text")]
    .filter((text) => text.textContent.trim() && !text.closest(".hoverlayer, .modebar, defs") && text.getBoundingClientRect().width)
    .filter((text) => getComputedStyle(text).visibility !== "hidden" && Number(getComputedStyle(text).opacity) > 0)
    .map((text) => ({ text, name: `"${text.textContent.slice(0, 40)}"`, shape: corners(text) }));

  const axes = (plot) => {
    const frame = plot.getBoundingClientRect();
    return Object.values(plot._fullLayout._plots ?? {}).map(({ xaxis: x, yaxis: y }) => ({
      left: frame.left + x._offset, right: frame.left + x._offset + x._length,
      top: frame.top + y._offset, bottom: frame.top + y._offset + y._length,
    }));
  };

  // Points along all curves, every few pixels, as far as the axes show them.
  const drawn = (plot, areas) => [...plot.querySelectorAll(".scatterlayer path.js-line")].flatMap((line) => {
    const grid = line.getScreenCTM(), length = line.getTotalLength(), steps = Math.min(Math.ceil(length / 6), 500);
    return Array.from({ length: steps + 1 }, (_, i) => line.getPointAtLength((i * length) / Math.max(steps, 1)).matrixTransform(grid));
  }).filter(({ x, y }) => areas.some((a) => x >= a.left && x <= a.right && y >= a.top && y <= a.bottom));

  function faults(plot) {
    const found = [], frame = plot.getBoundingClientRect(), all = words(plot), areas = axes(plot);
    all.forEach((one, i) => all.slice(i + 1).forEach((other) => {
      if (shared(one.shape, other.shape) > OVER) found.push(`${one.name} over ${other.name}`);
    }));
    const legends = [...plot.querySelectorAll(".legend, .legend2")].map((box) => ({ name: "the legend", shape: upright(box.getBoundingClientRect()) }));
    for (const box of [...legends, ...all.filter(({ text }) => text.closest(".g-gtitle"))]) {
      if (areas.some((area) => shared(box.shape, upright(area)) > OVER)) found.push(`${box.name} over the axes`);
    }
    for (const box of legends) {
      for (const { text, name, shape } of all) {
        if (!text.closest(".legend, .legend2") && shared(box.shape, shape) > OVER) found.push(`the legend over ${name}`);
      }
    }
    const notes = all.filter(({ text }) => text.closest(".annotation")), curves = notes.length ? drawn(plot, areas) : [];
    for (const { name, shape } of notes) {
      const [left, right] = [Math.min(...shape.map((p) => p.x)), Math.max(...shape.map((p) => p.x))];
      const [top, bottom] = [Math.min(...shape.map((p) => p.y)), Math.max(...shape.map((p) => p.y))];
      if (curves.some(({ x, y }) => x > left && x < right && y > top && y < bottom)) found.push(`${name} over a curve`);
    }
    for (const { name, shape } of [...all, ...legends]) {
      if (shape.some(({ x, y }) => x < frame.left - 1 || x > frame.right + 1 || y < frame.top - 1 || y > frame.bottom + 1)) {
        found.push(`${name} is cut`);
      }
    }
    for (const axis of Object.keys(plot._fullLayout).filter((name) => /^[xy]axis\d*$/.test(name))) {
      const { visible, showticklabels, type, tickmode } = plot._fullLayout[axis];
      if (!visible || !showticklabels || type === "category") continue;
      const told = [...plot.querySelectorAll(`.${axis.replace("axis", "")}tick text`)].map((text) => text.textContent.trim()).filter(Boolean);
      if (new Set(told).size < told.length) found.push(`${axis} reads ${told.join(", ")}`);
      if (told.length < 2 && tickmode !== "array") found.push(`${axis} reads ${told.join(", ") || "nothing"} alone`);
    }
    return found;
  }

  // --- what is too faint: contrast as WCAG 2 defines it ---

  const parts = (colour) => (colour.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const laid = (colour, opacity, ground) => {
    const [red, green, blue, alpha = 1] = parts(colour), share = alpha * opacity;
    return [red, green, blue].map((part, i) => share * part + (1 - share) * ground[i]);
  };
  const opacity = (node, top) => {
    let share = 1;
    for (; node && node !== top; node = node.parentElement) share *= Number(getComputedStyle(node).opacity);
    return share;
  };

  // Words that are too faint, and each curve's contrast; `picture` shows the plot of this width without its words.
  async function strength([width, picture]) {
    const plot = document.getElementById(`p${width}`), frame = plot.getBoundingClientRect(), found = new Set();
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const pen = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d", { willReadFrequently: true });
    pen.drawImage(image, 0, 0);
    const behind = (shape) => { // the usual colour there
      const xs = shape.map(({ x }) => x - frame.left), ys = shape.map(({ y }) => y - frame.top);
      const [left, top] = [Math.max(Math.min(...xs), 0), Math.max(Math.min(...ys), 0)].map(Math.floor);
      const { data } = pen.getImageData(left, top, Math.max(Math.max(...xs) - left, 1), Math.max(Math.max(...ys) - top, 1));
      const count = new Map();
      for (let i = 0; i < data.length; i += 4) {
        const key = data.slice(i, i + 3).join();
        count.set(key, (count.get(key) ?? 0) + 1);
      }
      return parts([...count].reduce((most, one) => (one[1] > most[1] ? one : most))[0]);
    };
    for (const { text, name, shape } of words(plot)) {
      const { fill, fillOpacity, fontSize } = getComputedStyle(text), ground = behind(shape);
      const seen = contrast(laid(fill, Number(fillOpacity) * opacity(text, plot), ground), ground);
      if (seen < (parseFloat(fontSize) < 24 ? 4.5 : 3)) found.add(`${name} is faint, with a contrast of ${seen.toFixed(2)}`);
    }
    pen.fillStyle = plot._fullLayout.plot_bgcolor;
    pen.fillRect(0, 0, 1, 1); // all words have been looked at
    const ground = [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    const curves = [...plot.querySelectorAll(".scatterlayer path.js-line")].map((line) => {
      const { stroke, strokeOpacity } = getComputedStyle(line);
      return stroke === "none" ? 21 : contrast(laid(stroke, Number(strokeOpacity) * opacity(line, plot), ground), ground);
    });
    return { words: [...found], curves };
  }

  // The plot in its place for this size, drawn anew over what was there, as a panel does it. dark: colour -> colour.
  async function look([text, width, room, dark = null]) {
    const { data, layout } = copy(JSON.parse(text), null, dark);
    document.body.style.background = dark ? "#111111" : "white";
    const plot = document.getElementById(`p${width}`) ?? document.body.appendChild(Object.assign(document.createElement("div"), { id: `p${width}` }));
    plot.style.width = `${width}px`;
    await paint(Plotly, plot, data, fitted(layout, { width, height: tall(layout, room) }), { displayModeBar: false }, turns);
    return faults(plot);
  }

  function clear() {
    for (const plot of [...document.body.querySelectorAll(":scope > div")]) {
      Plotly.purge(plot);
      plot.remove();
    }
  }

  return { look, strength, clear };
})
