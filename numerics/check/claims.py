"""Claims that know whether anything asked for them: a misspelled one is not to pass in silence.

Properties find their claims by comparison or by a prefix; a claim that none of them ever matched
was not judged.
"""

import math
from typing import Any

from numerics.errors import UnusableInput

ELSEWHERE = ("ranks: ", "micro-batches: ")  # judged where their flag is given


def number(text: str) -> float:
    """The number that a claim holds.

    Raises: UnusableInput for anything else.

    >>> number("0.5")
    0.5
    """
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise UnusableInput("a claim holds no number where one is needed", None, "a number", text)
    return found


class Claim(str):
    """A string that remembers a match.

    >>> claims = (Claim("token-mean"), Claim("tokn-mean"))
    >>> "token-mean" in claims, [claim for claim in claims if not claim.matched]
    (True, ['tokn-mean'])
    """

    __slots__ = ("matched",)
    matched: bool

    def __new__(cls, text: str) -> "Claim":
        made = super().__new__(cls, text)
        made.matched = False
        return made

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return self._noted(str.__eq__(self, other))

    def startswith(self, *prefix: Any) -> bool:
        return self._noted(str.startswith(self, *prefix))

    def endswith(self, *suffix: Any) -> bool:
        return self._noted(str.endswith(self, *suffix))

    def _noted(self, answer: Any) -> bool:
        self.matched = self.matched or answer is True
        return answer


def unmatched(claims: tuple[str, ...]) -> tuple[str, ...]:
    """Those that nothing asked for, and that are not judged by another command or flag."""
    from numerics.check.basis import basis

    gradients = set(basis(2, "off-policy", "early"))
    return tuple(
        str(claim)
        for claim in claims
        if isinstance(claim, Claim)
        and not claim.matched
        and not str.startswith(claim, ELSEWHERE)
        and str(claim) not in gradients
    )
