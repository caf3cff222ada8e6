"""An estimator and a loss as one objective: what is passed on, and what it follows."""

import pytest
import torch

from numerics import descend, objective
from numerics.check.composition import composed
from numerics.errors import UnusableInput
from numerics.families import sample
from numerics.objectives import references


def part(name: str, **constants):
    return objective(references()[name].function, constants=constants)


def test_it_is_the_loss_of_the_estimated_advantages() -> None:
    known = references()
    both = composed(part("ppo_clip", clip=0.1), advantages=part("group_mean"))
    x = sample("group_policy", B=5, T=3)
    data = {name: x[name] for name in ("logp", "logp_old", "rewards", "group", "mask")}
    adv = known["group_mean"].function(x["rewards"], x["group"], x["mask"])
    expected = known["ppo_clip"].function(x["logp"], x["logp_old"], adv, x["mask"], clip=0.1)
    assert float(both(**data)) == pytest.approx(float(expected), rel=1e-12)
    assert both.family == "group_policy"


def test_no_gradient_flows_through_the_estimators() -> None:
    both = composed(part("reinforce"), rewards=part("rlhf_token_reward", beta=0.3))
    logp = torch.tensor([[-1.0, -2.0]], dtype=torch.float64, requires_grad=True)
    ref, mask = torch.tensor([[-1.5, -1.0]]).double(), torch.ones(1, 2).double()
    value = both(logp=logp, logp_ref=ref, adv=torch.tensor([2.0]).double(), mask=mask)
    (gradient,) = torch.autograd.grad(value, logp)
    reward = 2.0 - 0.3 * float((logp.detach() - ref).sum())
    assert gradient.tolist() == [[pytest.approx(-reward), pytest.approx(-reward)]]


@pytest.mark.parametrize("length", [1, 2])
def test_a_penalty_in_the_reward_follows_the_sequence_divergence(length: int) -> None:
    """Not the token version, which is what a penalty in the loss follows."""
    both = composed(part("reinforce"), rewards=part("rlhf_token_reward", beta=0.05))
    found = {t.gradient: t.coefficient for t in descend(both, length=length).terms}
    assert found == pytest.approx({"E[r]": -1.0, "KL(pi||ref)": 0.05})


def test_a_penalty_with_the_wrong_sign_is_seen() -> None:
    def rewarded(logp, logp_ref, score, mask):
        last = torch.zeros_like(mask)
        last[:, 0] = score
        return last + 0.05 * (logp - logp_ref) * mask

    both = composed(part("reinforce"), rewards=objective(rewarded))
    found = {t.gradient: t.coefficient for t in descend(both).terms}
    assert found == pytest.approx({"E[r]": -1.0, "KL(pi||ref)": -0.05})


def test_a_penalty_in_the_reward_of_a_group() -> None:
    parts = {
        "advantages": part("group_leave_one_out"),
        "rewards": part("rlhf_token_reward", beta=0.1),
    }
    both = composed(part("reinforce"), **parts)
    found = {t.gradient: t.coefficient for t in descend(both, group_size=3).terms}
    assert found == pytest.approx({"E[r]": -1.0, "KL(pi||ref)": 0.1})


def test_parts_of_another_family_are_refused() -> None:
    with pytest.raises(UnusableInput, match="the group_advantage family"):
        composed(part("reinforce"), advantages=part("dpo"))
    with pytest.raises(UnusableInput, match="the policy family"):
        composed(part("value_clip"), advantages=part("group_mean"))
    with pytest.raises(UnusableInput, match="a constant beta"):
        composed(part("reinforce"), rewards=part("rlhf_token_reward"))
