"""`proofgrad regions`: the printed table, JSON keys, refusals."""

import json
from pathlib import Path

import pytest

from numerics.commands import regions

CLIPPED = """
@objective(like="ppo_clip", clip=0.2)
def clipped(logp, logp_old, adv, mask):
    raise AssertionError
"""


def test_the_table_is_printed(write, capsys) -> None:
    assert regions.run(write(CLIPPED)) == 0
    out = capsys.readouterr().out
    assert "rho > 1.2 " in out and "flat" in out
    assert "kink at rho = 0.8 (A < 0): dL/dlogp 0 | 0.8 A" in out
    assert "pessimistic: L <= rho A for every rho > 0 and both signs of A: yes" in out


def test_json_names_what_was_decided(write, capsys) -> None:
    assert regions.run(write(CLIPPED), option=["clip=0.3"], as_json=True) == 0
    (found,) = json.loads(capsys.readouterr().out)["objectives"]
    assert found["specification"] == "ppo_clip(clip=0.3)"
    assert [r["rho"] for r in found["regions"]][1] == "rho > 13/10"
    assert all(d["holds"] for d in found["decided"])


def test_a_penalty_is_left_out_and_said(write, capsys) -> None:
    assert regions.run(write(CLIPPED), like="grpo") == 0
    assert "the penalty in logp_ref is left out" in capsys.readouterr().out


def test_what_is_not_decided_is_not_called_false(write, capsys) -> None:
    assert regions.run(write(CLIPPED), like="cispo") == 0
    assert "not decided: L holds logp itself" in capsys.readouterr().out


def test_fractions_without_end_and_exponentials_stay_exact(write, capsys) -> None:
    assert regions.run(write(CLIPPED), like="gmpo", option=["clip=0.3"]) == 0
    assert "kink at rho = exp(0.3) = 1.35 (A > 0)" in capsys.readouterr().out
    assert regions.run(write(CLIPPED), like="sapo", option=["tau_pos=3"]) == 0
    assert "4 A/(3 (exp(3 - 3 rho) + 1))" in capsys.readouterr().out


def test_a_plot_is_written(write, capsys) -> None:
    assert regions.run(write(CLIPPED), plot="clipped.svg") == 0
    assert "rho > 1.2 " in capsys.readouterr().out
    assert Path("clipped.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("text", "plot", "told"),
    [
        (CLIPPED, "clipped.png", "a name in .svg"),
        (CLIPPED, "absent/clipped.svg", "cannot write the plot"),
        (CLIPPED + CLIPPED.replace("clipped", "other"), "both.svg", "name one"),
    ],
)
def test_a_plot_that_cannot_be_written_is_refused(write, capsys, text, plot, told) -> None:
    assert regions.run(write(text), plot=plot) == 2
    assert told in capsys.readouterr().err


def test_the_command_is_registered(write, proofgrad) -> None:
    result = proofgrad("regions", write(CLIPPED))
    assert result.exit_code == 0
    assert "ppo_clip(clip=0.2)" in result.stdout
