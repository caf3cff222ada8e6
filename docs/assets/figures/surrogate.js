// Surrogate and true improvement along the policy gradient; every value is Python's.
proofgrad.register("surrogate", (box, data) => {
  const { part, drawing, slider, handle, readout, axes, clamp } = proofgrad;
  const state = { step: 10, delta: 0.05 };
  const last = data.t.length - 1;
  const x = d3.scaleLinear([0, data.t[last]], [50, 585]);
  const y = d3.scaleLinear([-1.2, 2.8], [220, 10]);
  const k = d3.scaleLinear([0, 0.4], [150, 10]);
  const line = (values, scale) => d3.line((_, i) => x(data.t[i]), (_, i) => scale(values[i]))(data.t);
  const top = drawing(part(box, "plot"), 600, 250, "surrogate and true gain against the step");
  const trust = top.append("rect").attr("class", "shade").attr("x", 50).attr("y", 10).attr("height", 210);
  axes(top, x, y, 220, 50);
  top.append("path").attr("class", "line reference").attr("d", line(data.surrogate, y));
  top.append("path").attr("class", "line optimum").attr("d", line(data.gain, y));
  const low = drawing(part(box, "plot"), 600, 200, "divergence and its quadratic against the step");
  const clip = low.append("clipPath").attr("id", "surrogate-clip");
  clip.append("rect").attr("x", 50).attr("y", 10).attr("width", 535).attr("height", 140);
  axes(low, x, k, 150, 50);
  low.append("text").attr("x", 585).attr("y", 197).attr("text-anchor", "end").text("step t");
  const inside = low.append("g").attr("clip-path", "url(#surrogate-clip)");
  inside.append("path").attr("class", "line optimum").attr("d", line(data.divergence, k));
  inside.append("path").attr("class", "line reference dashed").attr("d", line(data.quadratic, k));
  const bar = inside.append("line").attr("class", "line thin").attr("x1", 50).attr("x2", 585);
  const nearest = (px) => Math.round((x.invert(clamp(px, 50, 585)) / data.t[last]) * last);
  const point = handle(top, "step t", (px) => set({ step: nearest(px) }),
    (dx, dy) => set({ step: clamp(state.step + dx + dy, 0, last) }));
  const tools = part(box, "tools");
  const steps = slider(tools, "t", [0, last, 1], state.step, (v) => set({ step: v }));
  const delta = slider(tools, "δ", [0.005, 0.3, 0.005], state.delta, (v) => set({ delta: v }));
  const show = readout(part(box, "values"));
  const values = () => ({
    t: data.t[state.step], surrogate: data.surrogate[state.step], gain: data.gain[state.step],
    divergence: data.divergence[state.step], quadratic: data.quadratic[state.step],
  });

  function set(change) {
    Object.assign(state, change);
    steps.value = state.step;
    delta.value = state.delta;
    const inRegion = data.t.filter((_, i) => data.divergence[i] <= state.delta);
    trust.attr("width", x(inRegion[inRegion.length - 1]) - 50);
    bar.attr("y1", k(state.delta)).attr("y2", k(state.delta));
    const v = values();
    point.at(x(v.t), y(v.gain), v.t);
    show([["t", v.t], ["surrogate L", v.surrogate, "reference"], ["true gain", v.gain, "optimum"], ["KL(old‖new)", v.divergence, "optimum"], ["Fisher quadratic, dashed", v.quadratic, "reference"], ["δ", state.delta]]);
  }
  set({});
  return { set, values, state };
});
