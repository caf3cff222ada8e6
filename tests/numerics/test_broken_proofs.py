"""Each of the six named proofs with one broken line: the command names the step and the line, shows
both sides, and gives a model in which they differ."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from derivations.library import find
from numerics.cli import app

# theorem, the line, the slip
SLIPS = {
    "performance_difference": (
        "over(d2, gain) - over(d2, gain_of_a_step)",
        "over(d2, gain) + over(d2, gain_of_a_step)",
    ),
    "surrogate_agrees_to_first_order": (
        "claim(Derivative(J(theta) - J(theta0) - L(theta), theta, theta0, 0)",
        "claim(Derivative(J(theta) - J(theta0) + L(theta), theta, theta0, 0)",
    ),
    "tilted_reference_is_the_unique_optimum": (
        '("=", beta * log(Z) - beta * KL(p, star, y), by(value))',
        '("=", beta * log(Z) - KL(p, star, y), by(value))',
    ),
    "partition_function_cancels_in_preferences": (
        '("=", sigmoid(margin(star)), by(cancels))',
        '("=", sigmoid(-margin(star)), by(cancels))',
    ),
    "k3_is_unbiased_and_nonnegative": (
        "Sum(p(a) * nonzero(q(a)), a) - 1 + mean(k1)",
        "Sum(p(a) * nonzero(q(a)), a) + 1 + mean(k1)",
    ),
    "relative_entropy_is_locally_the_fisher_quadratic": (
        "claim(Derivative(forward(v), v, theta0, 0)",
        "claim(Derivative(forward(v), v, theta0, 1)",
    ),
}


@pytest.mark.parametrize("name", SLIPS)
def test_the_message_has_a_model_with_both_values(name: str, tmp_path: Path) -> None:
    right, wrong = SLIPS[name]
    source = Path(find(name).file).read_text(encoding="utf-8")
    assert source.count(right) == 1
    file = tmp_path / "slip_derivation.py"
    file.write_text(source.replace(right, wrong), encoding="utf-8")
    at = 1 + source[: source.index(right)].count("\n")
    result = CliRunner().invoke(app, ["prove", str(file)])
    said = result.stdout
    assert result.exit_code == 1, said
    found = re.search(r"step \d+ is refused \(.*, line (\d+)\)", said)
    assert found and 0 <= int(found[1]) - at <= 3, said  # the line of its by(...)
    assert re.search(r"^ *left: +\S", said, re.M) and re.search(r"^ *right: +\S", said, re.M), said
    values = re.search(
        r"it fails in a model \(.*\): left (\S+), right (\S+?)\.?$", said, re.M | re.S
    )
    assert values and values[1].rstrip(",") != values[2], said
