"""Losses of every kind: compiled, with a backward of their own, in place, random, in low precision,
as a module or a method, without a gradient: each is judged, or refused by a message that says why.
"""

import pytest
import torch
from torch import Tensor

from numerics import check, objective
from numerics.errors import UnusableInput

SHAPE = {"B": 2, "T": 4, "V": 8}
HOW = {
    "seeds": 1,
    "shapes": (SHAPE,),
    "only": (
        "gradient_is_consistent",
        "gives_the_same_gradient_twice",
        "ignores_masked_tokens",
        "matches_the_specification",
        "stays_finite_at_extremes",
    ),
}


def ppo(logp, logp_old, adv, mask):
    ratio = torch.exp(logp - logp_old)
    return -(torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv) * mask).sum() / mask.sum()


class Exp(torch.autograd.Function):
    factor = 1.0

    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        ctx.save_for_backward(x.exp())
        return x.exp()

    @classmethod
    def backward(cls, ctx, *upstream: Tensor) -> Tensor:
        return cls.factor * upstream[0] * ctx.saved_tensors[0]


class WrongExp(Exp):
    factor = 1.01


def of_exp(exp):
    def loss(logp, logp_old, adv, mask):
        ratio = exp(logp - logp_old)
        return -(torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv) * mask).sum() / mask.sum()

    return loss


