"""A loss equals its claim or differs visibly; equivalent forms pass, neighbours do not."""

import pytest
import torch

from numerics import check
from numerics.errors import UnusableInput
from numerics.families.logits import token_logp
from numerics.objective import objective
from numerics.objectives.dual_clip import dual_clip
from numerics.objectives.grpo import grpo
from numerics.objectives.kl_penalty import kl_penalty
from numerics.objectives.ppo_clip import ppo_clip

NAME = "matches_the_specification"


def finding(loss, seeds: int = 2, **declared):
    report = check(objective(loss, **declared), only=(NAME,), seeds=seeds)
    return report.findings[0]


def maximum_of_negatives(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    loss = torch.maximum(-ratio * adv, -ratio.clamp(0.8, 1.2) * adv)
    return (loss * mask).sum() / mask.sum()


def clipped_by_sign(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    objective = torch.minimum(ratio * adv, torch.where(adv > 0, 1.2, 0.8) * adv)
    return -(objective * mask).sum() / mask.sum()


def one_sided(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    limited = torch.where(adv >= 0, ratio.clamp(max=1.2), ratio.clamp(min=0.8))
    return -(limited * adv * mask).sum() / mask.sum()


def negated(logp, logp_old, adv, mask):
    """Costs instead of log-probabilities."""
    ratio = ((-logp_old) - (-logp)).exp()
    return -(torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)[mask.bool()]).mean()


EQUIVALENT = [maximum_of_negatives, clipped_by_sign, one_sided, negated]


@pytest.mark.parametrize("loss", EQUIVALENT, ids=lambda f: f.__name__)
def test_equivalent_forms_of_the_clip_pass(loss) -> None:
    assert finding(loss, seeds=10, like="ppo_clip").verdict == "pass"


def _wrong(change):
    def loss(logp, logp_old, adv, mask):
        ratio = change.get("ratio", lambda a, b: (a - b).exp())(logp, logp_old)
        pick = change.get("pick", torch.minimum)
        limited = change.get("clip", lambda r: r.clamp(0.8, 1.2))(ratio)
        total = (pick(ratio * adv, limited * adv) * mask).sum()
        return change.get("sign", -1) * total / change.get("count", lambda m: m.sum())(mask)

    return loss


WRONG = {
    "maximum": {"pick": torch.maximum},
    "inverted ratio": {"ratio": lambda a, b: (b - a).exp()},
    "no clip": {"clip": lambda r: r},
    "clip at 0.1": {"clip": lambda r: r.clamp(0.9, 1.1)},
    "sign": {"sign": 1},
    "padded count": {"count": lambda m: m.numel()},
    "rows": {"count": lambda m: m.shape[0]},
    "detached": {"ratio": lambda a, b: (a - b).exp().detach() + 0 * a},
    "only the upper side": {"clip": lambda r: r.clamp(max=1.2)},
}


@pytest.mark.parametrize("name", WRONG)
def test_neighbours_of_the_clip_are_refused(name: str) -> None:
    loss = _wrong(WRONG[name])
    found = finding(loss, like="ppo_clip")
    assert found.verdict == "fail"
    assert found.counterexample is not None
    assert found.counterexample["loss"] != found.counterexample["specification"]
    assert finding(_wrong({}), like="ppo_clip").verdict == "pass"


@pytest.mark.parametrize(
    ("changed", "hint"),
    [
        ({"reduce": "seq-mean-token-sum"}, "reduce='seq-mean-token-sum'"),
        ({"log_ratio_clamp": 20.0}, "log_ratio_clamp=20.0"),
        ({"kind": "k2"}, "kind='k2'"),
        ({"kl_value_clamp": 10.0}, "kl_value_clamp=10.0"),
        ({"kl_ratio": "differentiable"}, "kl_ratio='differentiable'"),
        ({"dual": 3.0}, "dual=3.0"),
    ],
)
def test_the_option_that_would_make_it_equal_is_named(changed: dict, hint: str) -> None:
    def loss(logp, logp_old, logp_ref, adv, mask):
        return grpo(logp, logp_old, logp_ref, adv, mask, **changed)

    found = finding(loss, like="grpo")
    assert found.verdict == "fail"
    assert f"it would be equal with {hint}" in found.notes
    assert finding(loss, like="grpo", **changed).verdict == "pass"


@pytest.mark.parametrize("guard", [1e-8, 1e-6])
def test_a_guard_in_the_denominator_is_explained_not_refused(guard: float) -> None:
    def loss(logp, logp_old, adv, mask):
        objective = ppo_clip(logp, logp_old, adv, mask) * mask.sum()
        return objective / (mask.sum() + guard)

    found = finding(loss, like="ppo_clip")
    assert found.verdict == "pass"
    assert f"a guard of {guard:g}" in found.message


def test_an_on_policy_loss_without_old_log_probabilities() -> None:
    def loss(logp, adv, mask):
        return -((logp - logp.detach()).exp() * adv * mask).sum() / mask.sum()

    assert finding(loss, like="ppo_clip").verdict == "pass"


def test_from_logits_with_temperature() -> None:
    def loss(logits, labels, logp_old, adv, mask):
        return dual_clip(token_logp(logits / 0.7, labels), logp_old, adv, mask)

    assert finding(loss, like="dual_clip", temperature=0.7).verdict == "pass"
    assert finding(loss, like="dual_clip").verdict == "fail"


def test_a_penalty_per_token() -> None:
    def mine(logp, logp_ref):
        return (logp_ref - logp).exp() - 1 - (logp_ref - logp)

    assert finding(mine, like="kl_penalty", kind="k3").verdict == "pass"
    assert finding(mine, like="kl_penalty", kind="k2").verdict == "fail"
    swapped = lambda logp, logp_ref: (logp - logp_ref).exp() - 1 - (logp - logp_ref)
    assert finding(swapped, like="kl_penalty", kind="k3").verdict == "fail"


def test_a_specification_as_a_torch_function() -> None:
    def mine(logp, logp_ref):
        return kl_penalty(logp, logp, logp_ref, torch.ones_like(logp), kind="k2")

    right = lambda logp, logp_ref: 0.5 * (logp - logp_ref) ** 2
    assert finding(mine, spec=right).verdict == "pass"
    assert finding(mine, spec=lambda logp, logp_ref: (logp - logp_ref) ** 2).verdict == "fail"


def test_without_a_claim_nothing_is_judged() -> None:
    assert finding(maximum_of_negatives).verdict == "not_applicable"


def test_unreadable_claims() -> None:
    penalty = lambda logp, logp_ref: (logp - logp_ref) ** 2
    with pytest.raises(UnusableInput, match="not"):
        finding(penalty, like="grpo")
    with pytest.raises(UnusableInput, match="both"):
        finding(penalty, like="kl_penalty", spec=penalty)


def test_the_reproduction_has_five_lines_and_runs(capsys) -> None:
    import sys
    import types

    module = types.ModuleType("five_lines")
    loss = _wrong(WRONG["maximum"])
    loss.__module__ = "five_lines"
    vars(module)["loss"] = loss
    sys.modules["five_lines"] = module
    found = finding(loss, like="ppo_clip")
    assert found.counterexample is not None
    lines = found.counterexample["reproduction"]
    assert len(lines.splitlines()) == 5
    exec(compile(lines, "reproduction", "exec"), {})
    assert "tensor(" in capsys.readouterr().out
    del sys.modules["five_lines"]
