// A clicker's keys press what leads one step back or on: the story's, an exercise's, a round's, else a line's,
// else the lesson's. On the stage arrows are its own.
const WAYS = {ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back"};
const PAGED = "textarea, [contenteditable=true], [role=listbox], [role=option], [role=menuitem], [role=grid]";
const TYPING = PAGED + ", input:not([type=radio]), select, [role=slider], [role=combobox]";
// There arrows go to the next one.
const CHOOSING = "[type=radio], [role=radio], [role=tab]";

// A page's keys are a clicker's, whatever has the focus, so they are heard before any control hears them.
function turn(event) {
  const way = WAYS[event.key], clicker = event.key.startsWith("Page");
  if (!way || clicker !== (event.eventPhase === Event.CAPTURING_PHASE)) return;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest?.(clicker ? PAGED : TYPING) || document.querySelector("[role=dialog]")) return;
  if (!clicker && (event.target.closest?.(CHOOSING) || document.querySelector(".st-key-stage-bar"))) return;
  const pressed = ["step", "play", "line", "lesson"]
    .map((what) => document.querySelector(`.st-key-${what}-${way} :is(a, button):not([disabled])`))
    .find(Boolean);
  if (!pressed) return;
  event.preventDefault();
  event.stopPropagation();
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

// A bar of buttons above a chart is one stop of the Tab key; arrows go from one button to the next.
function oneStop(event) {
  const bar = event.target.closest?.(".modebar"), buttons = (of) => [...of.querySelectorAll(".modebar-btn")];
  if (event.key === "Tab") {
    for (const each of document.querySelectorAll(".modebar")) {
      const all = buttons(each), stop = all.find((one) => one === document.activeElement) ?? all[0];
      for (const one of all) one.tabIndex = one === stop ? 0 : -1;
    }
  } else if (bar && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    const all = buttons(bar), by = event.key === "ArrowLeft" ? -1 : 1;
    all[(all.indexOf(document.activeElement) + by + all.length) % all.length].focus();
    event.preventDefault();
  }
}

// The menu is a landmark to those who hear the page; it is drawn after this, and again with every screen.
function landmark(sidebar) {
  const mark = () => {
    const menu = sidebar.querySelector(".st-key-menu");
    if (menu?.role === null) Object.assign(menu, {role: "navigation", ariaLabel: "Screens"});
  };
  new MutationObserver(mark).observe(sidebar, {childList: true, subtree: true});
  mark();
}

// A table that is wider than the page scrolls: then it is a stop of the Tab key, and arrows move it.
function reachTables() {
  let asked = 0;
  const mark = () => {
    asked = 0;
    for (const each of document.querySelectorAll(".stTable, .stTable div")) {
      const scrolls = each.scrollWidth > each.clientWidth && getComputedStyle(each).overflowX !== "visible";
      if (scrolls) Object.assign(each, {tabIndex: 0, role: "group", ariaLabel: "Table"});
      else if (each.ariaLabel === "Table") ["tabindex", "role", "aria-label"].forEach((name) => each.removeAttribute(name));
    }
  };
  const soon = () => { asked ||= requestAnimationFrame(mark); };
  new MutationObserver(soon).observe(document.querySelector(".stMain") ?? document.body, {childList: true, subtree: true});
  addEventListener("resize", soon);
  soon();
}

export default ({parentElement}) => {
  const sidebar = parentElement.closest(".stSidebar");
  if (sidebar && !sidebar.labMarked) landmark(sidebar), sidebar.labMarked = true;
  if (window.labKeys) return;
  window.labKeys = true;
  document.addEventListener("keydown", oneStop, true);
  document.addEventListener("keydown", turn, true);
  document.addEventListener("keydown", turn);
  document.addEventListener("keydown", closeDialog);
  addEventListener("beforeprint", measure);
  reachTables();
};
