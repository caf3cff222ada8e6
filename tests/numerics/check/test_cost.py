"""How often a report runs the loss: it does not depend on how many tokens there are."""

import pytest
import torch

from numerics import check
from numerics.families.logits import token_logp

SMALL = {"B": 8, "T": 7, "V": 5}
LARGE = {"B": 16, "T": 40, "V": 20}


def surrogate(logp, logp_old, logp_ref, adv, mask):
    ratio, gap = torch.exp(logp - logp_old), logp_ref - logp
    gain = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    return ((0.04 * (gap.exp() - 1 - gap) - gain) * mask).sum() / mask.sum()


def of_logits(logits, labels, logp_old, logp_ref, adv, mask):
    return surrogate(token_logp(logits, labels), logp_old, logp_ref, adv, mask)


def held(logp, logp_old, adv, mask):
    weight = torch.exp(logp - logp_old).clamp(max=5.0).detach()
    return -(weight * adv * logp * mask).sum() / mask.sum()


def calls(loss, shape, monkeypatch) -> int:
    """How often the loss was run by a report at one shape and seed."""
    from numerics.check.subject import Subject

    count, raw = [0], Subject.raw

    def counted(subject, inputs):
        count[0] += 1
        return raw(subject, inputs)

    with monkeypatch.context() as patch:
        patch.setattr(Subject, "raw", counted)
        check(loss, shapes=(shape,), seeds=1)
    return count[0]


@pytest.mark.parametrize("loss", [surrogate, of_logits, held])
def test_a_report_runs_the_loss_as_often_at_any_size(loss, monkeypatch) -> None:
    few, many = calls(loss, SMALL, monkeypatch), calls(loss, LARGE, monkeypatch)
    assert 50 < few
    assert many <= 1.1 * few
    assert many < 1000
