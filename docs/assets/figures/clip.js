// min(rho A, clip(rho) A): drag the point, switch the sign of A, move eps.
proofgrad.register("clip", (box) => {
  const { part, drawing, slider, button, handle, readout, axes, clamp } = proofgrad;
  const state = { rho: 1.1, adv: 1, eps: 0.2 };
  const x = d3.scaleLinear([0, 2], [45, 585]);
  const y = d3.scaleLinear([-2, 2], [280, 15]);
  const svg = drawing(part(box, "plot"), 600, 325, "clipped objective against the ratio");
  const flat = svg.append("rect").attr("class", "shade").attr("y", 15).attr("height", 265);
  axes(svg, x, y, 280, 45);
  svg.append("text").attr("x", 585).attr("y", 322).attr("text-anchor", "end").text("ratio ρ");
  const plain = svg.append("path").attr("class", "line thin");
  const curve = svg.append("path").attr("class", "line");
  const term = (r) => Math.min(r * state.adv, clamp(r, 1 - state.eps, 1 + state.eps) * state.adv);
  const isFlat = (r) => (state.adv > 0 && r > 1 + state.eps) || (state.adv < 0 && r < 1 - state.eps);
  const values = () => ({ term: term(state.rho), slope: isFlat(state.rho) ? 0 : state.rho * state.adv });
  const point = handle(svg, "ratio", (px) => set({ rho: clamp(x.invert(px), 0, 2) }),
    (dx, dy) => set({ rho: clamp(state.rho + (dx + dy) * 0.05, 0, 2) }));
  const tools = part(box, "tools");
  const eps = slider(tools, "ε", [0.05, 0.5, 0.01], state.eps, (v) => set({ eps: v }));
  button(tools, "Switch the sign of A", () => set({ adv: -state.adv }));
  const show = readout(part(box, "values"));
  const line = d3.line((r) => x(r), (r) => y(term(r)));

  function set(change) {
    Object.assign(state, change);
    eps.value = state.eps;
    const grid = d3.range(0, 2.001, 0.01);
    curve.attr("d", line(grid));
    plain.attr("d", d3.line((r) => x(r), (r) => y(r * state.adv))(grid));
    const [from, to] = state.adv > 0 ? [1 + state.eps, 2] : [0, 1 - state.eps];
    flat.attr("x", x(from)).attr("width", x(to) - x(from));
    point.at(x(state.rho), y(term(state.rho)), state.rho);
    const v = values();
    show([["ratio ρ", state.rho], ["A", state.adv], ["ε", state.eps], ["objective", v.term], ["slope in log π", v.slope]]);
  }
  set({});
  return { set, values, state };
});
