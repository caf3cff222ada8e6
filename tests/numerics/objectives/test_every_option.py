"""Every option of every reference objective at several values: torch beside its specification.

The specification is the kernel term where there is one; what stands around it (reduction, guard,
norm, pairs, spread, a response alone) is written out here row by row, without the project's own
reductions.
"""

import inspect
from collections.abc import Mapping
from typing import Any

import pytest
import torch
from torch import Tensor

from numerics.families import families
from numerics.families.preference import per_response, per_token_mean
from numerics.objectives import reference, references
from numerics.row_terms import evaluate_rows, responses
from numerics.token_terms import evaluate

VALUES: Mapping[str, tuple[Any, ...]] = {
    "clip": (0.15, 0.35),
    "clip_high": (0.1, 0.45),
    "dual": (1.5, 4.0),
    "log_ratio_clamp": (0.3, 5.0),
    "kl_log_ratio_clamp": (0.3, 5.0),
    "kl_value_clamp": (0.01, 10.0),
    "value_clamp": (0.01, 10.0),
    "reduce": (
        "token-mean",
        "seq-mean-token-sum",
        "seq-mean-token-mean",
        "seq-mean-token-sum-norm",
    ),
    "guard": (1e-8, 0.5),
    "norm": (3.0,),
    "beta": (0.05, 0.7),
    "kind": ("k1", "k2", "k3"),
    "ratio": ("none", "differentiable", "frozen"),
    "kl_ratio": ("none", "differentiable", "frozen"),
    "log_ratio_cap": (0.05, 1.5),
    "lowest": (0.0, 0.8),
    "highest": (1.1, 5.0),
    "tau_pos": (0.5, 2.0),
    "tau_neg": (0.5, 2.0),
    "coefficient": (0.5,),
    "scale": (1.0,),
    "value_limit": (0.05, 0.3),
    "value_weight": (0.0, 0.7),
    "entropy_weight": (0.0, 0.2),
    "margin": (-0.5, 0.5),
    "label_smoothing": (0.1, 0.4),
    "gamma": (0.0, 0.5),
    "weight": (0.0, 0.3),
    "weight_w": (0.5, 1.5),
    "weight_l": (0.5, 1.5),
    "point": (-0.5, 0.5),
    "pairs": ("mean", "none"),
    "spread": ("response", "tokens"),
    "alone": ("zero", "reward"),
    "deviation": ("sample", "population"),
}
ELSEWHERE = {("gae", "output"), ("gspo", "level")}  # below, and in test_policy_specifications
BESIDE = {"norm": {"reduce": "seq-mean-token-sum-norm"}}
DEFAULTS = {"gspo": {"clip": 0.2, "clip_high": 0.3}, "luspo": {"clip": 0.2, "clip_high": 0.3}}
FIXED = {"bnpo": "token-mean", "dapo": "token-mean", "dr_grpo": "seq-mean-token-sum-norm"}
ROWS, AVERAGED = {"gspo", "luspo", "gmpo"}, {"simpo", "orpo"}
CASES = [
    (name, option, value)
    for name, known in references().items()
    for option in known.options
    if (name, option) not in ELSEWHERE
    for value in VALUES[option]
]


def by_rows(values: Tensor, mask: Tensor, options: Mapping[str, Any]) -> Tensor:
    """A reduction, written as a sum over rows."""
    how, guard = options["reduce"], options.get("guard") or 0.0
    kept = [row for row in range(len(mask)) if bool(mask[row].any())]
    sums = [sum(values[row, t] for t in mask[row].nonzero().flatten().tolist()) for row in kept]
    counts = [float(mask[row].sum()) for row in kept]
    if how == "token-mean":
        return sum(sums) / (sum(counts) + guard)  # pyright: ignore[reportReturnType]
    if how == "seq-mean-token-mean":
        sums = [s / (n + guard) for s, n in zip(sums, counts, strict=True)]
    total = sum(sums) / len(kept)
    norm = options.get("norm") or mask.shape[1]
    return total / norm if how == "seq-mean-token-sum-norm" else total  # pyright: ignore[reportReturnType]


