// What a KL penalty follows, samples held fixed: arrows on the three-action simplex.
proofgrad.register("penalty", (box, data) => {
  const { part, drawing, choice, handle, readout } = proofgrad;
  const state = { policy: [...data.policy], reference: [...data.reference], kind: "k3", ratio: "no" };
  const corner = [[300, 20], [60, 330], [540, 330]];
  const place = (p) => [0, 1].map((k) => d3.sum(p, (v, i) => v * corner[i][k]));
  const inside = (px, py) => {
    const [[ax, ay], [bx, by], [cx, cy]] = corner;
    const d = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy);
    const a = ((by - cy) * (px - cx) + (cx - bx) * (py - cy)) / d;
    const b = ((cy - ay) * (px - cx) + (ax - cx) * (py - cy)) / d;
    return tidy([a, b, 1 - a - b]);
  };
  const tidy = (p) => { const q = p.map((v) => Math.max(v, 0.02)); const s = d3.sum(q); return q.map((v) => v / s); };
  // The expected gradient in the logits: sum_a pi_a f'_a (e_a - pi).
  const logits = (f) => { const m = d3.sum(state.policy, (p, i) => p * f[i]); return state.policy.map((p, i) => p * (f[i] - m)); };
  const values = () => {
    const u = state.policy.map((p, i) => Math.log(state.reference[i] / p));
    const value = { k1: u.map((v) => -v), k2: u.map((v) => (v * v) / 2), k3: u.map((v) => Math.exp(v) - 1 - v) }[state.kind];
    const slope = { k1: u.map(() => 1), k2: u.map((v) => -v), k3: u.map((v) => 1 - Math.exp(v)) }[state.kind];
    const followed = logits(state.ratio === "yes" ? slope.map((s, i) => s + value[i]) : slope);
    return { followed, reverse: logits(u.map((v) => -v)), forward: logits(u.map((v) => -Math.exp(v))) };
  };
  // Down the gradient, as it moves the probabilities; one scale for all three arrows.
  const moved = (g) => { const m = d3.sum(state.policy, (p, i) => p * g[i]); return state.policy.map((p, i) => -p * (g[i] - m)); };
  const svg = drawing(part(box, "plot"), 600, 360, "simplex of three actions");
  svg.append("defs").append("marker").attr("id", "tip").attr("viewBox", "0 0 6 6").attr("refX", 5).attr("refY", 3).attr("markerUnits", "userSpaceOnUse").attr("markerWidth", 14).attr("markerHeight", 14).attr("orient", "auto").append("path").attr("d", "M0 0L6 3L0 6z").attr("class", "tip");
  svg.append("path").attr("class", "line thin").attr("d", "M" + corner.join("L") + "Z");
  const kinds = [["reverse", "line reference wide"], ["forward", "line reward wide"], ["followed", "line optimum"]];
  const arrows = kinds.map(([, c]) => svg.append("line").attr("class", c).attr("marker-end", "url(#tip)"));
  const both = ["policy", "reference"];
  const points = both.map((key) => handle(svg, key === "policy" ? "policy π" : "reference π_ref", (px, py) => set({ [key]: inside(px, py) }),
    (dx, dy) => { const [px, py] = place(state[key]); set({ [key]: inside(px + 6 * dx, py - 6 * dy) }); }));
  const labels = ["π", "ref"].map((t) => svg.append("text").text(t));
  const tools = part(box, "tools");
  const kind = choice(tools, "estimator", ["k1", "k2", "k3"].map((k) => [k, k]), state.kind, (v) => set({ kind: v }));
  const ratio = choice(tools, "times the likelihood ratio", [["no", "no"], ["yes", "yes"]], state.ratio, (v) => set({ ratio: v }));
  const show = readout(part(box, "values"));

  function set(change) {
    Object.assign(state, change);
    kind.value = state.kind;
    ratio.value = state.ratio;
    const v = values(), from = place(state.policy);
    const ways = kinds.map(([name]) => place(moved(v[name])));
    const scale = 110 / Math.max(1e-9, ...ways.map(([dx, dy]) => Math.hypot(dx, dy)));
    kinds.forEach((_, i) => {
      const to = [from[0] + scale * ways[i][0], from[1] + scale * ways[i][1]];
      const far = Math.hypot(to[0] - from[0], to[1] - from[1]);
      arrows[i].attr("x1", from[0]).attr("y1", from[1]).attr("x2", to[0]).attr("y2", to[1]).attr("visibility", far > 1 ? "visible" : "hidden");
    });
    both.forEach((key, i) => {
      const [px, py] = place(state[key]);
      points[i].at(px, py, state[key][0]);
      labels[i].attr("x", px + 13).attr("y", py - 10);
    });
    show([["π", state.policy], ["π_ref", state.reference], ["expected gradient", v.followed, "optimum"], ["∇ KL(π‖π_ref), wide", v.reverse, "reference"], ["∇ KL(π_ref‖π), wide", v.forward, "reward"]]);
  }
  set({});
  return { set, values, state };
});
