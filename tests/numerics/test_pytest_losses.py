"""The pytest plugin on files of losses: ids, verdicts, JUnit, what is collected and what is not."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from numerics.pytest_losses import imports_objective
from tests.numerics.test_pytest_plugin import pytest_on

HEADER = "import torch\nfrom numerics import objective\n"
LOSSES = (
    HEADER
    + """
@objective(like="ppo_clip", clip=0.2, reduce="token-mean")
def right(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    return -(torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv) * mask).sum() / mask.sum()

@objective(like="ppo_clip", clip=0.2, reduce="token-mean")
def wrong(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    return -(torch.maximum(ratio * adv, ratio.clamp(0.8, 1.2) * adv) * mask).sum() / mask.sum()

@objective
def kinked(logp, adv):
    return ((logp - logp.detach()).abs() * adv).sum()
"""
)
RAISES = HEADER + "1 / 0\n"
RANDOM = HEADER + (
    "@objective\ndef drawn(logp, adv):\n    return (logp * adv * torch.rand_like(logp)).sum()\n"
)
LIBRARY = "raise SystemExit('a file that no one named was run')\n"  # of another project


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ET.Element]:
    """One run on losses and on files that must not be run."""
    folder = tmp_path_factory.mktemp("losses")
    (folder / "my_losses.py").write_text(LOSSES)
    (folder / "their_loss.py").write_text(LIBRARY)
    (folder / "elsewhere.py").write_text(HEADER + LIBRARY)
    status, text = pytest_on(folder, "-v", "-rs", "--junitxml=found.xml")
    assert status == 1, text
    return text, ET.parse(folder / "found.xml").getroot()


def test_each_property_of_each_loss_is_a_test(outcome: tuple[str, ET.Element]) -> None:
    text, _ = outcome
    for name in ("gradient_is_consistent", "ignores_masked_tokens", "matches_the_specification"):
        assert f"my_losses.py::right::{name} PASSED" in text
    assert "my_losses.py::right::follows_its_claim SKIPPED" in text
    assert "not applicable: claims no gradient" in text


def test_a_failure_has_the_message_of_the_report(outcome: tuple[str, ET.Element]) -> None:
    text, _ = outcome
    assert "my_losses.py::wrong::matches_the_specification FAILED" in text
    for shown in ("smallest sample: B=2, T=4", "reproduce:", "from my_losses import wrong"):
        assert shown in text
    assert "Traceback" not in text


def test_inconclusive_is_not_a_pass(outcome: tuple[str, ET.Element]) -> None:
    text, _ = outcome
    assert "my_losses.py::kinked::gradient_is_consistent FAILED" in text
    assert "inconclusive: " in text


def test_files_that_import_no_objective_are_not_run(outcome: tuple[str, ET.Element]) -> None:
    text, _ = outcome
    assert "their_loss" not in text
    assert "elsewhere" not in text


def test_junit_has_the_numbers(outcome: tuple[str, ET.Element]) -> None:
    cases = {
        (case.get("classname"), case.get("name")): case for case in outcome[1].iter("testcase")
    }
    passed = cases["my_losses.right", "gradient_is_consistent"]
    known = {p.get("name"): p.get("value") for p in passed.iter("property")}
    assert known["verdict"] == "pass"
    assert float(known["observed"] or "nan") <= float(known["allowed"] or "nan")
    failed = cases["my_losses.wrong", "matches_the_specification"].find("failure")
    assert failed is not None and "ppo_clip" in (failed.text or "")


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One collection with patterns of the user's own, of files that cannot be used, and of a file
    that is named.
    """
    folder = tmp_path_factory.mktemp("patterns")
    one = HEADER + "@objective\ndef one(logp, adv):\n    return (logp * adv).sum()\n"
    broken = HEADER + "def f(:\n    @objective"
    files = {"objective_of_mine": one, "my_losses": one, "named": one}
    files |= {"objective_raises": RAISES, "objective_drawn": RANDOM, "objective_broken": broken}
    (folder / "theirs").mkdir()
    for name, text in files.items():
        (folder / ("" if name == "named" else "theirs") / f"{name}.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\nproofgrad_losses = objective_*.py\n")
    status, text = pytest_on(folder, "--collect-only", "-q", "theirs", "named.py")
    assert status == 2, text
    return text


def test_patterns_and_named_files(collected: str) -> None:
    """Another pattern by an ini option; a file of any name when the user names it."""
    assert "objective_of_mine.py::one::gradient_is_consistent" in collected
    assert "named.py::one::gradient_is_consistent" in collected
    assert "my_losses.py" not in collected


@pytest.mark.parametrize(
    "words",
    [
        "objective_raises.py raised ZeroDivisionError",
        "drawn gives another value each time",
        "objective_broken.py raised SyntaxError",
    ],
)
def test_what_cannot_be_used_is_one_error(collected: str, words: str) -> None:
    assert words in collected
    assert "3 errors" in collected
    assert "Traceback" not in collected and "numerics/check" not in collected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from numerics import objective", True),
        ("import numerics", True),
        ("from numerics.objective import objective as o", True),
        ("from numerics import check", False),
        ("import torch\nobjective = 1", False),
        ("from numerics import objective\n@objective\ndef f(:", True),
        ("def f(:", False),
    ],
)
def test_a_file_is_read_before_it_is_run(tmp_path: Path, text: str, found: bool) -> None:
    (tmp_path / "a.py").write_text(text)
    assert imports_objective(tmp_path / "a.py") is found
