"""An audit: a function of another library, called as its users call it, checked by properties,
descended and identified.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.metadata import version
from typing import Any

from numerics.check import check
from numerics.check.answers import Decomposition, one_line
from numerics.check.candidate import Candidate
from numerics.check.composition import composed
from numerics.check.descent import SERVED, descend
from numerics.check.identify import identify
from numerics.check.subject import bind
from numerics.errors import UnusableInput
from numerics.objective import Objective, objective
from numerics.objectives import references

ESTIMATORS = {"group_advantage": "advantages", "token_reward": "rewards"}


@dataclass(frozen=True)
class Audit:
    """A function and how it is declared.

    library     its distribution
    shown       its name with what matters of its settings
    objective   declares it
    on_purpose  property -> why the library breaks it: a convention, no fault
    """

    library: str
    shown: str
    objective: Callable[[], Objective]
    on_purpose: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """What an audit found.

    version     of the library
    failed      properties that fail, those that are broken on purpose aside
    on_purpose  those that fail as the audit says, with the reason
    unclear     properties without a verdict
    follows     the expected gradient as a line of mathematics, or why there is none
    equals      the reference objective that it equals, or the closest one
    """

    library: str
    version: str
    shown: str
    failed: tuple[str, ...]
    on_purpose: Mapping[str, str]
    unclear: tuple[str, ...]
    follows: str
    equals: str

    @property
    def judged(self) -> str:
        """The verdict in words."""
        told = [f"fail: {', '.join(self.failed)}"] if self.failed else []
        told += [f"inconclusive: {', '.join(self.unclear)}"] if self.unclear else []
        reasons = "; ".join(dict.fromkeys(self.on_purpose.values()))
        told += [f"by design {reasons} ({', '.join(self.on_purpose)})"] if reasons else []
        return "; ".join(told if self.failed or self.unclear else ["pass", *told])


def audited(audit: Audit) -> Row:
    """Run one audit; raises UnusableInput where the function cannot be judged at all."""
    declared = audit.objective()
    findings = check(declared, seeds=2).findings
    failed = [f.property for f in findings if f.verdict == "fail"]
    return Row(
        library=audit.library,
        version=version(audit.library),
        shown=audit.shown,
        failed=tuple(name for name in failed if name not in audit.on_purpose),
        on_purpose={n: why for n, why in audit.on_purpose.items() if n in failed},
        unclear=tuple(f.property for f in findings if f.verdict == "inconclusive"),
        follows=_follows(declared),
        equals=_equals(declared),
    )


def _follows(declared: Objective) -> str:
    """What it follows; an estimator together with REINFORCE, which adds nothing of its own."""
    family = bind(declared, _smallest(declared)).family.name
    if family in ESTIMATORS:
        last = objective(references()["reinforce"].function)
        if family == "token_reward":
            declared = replace(declared, constants={**declared.constants, "beta": 0.05})
        declared = composed(last, **{ESTIMATORS[family]: declared})
    elif family not in SERVED:
        return f"no expected gradient ({family} family)"
    answer = _rounded(descend(declared))
    before = f"with REINFORCE: {one_line(answer)}" if family in ESTIMATORS else one_line(answer)
    told = [note for note in answer.notes if note != "rewards 0 and 1"]
    return "; ".join([before, *told])


def _rounded(answer: Decomposition) -> Decomposition:
    """Coefficients to four digits: what float32 leaves is no finding."""
    terms = tuple(replace(t, coefficient=float(f"{t.coefficient:.4g}")) for t in answer.terms)
    return replace(answer, terms=terms)


def _smallest(declared: Objective) -> Mapping[str, int]:
    from numerics.check.signature import map_arguments

    return map_arguments(declared).family.shapes[0]


def _equals(declared: Objective) -> str:
    try:
        found = identify(declared)
    except UnusableInput as error:
        return error.what
    if found.equal:
        return found.closest.text
    return (
        f"none; closest {_closest(found.closest)}; they differ at {found.difference.split(':')[0]}"
    )


def _closest(candidate: Candidate) -> str:
    """The closest one with the options that are no fitted number."""
    chosen = {
        name: value
        for name, value in candidate.changed.items()
        if not isinstance(value, float) or float(f"{value:.2g}") == value
    }
    listed = ", ".join(f"{name}={value!r}" for name, value in chosen.items())
    return f"{candidate.reference}({listed})"


def module_of(name: str) -> Any:
    """A module of a library that is installed where the audits run."""
    return import_module(name)
