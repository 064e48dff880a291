// Makes the changes that are due in the browser's storage, and says what it holds: null where it keeps nothing.
const reported = new WeakMap();
const object = (text) => {
    try {
        const value = JSON.parse(text ?? '{}');
        return value && typeof value === 'object' && !Array.isArray(value) ? value : {};
    } catch {
        return {};
    }
};
export default function ({ data, parentElement, setStateValue }) {
  const due = Object.entries(data.due);
  let held = null;
  try {
    held = object(window.localStorage.getItem(data.key));
    for (const [name, text] of due) {
      if (text === null) delete held[name];
      else held[name] = text;
    }
    if (due.length) window.localStorage.setItem(data.key, JSON.stringify(held));
  } catch {
    held = null;
  }
  const report = JSON.stringify(held);
  if (report !== (reported.get(parentElement) ?? (due.length ? '' : '{}'))) {
    reported.set(parentElement, report);
    setStateValue('report', report);
  }
}
