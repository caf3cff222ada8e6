"""verl's newer policy losses and its value, entropy and advantage functions, against ours
(`make test-peers`).

Its clamps and guards are claimed as options; what is refused
is repeated in plain torch.
"""

import importlib
import warnings
from typing import Any

import pytest

from numerics import check, objective

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore")]
POLICY = {"logp": "log_prob", "logp_old": "old_log_prob", "adv": "advantages"}
POLICY |= {"mask": "response_mask"}
ONLY = ("matches_the_specification",)


@pytest.fixture(scope="module")
def verl():
    """Its module of algorithms; importing it warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module("verl.trainer.ppo.core_algos")


def config(**options: Any) -> Any:
    """What its policy losses read their limits from."""
    from verl.workers.config import ActorConfig  # pyright: ignore[reportMissingImports]

    return ActorConfig(strategy="fsdp", rollout_n=1, ppo_micro_batch_size_per_gpu=1, **options)


LIMITS = {"clip_ratio": 0.2, "clip_ratio_low": 0.2, "clip_ratio_high": 0.28}
GSPO = {"like": "gspo", "level": "token", "clip": 0.2, "clip_high": 0.28}
CASES: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("geo_mean", LIMITS, {"like": "gmpo", "clip": 0.2, "clip_high": 0.28, "guard": 1e-8}, "pass"),
    ("geo_mean", LIMITS, {"like": "gspo", "clip": 0.2, "clip_high": 0.28}, "fail"),
    ("sapo", {}, {"like": "sapo", "log_ratio_clamp": 20.0}, "pass"),
    ("sapo", {}, {"like": "sapo", "tau_neg": 1.0, "log_ratio_clamp": 20.0}, "fail"),
    ("cispo", LIMITS, {"like": "cispo", "lowest": 0.8, "highest": 1.28}, "pass"),
    ("cispo", LIMITS, {"like": "cispo", "highest": 1.28}, "fail"),
    ("gspo", LIMITS, {**GSPO, "log_ratio_cap": 10.0}, "pass"),
    ("gspo", LIMITS, GSPO, "fail"),  # without the cap
    ("gpg", {}, {"like": "gpg"}, "pass"),
    ("gpg", {}, {"like": "reinforce"}, "fail"),  # another denominator
]


@pytest.mark.parametrize(("name", "limits", "claim", "expected"), CASES, ids=str)
def test_policy_losses(verl, name: str, limits: dict, claim: dict, expected: str) -> None:
    constants = {"config": config(**limits)}
    if name == "gspo":
        constants["loss_agg_mode"] = "seq-mean-token-mean"
    loss = getattr(verl, f"compute_policy_loss_{name}")
    declared = objective(
        loss, args=POLICY, constants=constants, returns=0, family="policy", **claim
    )
    assert check(declared, only=ONLY).verdict == expected


def test_value_and_entropy(verl) -> None:
    names = {"value": "vpreds", "value_old": "values", "mask": "response_mask"}
    numbers = {"cliprange_value": 0.2}
    value = objective(
        verl.compute_value_loss, args=names, constants=numbers, returns=0, like="value_clip"
    )
    assert check(value, only=ONLY).verdict == "pass"
    claim = {"args": {"mask": "response_mask"}, "like": "entropy_bonus"}
    entropy = objective(verl.compute_entropy_loss, coefficient=-1.0, **claim)  # H itself, no loss
    assert check(entropy, only=ONLY).verdict == "pass"
    assert check(objective(verl.compute_entropy_loss, coefficient=1.0, **claim)).verdict == "fail"
