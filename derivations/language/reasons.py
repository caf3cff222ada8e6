"""What may stand in by(...): hypotheses, bundles of them, axioms, and instances of these.

Everything here is data; the tactics turn a reason into a proof step when a line cites it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from derivations.kernel import binding as B
from derivations.kernel.terms import REAL, Term, need
from derivations.language.syntax import formula


class Reason:
    """A named fact.  `fact(t, ...)` fixes its leading variables; `fact.at(f=g)` its symbols."""

    name: str

    def __iter__(self) -> Iterator[Reason]:
        yield self

    def __call__(self, *values: Any) -> Instance:
        """The same fact at these values of its leading variables."""
        return Instance(self, values)

    def at(self, **values: Any) -> Renamed:
        """The same fact for other symbols: f=g, f=((variables), body), f=lambda a: body, x=term,
        S="T"; what a cited theorem then needs is proved from the context."""
        return Renamed(self, values)


@dataclass(frozen=True, eq=False)
class Hypothesis(Reason):
    """A named formula that a theorem assumes, closed over its index variables: `name` and
    `formula`.
    """

    name: str
    formula: Term


@dataclass(frozen=True, eq=False)
class Law(Reason):
    """An axiom of the kernel, cited by `name`; `axiom` is the kernel's name, `about` its limit or
    order.
    """

    name: str
    axiom: str
    about: Term | None = None


@dataclass(frozen=True, eq=False)
class Instance(Reason):
    """A fact at values of its leading variables: `of` the fact, `values` in their order."""

    of: Reason
    values: Sequence[Any]

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the fact."""
        return self.of.name


@dataclass(frozen=True, eq=False)
class Renamed(Reason):
    """A fact for other symbols: `of` the fact, `values` by the name of a symbol."""

    of: Reason
    values: Mapping[str, Any]

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the fact."""
        return self.of.name


class Bundle(Reason):
    """Hypotheses that belong together: by(bundle) uses all, by(bundle.total) one."""

    def __init__(self, name: str, **parts: Any) -> None:
        self.name = name
        self.parts = tuple(parts.values())
        self.__dict__.update(parts)

    def __iter__(self) -> Iterator[Reason]:
        for p in self.parts:
            yield from p

    def __getattr__(self, part: str) -> Any:
        raise AttributeError(f"the bundle {self.name} has no part {part}")


def given(statement: Any, name: str) -> Hypothesis:
    """A hypothesis: the formula for all values of its index variables; reals stay free.

    Raises: Refused for a statement that is no formula.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import function, members
    >>> a, p = members("A", "a"), function("p", "A")
    >>> print(text(given(p(a) >= 0, "p ≥ 0").formula))
    ∀ a: p(a) ≥ 0
    """
    return Hypothesis(name, closed_formula(formula(statement)))


def index_variables(p: Term) -> list[Any]:
    """The free variables of p that are not reals, in order of name."""
    vs = [v for v in B.variables(p) if v.sort != REAL]
    return sorted(vs, key=lambda v: (str(v.tag), str(v.sort)))


def closed_formula(p: Term) -> Term:
    """p for all values of its index variables."""
    return B.for_all(index_variables(p), p)


def flatten(reasons: Sequence[Any]) -> list[Reason]:
    """The single reasons of a list of reasons and bundles, in order, without repetition.

    Raises: Refused for anything else.
    """
    out: list[Reason] = []
    for r in reasons:
        need(isinstance(r, Reason), "{} is not a reason: cite a hypothesis, claim or theorem", r)
        out += [x for x in r if x not in out]
    return out
