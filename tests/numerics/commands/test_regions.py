"""`proofgrad regions`: the printed table, JSON keys, refusals."""

import json

from numerics.commands import regions

CLIPPED = """
@objective(like="ppo_clip", clip=0.2)
def clipped(logp, logp_old, adv, mask):
    raise AssertionError
"""


def test_the_table_is_printed(write, capsys) -> None:
    assert regions.run(write(CLIPPED)) == 0
    out = capsys.readouterr().out
    assert "rho > 6/5" in out and "flat" in out
    assert "kink at rho = 4/5 (A < 0): dL/dlogp 0 | 4*A/5" in out
    assert "pessimistic: L <= rho A for every rho > 0 and both signs of A: yes" in out


def test_json_names_what_was_decided(write, capsys) -> None:
    assert regions.run(write(CLIPPED), option=["clip=0.3"], as_json=True) == 0
    (found,) = json.loads(capsys.readouterr().out)["objectives"]
    assert found["specification"] == "ppo_clip(clip=0.3)"
    assert [r["rho"] for r in found["regions"]][1] == "rho > 13/10"
    assert all(d["holds"] for d in found["decided"])


def test_a_penalty_is_refused_with_a_hint(write, capsys) -> None:
    assert regions.run(write(CLIPPED), like="grpo") == 2
    assert "--option beta=0" in capsys.readouterr().err


def test_the_command_is_registered(write, proofgrad) -> None:
    result = proofgrad("regions", write(CLIPPED))
    assert result.exit_code == 0
    assert "ppo_clip(clip=0.2)" in result.stdout
