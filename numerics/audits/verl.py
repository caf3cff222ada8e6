"""verl's policy losses, advantage estimators, penalties and reductions.

Its policy losses read their limits from a configuration object; its estimators take rewards per
token and prompt ids as a numpy array.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from torch import Tensor

from numerics.audits.audit import Audit, module_of
from numerics.objective import Objective, objective

ALGORITHMS = "verl.trainer.ppo.core_algos"
POLICY = {"logp": "log_prob", "logp_old": "old_log_prob", "adv": "advantages"}
POLICY |= {"mask": "response_mask"}
CLIPPED = {"clip_ratio": 0.2, "clip_ratio_low": 0.2, "clip_ratio_high": 0.28}


def function_of(name: str) -> Any:
    """One of its functions by name."""
    return getattr(module_of(ALGORITHMS), name)


def actor(**limits: Any) -> Any:
    """The configuration that its policy losses read."""
    made = module_of("verl.workers.config").ActorConfig
    return made(strategy="fsdp", rollout_n=1, ppo_micro_batch_size_per_gpu=1, **limits)


def policy_loss(name: str, mode: str = "token-mean", **limits: Any) -> Objective:
    """A registered policy loss; the first of its results."""
    constants = {"config": actor(**limits), "loss_agg_mode": mode}
    loss = module_of(ALGORITHMS).get_policy_loss_fn(name)
    return objective(loss, args=POLICY, constants=constants, returns=0, family="policy")


def clipped_loss(mode: str) -> Objective:
    """The older interface of the vanilla loss, with its limits as arguments."""
    constants = {"cliprange": 0.2, "loss_agg_mode": mode}
    return objective(
        function_of("compute_policy_loss"), args=POLICY, constants=constants, returns=0
    )


def at_the_last_token(rewards: Tensor, mask: Tensor) -> Tensor:
    """[B] -> [B,T]: an outcome's reward stands at the last response token."""
    last = mask * (mask.cumsum(-1) == mask.sum(-1, keepdim=True))
    return rewards[:, None] * last


def per_group(loss: Callable[..., Any], settings: dict[str, Any]) -> Callable[..., Tensor]:
    """An estimator of rewards [B] and prompt ids [B]: the setup of its group estimators."""

    def estimate(rewards: Tensor, group: Tensor, mask: Tensor) -> Tensor:
        tokens = at_the_last_token(rewards, mask)
        return loss(
            token_level_rewards=tokens, response_mask=mask, index=group.numpy(), **settings
        )[0]

    estimate.__name__ = loss.__name__
    return estimate


def estimator(name: str, **settings: Any) -> Objective:
    """A registered advantage estimator of groups."""
    loss = module_of(ALGORITHMS).get_adv_estimator_fn(name)
    return objective(loss, setup=per_group, constants={"settings": settings})


def generalised(result: int) -> Objective:
    """GAE: advantages (whitened over the batch) or returns, under the mask."""

    def masked(loss: Callable[..., Any]) -> Callable[..., Tensor]:
        def estimate(
            rewards: Tensor, values: Tensor, mask: Tensor, gamma: float, lam: float
        ) -> Tensor:
            return loss(rewards, values, mask, gamma, lam)[result] * mask

        return estimate

    return objective(function_of("compute_gae_advantage_return"), setup=masked)


def token_rewards() -> Objective:
    """A score and a penalty per token; padding is left to the caller's mask."""

    def placed(loss: Callable[..., Any]) -> Callable[..., Tensor]:
        def rewards(
            logp: Tensor, logp_ref: Tensor, score: Tensor, mask: Tensor, beta: float
        ) -> Tensor:
            return loss(at_the_last_token(score, mask), logp, logp_ref, beta) * mask

        return rewards

    return objective(function_of("compute_rewards"), setup=placed)


def penalty(kind: str) -> Objective:
    """`kl_penalty`: per token."""
    args = {"logp": "logprob", "logp_ref": "ref_logprob"}
    return objective(function_of("kl_penalty"), args=args, constants={"kl_penalty": kind})


def reduced(mode: str) -> Objective:
    """`agg_loss` of the plainest loss per token, -A log pi."""

    def plain(loss: Callable[..., Any]) -> Callable[..., Tensor]:
        def reduction(logp: Tensor, adv: Tensor, mask: Tensor) -> Tensor:
            return loss(-adv * logp, mask, mode)

        reduction.__name__ = loss.__name__
        return reduction

    return objective(function_of("agg_loss"), setup=plain, shapes={"adv": "BT"})


