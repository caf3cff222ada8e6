"""k3 = r - 1 - log r is an unbiased and never negative estimator of KL(q || p).

Samples a ~ q, ratio r = p(a)/q(a), zeros allowed in both.  k1 = -log r has mean KL(q || p) as
soon as q << p.  k3 has it when p << q too; otherwise its mean is KL(q || p) - p(q = 0), because r
has the mean p(q > 0) and not 1.  k3 >= 0 with equality only at r = 1, by log r <= r - 1.
Schulman, Approximating KL divergence (2020).
"""

from derivations.language.probability import (
    KL,
    distribution,
    dominated,
    expectation,
    log_bound,
    mass_where_zero,
    nonzero,
    rel_entr,
)
from derivations.language.syntax import Equal, ForAll, Implies, Sum, functions, log, members, reals
from derivations.tactics.book import assuming, by, calc, claim, conclude
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.logarithm_bound_is_strict import logarithm_bound_is_strict

a = members("A", "a")
x = reals("x")
p, q = functions("p q", "A")
p_, q_, q_in_p, p_in_q = (
    distribution(p, a),
    distribution(q, a),
    dominated(q, p, a),
    dominated(p, q, a),
)
k1 = lambda r: -log(r)
k3 = lambda r: r - 1 - log(r)
ratio = lambda a: p(a) / q(a)
mean = lambda k: expectation(q, lambda a: k(ratio(a)), a)


@theorem(
    says=lambda: {
        "k1": Equal(mean(k1), KL(q, p, a)),
        "k3_in_general": Equal(mean(k3), KL(q, p, a) - mass_where_zero(p, q, a)),
        "k3_on_equal_supports": Implies(p_in_q.formula, Equal(mean(k3), KL(q, p, a))),
        "nonnegative": ForAll(x, Implies(x > 0, k3(x) >= 0)),
        "zero_only_at_one": ForAll(x, Implies(x > 0, Equal(k3(x), 0), Equal(x, 1))),
        "zero_at_one": ForAll(x, Implies(x > 0, Equal(x, 1), Equal(k3(x), 0))),
    },
    given=[p_, q_, q_in_p],
    why={"q ≪ p": "q = (1/2, 1/2), p = (1, 0): -log r is infinite on the second outcome"},
    example="q = (1/2, 1/2, 0), p = (1/4, 1/4, 1/2): E[k1] = log 2, E[k3] = log 2 - 1/2",
)
def k3_is_unbiased_and_nonnegative():
    inverted = claim(
        Equal(-q(a) * log(ratio(a)), rel_entr(q(a), p(a))),
        by(q_in_p, split=q(a)),
        "log(p/q) = −log(q/p) where q > 0",
    )
    unbiased = claim(Equal(mean(k1), KL(q, p, a)), by(inverted), "k1 is unbiased")
    in_general = claim(
        calc(
            mean(k3),
            ("=", Sum(p(a) * nonzero(q(a)), a) - 1 + mean(k1), by(q_.total)),
            ("=", KL(q, p, a) - mass_where_zero(p, q, a), by(unbiased, p_.total)),
        ),
        name="the mean of k3",
    )
    with assuming(p_in_q.formula, name="p ≪ q") as equal_supports:
        inside = claim(
            Equal(p(a) * nonzero(q(a)), p(a)), by(equal_supports, split=p(a)), "p is 0 where q is 0"
        )
        value = claim(Equal(mean(k3), KL(q, p, a)), by(in_general, inside))
    conclude(equal_supports, value)
    with assuming(x > 0, name="x > 0") as positive:
        nonneg = claim(k3(x) >= 0, by(log_bound(x), positive), "k3 is not negative")
        with assuming(Equal(k3(x), 0), name="k3 = 0") as zero:
            bound = claim(Equal(log(x), x - 1), by(zero))
            one = claim(Equal(x, 1), by(logarithm_bound_is_strict(x), positive, bound))
        only = conclude(zero, one)
    conclude(positive, nonneg, forall=(x,))
    conclude(positive, only, forall=(x,))
    with assuming(x > 0, Equal(x, 1), name="x = 1") as at_one:
        value = claim(Equal(k3(x), 0), by(at_one))
    conclude(at_one, value, forall=(x,))
