// The browser's part of a panel: the PNG button, names for the sliders, and how much room there is for the plot.
function render({ model, el }) {
  const button = document.createElement("button");
  button.className = "jupyter-button lm-Widget widget-button";
  button.textContent = "PNG";
  button.title = "Download the plot as a PNG picture";
  button.addEventListener("click", () => {
    // The plot's own camera: the browser draws the picture, nothing needs installing.
    const panel = el.closest(".dpb-panel");
    const camera = panel && panel.querySelector('.modebar-btn[data-title*="PNG" i]');
    if (camera) camera.click();
    model.set("pressed", model.get("pressed") + (camera ? 1 : 0));
    model.save_changes();
  });
  el.appendChild(button);

  const measure = () => {
    const panel = el.closest(".dpb-panel");
    panel?.querySelectorAll(".dpb-number").forEach((row) => {
      const name = row.querySelector(".widget-text label")?.textContent;
      row.querySelector(".noUi-handle")?.setAttribute("aria-label", `${name}, slider; the box beside it has the value`);
    });
    const room = panel && panel.parentElement ? panel.parentElement.clientWidth : 0;
    if (room > 0 && Math.abs(room - model.get("room")) > 8) {
      model.set("room", room);
      model.save_changes();
    }
  };
  let timer;
  const observer = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(measure, 150);
  });
  requestAnimationFrame(() => {
    const panel = el.closest(".dpb-panel");
    if (panel && panel.parentElement) observer.observe(panel.parentElement);
    measure();
  });
  return () => observer.disconnect();
}
export default { render };
