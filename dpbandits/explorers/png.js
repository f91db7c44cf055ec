// A button that presses the camera of the plot in the same panel: the browser draws the PNG, nothing needs installing.
function render({ model, el }) {
  const button = document.createElement("button");
  button.className = "jupyter-button lm-Widget widget-button";
  button.textContent = "PNG";
  button.title = "Download the plot as a PNG picture";
  button.addEventListener("click", () => {
    const panel = el.closest(".dpb-panel");
    const camera = panel && panel.querySelector('.modebar-btn[data-title*="PNG" i]');
    if (camera) camera.click();
    model.set("pressed", model.get("pressed") + (camera ? 1 : 0));
    model.save_changes();
  });
  el.appendChild(button);
}
export default { render };
