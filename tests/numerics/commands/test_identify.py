"""`proofgrad identify`: the line that is printed, exit status, JSON keys."""

import json

from numerics.commands import identify

LOSS = """
@objective
def loss(logp, logp_old, adv, mask):
    ratio = torch.exp(logp - logp_old)
    surrogate = torch.min(ratio * adv, ratio.clamp(0.9, 1.1) * adv)
    return -(surrogate * mask).sum() / mask.sum()
"""


def test_a_known_loss_is_named(write, capsys) -> None:
    assert identify.run(write(LOSS)) == 0
    out = capsys.readouterr().out
    assert out.startswith("loss = ") and "ppo_clip(clip=0.1)\n" in out


def test_an_unknown_loss_is_inconclusive(write, capsys) -> None:
    text = LOSS.replace("torch.min(", "torch.max(")
    assert identify.run(write(text), as_json=True) == 3
    (found,) = json.loads(capsys.readouterr().out)["objectives"]
    assert found["equal"] is False
    assert found["difference"].startswith("sample (B=2, T=4, V=8), seed 0")


def test_unusable_input_is_refused(write, capsys) -> None:
    assert identify.run(write(LOSS.replace("adv, mask", "adv, weights"))) == 2
    assert "weights" in capsys.readouterr().err


def test_the_command_is_registered(proofgrad) -> None:
    assert proofgrad("identify", "--help").exit_code == 0


GROUPED = """
@objective
def centred(rewards, group):
    return rewards - torch.stack([rewards[group == g].mean() for g in group])

@objective
def over_all(rewards, group):
    return rewards - rewards.mean()
"""


def test_what_is_held_fixed_is_compared_in_value_only(write, capsys) -> None:
    name = write(GROUPED)
    assert identify.run(f"{name}:centred") == 0
    out = capsys.readouterr().out
    assert out.startswith("centred = group_mean()\n  in value; ")
    assert identify.run(f"{name}:over_all") == 3
    out = capsys.readouterr().out
    assert "over_all equals none of" in out
    assert "closest: group_" in out and "values differ by" in out
    assert "first difference: sample (B=5, T=3), seed 0" in out
