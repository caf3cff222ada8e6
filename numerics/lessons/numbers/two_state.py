"""Numbers of the two-state example."""

from torch import Tensor

from numerics.lessons import two_state
from numerics.lessons.lines import point
from numerics.lessons.numbers import TRUST_REGIONS, Judged, number
from numerics.lessons.two_state import ACTIONS, BACK, STATES

MOVES = {  # (state, action) -> reward, next state, as the lesson's table has them
    ("start", "forward"): (1.0, "far"),
    ("start", "wait"): (0.2, "start"),
    ("start", "back"): (0.0, "start"),
    ("far", "forward"): (-1.0, "far"),
    ("far", "wait"): (0.0, "far"),
    ("far", "back"): (0.0, "start"),
}


@number(
    "two-state.model",
    TRUST_REGIONS,
    "the process: rewards and next states of each action, gamma, the start, the old policy",
)
def model() -> Judged:
    process = two_state.process()
    arrives = process.transition.argmax(-1)
    moves = {
        (state, action): (float(process.reward[s, a]), STATES[int(arrives[s, a])])
        for s, state in enumerate(STATES)
        for a, action in enumerate(ACTIONS)
    }
    certain = bool((process.transition.max(-1).values == 1).all())
    starts = process.start.tolist() == [1.0, 0.0] and process.gamma == 0.9
    unit = abs(float(two_state.direction().norm()) - 1) < 1e-12
    words = [f"{s}, {a}: {r:+g}, to {to}" for (s, a), (r, to) in moves.items()]
    words += [f"gamma {process.gamma:g}", "uniform old policy", "unit step along grad J"]
    return Judged("; ".join(words), moves == MOVES and certain and starts and unit)


@number("two-state.advantage.s2.back", TRUST_REGIONS, "advantage of back when far", 0.96, 0.005)
def advantage_far() -> Tensor:
    return two_state.old().advantage[1, BACK]


@number("two-state.advantage.s1.back", TRUST_REGIONS, "advantage of back at start", -0.09, 0.005)
def advantage_start() -> Tensor:
    return two_state.old().advantage[0, BACK]


@number("two-state.t025.surrogate", TRUST_REGIONS, "surrogate after a step of 0.25", 0.46, 0.005)
def surrogate_near() -> Tensor:
    return two_state.surrogate(point(0.25))


@number("two-state.t025.gain", TRUST_REGIONS, "true gain after a step of 0.25", 0.38, 0.005)
def gain_near() -> Tensor:
    return two_state.gain(point(0.25))


@number("two-state.peak.t", TRUST_REGIONS, "the step with the largest true gain", 0.72, 0.005)
def peak_step() -> float:
    return two_state.peak_step()


@number("two-state.peak.gain", TRUST_REGIONS, "the largest true gain", 0.62, 0.005)
def peak_gain() -> Tensor:
    return two_state.gain(point(two_state.peak_step()))


@number("two-state.zero.t", TRUST_REGIONS, "the step at which the gain is lost again", 2.03, 0.005)
def zero_step() -> float:
    return two_state.zero_step()


@number(
    "two-state.surrogate.large",
    TRUST_REGIONS,
    "the surrogate passes 2.5 at large steps (at a step of 2 it is 2.55)",
    2.5,
)
def surrogate_far() -> Judged:
    steps = (2.0, 3.0, 5.0, 10.0, 20.0)
    values = [float(two_state.surrogate(point(t))) for t in steps]
    above = min(values) > 2.5 and values == sorted(values)
    limit = f"it rises to {values[-1]:.2f} at t = {steps[-1]:g}"
    return Judged(values[0], above and round(values[0], 2) == 2.55, limit)


@number("two-state.region.t", TRUST_REGIONS, "the step with KL(old || new) = 0.05", 0.56, 0.005)
def trusted_step() -> float:
    return two_state.trusted_step()


@number("two-state.region.gain", TRUST_REGIONS, "true gain of that step", 0.6, 0.005)
def trusted_gain() -> Tensor:
    return two_state.gain(point(two_state.trusted_step()))


@number("two-state.C", TRUST_REGIONS, "4 gamma max|A| / (1 - gamma)^2", 353.0, 0.5)
def bound_constant() -> float:
    return two_state.bound_constant()
