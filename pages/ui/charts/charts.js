// Every chart's bar gets two buttons that save the chart as a picture, with a caption of the scenario. Plotly
// itself is out of reach of a page, but its own camera button is not: it saves the chart as `toImageButtonOptions`
// and the layout say at the moment it is pressed. For that moment they say what is wanted; the chart on the
// screen is not drawn again.

const FORMATS = {SVG: {format: "svg", scale: 1}, PNG: {format: "png", scale: 2}};
const CAMERA = '.modebar-btn[data-title^="Download plot"]';
const LETTER = 0.55; // of the size of type, on average
const LINE = 1.4;
const EDGE = 8;
const FAMILY = "Helvetica, Arial, sans-serif"; // the page's own type does not travel with a picture

function look() {
  if (document.getElementById("lab-charts-css")) return;
  const style = document.createElement("style");
  style.id = "lab-charts-css";
  style.textContent = CSS;
  document.head.appendChild(style);
}

function lines(text, most) {
  const found = [""];
  for (const word of text.split(" ")) {
    const longer = `${found.at(-1)} ${word}`.trim();
    if (longer.length > most && found.at(-1)) found.push(word);
    else found[found.length - 1] = longer;
  }
  return found;
}

// The layout with the caption beneath everything else, and the height that it then has.
function captioned(plot, text) {
  const full = plot._fullLayout, size = Math.max(12, full.font.size);
  const wrapped = lines(text, Math.floor((full.width - 2 * EDGE) / (LETTER * size)));
  const room = Math.ceil(LINE * size * wrapped.length) + EDGE;
  const escaped = wrapped.map((line) => line.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;"));
  const caption = {
    text: escaped.join("<br>"), align: "left", showarrow: false, font: {size},
    xref: "paper", x: 0, xanchor: "left", xshift: EDGE - full._size.l,
    yref: "paper", y: 0, yanchor: "bottom", yshift: -full._size.b - room,
  };
  const margin = {...plot.layout.margin, b: full._size.b + room};
  const annotations = [...(plot.layout.annotations ?? []), caption];
  const font = {...plot.layout.font, family: FAMILY};
  return [{...plot.layout, margin, annotations, font}, full.height + room];
}

// A picture takes no style sheet with it: in the dark theme its colours are those that the page shows.
function coloured(plot, layout) {
  if (getComputedStyle(plot).colorScheme !== "dark") return layout;
  const light = new RegExp(Object.keys(DARK).join("|"), "g");
  return JSON.parse(JSON.stringify(layout).replace(light, (colour) => DARK[colour]));
}

function fileName(plot, screen) {
  const keyed = plot.closest('[class*="st-key-"]')?.className.match(/st-key-(\S+)/)?.[1] ?? "chart";
  return `${screen} ${keyed}`.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/-$/, "");
}

function take(plot, name) {
  const {layout} = plot, context = plot._context, options = context.toImageButtonOptions;
  const {screen, caption} = window.labCharts;
  const [whole, height] = captioned(plot, [caption, layout.meta].filter(Boolean).join(" "));
  try {
    plot.layout = coloured(plot, whole);
    const size = {width: plot._fullLayout.width, height};
    context.toImageButtonOptions = {...FORMATS[name], ...size, filename: fileName(plot, screen)};
    plot.querySelector(CAMERA).click();
  } finally {
    plot.layout = layout;
    context.toImageButtonOptions = options;
  }
}

function buttons(plot) {
  const group = document.createElement("div");
  group.className = "modebar-group lab-take";
  for (const name of Object.keys(FORMATS)) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "modebar-btn";
    button.textContent = name;
    button.setAttribute("aria-label", `${name}: save this picture`);
    button.addEventListener("click", () => take(plot, name));
    group.appendChild(button);
  }
  return group;
}

// All are measured before the first is changed: to measure what has changed costs a layout of the page.
const sizes = new ResizeObserver((changes) => {
  if (matchMedia("print").matches) return;
  const measured = changes.map(({target}) => [target.closest(".stElementContainer"), fits(target)]);
  for (const [holder, scale] of measured) holder?.style.setProperty("--on-paper", scale);
});

function complete() {
  for (const bar of document.querySelectorAll(".js-plotly-plot .modebar")) {
    if (bar.querySelector(".lab-take")) continue;
    const plot = bar.closest(".js-plotly-plot");
    bar.prepend(buttons(plot));
    sizes.observe(plot);
  }
}

// Plotly makes a chart's bar anew whenever its buttons change.
function watch() {
  let due = false;
  const later = () => { due = false; complete(); };
  new MutationObserver(() => { if (!due) { due = true; requestAnimationFrame(later); } })
    .observe(document.body, {childList: true, subtree: true});
  complete();
}

// A dialog hears Escape only while the focus is in it, and what is drawn anew takes the focus along.
function closeDialog(event) {
  const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1);
  if (event.key !== "Escape" || !dialog) return;
  setTimeout(() => { if (dialog.isConnected) dialog.querySelector('button[aria-label="Close"]')?.click(); });
}

// A clicker's keys press what leads one step back or on. On the stage arrows are its own, and where nothing else
// has steps a clicker moves its lines.
const TURNS = {ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back"};
const TYPING = "input, textarea, select, [contenteditable=true], [role=radio], [role=slider], [role=tab], "
  + "[role=combobox], [role=listbox], [role=option], [role=menuitem], [role=grid]";

function turn(event) {
  const way = TURNS[event.key];
  if (!way || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest?.(TYPING) || document.querySelector("[role=dialog]")) return;
  const stage = document.querySelector(".lab-stage");
  if (stage && event.key.startsWith("Arrow")) return;
  const line = stage?.querySelector(`[data-act="line-${way === "next" ? "forward" : "back"}"]`);
  const steps = `:is(.st-key-step-${way}, .st-key-play-${way}) :is(a, button):not(:disabled)`;
  const step = document.querySelector(steps) ?? line;
  if (!step) return;
  event.preventDefault();
  if (!event.repeat) step.click();
}

export default ({data}) => {
  const first = !window.labCharts;
  window.labCharts = data;
  document.documentElement.classList.toggle("lab-presenting", data.presenting);
  look();
  if (first) {
    watch();
    document.addEventListener("keydown", closeDialog);
    document.addEventListener("keydown", turn);
  }
};