def expected(name: str, options: dict[str, Any], x: Mapping[str, Tensor]) -> Tensor:
    """The objective from its kernel term and what stands around it."""
    known = reference(name)
    specification = known.specification
    assert specification is not None
    everything = {**known.options, **options}
    inner = inspect.signature(specification).parameters
    term = specification(**{k: v for k, v in everything.items() if k in inner})
    if known.family in ("preference", "reward_model"):
        combined = per_token_mean if name in AVERAGED else per_response
        pairs = {k: combined(v, x.get(f"mask_{k[-1]}", v)) for k, v in x.items() if k[:4] != "mask"}
        values = evaluate(term, pairs)
        return values if everything["pairs"] == "none" else values.sum() / len(values)
    if known.family == "group_advantage":
        return around_groups(
            evaluate_rows(term, {"reward": x["rewards"]}, responses(x)), x, everything
        )
    if known.family == "whiten":
        return whitened(term, x)
    if known.family == "entropy":
        laws = {"p": torch.softmax(x["logits"], -1).flatten(0, 1)}
        return by_rows(
            evaluate_rows(term, {}, laws).reshape(x["mask"].shape), x["mask"], everything
        )
    if name in ROWS:
        tables = {key: x[key] for key in ("logp", "logp_old", "mask")}
        tokens = x["mask"].sum(-1)
        shares = tokens / (tokens + everything.get("guard", 0.0))
        return (shares * evaluate_rows(term, {"adv": x["adv"]}, tables)).mean()
    values = evaluate(term, x)
    how = everything.get("reduce", FIXED.get(name))
    return values if how == "none" else by_rows(values, x["mask"], {**everything, "reduce": how})


def around_groups(term: Tensor, x: Mapping[str, Tensor], options: Mapping[str, Any]) -> Tensor:
    """A response alone gets zero or its reward; one number a response, or one at each token."""
    alone = (x["group"][:, None] == x["group"][None, :]).sum(-1) == 1
    other = x["rewards"] if options["alone"] == "reward" else torch.zeros_like(term)
    equal = torch.stack(
        [
            (x["rewards"][x["group"] == g] == r).all()
            for g, r in zip(x["group"], x["rewards"], strict=True)
        ]
    )
    rows = torch.where(alone, other, torch.where(equal, 0.0, term))
    return rows if options["spread"] == "response" else rows[:, None] * x["mask"]


def whitened(term: Any, x: Mapping[str, Tensor]) -> Tensor:
    numbers, counts = x["x"].flatten(), x["mask"].flatten()
    size = numbers.numel()
    tables = {"rewards": numbers.expand(size, -1), "same": counts.expand(size, -1)}
    return evaluate_rows(term, {"reward": numbers}, tables).reshape(x["mask"].shape) * x["mask"]


def sampled(name: str, seed: int, regime: str) -> dict[str, Tensor]:
    known = reference(name)
    x = families()[known.family].sample({"B": 5, "T": 4, "V": 5}, seed, regime)
    return {**x, "adv": x["adv"][:, 0]} if name in ROWS else x


@pytest.mark.parametrize(("name", "option", "value"), CASES, ids=str)
def test_value_and_gradient(name: str, option: str, value: Any) -> None:
    known = reference(name)
    family = families()[known.family]
    names = (family.differentiated, *family.also)
    if name == "rloo":
        return rloo_by_loops({option: value, **BESIDE.get(option, {})})
    if name == "accumulated_gradient":
        return accumulated_by_loops({option: value, **BESIDE.get(option, {})})
    beside = {} if name in FIXED else BESIDE.get(option, {})
    options = {**DEFAULTS.get(name, {}), **beside, option: value}
    for seed, regime in ((0, "near"), (1, "moderate"), (2, "far")):
        x = sampled(name, seed, regime)
        leaves = {key: x[key].clone().requires_grad_() for key in names}
        given = {**x, **leaves}
        if (name, option) == ("gmpo", "guard"):
            both = known.evaluate(given, options), guarded_gmpo(given, value)
        else:
            both = known.evaluate(given, options), expected(name, options, given)
        assert torch.allclose(*both, rtol=1e-9, atol=1e-11)
        if not family.held:
            same_gradients(both, leaves)


def same_gradients(both: tuple[Tensor, Tensor], leaves: Mapping[str, Tensor]) -> None:
    """In every argument that is trained."""
    for leaf in leaves.values():
        found = [
            torch.autograd.grad(v.sum(), leaf, allow_unused=True, retain_graph=True)[0]
            if v.requires_grad
            else None
            for v in both
        ]
        mine, other = (torch.zeros_like(leaf) if g is None else g for g in found)
        assert torch.allclose(mine, other, rtol=1e-9, atol=1e-11 * (1 + float(mine.abs().max())))


