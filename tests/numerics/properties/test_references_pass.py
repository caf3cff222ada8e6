"""No property flags a reference objective, with its defaults and with each of its options."""

import pytest

from numerics import check, objective
from numerics.objectives import Reference, references

REFERENCES = references()
# Other values of options, where they are more than a number that may be anything.
OTHERS = {
    "reduce": ("token-mean", "seq-mean-token-sum", "seq-mean-token-mean"),
    "clip_high": (0.28,),
    "dual": (3.0,),
    "log_ratio_clamp": (20.0,),
    "beta": (0.04, 0.5),
    "kind": ("k1", "k2", "k3"),
    "guard": (1e-8,),
    "label_smoothing": (0.1,),
    "deviation": ("population", "sample"),
    "pairs": ("mean", "none"),
    "value_limit": (0.2,),
}
COMBINED = [
    (name, option, value)
    for name, reference in REFERENCES.items()
    for option in reference.options
    for value in OTHERS.get(option, ())
    if value != reference.options[option]
]


def flagged(reference: Reference, **constants: object) -> list[str]:
    report = check(objective(reference.function, constants=constants), seeds=2)
    wrong = ("fail", "inconclusive")
    return [f"{f.property}: {f.message}" for f in report.findings if f.verdict in wrong]


@pytest.mark.parametrize("name", REFERENCES)
def test_a_reference_passes(name: str) -> None:
    assert flagged(REFERENCES[name]) == []


@pytest.mark.long
@pytest.mark.parametrize(("name", "option", "value"), COMBINED)
def test_a_reference_passes_with_an_option(name: str, option: str, value: object) -> None:
    assert flagged(REFERENCES[name], **{option: value}) == []
