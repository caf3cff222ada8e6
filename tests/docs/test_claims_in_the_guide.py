"""The guide's table of claims: each is read by the property beside it, and none is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from numerics.properties import properties

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "check-your-loss.md").read_text()
TABLE = GUIDE.partition("## What can be claimed")[2].partition("\n## ")[0]
ROWS = [
    (re.findall(r"`([^`]+)`", first), re.findall(r"`([^`]+)`", last))
    for first, last in re.findall(r"^\| (`[^\n]*?) \|[^\n]*\| ([^|\n]+) \|$", TABLE, re.M)
]
PROPERTIES = ROOT / "numerics" / "properties"
QUOTED = re.compile(r"claims=\[\"([^\"]+)\"\]|[Cc]laim \"([^\"]+)\"")


def stem(claim: str) -> str:
    """Without its numbers and its value: "dual" of "dual 3", "frozen: " of "frozen: adv"."""
    plain = claim.replace("\\|", "|")
    return plain.partition(": ")[0] if ": " in plain else re.sub(r"[-\d.]+( to .*)?$", "", plain)


@pytest.mark.parametrize(("claims", "names"), ROWS, ids=[row[0][0] for row in ROWS])
def test_the_property_beside_a_claim_reads_it(claims: list[str], names: list[str]) -> None:
    if not names:  # the last row: judged where the flag is given
        assert claims == ["ranks: mean", "micro-batches: sum"]
        return
    assert set(names) <= set(properties())
    source = "".join((PROPERTIES / f"{name}.py").read_text() for name in names)
    if "follows_its_claim" in names:
        source += (ROOT / "numerics" / "check" / "basis.py").read_text()
    if "weighs_tokens_as_claimed" in names:
        source += (ROOT / "numerics" / "reductions.py").read_text()
    missing = [claim for claim in claims if stem(claim).strip() not in source]
    assert not missing


def test_every_claim_that_a_property_names_is_in_the_table() -> None:
    told = {stem(claim).strip() for claims, _ in ROWS for claim in claims}
    assert len(ROWS) > 25
    for path in sorted(PROPERTIES.glob("*.py")):
        for pair in QUOTED.findall(path.read_text()):
            claim = next(filter(None, pair))
            assert any(claim.startswith(one) or one == stem(claim) for one in told), (
                f"{path.stem} reads {claim!r}"
            )
