// A number to be typed, or moved by plus, minus and the arrow keys. Every action of the user carries a number
// of its own, larger than all before. The app answers with the last action it has dealt with; an answer to an
// earlier one than the user's last is old news and is passed over. `up` and `down` are the numbers that plus
// and minus lead to, so that a quick hand never waits for the app.

const PARTS = `
<div class="lab-number-head"><label></label><button type="button" class="lab-number-help" hidden>?</button></div>
<div class="lab-number-hint" role="tooltip" popover="manual"></div>
<div class="lab-number-box">
  <input type="text" inputmode="decimal" autocomplete="off" spellcheck="false">
  <button type="button" tabindex="-1" class="lab-number-step" data-by="-1">−</button>
  <button type="button" tabindex="-1" class="lab-number-step" data-by="1">+</button>
</div>
<div class="lab-number-refused" role="alert"></div>`;
const SMALLEST = 11; // pixels of a digit one can read
let count = 0;

function make(parent) {
  const root = document.createElement("div");
  root.className = "lab-number";
  root.innerHTML = PARTS;
  parent.appendChild(root);
  const find = (selector) => root.querySelector(selector);
  const field = {
    root, input: find("input"), label: find("label"), help: find(".lab-number-help"),
    hint: find(".lab-number-hint"), refused: find(".lab-number-refused"),
    buttons: [...root.querySelectorAll(".lab-number-step")],
    last: 0, data: null, ladder: [], at: 0, behind: 0, text: "",
  };
  const id = `lab-number-${(count += 1)}`;
  field.input.id = id;
  field.label.htmlFor = id;
  field.refused.id = `${id}-refused`;
  field.hint.id = `${id}-hint`;
  field.input.addEventListener("keydown", (event) => pressed(field, event));
  field.input.addEventListener("blur", () => { commit(field); draw(field); });
  field.input.addEventListener("focus", () => { write(field, field.text); field.input.select(); });
  for (const begin of ["mouseenter", "focus"]) field.help.addEventListener(begin, () => hint(field, true));
  for (const end of ["mouseleave", "blur"]) field.help.addEventListener(end, () => hint(field, false));
  for (const button of field.buttons) {
    button.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    button.addEventListener("click", () => { commit(field); step(field, Number(button.dataset.by)); });
  }
  new ResizeObserver(() => draw(field, true)).observe(field.input);
  return field;
}

// Above everything else, and within the window.
function hint(field, shown) {
  if (!shown) return field.hint.hidePopover();
  field.hint.showPopover();
  const at = field.help.getBoundingClientRect(), size = field.hint.getBoundingClientRect();
  field.hint.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
  field.hint.style.top = `${at.top > size.height + 16 ? at.top - size.height - 8 : at.bottom + 8}px`;
}

function pressed(field, event) {
  if (event.key === "Enter") commit(field);
  else if (event.key === "Escape") write(field, field.text);
  else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    event.preventDefault();
    commit(field);
    step(field, event.key === "ArrowUp" ? 1 : -1);
  }
}

function tell(field, text) {
  field.last = Math.max(field.last + 1, Date.now());
  field.text = text;
  field.say("said", { number: field.last, text });
}

// What was typed; an emptied field keeps its value, unless nothing is a value too.
function commit(field) {
  const typed = field.input.dataset.drawn === field.input.value ? field.text : field.input.value.trim();
  if (typed === field.text || (typed === "" && !field.data.empty)) return write(field, field.text);
  field.ladder = [];
  field.behind = 0;
  tell(field, typed);
  field.input.dataset.drawn = field.input.value;
}

function step(field, by) {
  if (field.data.disabled) return;
  if (field.ladder.length === 0) { field.behind += by; return; } // until the app has read what was typed
  const at = Math.min(Math.max(field.at + by, 0), field.ladder.length - 1);
  if (at === field.at) {
    if (at === (by > 0 ? field.ladder.length - 1 : 0) && field.more[by > 0 ? 1 : 0]) field.behind += by;
    return;
  }
  field.at = at;
  write(field, field.ladder[at]);
  tell(field, field.ladder[at]);
}

function write(field, text) {
  field.input.value = text;
  field.input.dataset.drawn = text;
  field.input.style.fontSize = "";
  fit(field);
}

// A number too long for its place: smaller digits, and where that is not enough and nobody is typing, rounded
// and said to be so.
function fit(field) {
  const input = field.input;
  for (let size = parseFloat(getComputedStyle(input).fontSize); cut(input) && size > SMALLEST; size -= 1) {
    input.style.fontSize = `${size - 1}px`;
  }
  const number = Number(field.text);
  if (!cut(input) || document.activeElement === input || !Number.isFinite(number)) return;
  input.style.fontSize = "";
  for (let digits = 15; cut(input) && digits > 1; digits -= 1) {
    input.value = input.dataset.drawn = `≈ ${Number(number.toPrecision(digits))}`;
  }
}

function cut(input) {
  return input.clientWidth > 0 && input.scrollWidth > input.clientWidth;
}

// What stands there already fits, unless its place has become another: to measure it costs a layout of the page.
function draw(field, resized = false) {
  if (!field.data) return;
  const { value, dataset } = field.input;
  const dirty = document.activeElement === field.input && value !== dataset.drawn;
  const there = value === field.text && dataset.drawn === value;
  if (!dirty && (resized || !there)) write(field, field.text);
  field.root.dataset.value = field.text;
  field.input.title = field.input.value.startsWith("≈") ? field.text : "";
}

function answer(field, data) {
  const { label, help, refused, disabled, text, number, up, down } = data;
  field.data = data;
  field.label.textContent = label;
  field.help.hidden = !help;
  field.hint.textContent = help ?? "";
  field.help.setAttribute("aria-label", `About ${label}: ${help ?? ""}`);
  field.input.disabled = disabled;
  field.input.placeholder = data.empty ?? "";
  field.buttons[0].setAttribute("aria-label", `Less: ${label}`);
  field.buttons[1].setAttribute("aria-label", `More: ${label}`);
  if (number < field.last) return; // the answer to an earlier action
  field.last = number;
  field.text = text;
  field.ladder = [...[...down].reverse(), text, ...up];
  field.at = down.length;
  field.more = data.more;
  field.refused.textContent = refused;
  field.input.setAttribute("aria-invalid", refused ? "true" : "false");
  field.input.setAttribute("aria-describedby", `${field.hint.id} ${field.refused.id}`);
  field.buttons[0].disabled = disabled || down.length === 0;
  field.buttons[1].disabled = disabled || up.length === 0;
  draw(field);
  for (let left = field.behind, by = Math.sign(left); left; left -= by) { field.behind -= by; step(field, by); }
}

if (!document.getElementById("lab-number-style")) {
  const style = document.createElement("style");
  style.id = "lab-number-style";
  style.textContent = CSS;
  document.head.appendChild(style);
}
window.labNumber = ({ data: [data], parentElement, setStateValue }) => {
  const field = (parentElement.labNumber ??= make(parentElement));
  field.say = setStateValue;
  answer(field, data);
};
export default () => {};
