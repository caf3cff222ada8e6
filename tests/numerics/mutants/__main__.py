"""`python -m tests.numerics.mutants` writes tests/data/loss_mutants.md."""

import sys

from numerics.objectives import references
from tests.numerics.mutants.table import TABLE, Result, page, result


def shown(name: str) -> Result:
    """The result, and its row for whoever waits."""
    found = result(name)
    print(found.row, file=sys.stderr, flush=True)
    return found


if __name__ == "__main__":
    TABLE.write_text(page([shown(name) for name in sorted(references())]))
