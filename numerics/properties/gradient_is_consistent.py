"""The gradient that autograd returns is the derivative of the value, stop-gradients held fixed.

For a scalar loss f and normal directions v: <autograd grad f, v> = d/dt f(x + t v) at t = 0. It
says nothing about whether f is the right loss: a wrong loss with a consistent backward passes.
"""

from dataclasses import replace

import torch

from numerics.check.directions import forget_large_directions
from numerics.check.gradient import GradientCheck, check_gradient
from numerics.check.locate import locate
from numerics.check.reproduce import gradient_lines
from numerics.check.specification import specified_gradient
from numerics.check.subject import Subject
from numerics.families import Shape
from numerics.properties import Finding, Property, Setting

REDRAWS = 5
NAME = "gradient_is_consistent"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Check every point of the setting; the first failure is located, kinks are redrawn up to a
    cap.
    """
    try:
        return _judged(subject, setting)
    finally:
        forget_large_directions()


def _judged(subject: Subject, setting: Setting) -> Finding:
    checks: list[GradientCheck] = []
    flat = 0
    for shape, seed, regime in setting.points():
        check, seed = _decided(subject, setting, shape, seed, regime)
        if check.verdict == "fail":
            return _failure(subject, check, shape, seed, regime)
        flat += check.reason.startswith("gradient and differences are zero")
        checks.append(replace(check, gradient=torch.empty(0)))  # not the memory of all points
    undecided = [c for c in checks if c.verdict == "inconclusive"]
    passed = [c for c in checks if c.verdict == "pass"]
    if not passed or len(undecided) > flat:
        return Finding(
            NAME,
            "inconclusive",
            message=f"{len(undecided)} points undecided: {undecided[0].reason}",
        )
    return _passed(passed, flat)


def _decided(
    subject: Subject, setting: Setting, shape: Shape, seed: int, regime: str
) -> tuple[GradientCheck, int]:
    """The check at a point, or at another seed when the point is a kink."""
    for drawn in range(seed, seed + 1000 * (REDRAWS + 1), 1000):
        inputs = subject.sample(shape, drawn, regime)
        check = check_gradient(
            subject.function(inputs), inputs[subject.wrt], seed=drawn, directions=setting.directions
        )
        if check.verdict != "inconclusive":
            break
    return check, drawn


def _passed(passed: list[GradientCheck], flat: int) -> Finding:
    worst = max(passed, key=lambda c: c.observed / c.allowed)
    least = max(c.minimum_detectable for c in passed)
    orders = [c.taylor_order for c in passed if c.taylor_order is not None]
    order = (
        f"Taylor order {sorted(orders)[len(orders) // 2]:.2f}"
        if orders
        else "linear along every direction"
    )
    notes = (f"{flat} further points where the loss is flat",) if flat else ()
    message = f"{len(passed)} points, errors relative to |g|; {order}"
    return Finding(NAME, "pass", worst.observed, worst.allowed, least, message=message, notes=notes)


def _failure(
    subject: Subject, check: GradientCheck, shape: Shape, seed: int, regime: str
) -> Finding:
    inputs = subject.sample(shape, seed, regime)
    function, point = subject.function(inputs), inputs[subject.wrt]
    mask = inputs.get("mask") if "mask" in subject.mapped.ours else None
    place = locate(function, point, check.gradient, check.sites, mask, seed)
    symbolic = specified_gradient(subject, inputs)
    specified = None if symbolic is None else symbolic[place.entry].item()
    counterexample = {
        "shape": dict(shape),
        "seed": seed,
        "regime": regime,
        "entry": list(place.entry),
        "autograd": place.autograd,
        "difference": place.difference,
        "specification": specified,
        "guess": place.guess,
        "frozen": [str(site) for site in check.sites],
        "reproduction": gradient_lines(subject, shape, seed, regime, place.entry),
    }
    index = ", ".join(map(str, place.entry))
    beside = "" if specified is None else f", specification {specified:.6g}"
    message = (
        f"d loss / d {subject.wrt}[{index}]: autograd {place.autograd:.6g}, "
        f"difference {place.difference:.6g}{beside}; {place.guess}"
    )
    errors = check.observed, check.allowed, check.minimum_detectable
    moves = "the reproduction's difference also moves what the loss freezes"
    notes = (moves,) if check.sites else ()
    return Finding(NAME, "fail", *errors, counterexample, message=message, notes=notes)


PROPERTY = Property(
    name=NAME,
    families=frozenset({"policy", "kl", "logits"}),
    theorem=None,
    cost="one forward and backward and two forwards per direction",
    judge=judge,
)
