"""A stop-gradient is a fault where none was claimed, and only there."""

import torch

from numerics import check
from numerics.objective import objective

NAME = "holds_nothing_fixed_as_claimed"
CLAIM = "holds nothing fixed"


def verdict(loss, *claims: str) -> str:
    return check(objective(loss, claims=claims), only=(NAME,)).findings[0].verdict


def open_surrogate(logp, logp_old, logp_ref, adv, mask):
    gap = logp_ref - logp
    tokens = 0.1 * (gap.exp() - 1 - gap) - (logp - logp_old).exp() * adv
    return (tokens * mask).sum() / mask.sum()


def closed_penalty(logp, logp_old, logp_ref, adv, mask):
    return open_surrogate(logp, logp_old, logp_ref, adv, mask) + open_surrogate(
        logp.detach(), logp_old, logp_ref, adv, mask
    )


def margin(logp_w, logp_l, ref_w, ref_l):
    return torch.nn.functional.softplus((logp_l - ref_l) - (logp_w - ref_w)).mean()


def closed_margin(logp_w, logp_l, ref_w, ref_l):
    return margin(logp_w, logp_l.detach(), ref_w, ref_l)


def test_it_is_judged_under_the_claim_only() -> None:
    assert verdict(open_surrogate, CLAIM) == "pass"
    assert verdict(closed_penalty, CLAIM) == "fail"
    assert verdict(closed_penalty) == "not_applicable"


def test_both_responses_are_asked() -> None:
    assert verdict(margin, CLAIM) == "pass"
    assert verdict(closed_margin, CLAIM) == "fail"


def test_constants_and_data_may_leave_the_graph() -> None:
    def scaled(logp, adv, mask):
        size = float((adv * mask).detach().abs().max())
        return -(logp * adv.detach() / size * mask.detach()).sum()

    assert verdict(scaled, CLAIM) == "pass"
