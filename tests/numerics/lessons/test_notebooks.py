"""Cells of the percent format."""

import pytest

from numerics.errors import UnusableInput
from numerics.lessons.notebooks import as_ipynb, cells

TEXT = """# ---
# jupyter: header
# ---

# %% [markdown] tags=["solution"]
# # Title
#
# A line.

# %% tags=["exercise", "x"] jupyter={"source_hidden": true}
x = 1


def f():
    return x

# %%
f()
"""


def test_kinds_tags_sources_and_lines() -> None:
    text, code, plain = cells(TEXT)
    assert text.kind == "markdown" and text.tags == ("solution",)
    assert text.source == "# Title\n\nA line."
    assert code.kind == "code" and code.tags == ("exercise", "x")
    assert code.source.startswith("x = 1") and code.source.endswith("return x")
    assert TEXT.splitlines()[code.line - 1].startswith("# %% tags") and plain.tags == ()


def test_tags_that_are_no_strings_are_refused() -> None:
    with pytest.raises(UnusableInput, match="tags"):
        cells("# %% tags=[1]\nx")
    with pytest.raises(UnusableInput, match="tags"):
        cells("# %% tags=[oops]\nx")


def test_a_notebook_for_jupyter_folds_the_solution() -> None:
    made = as_ipynb(cells(TEXT + '# %% tags=["solution"]\ny = 2\n'))
    assert made["nbformat"] == 4 and len({c["id"] for c in made["cells"]}) == 4
    text, code, _, solution = made["cells"]
    assert text["cell_type"] == "markdown" and "outputs" not in text
    assert code["outputs"] == [] and code["metadata"] == {"tags": ["exercise", "x"]}
    assert solution["metadata"]["jupyter"] == {"source_hidden": True}
