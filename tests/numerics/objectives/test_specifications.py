"""Each reference objective twice: its kernel term through the bridge, and its torch code."""

from typing import Any

import pytest
import torch

from numerics import check
from numerics.errors import UnusableInput
from numerics.families import families
from numerics.objective import objective
from numerics.objectives import kl_penalty, reference
from numerics.reductions import reduce_tokens
from numerics.token_terms import decimal, evaluate, token_variables

CASES: list[tuple[str, dict[str, Any]]] = [
    ("ppo_clip", {}),
    ("ppo_clip", {"clip": 0.1, "clip_high": 0.3}),
    ("ppo_clip", {"log_ratio_clamp": 5.0}),
    ("dual_clip", {}),
    ("dual_clip", {"clip_high": 0.28, "dual": 1.5, "log_ratio_clamp": 20.0}),
    *[
        ("kl_penalty", {"kind": kind, "ratio": ratio})
        for kind in kl_penalty.ESTIMATORS
        for ratio in kl_penalty.WEIGHTS
    ],
    ("kl_penalty", {"log_ratio_clamp": 20.0, "value_clamp": 10.0}),
    ("grpo", {}),
    ("grpo", {"kind": "k2", "kl_ratio": "differentiable", "beta": 0.1}),
    ("grpo", {"dual": 3.0, "kl_log_ratio_clamp": 20.0, "kl_value_clamp": 10.0}),
]


@pytest.mark.parametrize("regime", ["near", "moderate", "far"])
@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_value_and_gradient_of_term_and_torch_agree(name: str, options: dict, regime: str) -> None:
    known = reference(name)
    assert known.specification is not None
    term = known.specification(**options)
    for seed in range(3):
        inputs = families()[known.family].sample({"B": 3, "T": 7, "V": 5}, seed, regime)
        results = []
        for side in ("torch", "term"):
            leaf = inputs["logp"].clone().requires_grad_()
            given = {**inputs, "logp": leaf}
            if side == "torch":
                value = known.evaluate(given, {**options, "reduce": "token-mean"})
            else:
                value = reduce_tokens(evaluate(term, given), inputs["mask"], "token-mean")
            results.append((value.detach(), torch.autograd.grad(value, leaf)[0]))
        (value, gradient), (term_value, term_gradient) = results
        assert torch.allclose(value, term_value, rtol=1e-13, atol=1e-15)
        scale = 1e-13 * float(gradient.abs().max())
        assert torch.allclose(gradient, term_gradient, rtol=1e-12, atol=scale)


def test_a_users_kernel_term_as_specification() -> None:
    from derivations.language.syntax import exp

    x = token_variables()
    term = -exp(x["logp"] - x["logp_old"]) * x["adv"]

    def surrogate(logp, logp_old, adv, mask):
        return -((logp - logp_old).exp() * adv * mask).sum() / mask.sum()

    def rows(logp, logp_old, adv, mask):
        return -((logp - logp_old).exp() * adv * mask).sum(-1).mean()

    judged = lambda loss, **declared: (
        check(
            objective(loss, spec=term, **declared), only=("matches_the_specification",), seeds=1
        ).verdict
    )
    assert judged(surrogate) == "pass"
    assert judged(rows) == "fail"
    assert judged(rows, reduce="seq-mean-token-sum") == "pass"
    with pytest.raises(UnusableInput, match="options beside spec="):
        judged(rows, clip=0.2)


def test_a_term_with_a_strange_symbol_is_refused() -> None:
    from derivations.language.syntax import reals

    inputs = families()["policy"].sample({"B": 2, "T": 3}, 0, "near")
    with pytest.raises(UnusableInput, match="unknown symbol"):
        evaluate(reals("temperature") + 1, inputs)


def test_an_option_is_the_rational_of_its_digits() -> None:
    assert str(decimal(0.2)) == "1/5"
    assert str(decimal(3.0)) == "3"
    assert str(decimal(1e-3)) == "1/1000"
