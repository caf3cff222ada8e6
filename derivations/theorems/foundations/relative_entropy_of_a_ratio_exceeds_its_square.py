"""3 (x - 1)^2 <= (2 x + 4)(x log x - x + 1) for x >= 0: the calculus behind Pinsker's inequality.

g(x), the difference, is zero at 1 and has the slope 4 h(x) with h(x) = (x + 1) log x - 2 (x - 1),
which is zero at 1 and has the slope log x + 1/x - 1 >= 0.  So h <= 0 before 1 and h >= 0 after it.
Kullback (1967); Tsybakov, Introduction to Nonparametric Estimation (2009), lemma 2.5.
"""

from derivations.language.probability import log_bound
from derivations.language.syntax import ForAll, Implies, log, reals
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import theorem

x, v = reals("x", "v")
h = lambda x: (x + 1) * log(x) - 2 * (x - 1)
g = lambda x: (2 * x + 4) * (x * log(x) - x + 1) - 3 * (x - 1) ** 2
bound = 3 * (x - 1) ** 2 <= (2 * x + 4) * (x * log(x) - x + 1)


@theorem(says=lambda: {"bound": ForAll(x, Implies(x >= 0, bound))})
def relative_entropy_of_a_ratio_exceeds_its_square():
    with assuming(x > 0, name="x > 0") as positive:
        below = claim(1 - 1 / x <= log(x), by(log_bound(1 / x), positive), "1 − 1/x ≤ log x")
    below = conclude(positive, below, "1 − 1/x ≤ log x", forall=(x,))
    with assuming(x >= 1, name="x ≥ 1") as after:
        rising = claim(h(x) >= 0, by(below, after, monotone_on=(v, h(v), 1, x)), "h ≥ 0 after 1")
    rising = conclude(after, rising, "h ≥ 0 after 1", forall=(x,))
    with assuming(x > 0, x <= 1, name="0 < x ≤ 1") as before:
        falling = claim(h(x) <= 0, by(below, before, monotone_on=(v, h(v), x, 1)), "h ≤ 0 before 1")
    falling = conclude(before, falling, "h ≤ 0 before 1", forall=(x,))
    with assuming(x >= 1, name="x ≥ 1") as after:
        right = claim(bound, by(rising, after, monotone_on=(v, g(v), 1, x)), "after 1")
    right = conclude(after, right, "after 1", forall=(x,))
    with assuming(x > 0, x <= 1, name="0 < x ≤ 1") as before:
        left = claim(bound, by(falling, before, monotone_on=(v, -g(v), x, 1)), "before 1")
    left = conclude(before, left, "before 1", forall=(x,))
    with assuming(x > 0, name="x > 0") as positive:
        inside = claim(bound, by(left, right, positive, order=(x, 1)), "for positive x")
    inside = conclude(positive, inside, "for positive x", forall=(x,))
    with assuming(x >= 0, name="x ≥ 0") as nonneg:
        all_x = claim(bound, by(inside(x), nonneg, split=x))
    conclude(nonneg, all_x, forall=(x,))
