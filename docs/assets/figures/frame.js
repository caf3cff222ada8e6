// What the figures share.  A page holds <div data-figure="name">; d3 and the figure's own file are
// fetched only there.  Material replaces pages without loading them anew, hence the guards.
(function () {
  const base = document.currentScript.src.replace(/frame\.js.*$/, "");
  const makers = {};
  const asked = {};
  const live = {};

  function load(url) {
    asked[url] ||= new Promise((done, fail) => {
      const script = document.createElement("script");
      script.src = url;
      script.onload = done;
      script.onerror = () => fail(new Error("cannot load " + url));
      document.head.append(script);
    });
    return asked[url];
  }

  async function start() {
    for (const box of document.querySelectorAll("[data-figure]")) {
      if (box.dataset.ready) continue;
      box.dataset.ready = "yes";
      const name = box.dataset.figure;
      await load(base + "../d3.js");
      await load(base + name + ".js");
      const answer = await fetch(base + name + ".json");
      const { data } = await answer.json();
      box.replaceChildren();
      live[name] = makers[name](box, data);
      box.dataset.done = "yes";
    }
  }

  // An SVG of a fixed number of units that is as wide as there is room.
  function drawing(box, width, height, label) {
    const svg = d3.select(box).append("svg").attr("viewBox", `0 0 ${width} ${height}`);
    return svg.attr("role", "group").attr("aria-label", label);
  }

  function slider(box, text, [low, high, step], value, change) {
    const label = document.createElement("label");
    const input = Object.assign(document.createElement("input"), {
      type: "range", min: low, max: high, step, value,
    });
    input.addEventListener("input", () => change(+input.value));
    label.append(text + " ", input);
    box.append(label);
    return input;
  }

  function choice(box, text, options, value, change) {
    const label = document.createElement("label");
    const select = document.createElement("select");
    for (const [key, shown] of options) select.append(new Option(shown, key, false, key === value));
    select.addEventListener("change", () => change(select.value));
    label.append(text + " ", select);
    box.append(label);
    return select;
  }

  function button(box, text, press) {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    made.className = "md-button";
    made.addEventListener("click", press);
    box.append(made);
  }

  function part(box, kind) {
    const made = document.createElement("div");
    made.className = kind;
    box.append(made);
    return made;
  }

  // A point that mouse, finger and arrow keys move; move(x, y) gets SVG coordinates.
  function handle(svg, label, move, nudge) {
    const circle = svg.append("circle").attr("r", 9).attr("class", "handle");
    circle.attr("tabindex", 0).attr("role", "slider").attr("aria-label", label);
    circle.call(d3.drag().container(() => svg.node()).on("start drag", (e) => move(e.x, e.y)));
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    circle.on("keydown", (e) => {
      if (!steps[e.key]) return;
      e.preventDefault();
      nudge(...steps[e.key]);
    });
    circle.at = (x, y, value) => {
      const said = Number(value).toFixed(3);
      return circle.attr("cx", x).attr("cy", y).attr("aria-valuenow", said).attr("aria-valuetext", said);
    };
    return circle;
  }

  // Values as text, for readers and for tests: [name, number or list of numbers].
  function readout(box) {
    const table = document.createElement("table");
    table.setAttribute("aria-live", "polite");
    box.append(table);
    return (rows) => {
      table.replaceChildren(...rows.map(([name, value, key]) => {
        const row = document.createElement("tr");
        const head = Object.assign(document.createElement("th"), { textContent: name, scope: "row" });
        if (key) head.className = "key " + key;
        const list = Array.isArray(value) ? value : [value];
        const cell = document.createElement("td");
        cell.textContent = list.map((x) => (typeof x === "number" ? x.toFixed(4).replace("-0.0000", "0.0000") : x)).join(", ");
        row.append(head, cell);
        return row;
      }));
    };
  }

  function axes(svg, x, y, bottom, left) {
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${bottom})`).call(d3.axisBottom(x).ticks(5, "~g"));
    svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`).call(d3.axisLeft(y).ticks(5));
  }

  const clamp = (v, low, high) => Math.min(high, Math.max(low, v));
  const register = (name, make) => { makers[name] = make; };
  window.proofgrad = { register, live, drawing, slider, choice, button, part, handle, readout, axes, clamp };
  if (typeof document$ !== "undefined") document$.subscribe(start);
  else document.addEventListener("DOMContentLoaded", start);
})();
