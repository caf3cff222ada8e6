"""pytest's collectors for losses: a file of `@objective`s, one test a property of each.

    my_losses.py::my_grpo::ignores_masked_tokens

A property that does not apply is skipped with its reason; one that is only reported passes; an
inconclusive one fails, with that word.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from numerics.check.plan import Plan
    from numerics.objective import Objective
    from numerics.properties import Finding, Property


def imports_objective(path: Path) -> bool:
    """Whether a file's text imports `objective` from here; it is read and not run.

    A file that cannot be parsed counts if it names this package, so that its mistake is told.
    """
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (OSError, UnicodeDecodeError):
        return False
    except (SyntaxError, ValueError):
        return "from numerics" in text and "@objective" in text
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("numerics", "numerics.objective"):
            return any(alias.name == "objective" for alias in node.names)
        if isinstance(node, ast.Import) and any(alias.name == "numerics" for alias in node.names):
            return True
    return False


class LossFile(pytest.File):
    """A user's file of losses; it is run when its tests are collected."""

    def collect(self) -> Iterator[pytest.Collector]:
        """One collector an objective; a file that cannot be used is an error with one message."""
        from numerics.check.load import load
        from numerics.errors import UnusableInput

        try:
            found = load(str(self.path))
        except UnusableInput as error:
            raise self.CollectError(str(error)) from None
        for declared in found:
            yield Loss.from_parent(self, name=declared.name, declared=declared)


class Loss(pytest.Collector):
    """An objective."""

    def __init__(self, *, declared: Objective, **rest: Any) -> None:
        super().__init__(**rest)
        self.declared = declared

    def collect(self) -> Iterator[pytest.Item]:
        """One test a property of its family; a loss that cannot be judged is one message."""
        from numerics.check.plan import plan
        from numerics.errors import UnusableInput

        try:
            planned = plan(self.declared)
        except UnusableInput as error:
            raise self.CollectError(str(error)) from None
        for entry in planned.properties:
            yield PropertyItem.from_parent(self, name=entry.name, planned=planned, entry=entry)


class NotPassed(Exception):
    """A property that failed or is inconclusive; the message is the report's."""


class PropertyItem(pytest.Item):
    """The test that a loss has a property."""

    def __init__(self, *, planned: Plan, entry: Property, **rest: Any) -> None:
        super().__init__(**rest)
        self.planned, self.entry = planned, entry

    def runtest(self) -> None:
        """Judge; the numbers become properties of the test in a JUnit file."""
        from numerics.check.report import as_text
        from numerics.errors import UnusableInput

        try:
            finding = self.planned.finding(self.entry)
        except UnusableInput as error:
            raise NotPassed(f"unusable input: {error}") from None
        self.user_properties += list(_recorded(finding))
        if finding.verdict == "not_applicable":
            reason = f"not applicable: {finding.message}"
            raise pytest.skip.Exception(reason, _use_item_location=True)
        if finding.verdict in ("fail", "inconclusive"):
            raise NotPassed(f"{finding.verdict}: {finding.message}\n{as_text(finding)}")
        self.add_report_section("call", "proofgrad", as_text(finding))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """The report's message, without a traceback."""
        if isinstance(excinfo.value, NotPassed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the loss stands."""
        line = self.planned.subject.objective.where.rpartition(":")[2]
        place = int(line) - 1 if line.isdecimal() else 0
        return self.path, place, f"{self.parent.name if self.parent else ''}::{self.name}"


def _recorded(finding: Finding) -> Iterator[tuple[str, object]]:
    yield "verdict", finding.verdict
    for name in ("observed", "allowed", "minimum_detectable", "theorem"):
        value = getattr(finding, name)
        if value is not None:
            yield name, f"{value:.3g}" if isinstance(value, float) else value
