"""The expected gradient is made of the gradients that the loss claims to follow.

claims=["E[r]", "KL(pi||ref)"] in the names of `descend`; sampled by the policy itself. A penalty
that is unbiased in value may follow another divergence, or nothing.
"""

from typing import TYPE_CHECKING

from numerics.check.subject import Subject
from numerics.errors import UnusableInput
from numerics.properties import Finding, Property, Setting

if TYPE_CHECKING:
    from numerics.check.answers import Term

NAME = "follows_its_claim"
# A loss is minimised: rewards and entropy rise, divergences fall.
SIGNS = {"E[r]": -1, "KL(pi||ref)": 1, "KL(ref||pi)": 1, "H": -1}
KNOWN = tuple(SIGNS)


def judge(subject: Subject, setting: Setting) -> Finding:
    """Enumerate at length one and compare the terms by name."""
    from numerics.check.descent import descend

    claimed = {c for c in subject.objective.claims if c in KNOWN}
    if not claimed:
        return Finding(NAME, "not_applicable", message="claims no gradient")
    sampling = "off-policy" if "off-policy" in subject.objective.claims else "on-policy"
    try:
        answer = descend(subject.objective, length=1, sampling=sampling)
    except UnusableInput as error:
        return Finding(NAME, "inconclusive", message=error.what)
    found = {term.gradient for term in answer.terms}
    turned = [t.gradient for t in answer.terms if t.gradient in SIGNS and _turned(t)]
    told = f"{sampling} it follows {', '.join(sorted(found)) or 'nothing'}"
    if not answer.resolved:
        return Finding(NAME, "fail", answer.residual, 1e-8, message="nothing known explains it")
    if turned and found == claimed:
        away = f"{sampling} it follows {', '.join(turned)} in the wrong sense"
        return Finding(NAME, "fail", answer.residual, 1e-8, message=away)
    theorem = answer.theorems[0] if answer.theorems else None
    verdict = "pass" if found == claimed else "fail"
    return Finding(NAME, verdict, answer.residual, 1e-8, theorem=theorem, message=told)


def _turned(term: "Term") -> bool:
    return term.coefficient * SIGNS[term.gradient] < 0


PROPERTY = Property(NAME, frozenset({"policy", "kl"}), None, "one enumeration", judge)
