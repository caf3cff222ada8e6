"""Why a mutant survives the properties: what no claim that there is can say."""

from tests.numerics.mutants.verdicts import Mutant

LIMIT = "which side of a far limit of the log-ratio is missing is no claim"
NAMES = "which of two options serves which sign is known by their names only"
MEAN_ZERO = "its expected gradient is the same: that of the log-ratio alone has mean zero"
REASONS = {  # (function, code before)
    ("whiten", "variance + guard"): "an epsilon of 1e-8 is a convention",
    ("normalised", "spread + guard"): "an epsilon of 1e-6 is a convention",
    ("pass_at_k", "k"): "it refuses c = 0, so the property is inconclusive",
    ("ratio", "log_ratio.clamp(-log_ratio_clamp, log_ratio_clamp)"): LIMIT,
    ("sapo", "adv > 0"): NAMES,
    ("estimator", "gap.exp() - 1 - gap"): MEAN_ZERO,
}


def reason(mutant: Mutant) -> str:
    """The reason that is written down; "not known" where there is none."""
    return REASONS.get((mutant.place, mutant.mutation.before), "not known")