def in_place_on_its_own(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp_()
    surrogate = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    surrogate *= mask
    return surrogate.sum().div_(mask.sum()).neg_()


def under_autocast(logp, logp_old, adv, mask):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        ratio = torch.exp(logp - logp_old)
        surrogate = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
        return -(surrogate.flatten() @ mask.flatten()) / mask.sum()


def in_half(logp, logp_old, adv, mask):
    return ppo(logp, logp_old, adv, mask).half()


def seeded(logp, logp_old, adv, mask):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return ppo(logp, logp_old, adv, mask) + 0.0 * torch.rand(())


class Module(torch.nn.Module):
    def __init__(self, rate: float) -> None:
        super().__init__()
        self.scale, self.drop = torch.nn.Parameter(torch.ones(())), torch.nn.Dropout(rate)

    def forward(self, logp, logp_old, adv, mask):
        return self.scale * ppo(self.drop(logp), logp_old, adv, mask)

    def method(self, logp, logp_old, adv, mask):
        return self(logp, logp_old, adv, mask)


HANDLED = {
    "custom function": of_exp(Exp.apply),
    "in place on its own": in_place_on_its_own,
    "autocast": under_autocast,
    "float16 result": in_half,
    "seeded": seeded,
    "module": Module(0.0),
    "method": Module(0.0).method,
    "dropout off": Module(0.5).eval(),
}


@pytest.mark.parametrize("kind", HANDLED)
def test_it_is_judged(kind: str) -> None:
    right = check(objective(HANDLED[kind], like="ppo_clip", clip=0.2), **HOW)
    assert right.verdict == "pass", [f for f in right.findings if f.verdict != "pass"]
    wrong = check(objective(HANDLED[kind], like="ppo_clip", clip=0.201), **HOW)
    assert wrong.verdict == "fail"


def test_a_wrong_backward_of_ones_own_is_seen() -> None:
    report = check(of_exp(WrongExp.apply), **HOW)
    failed = {f.property: f for f in report.findings if f.verdict == "fail"}
    assert "factor 1.01" in failed["gradient_is_consistent"].message


LONG = [pytest.param(name, marks=pytest.mark.long) for name in ("aot_eager", "inductor")]
BACKENDS = ["eager", *LONG]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.filterwarnings("ignore")  # what dynamo warns of while it traces
def test_a_compiled_loss_is_judged(backend: str) -> None:
    torch._dynamo.reset()
    one = {**HOW, "only": ("gradient_is_consistent", "matches_the_specification")}
    compiled = torch.compile(ppo, backend=backend)
    assert check(objective(compiled, like="ppo_clip", clip=0.2), **one).verdict == "pass"
    assert check(objective(compiled, like="ppo_clip", clip=0.3), **one).verdict == "fail"


@torch.no_grad()
def without_gradient(logp, logp_old, adv, mask):
    return ppo(logp, logp_old, adv, mask)


@torch.inference_mode()
def in_inference(logp, logp_old, adv, mask):
    return ppo(logp, logp_old, adv, mask)


def a_number(logp, logp_old, adv, mask):
    return ppo(logp, logp_old, adv, mask).item()


def its_own_backward(logp, logp_old, adv, mask):
    loss = ppo(logp, logp_old, adv, mask)
    loss.backward()
    return loss


def in_place_on_the_mask(logp, logp_old, adv, mask):
    mask[0] = 0
    return ppo(logp, logp_old, adv, mask)


def drawn(logp, logp_old, adv, mask):
    return ppo(logp + 0.1 * torch.randn_like(logp), logp_old, adv, mask)


def wants_a_model(model, batch): ...


async def later(logp, adv): ...


def one_by_one(logp, adv):
    yield logp * adv


REFUSED = {
    "no_grad": (without_gradient, ["no gradient", "under torch.no_grad()"]),
    "inference mode": (in_inference, ["no gradient", "under torch.inference_mode()"]),
    "a number": (a_number, ["does not return a scalar loss", "a number has no gradient"]),
    "its own backward": (its_own_backward, ["RuntimeError", "it is differentiated here"]),
    "in place on an input": (in_place_on_the_mask, ["changes its input mask in place"]),
    "random": (drawn, ["gives another value each time", "seed its randomness"]),
    "dropout": (Module(0.5), ["gives another value each time"]),
    "a model": (wants_a_model, ["argument model", "setup="]),
    "an unbound method": (Module.method, ["argument self", "objective(trainer.loss)"]),
    "a class": (Module, ["Module is a class", "setup=Loss"]),
    "a coroutine": (later, ["later is a coroutine"]),
    "a generator": (one_by_one, ["one_by_one is a generator"]),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_it_is_refused_by_a_message_that_says_why(kind: str) -> None:
    loss, words = REFUSED[kind]
    with pytest.raises(UnusableInput) as caught:
        check(objective(loss), **HOW)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert "test_kinds.py" in str(caught.value)


def in_single(logp, logp_old, adv, mask):
    logp, logp_old, adv, mask = (x.float() for x in (logp, logp_old, adv, mask))
    return ppo(logp, logp_old, adv, mask).double()


@pytest.mark.filterwarnings("ignore")
def test_a_compiled_loss_in_float32_is_judged_without_its_rounding() -> None:
    torch._dynamo.reset()
    compiled = torch.compile(in_single, backend="eager")
    names = ("follows_the_order_of_rows", "weighs_tokens_as_claimed")
    for claim, verdict in (("token-mean", "pass"), ("seq-mean-token-mean", "fail")):
        declared = objective(compiled, claims=[claim])
        assert check(declared, **{**HOW, "only": names}).verdict == verdict


def with_a_frozen_weight(logp, logp_old, adv, mask):
    weight = (logp - logp_old).exp().clamp(max=1.2).detach()
    return -(weight * adv * logp * mask).sum() / mask.sum()


@pytest.mark.filterwarnings("ignore")
def test_what_a_compiled_loss_freezes_is_seen() -> None:
    torch._dynamo.reset()
    names = ("gradient_is_consistent", "reports_frozen_sites")
    compiled = torch.compile(with_a_frozen_weight, backend="eager")
    report = check(objective(compiled), **{**HOW, "only": names})
    assert [f.verdict for f in report.findings] == ["pass", "reported"]
    assert "detach of [2x4] at test_kinds.py:" in "".join(
        (report.findings[1].message, *report.findings[1].notes)
    )
