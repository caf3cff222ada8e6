"""Writing proofs down: terms as node numbers, rule arguments as JSON (the kernel reads them)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Basic, Rational

from derivations.kernel import terms as K
from derivations.kernel.certificate import HEADS
from derivations.kernel.terms import Term, need

Node = list[Any]


class Table:
    """Terms to node numbers; equal terms share a number."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._seen: dict[Term, int] = {}

    def number(self, e: Term) -> int:
        """The number of e, adding it and what it needs."""
        if e not in self._seen:
            node = self._node(e)
            self._seen[e] = len(self.nodes)
            self.nodes.append(node)
        return self._seen[e]

    def _node(self, e: Term) -> Node:
        if isinstance(e, Rational):
            return ["Q", str(e.p), str(e.q)]
        if isinstance(e, K.Var):
            need(isinstance(e.tag, str), "{} has no name that can be written down", e)
            return ["Var", e.tag, self.number(e.sort)]
        if isinstance(e, K.Bound):
            return ["Bound", str(e.tag), self.number(e.sort)]
        if isinstance(e, (K.Named, K.Fin)):
            return [type(e).__name__, e.name]
        if isinstance(e, K.Fn):
            return ["Fn", e.name, *[self.number(s) for s in e.args[1:]]]
        need(HEADS.get(type(e).__name__) is type(e), "{} cannot be written down", e)
        return [type(e).__name__, *[self.number(x) for x in e.args]]


def encode(x: Any, table: Table) -> Any:
    """A rule's argument as JSON: terms by number, lists, maps, strings and integers."""
    if isinstance(x, Basic):
        return {"t": table.number(x)}
    if isinstance(x, Mapping):
        return {"m": [[table.number(k), table.number(v)] for k, v in x.items()]}
    if isinstance(x, (list, tuple)):
        return [encode(y, table) for y in x]
    need(x is None or isinstance(x, (str, int)), "{} is not an argument", x)
    return x
