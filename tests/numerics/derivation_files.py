"""Files of theorems as a user writes them: one right, one false, and many that cannot be used."""

HEADER = '''"""Sums of a distribution.

Nothing here is deep.
"""

from derivations import by, calc, claim, given, theorem
from derivations.language.syntax import Equal, Sum, functions, members

a = members("A", "a")
p, q = functions("p q", "A")
total = given(Equal(Sum(p(a), a), 1), "p sums to one")
'''

RIGHT = (
    HEADER
    + '''

@theorem(says=lambda: {"twice": Equal(Sum(2 * p(a), a), 2)}, given=[total])
def twice_is_two():
    """Twice a distribution sums to two."""
    claim(
        calc(
            Sum(2 * p(a), a),
            ("=", 2 * Sum(p(a), a), by()),
            ("=", 2, by(total)),
        )
    )


@theorem(says=lambda: {"four": Equal(Sum(4 * p(a), a), 4)}, given=[total])
def four_times_is_four():
    """From the lemma above."""
    claim(Equal(Sum(4 * p(a), a), 4), by(twice_is_two))
'''
)

# Wrong in the second line of the chain, which is line 20 of the file.
FALSE = RIGHT.replace('("=", 2, by(total))', '("=", 3, by(total))').replace(
    "Equal(Sum(2 * p(a), a), 2)}", "Equal(Sum(2 * p(a), a), 3)}"
)
FALSE_LINE = FALSE.splitlines().index('            ("=", 3, by(total)),') + 1

_CIRCLE = """

@theorem(says=lambda: {"one": Equal(Sum(p(a), a), Sum(q(a), a))})
def one():
    claim(Equal(Sum(p(a), a), Sum(q(a), a)), by(two))


@theorem(says=lambda: {"two": Equal(Sum(p(a), a), Sum(q(a), a))})
def two():
    claim(Equal(Sum(p(a), a), Sum(q(a), a)), by(one))
"""

_RAISING_PROOF = """

@theorem(says=lambda: {"total": Equal(Sum(p(a), a), 1)}, given=[total])
def stops():
    WHAT
"""

# What is wrong, the file, and what the message must say.
UNUSABLE = {
    "raises": ("x = 1\n1 / 0\n", ["line 2", "ZeroDivisionError"]),
    "exits": ("raise SystemExit(0)\n", ["line 1", "SystemExit"]),
    "syntax": ("def f(:\n", ["line 1", "syntax"]),
    "null bytes": ("x = 1\0\n", ["null bytes"]),
    "no theorem": ("x = 1\n", ["declares no theorem", "@theorem"]),
    "imports what is not there": ("import no_such_module\n", ["line 1", "no_such_module"]),
    "duplicate": (RIGHT + RIGHT[len(HEADER) :], ["two theorems are called twice_is_two", "lines"]),
    "circle": (HEADER + _CIRCLE, ["circular citation", ".one -> ", ".two -> "]),
    "proof raises": (HEADER + _RAISING_PROOF.replace("WHAT", "undefined"), ["stops", "NameError"]),
    "proof exits": (HEADER + _RAISING_PROOF.replace("WHAT", "raise SystemExit(0)"), ["SystemExit"]),
    "statement raises": (
        RIGHT.replace('{"four": Equal(Sum(4 * p(a), a), 4)}', '{"four": Equal(p, 4.0)}'),
        ["reading the statement", "four_times_is_four"],
    ),
}
