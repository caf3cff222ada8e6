"""Legitimate stop-gradients pass and are listed with their lines; metrics are not listed."""

import numpy as np
import pytest
import torch

from numerics.check.frozen import mattering, moving, record
from numerics.check.gradient import check_gradient
from numerics.check.specification import frozen_in
from numerics.errors import UnusableInput
from numerics.families import sample

X = sample("policy", seed=1, B=3, T=5)


def on_policy_ratio(logp):
    ratio = torch.exp(logp - logp.detach())
    return -(ratio * X["adv"] * X["mask"]).sum() / X["mask"].sum()


def frozen_old(logp):
    with torch.no_grad():
        old = logp - 0.1
    ratio = torch.exp(logp - old)
    return -(ratio * X["adv"] * X["mask"]).sum()


def kl_in_the_reward(logp):
    adv = X["adv"] - 0.1 * (logp - X["logp_ref"]).detach()
    return -(torch.exp(logp - X["logp_old"]) * adv * X["mask"]).sum()


def item_baseline(logp):
    baseline = (logp * X["mask"]).sum().item()
    return -((X["adv"] - baseline) * logp * X["mask"]).sum()


def float_baseline(logp):
    baseline = logp.detach().mean().numpy()
    return -((X["adv"] - float(baseline)) * logp).sum()


def data_attribute(logp):
    return (logp * logp.data.exp()).sum()


def cispo(logp):
    weight = torch.exp(logp - X["logp_old"]).clamp(0.8, 1.2).detach()
    return -(weight * X["adv"] * logp * X["mask"]).sum()


def in_place_detach(logp):
    weight = (2 * logp).exp()
    weight.detach_()
    return (weight * logp).sum()


@torch.no_grad()
def _weights(logp):
    return (logp - X["logp_old"]).exp().clamp(max=2.0)


def decorated(logp):
    return -(_weights(logp) * logp * X["adv"]).sum()


STOPPED = [
    on_policy_ratio,
    frozen_old,
    kl_in_the_reward,
    item_baseline,
    float_baseline,
    data_attribute,
    cispo,
    in_place_detach,
    decorated,
]


@pytest.mark.parametrize("loss", STOPPED, ids=lambda f: f.__name__)
def test_a_legitimate_stop_gradient_passes_and_is_listed(loss) -> None:
    found = check_gradient(loss, X["logp"])
    assert found.verdict == "pass"
    sites = frozen_in(loss, X["logp"])
    assert len(sites) == 1
    assert sites[0].where.startswith("test_frozen.py:")


@pytest.mark.parametrize("loss", STOPPED, ids=lambda f: f.__name__)
def test_a_wrong_gradient_beside_a_stop_gradient_is_found(loss) -> None:
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, *upstream):
            return 2 * upstream[0]

    assert check_gradient(lambda x: loss(Doubled.apply(x)), X["logp"]).verdict == "fail"


def test_torch_gradcheck_fails_the_same_right_losses() -> None:
    """What this module is for."""
    loss = lambda x: on_policy_ratio(x) * 1.0
    leaf = X["logp"].clone().requires_grad_()
    assert not torch.autograd.gradcheck(loss, leaf, raise_exception=False)
    assert check_gradient(loss, X["logp"]).verdict == "pass"


def test_the_message_names_operation_shape_and_line() -> None:
    (site,) = record(on_policy_ratio, X["logp"]).sites
    assert str(site).startswith("detach of [3x5] at test_frozen.py:")
    (site,) = record(decorated, X["logp"]).sites
    assert site.operation.startswith("no_grad")


def test_metrics_and_constants_are_not_sites() -> None:
    def loss(logp):
        ratio = torch.exp(logp - X["logp_old"])
        metrics = {"ratio": ratio.detach().mean().item(), "old": X["logp_old"].detach()}
        ones = torch.ones_like(logp)
        return -(ratio * ones * X["adv"]).sum() + 0 * len(metrics)

    assert frozen_in(loss, X["logp"]) == ()
    assert len(record(loss, X["logp"]).sites) == 1


def test_a_copied_constant_is_not_moving() -> None:
    loss = lambda x: (x * (x * 0 + 3).detach()).sum()
    sites = record(loss, X["logp"]).sites
    assert len(sites) == 1
    assert moving(loss, sites, X["logp"] + 1) == ()
    assert mattering(loss, (), X["logp"]) == ()


def test_inside_a_custom_forward_nothing_is_frozen() -> None:
    """Its backward speaks for it, and a wrong one must not be blessed."""

    class Custom(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with torch.no_grad():
                ctx.save_for_backward(x)
                return x.detach().exp().sum()

        @staticmethod
        def backward(ctx, *upstream):
            return (
                upstream[0] * ctx.saved_tensors[0].exp() * ctx.factor
                if hasattr(ctx, "factor")
                else (upstream[0] * ctx.saved_tensors[0].exp())
            )

    class Wrong(Custom):
        @staticmethod
        def backward(ctx, *upstream):
            return upstream[0] * ctx.saved_tensors[0]

    assert record(Custom.apply, X["logp"]).sites == ()
    assert check_gradient(Custom.apply, X["logp"]).verdict == "pass"
    assert check_gradient(Wrong.apply, X["logp"]).verdict == "fail"


def test_the_branch_is_selected_not_frozen() -> None:
    loss = lambda x: torch.where(x > -1, x.exp(), x**2).sum()
    assert record(loss, X["logp"]).sites == ()
    assert check_gradient(loss, X["logp"]).verdict == "pass"


def test_a_result_outside_the_graph_is_unusable_and_names_the_site() -> None:
    with pytest.raises(UnusableInput, match="no gradient"):
        record(lambda x: x.detach().sum(), X["logp"])
    with pytest.raises(UnusableInput) as caught:
        record(lambda x: torch.tensor(np.float64(x.detach().numpy().sum())), X["logp"])
    assert "test_frozen.py" in str(caught.value)


def test_an_input_changed_in_place_is_unusable() -> None:
    with pytest.raises(UnusableInput, match="in place"):
        record(lambda x: x.mul_(2.0).sum(), X["logp"].clone())
