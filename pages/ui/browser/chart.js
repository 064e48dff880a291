// A chart that stays where it is: of another figure Plotly changes what differs, so nothing blinks.
const PHONE = matchMedia("(max-width: 640px)"), STILL = matchMedia("(prefers-reduced-motion: reduce)");
const MOVE = 150;  // milliseconds from old values to new ones, where nothing else changes
const ROW = 46, LINE = 17, RIM = 3;  // letters of a row of names on a phone, and pixels: its own, and beneath

// Plotly's own script, once for all charts; its address has its version, so what the browser has kept is good.
const load = (address) => window.labPlotly ??= fetch(new URL(address, document.baseURI), {cache: "force-cache"})
  .then((answer) => answer.ok ? answer.text() : Promise.reject(answer.status))
  .then((script) => import(URL.createObjectURL(new Blob([script], {type: "text/javascript"}))))
  .then(() => window.Plotly);

// What is sent of an event: of the points at the mouse the nearest, or the range that was marked.
function told({event, points = [], range}, plot) {
  const y = (event?.clientY ?? 0) - plot.getBoundingClientRect().top;
  const far = (one) => one.yaxis ? Math.abs(one.yaxis._offset + one.yaxis.d2p(one.y) - y) : 0;
  const known = points.filter((one) => one.customdata !== undefined);
  const [near] = (known.length ? known : points).sort((one, other) => far(one) - far(other));
  return {x: near?.x, y: near?.y, customdata: near?.customdata, curve: near?.data.name, range};
}

// Its bar, which is seen in full screen alone, saves it as it stands on the page.
function behaviour(Plotly, frame, plot, filename) {
  const save = (format) => ({
    name: `Save as ${format.toUpperCase()}`, icon: Plotly.Icons[format === "png" ? "camera" : "disk"],
    click: () => Plotly.downloadImage(plot, {...frame.small, format, filename, scale: format === "png" ? 2 : 1}),
  });
  return {
    displaylogo: false, displayModeBar: true,
    modeBarButtonsToRemove: ["toImage", "sendChartToCloud"], modeBarButtonsToAdd: [save("svg"), save("png")],
  };
}

// The figure at one of its frames, if it has any: what that says takes the place of what stood there.
function at({data, layout, frames}, number) {
  const {data: parts = [], layout: more} = frames?.[number] ?? {};
  return {data: data.map((trace, place) => ({...trace, ...parts[place]})), layout: {...layout, ...more}};
}

// On a phone a map's cells come fewer to a line, where its layout says how many.
function folded({data, layout}) {
  const {across, layout: own} = layout.meta?.phone ?? {};
  if (!PHONE.matches || !across) return {data, layout};
  const lines = (grid) => {
    const all = grid.flat();
    return Array.from({length: Math.ceil(all.length / across)}, (_, at) => all.slice(across * at, across * (at + 1)));
  };
  const fold = (trace) => Object.fromEntries(["z", "customdata"].filter((name) => trace[name]?.[0]?.length)
    .map((name) => [name, lines(trace[name])]));
  return {data: data.map((trace) => ({...trace, ...fold(trace)})), layout: {...layout, ...own}};
}

// On a phone the names of lines stand in rows beneath the chart, which has the whole width.
function narrow(layout) {
  const ends = (layout.annotations ?? []).filter((note) => note.name === "end");
  if (!PHONE.matches || !ends.length) return layout;
  const rows = ends.reduceRight((rows, {text}) => {
    const row = rows.length ? `${rows.at(-1)}   ${text}` : text;
    return rows.length && row.replace(/<[^>]*>/g, "").length > ROW ? [...rows, text] : [...rows.slice(0, -1), row];
  }, []);
  const {margin, height} = layout, more = LINE * rows.length + RIM;
  const names = {
    text: rows.join("<br>"), x: 0, y: 0, xref: "paper", yref: "paper", xanchor: "left", yanchor: "top",
    align: "left", showarrow: false, yshift: -margin.b,
  };
  return {
    ...layout, height: height + more, margin: {...margin, r: 12, b: margin.b + more},
    annotations: [...layout.annotations.filter((note) => note.name !== "end"), names],
  };
}

