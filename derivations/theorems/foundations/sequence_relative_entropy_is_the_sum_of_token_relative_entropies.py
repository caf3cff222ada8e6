"""The relative entropy of sequences is the expected sum of the relative entropies of their tokens.

For every length n and p << q, zeros allowed: KL(P_n || Q_n) is the sum over t < n of the mean of
KL(p(.|h) || q(.|h)) over the prefixes h ~ P_t, a sum over tokens and not a mean; and it is the
expected sum L(w) of the log-ratios of the tokens.
Cover and Thomas, Elements of Information Theory, 2nd ed., theorem 2.5.3.
"""

from derivations.language.probability import KL, nonzero, rel_entr, sequence_law
from derivations.language.reasons import given
from derivations.language.syntax import (
    Equal,
    Implies,
    Sum,
    append,
    empty_word,
    function,
    log,
    members,
    naturals,
    reals,
    sequences,
    steps_before,
    words,
)
from derivations.tactics.book import assuming, by, by_induction, calc, claim, conclude
from derivations.tactics.theorem import theorem

v = members("V", "v")
w, h = words("V", "w", "h")
n, t = naturals("n", "t")
x, x2, y, y2 = reals("x", "x2", "y", "y2")
p, q = function("p", v, w), function("q", v, w)
P, Q, L = function("P", w), function("Q", w), function("L", w)
nonneg, total = given(p(v, w) >= 0, "p ≥ 0"), given(Equal(Sum(p(v, w), v), 1), "p sums to one")
q_nonneg = given(q(v, w) >= 0, "q ≥ 0")
p_in_q = given(Implies(p(v, w) > 0, q(v, w) > 0), "p ≪ q")
P_, Q_ = sequence_law(P, p, v, w), sequence_law(Q, q, v, w)
ratio_of_none = given(Equal(L(empty_word("V")), 0), "L of the empty sequence")
ratio_of_more = given(
    Implies(p(v, w) > 0, Equal(L(append(w, v)), L(w) + log(p(v, w) / q(v, w)))),
    "L adds the log-ratio of a token",
)
whole = lambda n: Sum(rel_entr(P(w), Q(w)), (w, sequences("V", n)))
token = lambda h: KL(lambda v: p(v, h), lambda v: q(v, h), v)
per_token = lambda n: Sum(P(h) * token(h), (h, sequences("V", t)), (t, steps_before(n)))


@theorem(
    says=lambda: {
        "per_token": Equal(whole(n), per_token(n)),
        "log_ratio": Equal(whole(n), Sum(P(w) * L(w), (w, sequences("V", n)))),
    },
    given=[nonneg, total, q_nonneg, p_in_q, P_, Q_, ratio_of_none, ratio_of_more],
    why={"p sums to one": "else prefixes gain or lose mass with every token"},
    example="p = (1/2, 1/2), q = (1/4, 3/4) at each of two tokens: KL = 2 x 0.1438 = 0.2877",
)
def sequence_relative_entropy_is_the_sum_of_token_relative_entropies():
    signs = (x >= 0, x2 >= 0, Implies(x > 0, y > 0), Implies(x2 > 0, y2 > 0))
    with assuming(*signs, name="signs") as signs:
        rule = claim(
            Equal(rel_entr(x * x2, y * y2), x2 * rel_entr(x, y) + x * rel_entr(x2, y2)),
            by(split=(x, x2)),
            "product rule",
        )
    rule = conclude(signs, rule, forall=(x, x2, y, y2))
    claim(P(w) >= 0, by(P_, induct=w), "P ≥ 0")
    claim(Q(w) >= 0, by(Q_, induct=w), "Q ≥ 0")
    token_inside = claim(Equal(p(v, w) * nonzero(q(v, w)), p(v, w)), by(split=p(v, w)), "p ≪ q")
    inside = claim(Equal(P(w) * nonzero(Q(w)), P(w)), by(P_, Q_, token_inside, induct=w), "P ≪ Q")
    with assuming(P(w) > 0, name="P(w) > 0") as likely:
        supported = claim(Q(w) > 0, by(inside, likely, split=Q(w)))
    conclude(likely, supported, "Q > 0 where P > 0")
    last = rule(P(w), p(v, w), Q(w), q(v, w))
    grown = lambda n: (w, sequences("V", n))
    by_induction(
        Equal(whole(n), per_token(n)),
        n,
        base=calc(whole(0), ("=", per_token(0), by(P_.empty, Q_.empty))),
        grow=lambda before: calc(
            whole(n + 1),
            ("=", Sum(rel_entr(P(w) * p(v, w), Q(w) * q(v, w)), v, grown(n)), by(P_, Q_)),
            (
                "=",
                Sum(
                    p(v, w) * rel_entr(P(w), Q(w)) + P(w) * rel_entr(p(v, w), q(v, w)), v, grown(n)
                ),
                by(last),
            ),
            ("=", whole(n) + Sum(P(h) * token(h), (h, sequences("V", n))), by(total)),
            ("=", per_token(n + 1), by(before)),
        ),
        name="per token",
    )
    more = claim(
        Equal(
            P(w) * p(v, w) * L(append(w, v)),
            P(w) * p(v, w) * L(w) + P(w) * rel_entr(p(v, w), q(v, w)),
        ),
        by(ratio_of_more, split=p(v, w)),
        "one token more",
    )
    each = claim(
        Equal(rel_entr(P(w), Q(w)), P(w) * L(w)),
        by(P_, Q_, ratio_of_none, last, more, induct=w),
        "sequence by sequence",
    )
    claim(Equal(whole(n), Sum(P(w) * L(w), (w, sequences("V", n)))), by(each))
