"""Cases that no property can tell apart yet, each with the reason; they count as missed."""

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "colossalai-6407-orpo-biased-constant": "no property of log-odds of averaged log-probabilities",
    "nemo-180-masked-pair-contributes-log2": "the preference family has no mask of pairs",
    "trl-1615-sppo-scale": "no property says how a squared loss scales with beta",
    "trl-2615-dpo-grad-accum-scaling": "no claim of a reduction over pairs",
    "trl-3716-orpo-grad-accum-scaling": "no claim of a reduction over pairs",
    "swift-9925-ipo-packed-denominator": "packed rows are no family",
    "rlhf-book-96-margin-outside-sigmoid": "the reward model family has no margin",
    "gpt-neox-1285-rm-off-by-one": "the reward model family starts from scores already chosen",
    "mappo-13-value-not-denormalised": "units of a value head are not declared anywhere",
    "mighty-118-tanh-correction-one-side": "log-probabilities of continuous actions are no family",
    "nemo-2958-clamped-kl-still-has-gradient": "no claim that a clamped penalty is flat",
    "openrlhf-1309-k-estimators-off-policy": "descend does not yet resolve it off-policy",
    "prime-rl-697-raw-rollout-logprobs": "temperature of a rollout engine is outside a loss",
    "rlax-28-gae-target-gradient": "which inputs are frozen cannot be declared yet",
    "slime-1004-k3-off-policy-value": "no property averages a penalty over the old policy",
    "slime-179-tis-uses-current-policy": "a third policy (rollout) is no argument of a family",
    "slime-1928-temperature-on-values": "a value head's output is outside a loss",
    "tianshou-1287-line-search-keeps-bad-step": "a line search is no loss",
    "trl-3043-gjsd-mixture-weights": "no claim of a generalised Jensen-Shannon divergence",
    "trl-3823-gspo-broadcast-length-weight": "no claim of one weight a sequence",
    "trl-5031-is-weight-dropped": "an importance weight is no argument of the family",
    "trlx-438-mean-kl-per-token": "no claim of a reduction in the kl family",
    "unsloth-zoo-832-temperature-parity": "a sampling temperature cannot be declared for logits",
    "verl-3133-megatron-temperature": "a sampling temperature cannot be declared for logits",
}