// The clock of a figure that has frames: drag it, or let it run. Charts that follow it are told.
function wind(frame, clock, {layout, frames}) {
  const [play, slide] = clock.children, last = frames.length - 1;
  slide.max = last;
  if (!frame.now) slide.value = layout.meta?.frame ?? 0;
  slide.oninput = () => { frame.look(); dispatchEvent(new CustomEvent("lab-time", {detail: slide.value})); };
  const on = () => { slide.value = Number(slide.value) < last ? Number(slide.value) + 1 : 0; slide.oninput(); };
  play.onclick = () => {
    frame.runs = frame.runs ? clearInterval(frame.runs) : setInterval(on, 200);
    Object.assign(play, frame.runs ? {textContent: "❚❚", ariaLabel: "Stop"} : {textContent: "▶", ariaLabel: "Play"});
  };
}

export default ({data, parentElement, setTriggerValue}) => {
  const frame = parentElement.querySelector(".lab-chart"), [said, plot, clock, button] = frame.children;
  const figure = JSON.parse(data.figure), [, slide, time] = clock.children;
  Object.assign(plot, {role: "figure", ariaLabel: data.words});
  if (!frame.now) plot.style.height = `${figure.layout.height}px`;  // what is drawn has its own, by the screen
  const follows = figure.layout.meta?.follows;  // another chart's clock
  clock.hidden = !figure.frames || follows;
  frame.draw = async () => {
    const Plotly = await load(data.plotly), whole = document.fullscreenElement === frame;
    const width = frame.width ??= frame.clientWidth, number = Number(slide.value), shown = folded(at(figure, number));
    const {data: traces} = shown, layout = narrow(shown.layout);
    said.textContent = figure.frames?.[number].words ?? "";
    const height = whole ? frame.clientHeight - clock.offsetHeight - said.offsetHeight : layout.height;
    const now = [width, height, number, data.figure].join();
    if (!width || frame.now === now) return;
    const frozen = JSON.stringify([width, height, layout, traces.map((trace) => trace.name)]);
    const moves = frame.frozen === frozen && !STILL.matches;
    Object.assign(frame, {now, frozen}, whole || {small: {width, height}});
    plot.style.height = `${height}px`;
    const own = {width, height, ...moves && {transition: {duration: MOVE}}, ...PHONE.matches && {dragmode: false}};
    frame.config ??= behaviour(Plotly, frame, plot, data.file);  // another would be another chart to Plotly
    time.textContent = slide.ariaValueText = figure.frames?.[number].name ?? "";
    await Plotly.react(plot, {data: traces, layout: {...layout, ...own}, config: frame.config});
    for (const event of data.events) {
      plot.removeAllListeners(`plotly_${event}`);
      plot.on(`plotly_${event}`, (found) => found && setTriggerValue(event, {...told(found, plot), frame: number}));
    }
  };
  frame.gone = false;
  frame.look = () => frame.draw().catch((error) => {
    if (frame.gone) return;  // taken away while it was drawn
    console.error(error);
    plot.textContent = data.words;
  });
  button.onclick = () => document.fullscreenElement ? document.exitFullscreen() : frame.requestFullscreen();
  frame.follow = (event) => { if (follows) slide.value = event.detail, frame.look(); };
  if (!frame.watch) addEventListener("lab-time", frame.hear = (event) => frame.follow(event));
  if (figure.frames) wind(frame, clock, figure);
  // To ask for the width while another chart is drawn would lay out the page: it is asked for when it changes.
  frame.watch ??= new ResizeObserver(() => { frame.width = frame.clientWidth; frame.look(); });
  frame.watch.observe(frame);
  frame.look();
  return () => {
    frame.gone = true;
    frame.watch.disconnect();
    removeEventListener("lab-time", frame.hear);
    clearInterval(frame.runs);
    window.Plotly?.purge(plot);
  };
};
