"""What is followed, and in which sense: rewards rise, divergences fall."""

from numerics import check
from numerics.objective import objective

NAME = "follows_its_claim"


def verdict(sign: int, *claims: str) -> str:
    def loss(logp, logp_old, logp_ref, adv, mask):
        ratio, gap = (logp - logp_old).exp(), logp_ref - logp
        tokens = sign * 0.1 * (gap.exp() - 1 - gap) - ratio * adv
        return (tokens * mask).sum(-1).mean()

    return check(objective(loss, claims=claims), only=(NAME,)).findings[0].verdict


def test_the_sense_counts() -> None:
    assert verdict(1, "E[r]", "KL(ref||pi)") == "pass"
    assert verdict(-1, "E[r]", "KL(ref||pi)") == "fail"
    assert verdict(1, "E[r]", "KL(pi||ref)") == "fail"
