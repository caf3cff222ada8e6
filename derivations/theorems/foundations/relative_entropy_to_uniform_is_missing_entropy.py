"""KL(pi || uniform) = log |A| - H(pi): the distance to uniform is the entropy that is missing.

For every distribution, zeros allowed.  So an entropy bonus is a KL penalty with the uniform
reference.  Cover and Thomas, Elements of Information Theory, 2nd ed., equation (2.94).
"""

from derivations.language.probability import KL, distribution, entropy, rel_entr
from derivations.language.syntax import Equal, function, log, members, size
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem

a = members("A", "a")
pi = function("pi", a)
policy = distribution(pi, a)
uniform = lambda a: 1 / size("A")


@theorem(
    says=lambda: {"entropy": Equal(KL(pi, uniform, a), log(size("A")) - entropy(pi, a))},
    given=[policy],
    why={"pi sums to one": "π = (0, 0): divergence and entropy are 0, but log 2 is not"},
    example="π = (1/2, 1/2, 0) among three actions: KL = log 3 - log 2 = 0.4055.",
)
def relative_entropy_to_uniform_is_missing_entropy():
    term = claim(
        Equal(rel_entr(pi(a), uniform(a)), pi(a) * log(pi(a)) + pi(a) * log(size("A"))),
        by(split=pi(a)),
        "one term",
    )
    claim(Equal(KL(pi, uniform, a), log(size("A")) - entropy(pi, a)), by(term, policy.total))
