// Advantages within a group: drag the rewards; three ways to centre them.
proofgrad.register("group", (box, data) => {
  const { part, drawing, button, handle, readout, clamp } = proofgrad;
  const state = { rewards: [...data.rewards] };
  const kinds = ["centred", "leave one out", "normalised"];
  const values = () => {
    const r = state.rewards, k = r.length, mean = d3.mean(r);
    const centred = r.map((v) => v - mean);
    const std = Math.sqrt(d3.mean(centred, (c) => c * c));
    return { centred, leave_one_out: centred.map((c) => (c * k) / (k - 1)), normalised: centred.map((c) => (std > 1e-12 ? c / std : 0)) };
  };
  const y = d3.scaleLinear([0, 1], [150, 15]);
  const a = d3.scaleLinear([-2, 2], [170, 10]);
  const centre = (i) => 115 + i * 135;
  const top = drawing(part(box, "plot"), 600, 180, "rewards of the group");
  top.append("g").attr("class", "axis").attr("transform", "translate(45,0)").call(d3.axisLeft(y).ticks(3));
  const bars = top.selectAll("rect").data(state.rewards).join("rect").attr("class", "bar reward").attr("width", 40).attr("x", (_, i) => centre(i) - 20);
  top.selectAll(null).data(state.rewards).join("text").attr("x", (_, i) => centre(i)).attr("y", 172).attr("text-anchor", "middle").text((_, i) => "response " + (i + 1));
  const one = (i, v) => { const r = [...state.rewards]; r[i] = clamp(v, 0, 1); set({ rewards: r }); };
  const points = state.rewards.map((_, i) => handle(top, "reward " + (i + 1), (_x, py) => one(i, y.invert(py)),
    (dx, dy) => one(i, state.rewards[i] + (dx + dy) * 0.05)));
  const low = drawing(part(box, "plot"), 600, 180, "advantages of the group");
  low.append("g").attr("class", "axis").attr("transform", "translate(45,0)").call(d3.axisLeft(a).ticks(5));
  low.append("line").attr("class", "line thin").attr("x1", 45).attr("x2", 585).attr("y1", a(0)).attr("y2", a(0));
  const out = ["reference", "optimum", "reward"].map((kind, k) =>
    low.selectAll(null).data(state.rewards).join("rect").attr("class", "bar " + kind).attr("width", 26).attr("x", (_, i) => centre(i) - 42 + 28 * k));
  const tools = part(box, "tools");
  button(tools, "All equal", () => set({ rewards: [0.5, 0.5, 0.5, 0.5] }));
  button(tools, "One of four", () => set({ rewards: [1, 0, 0, 0] }));
  const show = readout(part(box, "values"));

  function set(change) {
    Object.assign(state, change);
    const v = values();
    bars.attr("y", (_, i) => y(state.rewards[i])).attr("height", (_, i) => 150 - y(state.rewards[i]));
    points.forEach((c, i) => c.at(centre(i), y(state.rewards[i]), state.rewards[i]));
    [v.centred, v.leave_one_out, v.normalised].forEach((list, k) =>
      out[k].attr("y", (_, i) => a(Math.max(0, list[i]))).attr("height", (_, i) => Math.abs(a(list[i]) - a(0))));
    show([["rewards", state.rewards], ...kinds.map((name, k) => [name, [v.centred, v.leave_one_out, v.normalised][k], ["reference", "optimum", "reward"][k]])]);
  }
  set({});
  return { set, values, state };
});
