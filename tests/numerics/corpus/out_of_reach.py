"""Cases that no property can tell apart yet, each with the reason; they count as missed."""

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "colossalai-6407-orpo-biased-constant": "no property of log-odds of averaged log-probabilities",
    "swift-9925-ipo-packed-denominator": "packed rows are no family",
    "gpt-neox-1285-rm-off-by-one": "the reward model family starts from scores already chosen",
    "mappo-13-value-not-denormalised": "units of a value head are not declared anywhere",
    "mighty-118-tanh-correction-one-side": "log-probabilities of continuous actions are no family",
    "slime-179-tis-uses-current-policy": "a third policy (rollout) is no argument of a family",
    "slime-1928-temperature-on-values": "a value head's output is outside a loss",
    "tianshou-1287-line-search-keeps-bad-step": "a line search is no loss",
    "trl-5031-is-weight-dropped": "an importance weight is no argument of the family",
}
