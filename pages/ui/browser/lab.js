// A clicker's keys press what leads one step back or on: the story's, an exercise's, a round's, else a line's. On
// the stage arrows are its own.
const WAYS = {ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back"};
const TYPING = "input, textarea, select, [contenteditable=true], [role=radio], [role=slider], [role=tab], "
  + "[role=combobox], [role=listbox], [role=option], [role=menuitem], [role=grid]";

function turn(event) {
  const way = WAYS[event.key];
  if (!way || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest?.(TYPING) || document.querySelector("[role=dialog]")) return;
  if (event.key.startsWith("Arrow") && document.querySelector(".st-key-stage-bar")) return;
  const pressed = ["step", "play", "line"]
    .map((what) => document.querySelector(`.st-key-${what}-${way} :is(a, button):not(:disabled)`))
    .find(Boolean);
  if (!pressed) return;
  event.preventDefault();
  if (!event.repeat) pressed.click();
}

// A dialog hears Escape only while the focus is in it, and what is drawn anew takes the focus along.
function closeDialog(event) {
  const dialog = [...document.querySelectorAll("[role=dialog]")].at(-1);
  if (event.key !== "Escape" || !dialog) return;
  setTimeout(() => { if (dialog.isConnected) dialog.querySelector('button[aria-label="Close"]')?.click(); });
}

// How much each chart has to shrink to fit the sheet; all are measured before the first is changed.
function measure() {
  const charts = [...document.querySelectorAll(".js-plotly-plot")];
  const scales = charts.map((chart) => [chart.closest(".stElementContainer"), fits(chart)]);
  for (const [holder, scale] of scales) holder?.style.setProperty("--on-paper", scale);
}

export default () => {
  if (window.labKeys) return;
  window.labKeys = true;
  document.addEventListener("keydown", turn);
  document.addEventListener("keydown", closeDialog);
  addEventListener("beforeprint", measure);
};
