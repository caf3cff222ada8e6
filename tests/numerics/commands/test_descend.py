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
