"""Which theorems explain that a loss follows a quantity."""

from collections.abc import Mapping
from importlib.util import find_spec

from numerics.check.answers import Decomposition

EXPLANATIONS: Mapping[str, tuple[str, ...]] = {
    "E[r]": ("trust_regions.surrogate_agrees_to_first_order",),
    "KL(pi||ref)": (
        "divergence_estimators.k2_as_a_loss_follows_the_reverse_divergence",
        "divergence_estimators.the_differentiable_ratio_restores_the_reverse_divergence",
    ),
    "KL(ref||pi)": ("divergence_estimators.k3_as_a_loss_follows_the_forward_divergence",),
    "tKL(pi||ref)": ("divergence_estimators.token_penalty_misses_the_prefix_term",),
    "tKL(ref||pi)": ("divergence_estimators.token_penalty_misses_the_prefix_term",),
    "E[r/|y|]": ("groups.length_normalisation_follows_another_objective",),
    "E[r;|y|=1]": ("groups.length_normalisation_follows_another_objective",),
    "E[r;|y|=2]": ("groups.length_normalisation_follows_another_objective",),
}
GROUP_BASELINES = (
    "groups.leave_one_out_is_unbiased",
    "groups.group_mean_baseline_shrinks_the_gradient",
)


def theorems_of(answer: Decomposition) -> tuple[str, ...]:
    """The ids that explain the terms, those that are in the catalogue already."""
    if not answer.resolved:
        return ()
    wanted = [claim for term in answer.terms for claim in _explained_by(term.gradient, answer.size)]
    return tuple(claim for claim in dict.fromkeys(wanted) if _is_a_theorem(claim))


def _explained_by(gradient: str, size: int | None) -> tuple[str, ...]:
    if gradient.startswith("w_"):
        return ("groups.group_standard_deviation_reweights_prompts",)
    if gradient == "E[r]" and size is not None:
        return GROUP_BASELINES
    return EXPLANATIONS.get(gradient, ())


def _is_a_theorem(claim: str) -> bool:
    try:
        return find_spec(f"derivations.theorems.{claim}") is not None
    except ImportError:
        return False