def guarded_gmpo(x: Mapping[str, Tensor], guard: float) -> Tensor:
    """Both means of a response are over its tokens plus the guard."""
    rows = []
    for row in range(len(x["adv"])):
        kept = x["mask"][row] > 0
        gap, adv = (x["logp"] - x["logp_old"])[row][kept], x["adv"][row]
        limited = gap.clamp(max=0.4) if float(adv) > 0 else gap.clamp(min=-0.4)
        tokens = len(gap) + guard
        rows.append(-(adv * len(gap) / tokens) * (limited.sum() / tokens).exp())
    return torch.stack(rows).mean()


def rloo_by_loops(options: Mapping[str, Any]) -> None:
    for seed, regime in ((0, "near"), (1, "moderate"), (2, "far")):
        x = sampled("rloo", seed, regime)
        adv = torch.zeros_like(x["rewards"])
        for i in range(len(adv)):
            others = [j for j in range(len(adv)) if x["group"][j] == x["group"][i] and j != i]
            if others:
                adv[i] = x["rewards"][i] - x["rewards"][others].mean()
        leaf = x["logp"].clone().requires_grad_()
        full = {**reference("rloo").options, **options}
        both = (
            reference("rloo").evaluate({**x, "logp": leaf}, options),
            by_rows(-adv[:, None] * leaf, x["mask"], full),
        )
        assert torch.allclose(*both, rtol=1e-12, atol=1e-14)
        same_gradients(both, {"logp": leaf})


def accumulated_by_loops(options: Mapping[str, Any]) -> None:
    family = families()["accumulation"]
    full = {**reference("accumulated_gradient").options, **options}
    for seed in range(3):
        x = family.sample(family.shapes[-1], seed, "moderate")
        leaf = x["weight"].clone().requires_grad_()
        errors = (x["features"] @ leaf - x["targets"]) ** 2
        loss = by_rows(errors.flatten(0, 1), x["mask"].flatten(0, 1), full)
        wanted = torch.autograd.grad(loss, leaf)[0]
        assert torch.allclose(reference("accumulated_gradient").evaluate(x, options), wanted)


@pytest.mark.parametrize("output", ["both", "advantages", "returns"])
def test_the_outputs_of_gae(output: str) -> None:
    x = families()["gae"].sample({"B": 3, "T": 6}, 1, "moderate")
    both = reference("gae").evaluate(x, {})
    wanted = {"both": both, "advantages": both[0], "returns": both[1]}[output]
    assert torch.equal(reference("gae").evaluate(x, {"output": output}), wanted)
    kept = x["mask"] > 0
    assert torch.allclose((both[1] - both[0])[kept], x["values"][kept])


def test_the_token_level_of_gspo_weighs_each_token_by_its_own_advantage() -> None:
    known, options = reference("gspo"), {"level": "token", "clip": 0.9, "clip_high": 9.0}
    x = families()["policy"].sample({"B": 3, "T": 5}, 0, "near")
    leaf = x["logp"].clone().requires_grad_()
    found = torch.autograd.grad(known.evaluate({**x, "logp": leaf}, options), leaf)[0]
    tokens = x["mask"].sum(-1, keepdim=True)
    s = (((x["logp"] - x["logp_old"]) * x["mask"]).sum(-1, keepdim=True) / tokens).exp()
    assert torch.allclose(found, -s * x["adv"] * x["mask"] / tokens / 3, rtol=1e-12)


def test_every_option_is_tried() -> None:
    tried = {(name, option) for name, option, _ in CASES} | ELSEWHERE
    assert tried == {(n, o) for n, known in references().items() for o in known.options}


def test_another_value_of_an_option_would_be_seen() -> None:
    for name, option, one, two in (
        ("ppo_clip", "clip", 0.15, 0.16),
        ("grpo", "beta", 0.05, 0.051),
        ("reinforce", "reduce", "token-mean", "seq-mean-token-mean"),
        ("group_normalised", "deviation", "sample", "population"),
    ):
        x = sampled(name, 1, "moderate")
        found = reference(name).evaluate(x, {option: one})
        assert not torch.allclose(found, expected(name, {option: two}, x), rtol=1e-6)
