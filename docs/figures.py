"""The figures' data and check values, from the functions that the lessons' numbers come from.

Each figure has `data`, which it draws, and `checks`: states with the values that Python computes
there; the browser test puts the figure into each state and compares its read-out.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

TITLES = {
    "surrogate": "The surrogate against the true improvement",
    "clip": "The clipped objective",
    "tree": "Token rewards add up to the penalised score",
    "tilted": "What the penalty's weight buys",
    "group": "Advantages within a group",
    "penalty": "What a divergence penalty follows",
}
Check = dict[str, Any]
REWARDS = (0.0, 1.0, 2.0)
REFERENCE = (0.5, 0.3, 0.2)
FIRST, SECOND = (0.6, 0.4), ((0.7, 0.3), (0.2, 0.8))
REF_FIRST, REF_SECOND = (0.5, 0.5), ((0.5, 0.5), (0.6, 0.4))
SCORES = ((0.2, 0.8), (0.5, 1.0))
POLICY, KL_REFERENCE = (0.5, 0.3, 0.2), (0.2, 0.3, 0.5)


def figure_files() -> dict[str, str]:
    """Name and JSON text of every figure's file."""
    makers: dict[str, Callable[[], dict[str, Any]]] = {
        "surrogate": surrogate,
        "clip": clip,
        "tree": tree,
        "tilted": tilted,
        "group": group,
        "penalty": penalty,
    }
    return {name: json.dumps(_rounded(make()), indent=None) for name, make in makers.items()}


def _rounded(x: Any) -> Any:
    """Twelve digits: enough for every comparison, and the same on every machine."""
    if isinstance(x, float):
        return float(f"{x:.12g}") + 0.0
    if isinstance(x, dict):
        return {key: _rounded(value) for key, value in x.items()}
    return [_rounded(value) for value in x] if isinstance(x, (list, tuple)) else x


def _law(*values: float) -> Any:
    import torch

    return torch.tensor(values, dtype=torch.float64)


def surrogate() -> dict[str, Any]:
    """The two-state problem at 121 steps along the unit policy gradient."""
    from numerics.lessons import two_state

    steps = [i / 40 for i in range(121)]
    rows: dict[str, list[float]] = {"t": steps}
    for name, f in {
        "surrogate": two_state.surrogate,
        "gain": two_state.gain,
        "divergence": two_state.divergence_from_old,
        "quadratic": two_state.quadratic,
    }.items():
        rows[name] = [float(f(_law(t)[0])) for t in steps]
    checks = [
        {"state": {"step": i}, "values": {k: v[i] for k, v in rows.items()}} for i in (10, 80)
    ]
    return {"data": rows, "checks": checks}


def clip() -> dict[str, Any]:
    """Value and slope of the reference objective, by autograd."""
    from numerics.objectives.ppo_clip import clipped_surrogate

    checks: list[Check] = []
    for rho, adv, eps in ((1.5, 1, 0.2), (0.6, 1, 0.2), (1.1, -1, 0.2), (0.5, -1, 0.3)):
        logp = _law(rho).log().requires_grad_()
        term = clipped_surrogate(logp.exp(), _law(adv), eps).sum()
        term.backward()
        assert logp.grad is not None
        values = {"term": term.item(), "slope": logp.grad.item()}
        checks.append({"state": {"rho": rho, "adv": adv, "eps": eps}, "values": values})
    return {"data": {}, "checks": checks}


def tree() -> dict[str, Any]:
    """Token rewards of two-token responses."""
    import torch

    from numerics.lessons.token_rewards import token_rewards

    checks: list[Check] = []
    for a, b, beta in ((0, 0, 0.1), (0, 1, 0.5), (1, 0, 0.05), (1, 1, 1.0)):
        logp = _law(FIRST[a], SECOND[a][b]).log()
        ref = _law(REF_FIRST[a], REF_SECOND[a][b]).log()
        score = SCORES[a][b]
        rewards = token_rewards(
            logp[None], ref[None], _law(score), torch.ones(1, 2).double(), beta=beta
        )[0]
        ratios = logp - ref
        values = {
            "log_ratios": ratios.tolist(),
            "rewards": rewards.tolist(),
            "token_sum": rewards.sum().item(),
            "penalised": score - beta * ratios.sum().item(),
        }
        checks.append({"state": {"response": f"{a},{b}", "beta": beta}, "values": values})
    policy = {"first": FIRST, "second": SECOND}
    reference = {"first": REF_FIRST, "second": REF_SECOND}
    return {"data": {"policy": policy, "reference": reference, "scores": SCORES}, "checks": checks}


def tilted() -> dict[str, Any]:
    """The optimum of E[r] - beta KL."""
    from numerics.lessons.tilted import optimum

    checks: list[Check] = []
    for rewards, beta in ((REWARDS, 1.0), (REWARDS, 0.1), ((1.0, 1.0, 0.5), 3.0)):
        best = optimum(_law(*REFERENCE), _law(*rewards), beta)
        values = {
            "policy": best.policy.tolist(),
            "reward": best.reward.item(),
            "divergence": best.divergence.item(),
            "value": best.value.item(),
        }
        checks.append({"state": {"rewards": rewards, "beta": beta}, "values": values})
    return {"data": {"reference": REFERENCE, "rewards": REWARDS}, "checks": checks}


def group() -> dict[str, Any]:
    """Three ways to centre the rewards of a group."""
    from numerics.lessons.group_advantages import centred, leave_one_out, normalised

    checks: list[Check] = []
    for rewards in ((1.0, 0.0, 0.0, 0.0), (0.8, 0.2, 0.5, 0.9)):
        r = _law(*rewards)
        ways = {"centred": centred, "leave_one_out": leave_one_out, "normalised": normalised}
        values = {name: way(r).tolist() for name, way in ways.items()}
        checks.append({"state": {"rewards": rewards}, "values": values})
    return {"data": {"rewards": (0.8, 0.2, 0.5, 0.4)}, "checks": checks}


def penalty() -> dict[str, Any]:
    """Expected gradients in the logits, on policy and with the samples held fixed, by autograd."""
    import torch

    from numerics.lessons.divergence import relative_entropy
    from numerics.objectives.kl_penalty import estimator

    def gradient(f: Callable[[Any], Any]) -> list[float]:
        logits = _law(*POLICY).log().requires_grad_()
        f(torch.log_softmax(logits, -1)).backward()
        assert logits.grad is not None
        return logits.grad.tolist()

    ref, held = _law(*KL_REFERENCE), _law(*POLICY)
    known = {
        "reverse": gradient(lambda logp: relative_entropy(logp.exp(), ref)),
        "forward": gradient(lambda logp: relative_entropy(ref, logp.exp())),
    }
    checks: list[Check] = []
    for kind in ("k1", "k2", "k3"):
        for ratio in ("no", "yes"):

            def loss(logp: Any, kind: str = kind, ratio: str = ratio) -> Any:
                weight = logp.exp() / held if ratio == "yes" else 1.0
                return (held * weight * estimator(logp, ref.log(), kind)).sum()

            state = {"policy": POLICY, "reference": KL_REFERENCE, "kind": kind, "ratio": ratio}
            checks.append({"state": state, "values": {"followed": gradient(loss), **known}})
    return {"data": {"policy": POLICY, "reference": KL_REFERENCE}, "checks": checks}
