"""The generalised advantage is a discounted sum of TD residuals, between two familiar estimates.

adv(n, t) looks n steps ahead of step t: adv(n + 1, t) = delta_t + gamma lambda adv(n, t + 1), where
delta_t = r_t + gamma V_{t+1} - V_t.  lambda = 0 leaves the TD residual, lambda = 1 the return less
the value; adv + V is the lambda-return R_t = r_t + gamma ((1 - lambda) V_{t+1} + lambda R_{t+1}).
After termination the next value is 0, so R = r; a truncated episode keeps r + gamma V of its true
last state, and the recursion restarts.  Schulman et al., GAE (2016), equations (11) to (16).
"""

from derivations.language.mdp import gamma, t
from derivations.language.reasons import given
from derivations.language.syntax import (
    Equal,
    ForAll,
    Implies,
    Sum,
    function,
    functions,
    naturals,
    reals,
    steps_before,
)
from derivations.tactics.book import assuming, by, by_induction, claim, conclude
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.sums_over_steps_split_at_the_first import (
    sums_over_steps_split_at_the_first as first_term,
)

(r, V), adv = functions("r V", t), function("adv", t, t)
lam, n, h = reals("lam"), naturals("n"), naturals("h")
td = lambda t: r(t) + gamma * V(t + 1) - V(t)
nothing = given(Equal(adv(0, t), 0), "no step, no advantage")
step = given(Equal(adv(n + 1, t), td(t) + gamma * lam * adv(n, t + 1)), "recursion")

residuals = lambda n, t: Sum((gamma * lam) ** h * td(t + h), (h, steps_before(n)))
rewards = lambda n, t: Sum(gamma**h * r(t + h), (h, steps_before(n)))
lambda_return = lambda n, t: adv(n, t) + V(t)


@theorem(
    says=lambda: {
        "sum": Equal(adv(n, t), residuals(n, t)),
        "lambda_0": Implies(Equal(lam, 0), Equal(adv(n + 1, t), td(t))),
        "lambda_1": Implies(
            Equal(lam, 1), Equal(adv(n, t), rewards(n, t) + gamma**n * V(t + n) - V(t))
        ),
        "lambda_return": Equal(
            lambda_return(n + 1, t),
            r(t) + gamma * ((1 - lam) * V(t + 1) + lam * lambda_return(n, t + 1)),
        ),
        "termination": Implies(
            Equal(V(t + 1), 0), Equal(adv(n, t + 1), 0), Equal(lambda_return(n + 1, t), r(t))
        ),
        "truncation": Equal(lambda_return(1, t), r(t) + gamma * V(t + 1)),
    },
    given=[nothing, step],
    why={
        "no step, no advantage": "what is left over beyond the last step stays in every sum",
        "recursion": "it is the definition",
    },
    example=(
        "γ = λ = 1/2, r = (1, 0), V = (2, 4, 12): the residuals are 1 and 2, the advantage of two "
        "steps 1 + 2/4 = 3/2; adding V gives the λ-return 7/2 = 1 + (1/2)((1/2) 4 + (1/2) 6)."
    ),
)
def generalised_advantage_telescopes():
    claim(
        Equal(
            lambda_return(n + 1, t),
            r(t) + gamma * ((1 - lam) * V(t + 1) + lam * lambda_return(n, t + 1)),
        ),
        by(step),
    )
    claim(Equal(lambda_return(1, t), r(t) + gamma * V(t + 1)), by(nothing, step))
    by_induction(
        ForAll(t, Equal(adv(n, t), residuals(n, t))),
        n,
        base=claim(Equal(adv(0, t), residuals(0, t)), by(nothing)),
        grow=lambda ih: claim(
            Equal(adv(n + 1, t), residuals(n + 1, t)),
            by(step, ih, first_term.at(f=lambda h: (gamma * lam) ** h * td(t + h))),
        ),
    )
    with assuming(Equal(lam, 0), name="λ = 0") as zero:
        residual = claim(Equal(adv(n + 1, t), td(t)), by(step, zero))
    conclude(zero, residual)
    with assuming(Equal(lam, 1), name="λ = 1") as one:
        telescope = by_induction(
            ForAll(t, Equal(adv(n, t), rewards(n, t) + gamma**n * V(t + n) - V(t))),
            n,
            base=claim(Equal(adv(0, t), rewards(0, t) + V(t) - V(t)), by(nothing)),
            grow=lambda ih: claim(
                Equal(
                    adv(n + 1, t),
                    rewards(n + 1, t) + gamma ** (n + 1) * V(t + n + 1) - V(t),
                ),
                by(step, one, ih, first_term.at(f=lambda h: gamma**h * r(t + h))),
            ),
        )
    conclude(one, telescope)
    with assuming(Equal(V(t + 1), 0), Equal(adv(n, t + 1), 0), name="the episode ends") as end:
        last = claim(Equal(lambda_return(n + 1, t), r(t)), by(step, *end))
    conclude(end, last)