def value_loss() -> Objective:
    """The clipped error of a value head."""
    names = {"value": "vpreds", "value_old": "values", "mask": "response_mask"}
    constants = {"cliprange_value": 0.2}
    return objective(function_of("compute_value_loss"), args=names, constants=constants, returns=0)


def entropy() -> Objective:
    """The mean entropy, to be added with a minus sign by its caller."""
    return objective(function_of("compute_entropy_loss"), args={"mask": "response_mask"})


def whitening() -> Objective:
    """`masked_whiten`; padding is left to the caller's mask."""

    def masked(loss: Callable[..., Any]) -> Callable[..., Tensor]:
        return lambda x, mask: loss(x, mask) * mask

    return objective(module_of("verl.utils.torch_functional").masked_whiten, setup=masked)


OVER_ALL = "whitened over all tokens of the batch"
WHITENED = {
    "gives_equal_rewards_no_advantage": OVER_ALL,
    "sees_its_own_group_only": OVER_ALL,
    "sums_to_zero_in_a_group": OVER_ALL,
}
ALWAYS = {"changes_with_every_option": "its reduction is always seq-mean-token-mean"}
MEAN = "seq-mean-token-mean"
AUDITS: tuple[Audit, ...] = (
    Audit("verl", "policy loss vanilla", partial(policy_loss, "vanilla", **CLIPPED)),
    Audit("verl", f"policy loss vanilla ({MEAN})", partial(policy_loss, "vanilla", MEAN)),
    Audit("verl", "compute_policy_loss", partial(clipped_loss, "seq-mean-token-sum")),
    Audit("verl", "policy loss gspo", partial(policy_loss, "gspo", MEAN, **CLIPPED)),
    Audit("verl", "policy loss geo_mean", partial(policy_loss, "geo_mean", **CLIPPED)),
    Audit("verl", "policy loss sapo", partial(policy_loss, "sapo"), ALWAYS),
    Audit("verl", "policy loss cispo", partial(policy_loss, "cispo", **CLIPPED)),
    Audit("verl", "policy loss gpg", partial(policy_loss, "gpg")),
    Audit("verl", "policy loss dppo_tv", partial(policy_loss, "dppo_tv", **CLIPPED)),
    Audit("verl", "policy loss dppo_kl", partial(policy_loss, "dppo_kl", **CLIPPED)),
    Audit("verl", "advantages grpo", partial(estimator, "grpo")),
    Audit(
        "verl",
        "advantages grpo (norm_adv_by_std_in_grpo=False)",
        partial(estimator, "grpo", norm_adv_by_std_in_grpo=False),
    ),
    Audit("verl", "advantages grpo_vectorized", partial(estimator, "grpo_vectorized")),
    Audit("verl", "advantages rloo", partial(estimator, "rloo")),
    Audit("verl", "advantages rloo_vectorized", partial(estimator, "rloo_vectorized")),
    Audit(
        "verl",
        "advantages reinforce_plus_plus_baseline",
        partial(estimator, "reinforce_plus_plus_baseline"),
        WHITENED,
    ),
    Audit("verl", "advantages opo", partial(estimator, "opo")),
    Audit("verl", "advantages gae", partial(generalised, 0)),
    Audit("verl", "returns gae", partial(generalised, 1)),
    Audit("verl", "compute_rewards", token_rewards),
    Audit("verl", "kl_penalty k1", partial(penalty, "k1")),
    Audit("verl", "kl_penalty abs", partial(penalty, "abs")),
    Audit("verl", "kl_penalty k2", partial(penalty, "k2")),
    Audit("verl", "kl_penalty k3", partial(penalty, "k3")),
    Audit("verl", "kl_penalty k3+", partial(penalty, "k3+")),
    Audit("verl", "agg_loss token-mean", partial(reduced, "token-mean")),
    Audit("verl", f"agg_loss {MEAN}", partial(reduced, MEAN)),
    Audit("verl", "agg_loss seq-mean-token-sum-norm", partial(reduced, "seq-mean-token-sum-norm")),
    Audit("verl", "compute_value_loss", value_loss),
    Audit("verl", "compute_entropy_loss", entropy),
    Audit("verl", "masked_whiten", whitening),
)
