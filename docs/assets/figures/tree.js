// Two tokens: per-token log-ratios and rewards along one response; both sums are equal.
proofgrad.register("tree", (box, data) => {
  const { part, drawing, slider, choice, readout } = proofgrad;
  const state = { response: "0,1", beta: 0.1 };
  const svg = drawing(part(box, "plot"), 600, 290, "tree of two-token responses");
  const at = (prefix) => [40 + prefix.length * 240, 145 + (prefix.length ? (prefix[0] - 0.5) * 150 : 0) + (prefix.length > 1 ? (prefix[1] - 0.5) * 70 : 0)];
  const edges = [[[], 0], [[], 1], [[0], 0], [[0], 1], [[1], 0], [[1], 1]].map(([prefix, token]) => ({ prefix, token, to: [...prefix, token] }));
  const pi = (law, prefix, token) => (prefix.length ? law.second[prefix[0]][token] : law.first[token]);
  const lines = svg.selectAll("line").data(edges).join("line").attr("class", "line")
    .attr("x1", (e) => at(e.prefix)[0]).attr("y1", (e) => at(e.prefix)[1]).attr("x2", (e) => at(e.to)[0]).attr("y2", (e) => at(e.to)[1]);
  svg.selectAll("text.edge").data(edges).join("text").attr("class", "edge")
    .attr("transform", (e) => {
      const [[x0, y0], [x1, y1]] = [at(e.prefix), at(e.to)];
      return `translate(${(x0 + x1) / 2},${(y0 + y1) / 2}) rotate(${(Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI}) translate(0,-8)`;
    })
    .attr("text-anchor", "middle").text((e) => `${"ab"[e.token]}: π ${pi(data.policy, e.prefix, e.token)}, ref ${pi(data.reference, e.prefix, e.token)}`);
  const tools = part(box, "tools");
  const names = [[0, 0], [0, 1], [1, 0], [1, 1]].map((r) => [r.join(), r.map((t) => "ab"[t]).join(" ")]);
  const which = choice(tools, "response", names, state.response, (v) => set({ response: v }));
  const beta = slider(tools, "β", [0, 1, 0.01], state.beta, (v) => set({ beta: v }));
  const show = readout(part(box, "values"));
  const values = () => {
    const r = state.response.split(",").map(Number);
    const ratios = r.map((t, i) => Math.log(pi(data.policy, r.slice(0, i), t) / pi(data.reference, r.slice(0, i), t)));
    const score = data.scores[r[0]][r[1]];
    const rewards = ratios.map((v, i) => -state.beta * v + (i === r.length - 1 ? score : 0));
    return { log_ratios: ratios, rewards, token_sum: d3.sum(rewards), penalised: score - state.beta * d3.sum(ratios), score };
  };

  function set(change) {
    Object.assign(state, change);
    which.value = state.response;
    beta.value = state.beta;
    const r = state.response.split(",").map(Number);
    lines.classed("optimum", (e) => e.to.every((t, i) => t === r[i])).classed("thin", (e) => !e.to.every((t, i) => t === r[i]));
    const v = values();
    show([["log-ratios", v.log_ratios], ["score", v.score], ["token rewards", v.rewards], ["sum of token rewards", v.token_sum], ["score − β log-ratio of the response", v.penalised]]);
  }
  set({});
  return { set, values, state };
});
