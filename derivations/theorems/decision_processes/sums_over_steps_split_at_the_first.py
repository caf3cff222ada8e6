"""sum_{t < T + 1} f(t) = f(0) + sum_{t < T} f(t + 1).  Induction on T; Knuth, TAOCP 1, 1.2.3."""

from derivations.language.mdp import T, steps_before, t
from derivations.language.syntax import Equal, Sum, function
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem

f = function("f", t)
split = Equal(Sum(f(t), (t, steps_before(T + 1))), f(0) + Sum(f(t + 1), (t, steps_before(T))))


@theorem(says=lambda: {"split": split})
def sums_over_steps_split_at_the_first():
    claim(split, by(induct=T))
