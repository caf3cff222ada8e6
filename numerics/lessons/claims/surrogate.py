"""Claims about the surrogate objective and its clip."""

import torch
from torch import Tensor

from numerics.lessons import two_state
from numerics.lessons.claims import Example, claim
from numerics.lessons.divergence import law, relative_entropy
from numerics.lessons.lines import point
from numerics.objectives.ppo_clip import clipped_surrogate

CLIP = 0.2


def clipped(rho: Tensor, advantage: Tensor) -> Tensor:
    """min(rho A, clip(rho) A) with the lessons' clip."""
    return clipped_surrogate(rho, advantage, CLIP)


def slope(rho: float, advantage: float) -> float:
    """Its derivative with respect to log pi, as autograd has it."""
    logp = law(rho).log().requires_grad_()
    value = clipped(logp.exp(), law(advantage)).sum()
    return float(torch.autograd.grad(value, logp)[0])


@claim(
    2,
    "PPO's clipped objective bounds the improvement of the policy from below.",
    "It bounds rho A from below, sample by sample. The improvement J(new) - J(old) can be smaller "
    "still, because the states are those of the old policy.",
    "clipped_surrogate.clipped_surrogate_is_pessimistic",
)
def the_bound_is_on_the_surrogate() -> Example:
    t = point(0.25)
    old, new = two_state.old(), two_state.policy(t * two_state.direction())
    uniform = torch.full_like(new, 1 / 3)
    weights = old.visitation[:, None] * uniform
    bound = float((weights * clipped(new / uniform, old.advantage)).sum())
    plain, gain = float(two_state.surrogate(t)), float(two_state.gain(t))
    text = f"Two states, step 0.25: clipped surrogate {bound:.3f} <= surrogate {plain:.3f}, "
    text += f"but the true gain is {gain:.3f}."
    values = {"clipped": bound, "surrogate": plain, "gain": gain}
    return Example(text, values, gain < bound <= plain + 1e-12)


@claim(
    3,
    "For a bad answer the objective stops falling once the ratio is below 0.8.",
    "For A < 0 the term -|A| rho rises as the ratio falls; below 1 - eps it stops rising, at "
    "-(1 - eps)|A|.",
    "clipped_surrogate.clip_gradient_cases",
)
def it_stops_rising() -> Example:
    ratios = (0.9, 0.8, 0.7)
    terms = [float(clipped(law(rho), law(-1.0))) for rho in ratios]
    text = "A = -1: " + ", ".join(
        f"ratio {r:g} gives {x:.2g}" for r, x in zip(ratios, terms, strict=True)
    )
    values = {f"ratio {r:g}": x for r, x in zip(ratios, terms, strict=True)}
    return Example(text + ".", values, terms[0] < terms[1] == terms[2])


@claim(
    4,
    "PPO keeps the new policy inside a trust region around the old one.",
    "The clip takes away the reward for moving further; nothing bounds the move. On the flat part "
    "KL(old || new) is unbounded.",
    "clipped_surrogate.clip_does_not_bound_the_divergence",
)
def flat_and_far() -> Example:
    old, advantage = law(0.5, 0.5), law(1.0, -1.0)
    news = [law(1 - x, x) for x in (0.3, 0.01, 1e-6)]
    objectives = [float((old * clipped(new / old, advantage)).sum()) for new in news]
    distances = [float(relative_entropy(old, new)) for new in news]
    text = "Two actions, A = (1, -1), old (1/2, 1/2): the second at 0.3, 0.01 and 0.000001 has "
    text += f"the same objective {objectives[0]:.2g} and KL "
    text += ", ".join(f"{d:.2f}" for d in distances) + "."
    values = {"objective": objectives[0], "nearest KL": distances[0], "furthest KL": distances[-1]}
    flat = max(objectives) - min(objectives) < 1e-12
    return Example(text, values, flat and distances == sorted(distances) and distances[-1] > 6)


@claim(
    8,
    "The surrogate L is the batch mean of rho A, up to the factor 1 / (1 - gamma).",
    "Only when states are drawn from (1 - gamma) d, the discounted visitation. A real batch holds "
    "states in proportion to undiscounted time, and its mean estimates something else.",
    "decision_processes.visitation_sums_to_one_over_one_minus_gamma",
)
def two_laws_of_states() -> Example:
    old, new = two_state.old(), two_state.policy(point(0.25) * two_state.direction())
    gamma = two_state.process().gamma
    per_state = (new * old.advantage).sum(-1)
    drawn = (1 - gamma) * old.visitation
    discounted = float(drawn @ per_state / (1 - gamma))
    chain = two_state.process().transition.mean(1)  # the uniform policy's
    long_run = torch.linalg.matrix_power(chain, 200)[0]
    undiscounted = float(long_run @ per_state / (1 - gamma))
    surrogate = float(two_state.surrogate(point(0.25)))
    text = f"Two states, step 0.25: L = {surrogate:.3f}; the mean over discounted states gives "
    text += f"{discounted:.3f}, over undiscounted time {undiscounted:.3f}."
    values = {"L": surrogate, "discounted": discounted, "undiscounted": undiscounted}
    agrees = abs(discounted - surrogate) < 1e-12 and abs(float(drawn.sum()) - 1) < 1e-12
    return Example(text, values, agrees and abs(undiscounted - surrogate) > 0.01)


@claim(
    9,
    "A sample's gradient is zero only when it has moved far enough in the helpful direction.",
    "For A != 0 and off the two kinks, that is exactly when. At A = 0 it is zero everywhere; at a "
    "kink the one-sided slopes are rho A and 0.",
    "clipped_surrogate.clip_gradient_cases",
)
def no_advantage_no_gradient() -> Example:
    kink = 1 + CLIP
    at = float(clipped(law(kink), law(1.0)))
    step = 1e-6  # of log pi; the error of a one-sided difference is of this order
    moved = [float(clipped(law(kink) * law(h).exp(), law(1.0))) for h in (-step, step)]
    left, right = (at - moved[0]) / step, (moved[1] - at) / step
    idle, wrong = slope(0.5, 0.0), slope(0.5, 1.0)
    text = f"A = 0 at ratio 0.5: slope {idle:g}; A = 1 there: {wrong:g}. A = 1 at ratio 1.2: "
    text += f"slope {left:.3f} from below, {right:.3f} from above."
    values = {"no advantage": idle, "moved away": wrong, "left": left, "right": right}
    holds = idle == 0 and abs(wrong - 0.5) < 1e-12 and abs(left - kink) < 1e-5 and right == 0
    return Example(text, values, holds)
