"""Advantages of groups and over time, RLOO, pass@k: terms or theorems beside torch."""

from itertools import combinations

import pytest
import torch
from torch import Tensor

from numerics import check
from numerics.errors import UnusableInput
from numerics.families import families
from numerics.objective import objective
from numerics.objectives import reference
from numerics.objectives.gae import gae
from numerics.objectives.group_mean import group_mean
from numerics.objectives.rloo import rloo
from numerics.row_terms import evaluate_rows, responses

SHAPE = {"B": 9, "T": 4}
GROUPS = [
    ("group_mean", {}),
    ("group_leave_one_out", {}),
    ("group_normalised", {}),
    ("group_normalised", {"deviation": "population"}),
    ("group_normalised", {"guard": 1e-4}),
]
ESTIMATORS = [
    "whiten",
    "group_mean",
    "group_leave_one_out",
    "group_normalised",
    "gae",
    "pass_at_k",
    "rloo",
]


def not_alone(group: Tensor) -> Tensor:
    """Which rows share their prompt."""
    return (group[:, None] == group[None, :]).sum(-1) > 1


@pytest.mark.parametrize("regime", ["near", "moderate", "far"])
@pytest.mark.parametrize(("name", "options"), GROUPS, ids=str)
def test_term_and_torch_of_groups(name: str, options: dict, regime: str) -> None:
    known = reference(name)
    assert known.specification is not None
    for seed in range(3):
        x = families()["group_advantage"].sample(SHAPE, seed, regime)
        leaf = x["rewards"].clone().requires_grad_()
        tables = responses({**x, "rewards": leaf})
        term = evaluate_rows(known.specification(**options), {"reward": leaf}, tables)
        value = known.evaluate({**x, "rewards": leaf}, options)
        kept = not_alone(x["group"])
        assert torch.allclose(value[kept], term[kept], rtol=1e-9, atol=1e-10)
        assert value[~kept].tolist() == [0.0] * int((~kept).sum())
        if regime == "near":  # no group of equal rewards, where the deviation has a kink
            weights = torch.arange(1.0, 10.0, dtype=torch.float64)
            both = [torch.autograd.grad((weights * v)[kept].sum(), leaf)[0] for v in (value, term)]
            assert torch.allclose(*both, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("regime", ["near", "moderate"])
def test_term_and_torch_of_rloo(regime: str) -> None:
    known = reference("rloo")
    assert known.specification is not None
    for seed in range(3):
        x = families()["group_policy"].sample(SHAPE, seed, regime)
        leaf = x["logp"].clone().requires_grad_()
        tables = {**responses(x), "logp": leaf, "mask": x["mask"]}
        term = evaluate_rows(known.specification(), {"reward": x["rewards"]}, tables).mean()
        value = known.evaluate({**x, "logp": leaf}, {})
        gradients = [torch.autograd.grad(v, leaf)[0] for v in (value, term)]
        assert torch.allclose(value, term, rtol=1e-12, atol=1e-14)
        assert torch.allclose(*gradients, rtol=1e-12, atol=1e-14)
        assert float(gradients[0].abs().max()) > 0


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_reference_passes_every_basic_property(name: str) -> None:
    known = reference(name)
    only = ("gradient_is_consistent", "ignores_masked_tokens", "matches_the_specification")
    report = check(objective(known.function, like=name), seeds=2, only=only)
    assert (report.family, report.verdict) == (known.family, "pass"), report.findings
    assert "matches_the_specification" in {f.property for f in report.findings}
    assert report.coverage


def verdict(loss: object, **declared: object) -> str:
    """Of the specification alone."""
    only = ("matches_the_specification",)
    return check(objective(loss, **declared), only=only).verdict  # pyright: ignore[reportArgumentType]


def test_groups_as_libraries_write_them() -> None:
    @torch.no_grad()
    def by_scatter(rewards, group, mask, correction=1, eps=1e-6):
        advantages = torch.zeros_like(rewards)
        for number in group.tolist():
            members = group == number
            if int(members.sum()) > 1:
                mean, std = rewards[members].mean(), rewards[members].std(correction=correction)
                advantages[members] = (rewards[members] - mean) / (std + eps)
        return advantages[:, None] * mask

    def population(rewards, group, mask):
        return by_scatter(rewards, group, mask, correction=0)

    def consecutive(rewards, group):  # wrong: members of a group need not stand together
        return rewards - rewards.mean()

    claim = {"like": "group_normalised", "guard": 1e-6, "spread": "tokens"}
    assert verdict(by_scatter, **claim) == "pass"
    assert verdict(population, **claim) == "fail"
    assert verdict(population, deviation="population", **claim) == "pass"
    assert verdict(consecutive, like="group_mean") == "fail"


def generalised(rewards, values, mask, gamma, lam, cut=True):
    """Written backwards over columns, as for responses of one episode each."""
    found, running = [], torch.zeros_like(rewards[:, 0])
    for t in reversed(range(rewards.shape[1])):
        more = mask[:, t + 1] if t + 1 < rewards.shape[1] else torch.zeros_like(running)
        following = values[:, t + 1] if t + 1 < rewards.shape[1] else torch.zeros_like(running)
        following = following * more if cut else following
        running = rewards[:, t] + gamma * following - values[:, t] + gamma * lam * more * running
        found.append(running)
    advantages = torch.stack(found[::-1], 1) * mask
    return advantages, (advantages + values) * mask


def test_episodes_as_libraries_write_them() -> None:
    def leaking(rewards, values, mask, gamma, lam):
        return generalised(rewards, values, mask, gamma, lam, cut=False)

    def undiscounted(rewards, values, mask):
        return generalised(rewards, values, mask, 1.0, 0.95)

    def plain(rewards, values, mask, gamma, lam):
        return generalised(rewards, values, mask, gamma, lam)

    assert verdict(plain, like="gae") == "pass"
    assert verdict(leaking, like="gae") == "fail"  # V of the padding behind the last step
    assert verdict(plain, like="gae", returns=0, output="advantages") == "pass"
    assert verdict(plain, like="gae", returns=1, output="returns") == "pass"
    assert verdict(plain, like="gae", returns=1, output="advantages") == "fail"
    numbers = {"gamma": 1.0, "lam": 0.95}
    assert verdict(plain, like="gae", constants=numbers) == "pass"
    assert verdict(undiscounted, like="gae") == "fail"  # gamma and lambda are sampled


def test_ends_of_both_kinds_are_told_apart() -> None:
    def as_terminated(rewards, values, next_values, terminated, truncated, mask, gamma, lam):
        ended = terminated + truncated
        return gae(rewards, values, next_values, ended, 0 * ended, mask, gamma, lam)

    def across(rewards, values, next_values, terminated, truncated, mask, gamma, lam):
        return gae(rewards, values, next_values, terminated, 0 * truncated, mask, gamma, lam)

    assert verdict(as_terminated, like="gae") == "fail"
    assert verdict(across, like="gae") == "fail"


def test_gae_is_the_telescoped_sum() -> None:
    """A_t = sum_l (gamma lam)^l delta_{t+l} up to the end of the episode."""
    x = families()["gae"].sample({"B": 4, "T": 8}, 2, "moderate")
    gamma, lam = 0.9, 0.7
    found = gae(**{**x, "gamma": gamma, "lam": lam}, output="advantages")  # pyright: ignore[reportArgumentType]
    delta = x["rewards"] + gamma * (1 - x["terminated"]) * x["next_values"] - x["values"]
    ended = (x["terminated"] + x["truncated"]) > 0
    for row in range(4):
        length = int(x["mask"][row].sum())
        for t in range(length):
            ends = [u for u in range(t, length) if bool(ended[row, u])] or [length - 1]
            total = sum(
                (gamma * lam) ** (u - t) * float(delta[row, u]) for u in range(t, ends[0] + 1)
            )
            assert float(found[row, t]) == pytest.approx(total, rel=1e-12, abs=1e-13)


def test_pass_at_k_counts_subsets() -> None:
    for n, c, k in [(5, 2, 2), (6, 0, 3), (6, 6, 3), (5, 1, 5), (6, 4, 3)]:
        subsets = [*combinations(range(n), k)]
        right = sum(any(i < c for i in subset) for subset in subsets) / len(subsets)
        assert float(reference("pass_at_k").function(n, c, k)) == pytest.approx(right, rel=1e-14)


def test_pass_at_k_by_products_and_the_biased_one() -> None:
    def by_product(n: int, c: int, k: int) -> float:
        if n - c < k:
            return 1.0
        missed = 1.0
        for i in range(n - c + 1, n + 1):
            missed *= 1 - k / i
        return 1 - missed

    def plugged_in(n: int, c: int, k: int) -> float:
        return 1 - (1 - c / n) ** k

    assert verdict(by_product, like="pass_at_k") == "pass"
    assert verdict(plugged_in, like="pass_at_k") == "fail"


def test_rloo_with_rewards_that_carry_a_gradient_is_refused() -> None:
    def own_mean(logp, rewards, group, mask):
        adv = rewards.clone()
        for number in group.tolist():
            adv[group == number] -= rewards[group == number].mean()
        return -(adv * (logp * mask).sum(-1)).mean()

    assert verdict(own_mean, like="rloo") == "fail"  # short by (K - 1) / K

    x = families()["group_policy"].sample(SHAPE, 0, "near")
    rewards = x["rewards"].clone().requires_grad_()
    loss = rloo(x["logp"].requires_grad_(), rewards, x["group"], x["mask"])
    assert torch.autograd.grad(loss, rewards, allow_unused=True) == (None,)


def test_options_of_groups_are_known() -> None:
    x = families()["group_advantage"].sample(SHAPE, 0, "far")
    for options in ({"alone": "one"}, {"spread": "rows"}):
        with pytest.raises(UnusableInput):
            group_mean(x["rewards"], x["group"], x["mask"], **options)
    with pytest.raises(UnusableInput):
        reference("group_normalised").evaluate(x, {"deviation": "biased"})
    with pytest.raises(UnusableInput):
        reference("gae").evaluate(families()["gae"].sample(SHAPE, 0, "near"), {"output": "all"})
