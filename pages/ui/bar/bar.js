// Every action of the user carries a number of its own, larger than all before, and the position it leads to.
// The app answers with the last action it has dealt with; an answer to an earlier one than the user's last is
// old news and is passed over.

const PARTS = `
<div class="lab-stage-row">
  <div class="lab-stage-pair" role="group" aria-label="Lines of this step">
    <button type="button" data-act="line-back"><kbd>↑</kbd><span>Line back</span></button>
    <button type="button" data-act="line-forward"><kbd>↓</kbd><span>Line forward</span></button>
  </div>
  <div class="lab-stage-pair" role="group" aria-label="Steps of the day">
    <button type="button" data-act="step-back"><kbd>←</kbd><span>Step back</span></button>
    <button type="button" data-act="step-forward"><kbd>→</kbd><span>Step forward</span></button>
    <button type="button" data-act="whole-step"><kbd>End</kbd><span>Whole step</span></button>
  </div>
  <div class="lab-stage-pair" role="group" aria-label="By itself">
    <button type="button" data-act="play"><kbd>Space</kbd><span></span></button>
    <select aria-label="Speed"></select>
  </div>
</div>
<div class="lab-stage-row">
  <output aria-live="polite"></output>
  <input type="range" min="0" step="1" aria-label="Step of the day">
</div>`;
// Where arrow keys and space already mean something else.
const TYPING = "input, textarea, select, [contenteditable=true], [role=radio], [role=slider], [role=tab], " +
  "[role=combobox], [role=listbox], [role=option], [role=menuitem], [role=grid]";
const PRESSING = "button, a, summary, label, [role=button], [role=switch], [role=checkbox]";
const KEYS = {
  ArrowUp: "line-back", ArrowDown: "line-forward", ArrowLeft: "step-back", ArrowRight: "step-forward",
  Home: "first-line", End: "whole-step", " ": "play",
};

function make(parent) {
  const root = document.createElement("div");
  root.className = "lab-stage";
  root.setAttribute("role", "toolbar");
  root.setAttribute("aria-label", "Stage");
  root.innerHTML = PARTS;
  parent.appendChild(root);
  const find = (selector) => root.querySelector(selector);
  const bar = {
    root, range: find("input"), speeds: find("select"), told: find("output"), play: find("[data-act=play]"),
    buttons: [...root.querySelectorAll("button")], last: 0, answered: 0, at: null, clock: 0, watched: null,
  };
  for (const button of bar.buttons) {
    button.addEventListener("pointerdown", (event) => event.preventDefault()); // keys stay the stage's
    button.addEventListener("click", () => act(bar, button.dataset.act));
  }
  bar.range.addEventListener("input", () => tell(bar, { step: Number(bar.range.value) }));
  bar.speeds.addEventListener("change", () => {
    const speed = Number(bar.speeds.value);
    tell(bar, { speed, line: bar.at.playing && !bar.data.speeds[speed].lines ? bar.data.lines : bar.at.line });
  });
  bar.pressed = (event) => pressed(bar, event);
  document.addEventListener("keydown", bar.pressed);
  bar.observer = new MutationObserver(() => follow(bar));
  return bar;
}

