// The map: the statement of what is pointed at, its neighbours, and a filter by axiom.
// Material replaces pages without loading them anew, so every page visit starts here again.
(function () {
  function start() {
    const map = document.querySelector(".map");
    if (!map || map.dataset.ready) return;
    map.dataset.ready = "yes";
    const said = document.getElementById("map-said");
    const nodes = [...map.querySelectorAll(".node")];
    const edges = [...map.querySelectorAll("path[data-from]")];
    for (const node of nodes) {
      node.dataset.said = node.title;
      const tell = () => {
        said.textContent = node.textContent.trim() + ": " + node.dataset.said;
        const id = node.dataset.id;
        for (const e of edges) e.classList.toggle("on", e.dataset.from === id || e.dataset.to === id);
      };
      node.addEventListener("mouseenter", tell);
      node.addEventListener("focus", tell);
    }
    const choice = document.getElementById("map-axiom");
    choice.closest(".map-tools").hidden = false;
    choice.addEventListener("change", () => {
      const kept = new Set();
      for (const node of nodes) {
        const keep = !choice.value || node.dataset.axioms.split(" ").includes(choice.value);
        node.classList.toggle("dim", !keep);
        if (keep) kept.add(node.dataset.id);
      }
      for (const e of edges) {
        e.classList.toggle("dim", !(kept.has(e.dataset.from) && kept.has(e.dataset.to)));
      }
    });
  }
  if (typeof document$ !== "undefined") document$.subscribe(start);
  else document.addEventListener("DOMContentLoaded", start);
})();
