"""Reference objectives: values by hand, gradients by theory, options that all change something."""

import pytest
import torch

from numerics.errors import UnusableInput
from numerics.families import families, sample
from numerics.objectives import reference, references
from numerics.objectives.dual_clip import dual_clip
from numerics.objectives.grpo import grpo
from numerics.objectives.kl_penalty import ESTIMATORS, WEIGHTS, kl_penalty
from numerics.objectives.ppo_clip import ppo_clip

ONE = torch.ones(1, 1, dtype=torch.float64)


def weight(function, ratio: float, adv: float, **options) -> float:
    """-d loss / d log pi at one token."""
    logp = torch.log(torch.tensor([[ratio]], dtype=torch.float64)).requires_grad_()
    loss = function(logp, 0 * ONE, adv * ONE, ONE, **options)
    return -torch.autograd.grad(loss, logp)[0].item() if loss.requires_grad else 0.0


@pytest.mark.parametrize(
    ("ratio", "adv", "expected"),
    [
        (1.1, 2.0, 2.2),
        (1.3, 2.0, 0.0),
        (0.5, 2.0, 1.0),
        (0.9, -2.0, -1.8),
        (0.7, -2.0, 0.0),
        (5.0, -2.0, -10.0),
    ],
)
def test_the_clip_has_the_gradient_of_the_theorem(
    ratio: float, adv: float, expected: float
) -> None:
    assert weight(ppo_clip, ratio, adv) == pytest.approx(expected)


def test_the_dual_clip_stops_only_bad_actions_beyond_it() -> None:
    assert weight(dual_clip, 5.0, -2.0) == 0.0
    assert weight(dual_clip, 2.9, -2.0) == pytest.approx(-5.8)
    assert weight(dual_clip, 0.7, -2.0) == 0.0
    for ratio in (0.5, 0.9, 1.1, 1.3, 5.0):
        assert weight(dual_clip, ratio, 2.0) == weight(ppo_clip, ratio, 2.0)


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize("ratio", WEIGHTS)
def test_estimators_by_their_formulas(kind: str, ratio: str) -> None:
    x = sample("kl", seed=2, B=3, T=5)
    u = x["logp_ref"] - x["logp"]
    value = {"k1": -u, "k2": u**2 / 2, "k3": u.exp() - 1 - u}[kind]
    rho = 1.0 if ratio == "none" else (x["logp"] - x["logp_old"]).exp()
    found = kl_penalty(x["logp"], x["logp_old"], x["logp_ref"], x["mask"], kind=kind, ratio=ratio)
    assert torch.allclose(found, rho * value, rtol=1e-14)


def test_k3_is_never_negative_and_zero_at_equality() -> None:
    x = sample("kl", seed=0, regime="far", B=4, T=9)
    assert bool((kl_penalty(x["logp"], x["logp_old"], x["logp_ref"], x["mask"]) >= 0).all())
    same = kl_penalty(x["logp"], x["logp"], x["logp"], x["mask"])
    assert float(same.abs().max()) == 0.0


def test_grpo_is_the_clip_plus_the_penalty() -> None:
    x = sample("policy", seed=3, B=3, T=6)
    whole = grpo(x["logp"], x["logp_old"], x["logp_ref"], x["adv"], x["mask"], reduce="token-mean")
    clip = ppo_clip(x["logp"], x["logp_old"], x["adv"], x["mask"])
    penalty = kl_penalty(x["logp"], x["logp_old"], x["logp_ref"], x["mask"], reduce="token-mean")
    assert float(whole) == pytest.approx(float(clip + 0.04 * penalty), rel=1e-13)


def test_advantages_per_response_are_spread_over_its_tokens() -> None:
    x = sample("policy", seed=3, B=3, T=6)
    per_token = x["adv"][:, :1].expand(3, 6)
    for function in (ppo_clip, dual_clip):
        one = function(x["logp"], x["logp_old"], x["adv"][:, 0], x["mask"])
        assert torch.equal(one, function(x["logp"], x["logp_old"], per_token, x["mask"]))


# Other values of each option; the first that is not the default is tried.
CHANGES = {
    "clip": (0.1, 0.15),
    "clip_high": (0.45,),
    "dual": (1.5,),
    "log_ratio_clamp": (5.0,),
    "kl_log_ratio_clamp": (5.0,),
    "kl_value_clamp": (10.0,),
    "value_clamp": (10.0,),
    "reduce": ("seq-mean-token-sum", "token-mean"),
    "guard": (0.5,),
    "beta": (0.2,),
    "kind": ("k2",),
    "ratio": ("differentiable",),
    "kl_ratio": ("differentiable",),
    "norm": (3.0,),
    "log_ratio_cap": (0.2,),
    "lowest": (0.8,),
    "highest": (1.5,),
    "tau_pos": (2.0,),
    "tau_neg": (2.0,),
    "coefficient": (0.5,),
    "scale": (1.0,),
    "value_limit": (0.1,),
    "value_weight": (0.7,),
    "entropy_weight": (0.2,),
    "margin": (0.5,),
    "label_smoothing": (0.1,),
    "gamma": (0.5,),
    "weight": (0.3,),
    "weight_w": (0.5,),
    "weight_l": (0.5,),
    "point": (0.5,),
    "pairs": ("none",),
    "spread": ("tokens",),
    "alone": ("reward",),
    "deviation": ("population",),
    "output": ("returns",),
}
ONLY_THE_GRADIENT = {("gspo", "level")}


def _changes(known, x, option: str) -> bool:
    other = next(value for value in CHANGES[option] if value != known.options[option])
    beside = {"reduce": "seq-mean-token-sum-norm"} if option == "norm" else {}
    beside = {name: value for name, value in beside.items() if name in known.options}
    plain, changed = known.evaluate(x, beside), known.evaluate(x, {**beside, option: other})
    return changed.shape != plain.shape or not torch.equal(changed, plain)


@pytest.mark.parametrize("name", references())
def test_every_option_changes_something(name: str) -> None:
    known = reference(name)
    family = families()[known.family]
    samples = [family.sample(family.shapes[-1], seed, "far") for seed in range(5)]
    for option in known.options:
        if (name, option) not in ONLY_THE_GRADIENT:
            assert any(_changes(known, x, option) for x in samples), option


def test_unknown_names_and_options() -> None:
    x = sample("policy", B=2, T=3)
    with pytest.raises(UnusableInput, match="unknown objective"):
        reference("ppo")
    with pytest.raises(UnusableInput, match="no option eps"):
        reference("ppo_clip").evaluate(x, {"eps": 0.1})
    for options in ({"kind": "k4"}, {"kl_ratio": "yes"}, {"reduce": "mean"}, {"dual": 0.5}):
        with pytest.raises(UnusableInput):
            reference("grpo").evaluate(x, options)
