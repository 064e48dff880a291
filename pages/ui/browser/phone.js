// Says the mark by which this browser is known to a room: drawn once, and kept in its storage.
const reported = new WeakSet();
export default function ({ data, parentElement, setStateValue }) {
  if (reported.has(parentElement)) return;
  reported.add(parentElement);
  try {
    let mark = window.localStorage.getItem(data.key) ?? "";
    if (!/^[0-9a-f]{32}$/.test(mark)) {
      const drawn = crypto.getRandomValues(new Uint8Array(16));
      mark = [...drawn].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      window.localStorage.setItem(data.key, mark);
    }
    setStateValue("mark", mark);
  } catch {
    // A browser that keeps nothing has its address alone.
  }
}
