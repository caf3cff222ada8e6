"""The table of audits is true: every row is found again by calling the libraries' own code."""

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from numerics.audits.audit import Audit, audited
from numerics.audits.table import HEAD, PATH, audits, line

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore")]
AUDITS = audits()
WRITTEN = Path(PATH).read_text()


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Importing the libraries warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("audit", AUDITS, ids=[f"{a.library} {a.shown}" for a in AUDITS])
def test_a_row_is_true(audit: Audit) -> None:
    row = audited(audit)
    assert not row.failed, "reproduce it in plain torch before it is believed"
    assert set(row.on_purpose) == set(audit.on_purpose), "a convention that is none any more"
    assert line(row) in WRITTEN


def test_the_table_has_no_other_rows() -> None:
    assert WRITTEN.startswith(HEAD)
    rows = WRITTEN.removeprefix(HEAD).splitlines()
    assert len(rows) == len(AUDITS)
    assert [row.split(" | ")[1] for row in rows] == [audit.shown for audit in AUDITS]
