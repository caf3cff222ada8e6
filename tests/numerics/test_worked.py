"""An example that is computed satisfies the hypotheses and shows both sides of every part."""

import math
import re

from derivations import prove
from derivations.language import syntax as L
from derivations.language.reasons import given
from derivations.library import catalogue
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from numerics.worked import worked

a = L.members("A", "a")
p, q = L.functions("p q", "A")
x, y = L.reals("x", "y")
known = {t.name.rpartition(".")[2]: t for t in catalogue()}


def fractions(text: str) -> list[float]:
    parts = [s.split("/") for s in text.split(", ")]
    return [float(s[0]) / float(s[1]) if len(s) > 1 else float(s[0]) for s in parts]


def test_a_model_of_the_hypotheses_with_both_sides() -> None:
    found = worked(prove(known["relative_entropy_to_uniform_is_missing_entropy"]))
    assert found is not None
    (row,) = found.rows
    values = re.search(r"π = \(([^)]*)\)", found.model)
    assert values
    pi = fractions(values[1])
    assert abs(sum(pi) - 1) < 1e-9
    kl = sum(v * math.log(v * len(pi)) for v in pi if v)
    assert row.left == row.right
    assert abs(float(row.left) - kl) < 1e-4
    assert kl > 0  # not the trivial case


def test_an_inequality_is_shown_where_it_is_strict() -> None:
    found = worked(prove(known["total_variation_is_bounded_by_relative_entropy"]))
    assert found is not None
    assert [r.relation for r in found.rows] == ["≤", "≤"]
    assert all(fractions(r.left)[0] < fractions(r.right)[0] for r in found.rows)


def test_limits_and_slopes_are_shown_too() -> None:
    found = worked(prove(known["powers_of_the_discount_vanish"]))
    assert found is not None
    assert [(r.left, r.relation, r.right) for r in found.rows] == [
        ("0", "→", "0"),
        ("4/3", "→", "4/3"),
    ]
    assert found.model == "γ = 1/4"


def test_a_sum_that_alternates_is_not_taken_for_its_limit() -> None:
    found = worked(prove(known["advantage_has_mean_zero"]))
    assert found is not None
    assert [(r.left, r.right) for r in found.rows] == [("0", "0")]


def test_an_implication_is_shown_where_something_is_assumed() -> None:
    found = worked(prove(known["square_is_zero_only_at_zero"]))
    assert found is not None
    assert [(r.at, r.left, r.right) for r in found.rows] == [("x = 0", "0", "0")]


@theorem(
    says=lambda: {"any": L.Equal(x, y)},
    given=[given(L.Less(x**2, 0), "x² < 0")],
)
def of_nothing():
    claim(L.Equal(x, y), by())


def test_hypotheses_without_a_model_have_no_example() -> None:
    assert worked(prove(of_nothing)) is None


def test_the_same_theorem_gives_the_same_example() -> None:
    proof = prove(known["bradley_terry_ignores_prompt_shifts"])
    assert worked(proof) == worked(proof)
