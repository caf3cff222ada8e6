// The optimum of reward minus beta KL: drag rewards, move beta.
proofgrad.register("tilted", (box, data) => {
  const { part, drawing, slider, handle, readout, axes, clamp } = proofgrad;
  const ref = data.reference;
  const state = { rewards: [...data.rewards], beta: 1 };
  const solve = (beta) => {
    const best = Math.max(...state.rewards);
    const w = ref.map((p, i) => p * Math.exp((state.rewards[i] - best) / beta));
    const z = d3.sum(w);
    const pi = w.map((v) => v / z);
    const kl = d3.sum(pi, (p, i) => (p > 0 ? p * Math.log(p / ref[i]) : 0));
    return { policy: pi, reward: d3.sum(pi, (p, i) => p * state.rewards[i]), divergence: kl, value: beta * Math.log(z) + best };
  };
  const y = d3.scaleLinear([0, 2], [180, 15]);
  const p = d3.scaleLinear([0, 1], [180, 15]);
  const top = drawing(part(box, "plot"), 600, 215, "rewards and policies");
  top.append("g").attr("class", "axis").attr("transform", "translate(45,0)").call(d3.axisLeft(y).ticks(4));
  const centre = (i) => 120 + i * 175;
  const bars = ["reward", "reference", "optimum"].map((kind, k) =>
    top.selectAll(null).data(ref).join("rect").attr("class", "bar " + kind).attr("width", 34).attr("x", (_, i) => centre(i) - 54 + 37 * k));
  top.selectAll(null).data(ref).join("text").attr("x", (_, i) => centre(i)).attr("y", 205).attr("text-anchor", "middle").text((_, i) => "response " + (i + 1));
  const reward = (i, v) => { const r = [...state.rewards]; r[i] = clamp(v, 0, 2); set({ rewards: r }); };
  const points = ref.map((_, i) => handle(top, "reward " + (i + 1), (_x, py) => reward(i, y.invert(py)),
    (dx, dy) => reward(i, state.rewards[i] + (dx + dy) * 0.1)));
  const x = d3.scaleLog([0.05, 20], [45, 585]);
  const low = drawing(part(box, "plot"), 600, 215, "expected reward and divergence against beta");
  const v = d3.scaleLinear([0, 2], [170, 10]);
  axes(low, x, v, 170, 45);
  low.append("text").attr("x", 585).attr("y", 212).attr("text-anchor", "end").text("β");
  const er = low.append("path").attr("class", "line reward");
  const kl = low.append("path").attr("class", "line optimum");
  const here = low.append("line").attr("class", "line thin").attr("y1", 10).attr("y2", 170);
  const beta = slider(part(box, "tools"), "β", [-3, 3, 0.05], 0, (b) => set({ beta: Math.exp(b) }));
  const show = readout(part(box, "values"));

  function set(change) {
    Object.assign(state, change);
    beta.value = Math.log(state.beta);
    const now = solve(state.beta);
    [[state.rewards, y], [ref, p], [now.policy, p]].forEach(([list, scale], k) =>
      bars[k].attr("y", (_, i) => scale(list[i])).attr("height", (_, i) => 180 - scale(list[i])));
    points.forEach((c, i) => c.at(centre(i) - 37, y(state.rewards[i]), state.rewards[i]));
    const grid = d3.range(Math.log(0.05), Math.log(20.1), 0.05).map((b) => [Math.exp(b), solve(Math.exp(b))]);
    er.attr("d", d3.line((g) => x(g[0]), (g) => v(g[1].reward))(grid));
    kl.attr("d", d3.line((g) => x(g[0]), (g) => v(g[1].divergence))(grid));
    here.attr("x1", x(clamp(state.beta, 0.05, 20))).attr("x2", x(clamp(state.beta, 0.05, 20)));
    show([["β", state.beta], ["rewards", state.rewards, "reward"], ["π_ref", ref, "reference"], ["π*", now.policy, "optimum"], ["E[r]", now.reward, "reward"], ["KL(π*‖π_ref)", now.divergence, "optimum"], ["β log Z", now.value]]);
  }
  set({});
  return { set, values: () => solve(state.beta), state };
});
