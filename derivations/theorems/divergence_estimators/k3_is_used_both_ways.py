"""Both uses of k3: against the sampling policy, and against the frozen reference.

Samples from pi_old with r = pi/pi_old estimate KL(pi_old || pi), the distance from the sampling
policy; samples from pi with r = pi_ref/pi estimate KL(pi || pi_ref), the penalty of the reward.
Schulman, Approximating KL divergence (2020); Shao et al., DeepSeekMath (2024), equation (4).
"""

from derivations.language.probability import KL, distribution, dominated, expectation
from derivations.language.syntax import Equal, functions, members
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.divergence_estimators.k3_is_unbiased_and_nonnegative import (
    k3,
    k3_is_unbiased_and_nonnegative,
)

a = members("A", "a")
pi, old, ref = functions("pi pi_old pi_ref", "A")
mean = lambda p, q: expectation(q, lambda a: k3(p(a) / q(a)), a)
unbiased = k3_is_unbiased_and_nonnegative["k3_on_equal_supports"]
same_support = [dominated(pi, old, a), dominated(old, pi, a)]
same_as_reference = [dominated(pi, ref, a), dominated(ref, pi, a)]


@theorem(
    says=lambda: {
        "sampling_policy": Equal(mean(pi, old), KL(old, pi, a)),
        "reference": Equal(mean(ref, pi), KL(pi, ref, a)),
    },
    given=[*[distribution(p, a) for p in (pi, old, ref)], *same_support, *same_as_reference],
    why={
        "pi_ref ≪ pi": "π = (0, 1), π_ref = (1/2, 1/2): E[k3] = 0.1931, but KL = 0.6931",
        "pi ≪ pi_old": "the same with π_old and π",
    },
    example=(
        "π_old = π_ref = (1/2, 1/2), π = (1/4, 3/4): E[k3] under π_old is KL(π_old || π) = "
        "0.1438, under π it is KL(π || π_ref) = 0.1308."
    ),
)
def k3_is_used_both_ways():
    claim(Equal(mean(pi, old), KL(old, pi, a)), by(unbiased.at(p=pi, q=old), *same_support))
    claim(Equal(mean(ref, pi), KL(pi, ref, a)), by(unbiased.at(p=ref, q=pi), *same_as_reference))
