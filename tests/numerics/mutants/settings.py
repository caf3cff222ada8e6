"""Options, shapes and claims under which each reference objective and its mutants are judged.

The claims are what the objective's author would declare: its reduction, its direction, its scale.
A mutant is judged under the first setting in which it differs from the original.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numerics.families import families
from numerics.objectives import reference
from numerics.reductions import REDUCTIONS


@dataclass(frozen=True)
class Use:
    """One way to use an objective. What `options` leaves open has its default."""

    options: Mapping[str, Any] = field(default_factory=dict)
    claims: tuple[str, ...] = ()
    shapes: Mapping[str, str] = field(default_factory=dict)


ROWS = {"adv": "B"}
PAIRS: Mapping[str, str] = dict.fromkeys(("logp_w", "logp_l", "ref_w", "ref_l"), "B")
AVERAGED: Mapping[str, str] = dict.fromkeys(("logp_w", "logp_l"), "B")
SMOOTH = {"clip": 0.2, "clip_high": 0.3}  # GSPO's own limits clip nearly every response


def policy(*options: Mapping[str, Any], claims: tuple[str, ...] = ()) -> tuple[Use, ...]:
    """Advantages per token, then per response; then further options."""
    first, *others = options or ({},)
    uses = (Use(first, claims), Use(first, claims, ROWS))
    return (*uses, *(Use(other, claims) for other in others))


def reductions(options: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """The options with each reduction."""
    return [{**(options or {}), "reduce": name} for name in REDUCTIONS]


LOGISTIC = ("logistic", "beta^0", "pair-mean", "saturates")
SQUARED = ("beta^-2", "pair-mean", "lowest at 5", "25 at equality")
FORWARD, REVERSE = ("E[r]", "KL(ref||pi)"), ("E[r]", "KL(pi||ref)")
NEARBY, WEIGHTED = ("a divergence",), ("a divergence", "unbiased", "samples from old")
TERMS = ("value weight 0.5", "entropy weight 0.01")
OTHER = {"clip": 0.1, "clip_high": 0.3}  # no defaults, so that an option that is lost shows
EVEN = ("one weight a response",)
USES: Mapping[str, tuple[Use, ...]] = {
    "reinforce": policy({}, {"reduce": "token-mean"}),
    "gpg": policy(),
    "trpo_surrogate": (
        *policy(claims=("clip none",)),
        Use({"log_ratio_clamp": 4.0}, ("clip 0.018316 to 54.59815",)),  # e^-4 and e^4
    ),
    "ppo_clip": policy({"clip": 0.2, "clip_high": 0.3}, *reductions(), {"log_ratio_clamp": 4.0}),
    "dual_clip": policy({}, {"clip_high": 0.3}, {"log_ratio_clamp": 4.0, "dual": 4.0}),
    "dapo": policy(OTHER, {"log_ratio_clamp": 4.0}),
    "bnpo": policy(OTHER),
    "dr_grpo": policy(OTHER, {"norm": 4.0}),
    "grpo": (
        *policy({"clip_high": 0.3}, claims=FORWARD),
        Use({"kind": "k1"}, ("E[r]",)),
        Use({"kind": "k2"}, REVERSE),
        Use({"kl_ratio": "differentiable"}, REVERSE),
        Use({"kl_ratio": "frozen"}, FORWARD),
        Use({"dual": 3.0}, FORWARD),
        Use({"log_ratio_clamp": 4.0}, FORWARD),
        Use({"kl_log_ratio_clamp": 5.0}, (*FORWARD, "flat beyond 5")),
        Use({"kl_value_clamp": 10.0}, FORWARD),
    ),
    "gspo": (
        Use(SMOOTH, EVEN, ROWS),
        Use(SMOOTH),
        Use({**SMOOTH, "level": "token"}, ("per token",)),
        Use({**SMOOTH, "log_ratio_cap": 1.5}, EVEN, ROWS),
    ),
    "luspo": (Use(SMOOTH, (), ROWS), Use(SMOOTH)),
    "gmpo": (Use({"clip": 0.4, "clip_high": 0.6}, EVEN, ROWS), Use()),
    "cispo": policy({"lowest": 0.3, "highest": 5.0}),
    "sapo": policy({}, {"log_ratio_clamp": 4.0}),
    "ppo_full": (
        *policy(claims=(*TERMS, "value clip none")),
        Use({"value_limit": 0.2}, (*TERMS, "value clip 0.2")),
    ),
    "rloo": (Use({}, ("leave-one-out",)),),
    "kl_penalty": (
        Use({"kind": "k3"}, (*NEARBY, "unbiased", "KL(ref||pi)")),
        Use({"kind": "k1"}, (*NEARBY, "unbiased")),
        Use({"kind": "k2"}, (*NEARBY, "KL(pi||ref)")),
        Use({"kind": "k3", "ratio": "differentiable"}, (*WEIGHTED, "KL(pi||ref)")),
        Use({"kind": "k3", "ratio": "frozen"}, (*WEIGHTED, "KL(ref||pi)")),
        Use({"kind": "k3", "log_ratio_clamp": 5.0}, (*NEARBY, "flat beyond 5")),
        Use({"kind": "k3", "value_clamp": 10.0}, NEARBY),
        *(Use({"kind": "k3", "reduce": name}) for name in REDUCTIONS),
    ),
    "value_clip": (
        Use({}, ("half", "value clip 0.2")),
        Use({"clip": None}, ("half", "value clip none")),
    ),
    "entropy_bonus": (Use({}, ("bonus", "mean", "nats")),),
    "bradley_terry": (
        Use({}, ("logistic", "pair-mean", "saturates")),
        Use({"margin": 0.5}, ("pair-mean", "saturates")),
    ),
    "dpo": (
        Use({}, (*LOGISTIC, "summed")),
        Use({}, LOGISTIC, PAIRS),
        Use({"label_smoothing": 0.1}, ("beta^0", "pair-mean", "summed")),
    ),
    "ipo": (Use({}, (*SQUARED, "summed")), Use({}, SQUARED, PAIRS)),
    "kto": (
        Use({}, ("pair-mean", "summed", "beta^0", "saturates", "0.5 at equality")),
        Use(
            {"point": 0.3, "weight_w": 1.5, "weight_l": 0.7},
            ("pair-mean", "saturates", "0.553 at equality"),
        ),
        Use({}, ("pair-mean", "beta^0", "saturates"), PAIRS),
    ),
    "simpo": (
        Use({}, ("pair-mean", "averaged", "saturates", "1.313262 at equality")),
        Use({}, ("pair-mean", "saturates"), AVERAGED),
    ),
    "orpo": (
        Use({}, ("pair-mean", "averaged", "odds", "saturates: logp_l")),
        Use({}, ("pair-mean", "odds", "saturates: logp_l"), AVERAGED),
    ),
    "whiten": (
        Use({}, ("sample deviation", "mean zero")),
        Use({"deviation": "population"}, ("population deviation", "mean zero")),
    ),
    "group_mean": (Use(), Use({"spread": "tokens"}), Use({"alone": "reward"})),
    "group_leave_one_out": (
        Use({}, ("leave-one-out",)),
        Use({"spread": "tokens"}, ("leave-one-out",)),
        Use({"alone": "reward"}, ("leave-one-out",)),
    ),
    "group_normalised": (
        Use({"guard": 1e-6}, ("sample deviation",)),
        Use({"deviation": "population"}, ("population deviation",)),
        Use({"spread": "tokens"}, ("sample deviation",)),
        Use({"alone": "reward"}, ("sample deviation",)),
    ),
    "gae": (
        Use(),
        Use({"output": "advantages"}, ("advantages",)),
        Use({"output": "returns"}, ("returns",)),
    ),
    "rlhf_token_reward": (Use({}, ("score at the end",)),),
    "accumulated_gradient": (Use(),),
    "pass_at_k": (Use(),),
}
REDUCED = ("policy", "value", "kl", "actor_critic", "group_policy", "entropy", "accumulation")
FIXED = {"gspo": "seq-mean-token-mean", "luspo": "seq-mean-token-sum", "bnpo": "token-mean"}
FIXED |= {"dapo": "token-mean", "dr_grpo": "seq-mean-token-sum-norm"}
FIXED |= {"gmpo": "seq-mean-token-mean"}
WHOLE = ("gspo", "luspo", "gmpo")  # one ratio a response
CLIPPED = ("ppo_clip", "dual_clip", "dapo", "bnpo", "dr_grpo", "grpo", "ppo_full")


def uses(name: str) -> tuple[Use, ...]:
    """The settings of an objective, each claiming its reduction, its clip and its graph too."""
    found = []
    for use in USES[name]:
        more = (*_reduction(name, use), *_clip(name, use), *_graph(name, use), *_ratio(name))
        found.append(Use(use.options, (*use.claims, *more), use.shapes))
    return tuple(found)


def _graph(name: str, use: Use) -> tuple[str, ...]:
    """Whether a stop-gradient belongs to the objective; estimators have no gradient at all."""
    frozen = "frozen" in use.options.values() or use.options.get("level") == "token"
    held = families()[reference(name).family].held
    return () if name == "cispo" or frozen or held else ("holds nothing fixed",)


def _reduction(name: str, use: Use) -> tuple[str, ...]:
    """The reduction's name. A norm of the caller's own has none; nor have advantages per token
    under one ratio a response.
    """
    known = reference(name)
    how = use.options.get("reduce", known.options.get("reduce", FIXED.get(name)))
    mixed = name in WHOLE and use.shapes != ROWS and use.options.get("level") != "token"
    named = how in REDUCTIONS and known.family in REDUCED and "norm" not in use.options
    return (how,) if named and not mixed else ()


def _clip(name: str, use: Use) -> tuple[str, ...]:
    """The bounds of the ratio."""
    if name not in CLIPPED:
        return ()
    options = constants(name, use)
    low, high = options["clip"], options.get("clip_high", options["clip"])
    clamp = options.get("log_ratio_clamp", math.inf)
    dual = min(options.get("dual", math.inf), math.exp(clamp) if clamp < 5 else math.inf)
    ends = f"dual {dual:.9g}" if dual < math.inf else "dual none"
    return (f"clip {round(1 - low, 6):g} to {round(1 + high, 6):g}", ends)


def _ratio(name: str) -> tuple[str, ...]:
    """Whether an importance weight belongs to the objective."""
    known = reference(name)
    weighed = "logp_old" in known.arguments and "adv" in known.arguments
    return ("weighed by the ratio",) if weighed else ()


def constants(name: str, use: Use) -> dict[str, Any]:
    """Every option that has a value, as an author's program would set it."""
    defaults = reference(name).options
    return {option: v for option, v in defaults.items() if v is not None} | dict(use.options)
