"""The one error that means "this input cannot be judged" (exit status 2)."""

from dataclasses import dataclass


@dataclass(eq=False)  # not frozen: raising an exception sets its traceback
class UnusableInput(Exception):
    """What is wrong, where, what was expected and got, and the smallest sample that shows it.

    what      the mistake, in one line
    where     file and line, or the argument
    expected  what would have been right
    got       what was there
    sample    the smallest input that shows it
    hint      what to try
    """

    what: str
    where: str | None = None
    expected: str | None = None
    got: str | None = None
    sample: str | None = None
    hint: str | None = None

    def __str__(self) -> str:
        rows = [
            ("where", self.where),
            ("expected", self.expected),
            ("got", self.got),
            ("sample", self.sample),
            ("hint", self.hint),
        ]
        lines = [self.what] + [f"  {name + ':':<10}{text}" for name, text in rows if text]
        return "\n".join(lines)
