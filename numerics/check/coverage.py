"""What the samples of a setting reached, counted, so that no pass is vacuous."""

import torch

from numerics.check.subject import Inputs, Subject
from numerics.properties import Setting

# Arguments without which a branch, by how its name begins, is none of the loss.
CONCERNS = (
    ("padding", "mask"),
    ("ratio ", "logp_old"),
    ("|log-ratio|", "logp_old"),
    ("inside the clip", "logp_old"),
    ("A ", "adv"),
)


def reached(subject: Subject, setting: Setting) -> dict[str, int]:
    """How often each branch that the family names was met over all points; empty for a batch of the
    user's own that holds only what the loss takes.
    """
    total: dict[str, int] = {}
    for point in setting.points():
        inputs = subject.sample(*point)
        if not subject.family.names <= set(inputs):
            return {}
        for name, count in subject.family.coverage(inputs).items():
            most = max(total.get(name, 0), count)
            total[name] = most if name == "lengths" else total.get(name, 0) + count
    return total


def missed(subject: Subject, counts: dict[str, int]) -> tuple[str, ...]:
    """Branches of this loss that no sample met: what an argument decides that it does not take is
    left out.
    """
    taken = set(subject.mapped.ours)
    of_family = subject.family.names
    return tuple(
        name
        for name, count in counts.items()
        if not count
        and not any(
            name.startswith(start) and argument in of_family - taken for start, argument in CONCERNS
        )
    )


def sees_the_reference(subject: Subject, setting: Setting) -> bool:
    """Whether the result depends on logp_ref at any point: a penalty whose beta is not zero."""
    return any(_moves(subject, subject.sample(*point)) for point in setting.points())


def _moves(subject: Subject, inputs: Inputs) -> bool:
    moved = {**inputs, "logp_ref": inputs["logp_ref"] - 0.1}
    return not torch.equal(subject.value(inputs).detach(), subject.value(moved).detach())
