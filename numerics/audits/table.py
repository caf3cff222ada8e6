"""The table of audits: `python -m numerics.audits.table` writes it, a test keeps it true.

verdict   pass, or the properties that fail; what a library does on purpose is told as such
follows   what its expected gradient is made of
equals    the reference objective that it is in value and gradient, or the closest one
"""

import sys
import warnings
from collections.abc import Iterable
from pathlib import Path

from numerics.audits import trl, verl
from numerics.audits.audit import Audit, Row, audited

PATH = Path("tests/data/audits.md")
HEAD = """# Functions of other libraries, as they are installed

Written by `python -m numerics.audits.table` in the environment of `make test-peers`; the tests
there keep it true. *Check* is the verdict of the properties alone, nothing being claimed. What a
property refuses and a library does on purpose is a convention and is told as one. *Follows* is the
expected gradient at length one, sampled by the policy itself (groups of four); advantages stand
before REINFORCE. *Equals* is the reference objective that it agrees with in value and gradient,
off-policy too.

| library | function | check | follows | equals |
|---|---|---|---|---|
"""


def audits() -> tuple[Audit, ...]:
    """Those of every library."""
    return (*verl.AUDITS, *trl.AUDITS)


def line(row: Row) -> str:
    """One row of the table; bars are escaped."""
    cells = (f"{row.library} {row.version}", row.shown, row.judged, row.follows, row.equals)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def text(rows: Iterable[Row]) -> str:
    """The whole table."""
    return HEAD + "".join(line(row) for row in rows)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else PATH
    where.write_text(text(audited(audit) for audit in audits()))
