"""Certificates written by hand, node by node and step by step."""

from __future__ import annotations

import json
from typing import Any

import pytest

from derivations.kernel.certificate import FORMAT, Unusable, content_hash, replay_text
from derivations.kernel.terms import Refused

Node = list[Any]


class Forger:
    """Writes a node table and steps; terms are node numbers."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.steps: list[list[Any]] = []
        self.real = self.node("Named", "real")
        self.natural = self.node("Named", "natural")
        self.zero, self.one = self.node("Q", "0", "1"), self.node("Q", "1", "1")
        self.x = self.node("Var", "x", self.real)
        self.true = self.node("Eq", self.x, self.x)
        self.false = self.node("Lt", self.zero, self.zero)

    def node(self, *parts: Any) -> int:
        self.nodes.append([*parts])
        return len(self.nodes) - 1

    def step(self, rule: Any, args: Any, premises: Any, concl: Any) -> int:
        self.steps.append([rule, args, premises, concl])
        return len(self.steps) - 1

    def reflexive(self, t: int) -> int:
        same = self.node("Eq", t, t)
        return self.step("normal_form", {"left": {"t": t}, "right": {"t": t}}, [], same)

    def text(self, formula: int, step: int, given: tuple[int, ...] = (), **more: Any) -> str:
        body = {
            "name": "forged",
            "hypotheses": [*given],
            "says": [["part", formula, step]],
            "well_defined": [],
            "axioms": [],
            "nodes": self.nodes,
            "steps": self.steps,
            **more,
        }
        h = content_hash(body)
        return json.dumps({"format": FORMAT, "main": h, "bodies": {h: body}})


def rejected(text: str) -> str:
    """Refused or unusable: any other exception, or success, fails the test."""
    with pytest.raises((Refused, Unusable)) as caught:
        replay_text(text)
    return str(caught.value)
