"""TRL's trainers: the loss computation itself, on log-probabilities that are given.

`GRPOTrainer._compute_loss` and `RLOOTrainer._compute_loss` are called unbound, on a stub that has
the settings which they read and returns the log-probabilities where the trainer would run a model.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from numerics.audits.audit import Audit, module_of
from numerics.objective import Objective, objective

LIMITS = {"epsilon_low": 0.2, "epsilon_high": 0.28}


class OneProcess:
    """What the losses ask of an accelerator, for a single process."""

    num_processes = 1
    sync_gradients = True

    def gather(self, values: Tensor) -> Tensor:
        return values

    def gather_for_metrics(self, values: Tensor) -> Tensor:
        return values

    def reduce(self, values: Tensor, reduction: str = "sum") -> Tensor:
        return values


def trainer(logp: Tensor, settings: dict[str, Any]) -> SimpleNamespace:
    """A stub of a trainer in the first micro-batch of one, without any of the extensions."""
    arguments = {"use_bias_correction_kl": False, "delta": None, "steps_per_generation": 1}
    arguments |= {"sapo_temperature_pos": 1.0, "sapo_temperature_neg": 1.05}
    arguments |= {name: settings[name] for name in arguments if name in settings}
    own: dict[str, Any] = {
        "args": SimpleNamespace(**arguments),
        "accelerator": OneProcess(),
        "model": SimpleNamespace(training=True),
        "current_gradient_accumulation_steps": 1,
        "max_completion_length": logp.shape[1],
        "aux_loss_enabled": False,
        "use_vllm": False,
        "beta": 0.0,
        "loss_type": "grpo",
        "importance_sampling_level": "token",
        "top_entropy_quantile": 1.0,
        "off_policy_mask_threshold": None,
        "_entropy_bonus_enabled": False,
        "_metrics": defaultdict(lambda: defaultdict(list)),
        **LIMITS,
    }
    own |= {name: value for name, value in settings.items() if name not in arguments}
    stub = SimpleNamespace(**own)
    stub._get_per_token_logps_and_entropies = lambda *_, **__: (logp, torch.zeros_like(logp), None)
    return stub


def batch(mask: Tensor, adv: Tensor) -> dict[str, Any]:
    """The inputs that do not depend on the policy; token ids are not looked at by the stub."""
    ids = torch.zeros(mask.shape, dtype=torch.long)
    return {
        "prompt_ids": ids[:, :1],
        "prompt_mask": torch.ones_like(ids[:, :1]),
        "completion_ids": ids,
        "completion_mask": mask,
        "advantages": adv,
        "num_items_in_batch": mask.sum(),
    }


def computed(loss: Callable[..., Any], settings: dict[str, Any]) -> Callable[..., Tensor]:
    """The setup: the trainer's method as a function of log-probabilities."""

    def of_tokens(
        logp: Tensor, logp_old: Tensor, logp_ref: Tensor, adv: Tensor, mask: Tensor
    ) -> Tensor:
        inputs = batch(mask, adv)
        inputs |= {"old_per_token_logps": logp_old, "ref_per_token_logps": logp_ref}
        return loss(trainer(logp, settings), None, inputs)

    def without_reference(logp: Tensor, logp_old: Tensor, adv: Tensor, mask: Tensor) -> Tensor:
        return of_tokens(logp, logp_old, logp_old, adv, mask)

    return of_tokens if settings.get("beta") else without_reference


def of_sequences(loss: Callable[..., Any], settings: dict[str, Any]) -> Callable[..., Tensor]:
    """The same for a loss that is given the old log-probabilities of whole responses."""

    def of_responses(logp: Tensor, logp_old: Tensor, adv: Tensor, mask: Tensor) -> Tensor:
        inputs = batch(mask, adv) | {"old_logps": (logp_old * mask).sum(-1)}
        return loss(trainer(logp, settings), None, inputs)

    return of_responses


def grpo(**settings: Any) -> Objective:
    """GRPO's loss computation with these settings of the trainer."""
    method = module_of("trl.trainer.grpo_trainer").GRPOTrainer._compute_loss
    return objective(method, setup=computed, constants={"settings": settings}, shapes={"adv": "B"})


def rloo(**settings: Any) -> Objective:
    """RLOO's loss computation."""
    method = module_of("trl.trainer.rloo_trainer").RLOOTrainer._compute_loss
    return objective(
        method, setup=of_sequences, constants={"settings": settings}, shapes={"adv": "B"}
    )


def entropies() -> Objective:
    """The entropy of each token's law, averaged over the response tokens."""

    def averaged(loss: Callable[..., Any]) -> Callable[..., Tensor]:
        return lambda logits, mask: (loss(logits) * mask).sum() / mask.sum()

    function = module_of("trl.trainer.utils").entropy_from_logits
    return objective(function, setup=averaged, family="entropy")


SEQUENCE = {"importance_sampling_level": "sequence", "epsilon_low": 3e-4, "epsilon_high": 4e-4}
AUDITS: tuple[Audit, ...] = (
    Audit("trl", "GRPO loss grpo (beta=0.04)", partial(grpo, loss_type="grpo", beta=0.04)),
    Audit(
        "trl",
        "GRPO loss grpo (beta=0.04, use_bias_correction_kl=True)",
        partial(grpo, loss_type="grpo", beta=0.04, use_bias_correction_kl=True),
    ),
    Audit("trl", "GRPO loss grpo (delta=2.0)", partial(grpo, loss_type="grpo", delta=2.0)),
    Audit("trl", "GRPO loss bnpo", partial(grpo, loss_type="bnpo")),
    Audit("trl", "GRPO loss dr_grpo", partial(grpo, loss_type="dr_grpo")),
    Audit("trl", "GRPO loss dapo", partial(grpo, loss_type="dapo")),
    Audit("trl", "GRPO loss cispo", partial(grpo, loss_type="cispo", epsilon_high=5.0)),
    Audit("trl", "GRPO loss sapo", partial(grpo, loss_type="sapo")),
    Audit("trl", "GRPO loss grpo, sequence level", partial(grpo, loss_type="grpo", **SEQUENCE)),
    Audit("trl", "GRPO loss luspo, sequence level", partial(grpo, loss_type="luspo", **SEQUENCE)),
    Audit("trl", "RLOO loss", rloo),
    Audit("trl", "entropy_from_logits", entropies),
)
