"""The normal form is fast where binders may be exchanged, and blind to the hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from sympy import Mul

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.terms import (
    REAL,
    Fn,
    Var,
)
from tests.derivations.kernel.applying import F, G, X, a, b

ROOT = Path(__file__).parents[3]


def zero(e: Any, *facts: K.Formula) -> bool:
    return Normaliser(facts).is_zero(e)


def S(body: Any, *vs: Var) -> Any:
    return total(body, list(vs) or [a])


def total(body: Any, vs: list[Var]) -> Any:
    for v in vs:
        body = B.bind_sum(body, v, v.sort)
    return body


# --- speed, and independence of the hash seed


def test_seven_interchangeable_binders_are_fast() -> None:
    start = time.perf_counter()
    assert zero(S(F(a)) ** 7 - S(F(b), b) ** 7)
    distinct = [Fn(f"f{j}", REAL, X)(a) for j in range(7)]
    assert zero(Mul(*map(S, distinct)) - Mul(*map(S, reversed(distinct))))
    chain = [Var(f"v{j}", X) for j in range(7)]
    ring = Mul(*[G(chain[j], chain[(j + 1) % 7]) for j in range(7)])
    turned = Mul(*[G(chain[(j + 3) % 7], chain[(j + 4) % 7]) for j in range(7)])
    assert zero(total(ring, chain) - total(turned, chain[::-1]))
    assert time.perf_counter() - start < 3


PRINT = """
from tests.derivations.kernel.test_normal import *
import json
from derivations.kernel.certificate import content_hash
from derivations.library import find
from derivations.tactics.theorem import prove
for seed in range(60):
    t, facts = some(seed)
    print(Normaliser(facts).term(t))
for name in ("zero_sum_has_zero_terms", "a_mean_of_positives_is_positive"):
    proof = prove(find(name))
    print(proof.status, proof.main)
"""


def test_nothing_depends_on_the_hash_seed() -> None:
    def run(seed: str) -> str:
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        made = subprocess.run(
            [sys.executable, "-c", PRINT],
            env=env,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert made.returncode == 0, made.stderr
        return made.stdout

    first, second = run("1"), run("2")
    assert first.count("proved") == 2
    assert hashlib.sha256(first.encode()).digest() == hashlib.sha256(second.encode()).digest(), [
        pair
        for pair in zip(first.splitlines(), second.splitlines(), strict=True)
        if pair[0] != pair[1]
    ][:3]
