"""What a report prints runs, and shows the difference: wrong losses of several families."""

from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from rich.console import Console

from numerics import check, objective
from numerics.check.report import print_report
from numerics.properties import Finding

PLAIN = "import torch"  # how a reproduction in plain torch begins


def of_ratio(ratio, adv, mask):
    return (torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv) * mask).sum() / mask.sum()


@objective(like="ppo_clip", clip=0.2, reduce="token-mean")
def maximum(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    return -(torch.maximum(ratio * adv, ratio.clamp(0.8, 1.2) * adv) * mask).sum() / mask.sum()


@objective
def unmasked(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv).mean()


def sign(logp, logp_old, adv, mask):
    return of_ratio((logp - logp_old).exp(), adv, mask)


@objective
def swapped(logp, logp_old, adv, mask):
    return -of_ratio((logp_old - logp).exp(), adv, mask)


@objective(like="grpo", clip=0.2, beta=0.04, reduce="token-mean")
def detached(logp, logp_old, logp_ref, adv, mask):
    gap = logp_ref - logp.detach()
    penalty = ((gap.exp() - 1 - gap) * mask).sum() / mask.sum()
    return 0.04 * penalty - of_ratio((logp - logp_old).exp(), adv, mask)


def denominator(logp, logp_old, adv, mask):
    return -of_ratio((logp - logp_old).exp(), adv, mask) * mask.sum() / mask.numel()


@objective(constants={"beta": 0.1})
def rejected_first(logp_w, logp_l, ref_w, ref_l, beta):
    return -F.logsigmoid(beta * ((logp_l - ref_l) - (logp_w - ref_w))).mean()


@objective
def over_the_batch(rewards, group):
    return (rewards - rewards.mean()) / (rewards.std() + 1e-6)


@objective
def never_ends(rewards, values, next_values, terminated, truncated, mask, gamma, lam):
    steps, last = [], torch.zeros(len(rewards)).double()
    for t in reversed(range(rewards.shape[1])):
        last = rewards[:, t] + gamma * next_values[:, t] - values[:, t] + gamma * lam * last
        steps.append(last)
    return torch.stack(steps[::-1], 1)


@objective(like="value_clip")
def the_smaller_error(value, value_old, returns, mask):
    clipped = value_old + (value - value_old).clamp(-0.2, 0.2)
    errors = torch.minimum((value - returns) ** 2, (clipped - returns) ** 2)
    return 0.5 * (errors * mask).sum() / mask.sum()


@objective(like="grpo", beta=0.0)
def cooled(logits, labels, logp_old, adv, mask):
    logp = torch.log_softmax(logits / 0.9, -1).gather(-1, labels[..., None])[..., 0]
    return -of_ratio((logp - logp_old).exp(), adv, mask)


class _Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, *upstream):
        return 2 * upstream[0]


@objective
def doubled(logp, logp_old, adv, mask):
    return -of_ratio(_Doubled.apply(logp - logp_old).exp(), adv, mask)


def theirs(config, batch):
    return config["sign"] * of_ratio((batch["new"] - batch["old"]).exp(), batch["a"], batch["m"])


def adapted(loss, sign):
    return lambda logp, logp_old, adv, mask: loss(
        {"sign": sign}, {"new": logp, "old": logp_old, "a": adv, "m": mask}
    )


within = objective(theirs, setup=adapted, constants={"sign": 1.0}, like="ppo_clip")


@objective(spec=lambda logp, logp_old, adv, mask: -sign(logp, logp_old, adv, mask))
def beside_a_function(logp, logp_old, adv, mask):
    return sign(logp, logp_old, adv, mask)


CASES: dict[str, Any] = {
    "maximum": maximum,
    "unmasked": unmasked,
    "sign, a plain function": sign,
    "swapped": swapped,
    "detached": detached,
    "denominator, claimed beside it": objective(denominator, claims=["token-mean"]),
    "rejected first": rejected_first,
    "over the batch": over_the_batch,
    "never ends": never_ends,
    "the smaller error": the_smaller_error,
    "cooled": cooled,
    "doubled": doubled,
    "an adapted loss": replace(within, name="within"),
    "adapted beside its file": objective(
        theirs, setup=adapted, constants={"sign": 1.0}, like="ppo_clip"
    ),
    "a specification that is a function": beside_a_function,
}


def run(reproduction: str) -> list[Any]:
    """What a reproduction prints, as objects."""
    printed: list[Any] = []
    exec(reproduction, {"print": lambda *values: printed.extend(values)})
    return printed


def shows(finding: Finding, reproduction: str, printed: list[Any]) -> bool:
    """Whether what was printed is the failure again: two numbers apart, or the same message."""
    if not reproduction.startswith(PLAIN):
        return printed == ["fail", finding.message]
    numbers = [torch.as_tensor(value).double() for value in printed]
    if len(numbers) == 4:  # two values, two gradients
        return not (_same(*numbers[:2]) and _same(*numbers[2:]))
    leaks = len(numbers) == 3 and bool((numbers[2] != 0).any())
    return leaks or not _same(*numbers[:2])


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return torch.allclose(one, other, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_each_reproduction_shows_the_difference(name: str) -> None:
    report = check(CASES[name], seeds=1)
    failed = [f for f in report.findings if f.verdict == "fail" and f.counterexample]
    told = [(f, f.counterexample["reproduction"]) for f in failed if f.counterexample]
    assert told
    for finding, reproduction in told:
        assert len(reproduction.splitlines()) <= 5
        assert shows(finding, reproduction, run(reproduction)), reproduction


def test_failures_come_first_with_theorem_sample_and_reproduction() -> None:
    console = Console(width=300, file=StringIO(), record=True)
    print_report(check(sign, seeds=1), console)
    lines = console.export_text().splitlines()
    assert lines[1].startswith("  FAIL  has_the_policy_gradient_on_policy")
    first = "\n".join(lines[1:8])
    for shown in ("not negative", "theorem: ", "smallest sample: B=2, T=4", "reproduce:"):
        assert shown in first
    verdicts = [line.split()[0] for line in lines if line[2:6] in ("FAIL", "PASS")]
    assert verdicts == sorted(verdicts)


def test_the_right_loss_beside_them_shows_nothing() -> None:
    """The measure of `shows` itself: a reproduction on a right loss prints equal numbers."""
    found = next(
        f for f in check(maximum, seeds=1).findings if f.property == "matches_the_specification"
    )
    assert found.counterexample is not None
    wrong = found.counterexample["reproduction"]
    right = wrong.replace("mine = maximum(", "mine = -of_ratio_of(").replace(
        "import maximum", "import of_ratio_of"
    )
    assert shows(found, wrong, run(wrong))
    assert not shows(found, right, run(right))


def of_ratio_of(logp, logp_old, adv, mask):
    return of_ratio((logp - logp_old).exp(), adv, mask)
