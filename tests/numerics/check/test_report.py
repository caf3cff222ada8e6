"""JSON without NaN, text without markup accidents."""

import json
import math
from io import StringIO

from rich.console import Console

from numerics.check import Report
from numerics.check.report import as_json, finite, print_report
from numerics.properties import Finding

COUNTER = {
    "shape": {"B": 1},
    "seed": 0,
    "regime": "near",
    "frozen": ["a[0]"],
    "reproduction": "x[0]\ny",
}


def test_no_infinity_reaches_json() -> None:
    value = finite({"a": math.inf, "b": [math.nan, -math.inf, 1.5], "c": None})
    assert value == {"a": "inf", "b": ["nan", "-inf", 1.5], "c": None}
    report = Report("f", "kl", (Finding("p", "fail", math.inf, 0.0, math.nan, COUNTER),), {})
    json.loads(json.dumps(as_json([report]), allow_nan=False))


def test_brackets_are_text() -> None:
    report = Report(
        "f[red]", "kl", (Finding("p", "fail", 1.0, 0.0, None, COUNTER, message="[b]x"),), {"a": 1}
    )
    console = Console(record=True, width=200, file=StringIO())
    print_report(report, console)
    text = console.export_text()
    for shown in ("f[red]", "[b]x", "x[0]", "frozen: a[0]", "reached: a: 1"):
        assert shown in text


def test_the_verdict_of_a_report_is_its_worst() -> None:
    findings = lambda *verdicts: tuple(Finding("p", v) for v in verdicts)
    assert Report("f", "kl", findings("pass", "reported", "not_applicable"), {}).verdict == "pass"
    assert Report("f", "kl", findings("pass", "inconclusive"), {}).verdict == "inconclusive"
    assert Report("f", "kl", findings("inconclusive", "fail"), {}).verdict == "fail"
