"""Losses below float64: no false alarm, the same power as in float64 where the code can be widened,
and what rounding may do where it cannot.
"""

import pytest
import torch

from numerics import check, objective
from numerics.check.precision import WIDEST, coarsest, rounding
from numerics.check.widened import Widened

DTYPES = (torch.float32, torch.bfloat16, torch.float16)
SHAPE = {"B": 2, "T": 4, "V": 8}


def ppo(logp, logp_old, adv, mask, dtype, weight=1.0):
    """Computed in dtype, whatever it is given."""
    logp, logp_old, adv, mask = (x.to(dtype) for x in (logp, logp_old, adv, mask))
    ratio = (logp - logp_old).exp()
    surrogate = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    weights = torch.tensor([1.0] + [weight] * (len(mask) - 1))[:, None]
    return -(surrogate * mask * weights).sum() / mask.sum()


def asserted(logp, logp_old, adv, mask, weight=1.0):
    """The same, and it insists on float32."""
    assert logp.dtype == torch.float32
    return ppo(logp, logp_old, adv, mask, torch.float32, weight)


def failing(loss, **declared) -> set[str]:
    report = check(objective(loss, claims=["token-mean"], **declared), seeds=2)
    return {f.property for f in report.findings if f.verdict == "fail"}


@pytest.mark.parametrize("dtype", DTYPES)
def test_right_code_is_never_flagged_for_its_rounding(dtype: torch.dtype) -> None:
    assert failing(ppo, constants={"dtype": dtype}) == set()
    assert failing(asserted, dtypes="float32") == set()


@pytest.mark.parametrize("dtype", DTYPES)
def test_wrong_code_is_flagged_in_any_precision(dtype: torch.dtype) -> None:
    """A second row that counts a hundredth more: far below what half precision can show."""
    constants = {"dtype": dtype, "weight": 1.01}
    assert "weighs_tokens_as_claimed" in failing(ppo, constants=constants)
    wrong = failing(asserted, dtypes="float32", constants={"weight": 1.01})
    assert "weighs_tokens_as_claimed" in wrong


def test_a_widened_block_computes_in_float64_and_ends() -> None:
    x = torch.linspace(-1, 1, 5, dtype=torch.float64)

    def narrow() -> tuple[torch.Tensor]:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            product = torch.outer(x.half(), x.float()) @ torch.ones(5, dtype=torch.bfloat16).float()
        return ((product + torch.tensor(0.1)).type(torch.float16).sum(),)

    assert coarsest(narrow) > 0
    with Widened():
        assert coarsest(narrow) == 0
        assert narrow()[0].dtype is torch.float64
    assert torch.get_default_dtype() is torch.float32


def test_rounding_grows_where_digits_cancel() -> None:
    x = torch.linspace(1, 2, 7, dtype=torch.float64)
    plain = rounding(lambda: (x.float().exp(),))
    cancelled = rounding(lambda: ((x.float().exp() + 1e4) - 1e4,))
    assert plain < 1e-5 < 100 * plain < cancelled < WIDEST
    assert rounding(lambda: (x.bfloat16().exp(),)) > WIDEST
    assert rounding(lambda: (x.exp(),)) == 0.0


def test_the_bound_holds_what_float32_does() -> None:
    """Against float64, over random sums of exponentials; and it is no more than a few thousand
    units wide.
    """
    for seed in range(20):
        rng = torch.Generator().manual_seed(seed)
        x = 3 * torch.randn(40, generator=rng, dtype=torch.float64)
        loss = lambda t: torch.logsumexp(t, 0) - t.mean() + (t.exp() - 1 - t).sum()
        error = abs(float(loss(x.float())) - float(loss(x))) / float(loss(x).abs())
        bound = rounding(lambda x=x, loss=loss: (loss(x.float()),))
        assert error <= bound <= 4000 * torch.finfo(torch.float32).eps


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_specification_is_compared_without_rounding(dtype: torch.dtype) -> None:
    declared = {"constants": {"dtype": dtype}, "like": "ppo_clip", "reduce": "token-mean"}
    only = {"only": ("matches_the_specification",), "seeds": 1}
    assert check(objective(ppo, clip=0.2, **declared), **only).verdict == "pass"
    assert check(objective(ppo, clip=0.2001, **declared), **only).verdict == "fail"
