"""`proofgrad descend`: the line of mathematics, exit status, JSON keys, contradicted claims."""

import json

import pytest

K3 = """
@objective
def k3_loss(logp, logp_old, logp_ref, adv, mask):
    ratio = torch.exp(logp - logp_old)
    surrogate = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    gap = logp_ref - logp
    per_token = 0.04 * (gap.exp() - 1 - gap) - surrogate
    return (per_token * mask).sum(-1).mean()
"""


def test_a_k3_loss_at_length_one(write, run) -> None:
    status, out, _ = run("descend", write(K3), length=1, as_json=True)
    assert status == 0
    (answer,) = json.loads(out)["objectives"]
    assert list(answer) == [
        "objective",
        "sampling",
        "length",
        "terms",
        "residual",
        "resolved",
        "theorems",
    ]
    assert answer["objective"] == "k3_loss"
    assert answer["sampling"] == "on-policy"
    assert answer["length"] == 1
    assert [t["gradient"] for t in answer["terms"]] == ["E[r]", "KL(ref||pi)"]
    assert [t["coefficient"] for t in answer["terms"]] == pytest.approx([-1, 0.04], abs=1e-12)
    assert answer["residual"] < 1e-10
    assert answer["resolved"] is True


def test_a_k3_loss_at_length_two_follows_the_token_version(write, run) -> None:
    status, out, _ = run("descend", write(K3), length=2, as_json=True)
    (answer,) = json.loads(out)["objectives"]
    assert status == 0
    assert [t["gradient"] for t in answer["terms"]] == ["E[r]", "tKL(ref||pi)"]
    assert [t["coefficient"] for t in answer["terms"]] == pytest.approx([-1, 0.04], abs=1e-12)
    assert answer["residual"] < 1e-10


def test_both_lengths_as_text(write, run) -> None:
    status, out, _ = run("descend", write(K3))
    assert status == 0
    assert "grad L = -1 grad E[r] + 0.04 grad KL(ref||pi)" in out
    assert "grad L = -1 grad E[r] + 0.04 grad tKL(ref||pi)" in out


def test_a_contradicted_claim_is_false(write, run) -> None:
    text = K3.replace("@objective", '@objective(claims=["E[r]", "KL(pi||ref)"])')
    status, out, _ = run("descend", write(text), length=1)
    assert status == 1
    assert "WARNING claimed to follow E[r], KL(pi||ref); it follows E[r], KL(ref||pi)" in out


def test_a_contradicted_like_is_false(write, run) -> None:
    text = K3.replace(
        "@objective", '@objective(like="grpo", kind="k2", reduce="seq-mean-token-sum")'
    )
    status, out, _ = run("descend", write(text), length=1)
    assert status == 1
    assert "0.04 grad KL(pi||ref)" in out


def test_not_resolved_is_inconclusive(write, run) -> None:
    text = "@objective\ndef odd(logp, adv, mask):\n    return (logp**3 * adv * mask).sum()\n"
    status, out, _ = run("descend", write(text), length=1)
    assert status == 3
    assert "not resolved" in out
    status, out, _ = run("descend", write(text), length=1, as_json=True)
    assert json.loads(out)["objectives"][0]["resolved"] is False


@pytest.mark.parametrize(
    ("text", "flags", "word"),
    [
        (K3, {"length": 3}, "length 1 or 2"),
        (K3, {"sampling": "offline"}, "off-policy"),
        ("@objective\ndef f(logp, adv): return logp * adv", {}, "scalar"),
        ("@objective\ndef f(logp, adv): return (logp * adv).sum() / 0", {}, "inf"),
        ("@objective\ndef f(logp, adv): return 1 / 0", {}, "ZeroDivisionError"),
        ("@objective\ndef f(logp, adv): return (logp * adv).sum().detach()", {}, "no gradient"),
        ("@objective\ndef f(logp, adv): return (logp * adv.mul_(2)).sum()", {}, "in place"),
    ],
)
def test_unusable_input(text: str, flags: dict, word: str, write, run) -> None:
    status, out, err = run("descend", write(text), **flags)
    assert status == 2
    assert out == ""
    assert word in err


ADDED = """
@objective
def cubed(logp, adv, mask):
    return (logp**3 * mask).sum(-1).mean() + 0 * adv.sum()

def log3(world, sampling):
    logs = torch.log_softmax(world.policy[0], -1)
    return (logs.detach().exp() * logs**3).sum()

def half_a_vector(world, sampling):
    return world.policy[0][:1]
"""


def test_a_gradient_of_the_users_own(write, run) -> None:
    name = write(ADDED)
    status, out, _ = run("descend", f"{name}:cubed", length=1, gradient=[f"E[log^3]={name}:log3"])
    assert status == 0
    assert "grad L = 1 grad E[log^3]" in out
    assert run("descend", f"{name}:cubed", length=1)[0] == 3  # without it nothing explains it


@pytest.mark.parametrize(
    ("text", "word"),
    [("E[x]", "NAME=FILE.py:function"), ("x={}:half_a_vector", "a vector of 3"), ("x={}:no", "no")],
)
def test_an_added_gradient_that_cannot_be_used(text: str, word: str, write, run) -> None:
    name = write(ADDED)
    added = [text.format(name)]
    status, _, err = run("descend", f"{name}:cubed", length=1, gradient=added)
    assert status == 2
    assert word in err


def test_an_estimator_before_the_loss(write, run) -> None:
    text = """
def best_of(rewards, group, mask, scale):
    return scale * (rewards - torch.stack([rewards[group == g].mean() for g in group]))

@objective
def plain(logp, adv, mask):
    return -(logp * adv * mask).sum() / len(mask)
"""
    name = write(text)
    flags = {"length": 1, "as_json": True}
    status, out, _ = run("descend", name, advantages=f"{name}:best_of,scale=2.0", **flags)
    (answer,) = json.loads(out)["objectives"]
    assert status == 0
    assert answer["objective"] == "best_of, then plain"
    assert answer["group_size"] == 4 and answer["weights"] == []
    assert answer["terms"] == [{"gradient": "E[r]", "coefficient": pytest.approx(-1.5)}]
    status, out, _ = run("descend", name, advantages="group_normalised", **flags)
    (answer,) = json.loads(out)["objectives"]
    assert [t["gradient"] for t in answer["terms"]] == ["w_4(p) E[r]"]
    assert all(w["weight"] == pytest.approx(w["known"]) for w in answer["weights"])
    status, out, _ = run("descend", name, rewards="rlhf_token_reward,beta=0.5", length=1)
    assert "grad L = -1 grad E[r] + 0.5 grad KL(pi||ref)" in out


@pytest.mark.parametrize(
    ("flags", "word"),
    [
        ({"advantages": "nothing"}, "group_leave_one_out"),
        ({"advantages": "dpo"}, "the group_advantage family"),
        ({"rewards": "rlhf_token_reward"}, "a constant beta"),
    ],
)
def test_an_estimator_that_cannot_stand_there(flags: dict, word: str, write, run) -> None:
    status, _, err = run("descend", write(K3), **flags)
    assert status == 2
    assert word in err
