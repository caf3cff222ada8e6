"""Numbers of the estimators k1 and k3."""

from torch import Tensor

from numerics.lessons.divergence import law, moments, relative_entropy
from numerics.lessons.numbers import POLICY_OPTIMISATION, number

PI, REFERENCE = law(0.5, 0.3, 0.2), law(0.4, 0.4, 0.2)


@number(
    "k3.example.kl",
    POLICY_OPTIMISATION,
    "KL of the example",
    0.0253,
    5e-5,
    note="the laws are not printed; pi = (0.5, 0.3, 0.2), ref = (0.4, 0.4, 0.2) reproduce both",
)
def kl() -> Tensor:
    return relative_entropy(PI, REFERENCE)


@number("k3.example.variance-ratio", POLICY_OPTIMISATION, "Var k1 / Var k3", 200.0, 20.0)
def variance_ratio() -> float:
    k1, k3 = (moments(kind, PI, REFERENCE, PI) for kind in ("k1", "k3"))
    return k1.variance / k3.variance
