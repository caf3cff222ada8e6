"""Findings as text for a person and as JSON for a program; the JSON's keys are stable."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from numerics.check import Report
from numerics.properties import Finding

MARKS = {
    "pass": "green",
    "fail": "red",
    "inconclusive": "yellow",
    "reported": "cyan",
    "not_applicable": "dim",
}


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
    """One block a loss: a line a property, then what failed in full."""
    console.print(
        f"[bold]{escape(report.objective)}[/]  ({report.family} family)  {_mark(report.verdict)}"
    )
    for finding in report.findings:
        console.print(f"  {_mark(finding.verdict)}  {finding.property}{_numbers(finding)}")
        for line in (finding.message, *finding.notes):
            if line:
                console.print(f"      {escape(line)}")
        if finding.counterexample:
            _print_counterexample(finding.counterexample, console)
    if not report.coverage:
        return
    reached = ", ".join(f"{name}: {count}" for name, count in report.coverage.items())
    console.print(f"  [dim]reached: {escape(reached)}[/]")


def _mark(verdict: str) -> str:
    return f"[{MARKS[verdict]}]{verdict.replace('_', ' ').upper()}[/]"


def _numbers(finding: Finding) -> str:
    parts = [
        ("observed", finding.observed),
        ("allowed", finding.allowed),
        ("minimum detectable", finding.minimum_detectable),
    ]
    shown = ", ".join(f"{name} {value:.1e}" for name, value in parts if value is not None)
    return f"  {shown}" if shown and finding.verdict in ("pass", "fail") else ""


def _print_counterexample(counterexample: Mapping[str, Any], console: Console) -> None:
    shape = ", ".join(f"{axis}={size}" for axis, size in counterexample["shape"].items())
    seed, regime = counterexample["seed"], counterexample["regime"]
    console.print(f"      smallest sample: {shape}, seed {seed}, regime {regime}")
    for site in counterexample.get("frozen", ()):
        console.print(f"      frozen: {escape(site)}")
    if counterexample.get("reproduction"):
        console.print("      reproduce:")
        for line in counterexample["reproduction"].splitlines():
            console.print(f"        {escape(line)}", soft_wrap=True)