function pressed(bar, event) {
  if (!bar.root.isConnected) return document.removeEventListener("keydown", bar.pressed); // the page was left
  const action = KEYS[event.key], on = event.target, own = on === bar.range;
  if (!action || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (document.querySelector("[role=dialog]") || (on.closest?.(TYPING) && !own)) return;
  if (event.key === " " && on.closest?.(PRESSING)) return; // it presses what has the focus
  event.preventDefault();
  if (event.key === " " && event.repeat) return;
  act(bar, action);
}

// Line by line through the day: after the last line comes the next step's first.
function moved({ step, line }, by, { lines, times }) {
  const count = step * lines + (line - 1) + by;
  const held = Math.min(Math.max(count, 0), times.length * lines - 1);
  return { step: Math.floor(held / lines), line: (held % lines) + 1 };
}

function act(bar, action) {
  const { at, data } = bar, last = data.times.length - 1;
  if (action === "line-back") tell(bar, moved(at, -1, data));
  if (action === "line-forward") tell(bar, moved(at, 1, data));
  if (action === "step-back") tell(bar, { step: Math.max(at.step - 1, 0) });
  if (action === "step-forward") tell(bar, { step: Math.min(at.step + 1, last) });
  if (action === "first-line") tell(bar, { line: 1 });
  if (action === "whole-step") tell(bar, { line: data.lines });
  if (action === "play") {
    const byLine = data.speeds[at.speed].lines, over = at.step === last && at.line === data.lines;
    const start = over ? { step: 0, line: 1 } : {};
    tell(bar, at.playing ? { playing: false }
      : { ...start, ...(byLine ? {} : { line: data.lines }), playing: true });
  }
}

function tell(bar, change) {
  const wanted = { ...bar.at, ...change };
  if (Object.keys(wanted).every((name) => wanted[name] === bar.at[name])) return;
  bar.at = wanted;
  bar.last = Math.max(bar.last + 1, Date.now());
  draw(bar);
  bar.say("said", { number: bar.last, ...wanted });
}

// On, when the time has come and the app has shown what came before.
function tick(bar) {
  const { at, data } = bar;
  if (!bar.root.isConnected) return clearInterval(bar.clock);
  if (!at.playing || bar.answered < bar.last || performance.now() < bar.due) return;
  const speed = data.speeds[at.speed], last = data.times.length - 1;
  bar.due = performance.now() + 1000 * speed.seconds;
  const next = speed.lines ? moved(at, 1, data) : { step: Math.min(at.step + 1, last), line: data.lines };
  tell(bar, { ...next, playing: !(next.step === last && next.line === data.lines) });
}

function draw(bar) {
  const { at, data } = bar, last = data.times.length - 1;
  const place = `Step ${at.step + 1} of ${last + 1} · ${data.times[at.step]} · line ${at.line} of ${data.lines}`;
  bar.told.textContent = place;
  bar.range.max = last;
  bar.range.value = at.step;
  bar.range.setAttribute("aria-valuetext", data.times[at.step]);
  bar.speeds.value = at.speed;
  bar.play.querySelector("span").textContent = at.playing ? "Stop" : "Play";
  bar.play.classList.toggle("lab-stage-on", at.playing);
  const first = at.step === 0, end = at.step === last;
  const off = {
    "line-back": first && at.line === 1, "line-forward": end && at.line === data.lines,
    "step-back": first, "step-forward": end, "whole-step": at.line === data.lines,
  };
  for (const button of bar.buttons) {
    button.setAttribute("aria-disabled", off[button.dataset.act] ? "true" : "false"); // and keeps the focus
    button.setAttribute("aria-label", button.querySelector("span").textContent);
  }
  const waits = 1000 * data.speeds[at.speed].seconds;
  if (at.playing && !bar.clock) {
    bar.due = performance.now() + waits;
    bar.clock = setInterval(() => tick(bar), 50);
  }
  if (!at.playing) {
    clearInterval(bar.clock);
    bar.clock = 0;
  }
}

function answer(bar, data) {
  bar.data = data;
  bar.answered = data.number;
  if (bar.speeds.childElementCount !== data.speeds.length) {
    bar.speeds.replaceChildren(...data.speeds.map(({ words }, number) => new Option(words, number)));
  }
  if (data.number >= bar.last) {
    const fresh = bar.at === null;
    bar.last = data.number;
    bar.at = { step: data.step, line: data.line, speed: data.speed, playing: data.playing };
    if (fresh && data.playing) return tell(bar, { playing: false }); // the page was left while it played
  }
  draw(bar);
  watch(bar);
}

// The listing scrolls by itself; its active line is kept in its middle.
function watch(bar) {
  const listing = document.querySelector(`.st-key-${LISTING}`);
  if (listing && listing !== bar.watched) {
    bar.observer.disconnect();
    bar.observer.observe(listing, { childList: true, subtree: true, characterData: true });
    bar.watched = listing;
  }
  follow(bar);
}

function follow(bar) {
  const active = bar.watched?.querySelector(".stMarkdownBadge");
  if (!active) return;
  let box = active.parentElement;
  while (box !== document.body && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
  if (box === document.body || box.matches("[data-testid=stMain]")) return;
  box.tabIndex = 0; // it can be scrolled by keys
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Algorithm 1, line by line");
  const offset = active.getBoundingClientRect().top - box.getBoundingClientRect().top;
  box.scrollTop += offset - box.clientHeight / 3;
}

if (!document.getElementById("lab-stage-style")) {
  const style = document.createElement("style");
  style.id = "lab-stage-style";
  style.textContent = CSS;
  document.head.appendChild(style);
}

window.labStage = ({ data, parentElement, setStateValue }) => {
  const bar = (parentElement.labStage ??= make(parentElement));
  bar.say = setStateValue;
  answer(bar, data);
};
export default () => {};
