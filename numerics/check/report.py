"""Findings as text for a person and as JSON for a program; the JSON's keys are stable."""

import math
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from rich.console import Console
from rich.markup import escape

from numerics.check import Report
from numerics.check.trial import SILENT
from numerics.properties import Finding

MARKS = {
    "pass": "green",
    "fail": "red",
    "inconclusive": "yellow",
    "reported": "cyan",
    "not_applicable": "dim",
}
SHOWN = ("fail", "inconclusive", "pass", "reported")  # in this order
ORDER = ("fail", "inconclusive", "pass", "reported", "not_applicable")


def as_json(reports: Sequence[Report]) -> dict[str, Any]:
    """{"objectives": [{"objective", "family", "verdict", "checks": [...]}]}; no NaN and no infinity
    in it.
    """
    return {
        "objectives": [
            {
                "objective": report.objective,
                "family": report.family,
                "verdict": report.verdict,
                "checks": [_finding(finding) for finding in report.findings],
            }
            for report in reports
        ]
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "property": finding.property,
        "verdict": finding.verdict,
        "observed": finite(finding.observed),
        "allowed": finite(finding.allowed),
        "minimum_detectable": finite(finding.minimum_detectable),
        "counterexample": None
        if finding.counterexample is None
        else finite(dict(finding.counterexample)),
        "theorem": finding.theorem,
    }


def finite(value: Any) -> Any:
    """The value with every NaN and infinity as a string, which JSON can hold."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, Mapping):
        return {key: finite(entry) for key, entry in value.items()}
    return [finite(entry) for entry in value] if isinstance(value, list | tuple) else value


def print_report(report: Report, console: Console) -> None:
    """One block a loss: what failed first and in full, a line a property, what does not apply, and
    the counts.
    """
    console.print(
        f"[bold]{escape(report.objective)}[/]  ({report.family} family)  {_mark(report.verdict)}"
    )
    for verdict in SHOWN:
        for finding in report.findings:
            if finding.verdict == verdict:
                print_finding(finding, console)
    for line in (_not_applicable(report.findings), _reached(report)):
        if line:
            console.print(f"  [dim]{escape(line)}[/]")
    for claim in report.unread:
        console.print(
            f"  [yellow]not judged:[/] no property here reads the claim {escape(claim)!r}"
        )
    console.print(f"  {escape(_counts(report.findings))}")


def _counts(findings: Sequence[Finding]) -> str:
    """1 fail (name), 19 pass, 2 reported."""
    told = []
    for verdict in SHOWN:
        names = [f.property for f in findings if f.verdict == verdict]
        bad = verdict in ("fail", "inconclusive")
        told += [f"{len(names)} {verdict}" + f" ({', '.join(names)})" * bad] if names else []
    return ", ".join(told) or "no property of this family applies"


def print_finding(finding: Finding, console: Console) -> None:
    """A verdict, the numbers, the message; for a failure the theorem, the sample, the cause and a
    reproduction.
    """
    said = finding.message
    same_line = finding.verdict == "pass" and said
    tail = f"  {escape(said)}" if same_line else ""
    console.print(f"  {_mark(finding.verdict)}  {finding.property}{_numbers(finding)}{tail}")
    for line in (*(() if same_line else (said,)), *finding.notes):
        if line:
            console.print(f"      {escape(line)}")
    if finding.theorem and finding.verdict == "fail":
        console.print(f"      theorem: {escape(finding.theorem)}")
    if finding.counterexample:
        _print_counterexample(finding, finding.counterexample, console)


def as_text(finding: Finding) -> str:
    """`print_finding` without colours."""
    console = Console(file=StringIO(), width=1000, color_system=None, highlight=False)
    with console.capture() as captured:
        print_finding(finding, console)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _not_applicable(findings: Sequence[Finding]) -> str:
    """One line for all of them, with the reasons that say more than that."""
    told = [
        f.property if not f.message or f.message == SILENT else f"{f.property} ({f.message})"
        for f in findings
        if f.verdict == "not_applicable"
    ]
    return f"not applicable: {', '.join(told)}" if told else ""


def _reached(report: Report) -> str:
    reached = ", ".join(f"{name}: {count}" for name, count in report.coverage.items())
    return f"reached: {reached}" if reached else ""


def _mark(verdict: str) -> str:
    return f"[{MARKS[verdict]}]{verdict.replace('_', ' ').upper()}[/]"


def _numbers(finding: Finding) -> str:
    parts = [
        ("observed", finding.observed),
        ("allowed", finding.allowed),
        ("minimum detectable", finding.minimum_detectable),
    ]
    if finding.minimum_detectable == finding.allowed:
        parts.pop()
    if finding.verdict not in ("pass", "fail") or not finding.allowed:
        return ""  # nothing was measured, or the answer is yes or no
    if finding.verdict == "fail" and finding.observed is not None:
        measured = not finding.observed <= finding.allowed  # else it is not what failed; NaN is
        parts = parts if measured else []
    shown = ", ".join(f"{name} {value:.1e}" for name, value in parts if value is not None)
    return f"  {shown}" if shown else ""


def _print_counterexample(
    finding: Finding, counterexample: Mapping[str, Any], console: Console
) -> None:
    shape = ", ".join(f"{axis}={size}" for axis, size in counterexample["shape"].items())
    seed, regime = counterexample["seed"], counterexample["regime"]
    console.print(f"      smallest sample: {shape}, seed {seed}, regime {regime}")
    guess = counterexample.get("guess")
    if guess and not any(guess in said for said in (finding.message, *finding.notes)):
        console.print(f"      likely cause: {escape(guess)}")
    for site in counterexample.get("frozen", ()):
        console.print(f"      frozen: {escape(site)}")
    if counterexample.get("reproduction"):
        console.print("      reproduce:")
        for line in counterexample["reproduction"].splitlines():
            console.print(f"        {escape(line)}", soft_wrap=True)
