"""`check(objective)`: every property of the loss's family, each with a verdict.

    from numerics import check
    report = check(my_loss)
    report.verdict             # "pass", "fail" or "inconclusive"

The package is callable, since `numerics.check` is both it and the function (see
callable_module.py).
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numerics.callable_module import CallableModule
from numerics.errors import UnusableInput
from numerics.objective import Objective

if TYPE_CHECKING:
    from torch import Tensor

    from numerics.properties import Finding

Watch = Callable[[str, int, int], None]
SEEDS = 3


@dataclass(frozen=True)
class Report:
    """One objective's findings.

    objective  the loss's name
    family     the name of its family
    findings   one a property, in the order of the names
    coverage   what the samples reached, counted, so that a pass is not vacuous
    unread     claims that no property asked for: misspelled, or of another family
    """

    objective: str
    family: str
    findings: tuple["Finding", ...]
    coverage: Mapping[str, int]
    unread: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """fail if anything failed, else inconclusive if anything is or nothing applies, else
        pass.
        """
        verdicts = {finding.verdict for finding in self.findings}
        worst = next((v for v in ("fail", "inconclusive") if v in verdicts), "pass")
        return worst if verdicts - {"not_applicable"} else "inconclusive"


def check(
    objective: Objective | Callable[..., Any],
    *,
    shapes: tuple[Mapping[str, int], ...] | None = None,
    seed: int = 0,
    seeds: int = SEEDS,
    only: tuple[str, ...] = (),
    inputs: Mapping[str, "Tensor"] | None = None,
    device: str = "cpu",
    accumulate: int = 0,
    watch: Watch = lambda *progress: None,
) -> Report:
    """Judge every property of the family (or those named in `only`) at seeded samples, or at given
    `inputs`; takes an `@objective` or a plain function whose argument names are ours.

    device      where the loss runs; its samples and their comparison stay on the CPU
    accumulate  a number of micro-batches whose gradients are combined too, see `ranks`
    watch       called with (property, how many are done, how many there are) before each

    Shapes: those of the family's arguments, as its page says; `shapes` maps axis letters to sizes.
    Units: log-probabilities in nats.
    Raises: UnusableInput, with one message, for a loss that cannot be judged: it raises, is not
    finite, not a scalar, has no gradient, changes its inputs, is random.

    >>> from numerics.objectives.ppo_clip import ppo_clip
    >>> check(ppo_clip, seeds=1).verdict
    'pass'
    """
    from numerics.check.claims import unmatched
    from numerics.check.plan import as_declared, plan

    declared = objective if isinstance(objective, Objective) else as_declared(objective)
    where: dict[str, Any] = {"shapes": shapes, "seed": seed, "seeds": seeds, "inputs": inputs}
    planned = plan(declared, only=only, device=device, **where)
    findings = _findings(planned, watch)
    if accumulate:
        findings += (_accumulated(planned.subject, accumulate, seed),)
    unread = () if only else unmatched(planned.subject.objective.claims)
    family = planned.subject.family.name
    return Report(declared.name, family, findings, planned.coverage(), unread)


def _findings(planned: Any, watch: Watch) -> tuple["Finding", ...]:
    found, total = [], len(planned.properties)
    for i, entry in enumerate(planned.properties):
        watch(entry.name, i, total)
        found.append(planned.finding(entry))
    return tuple(found)


def _accumulated(subject: Any, count: int, seed: int) -> "Finding":
    from numerics.check.ranks import over_micro_batches

    if count < 2:
        raise UnusableInput("cannot accumulate", expected="2 or more micro-batches", got=str(count))
    return over_micro_batches(subject, count, seed)


sys.modules[__name__].__class__ = CallableModule
