"""The expected gradient is made of the gradients that the loss claims to follow.

claims=["E[r]", "KL(pi||ref)"] in the names of `descend`; sampled by the policy itself. A penalty
that is unbiased in value may follow another divergence, or nothing. With a constant `beta` a
claimed divergence must weigh beta beside a reward that weighs one.
"""

from typing import TYPE_CHECKING

from numerics.check.subject import Subject
from numerics.check.trial import counterexample
from numerics.errors import UnusableInput
from numerics.properties import Finding, Property, Setting

if TYPE_CHECKING:
    from numerics.check.answers import Decomposition, Term

NAME = "follows_its_claim"
RESIDUAL, WEIGHED = 1e-8, 1e-6
PENALTIES = ("KL(pi||ref)", "KL(ref||pi)")
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
    wrong, told = _judged(subject, answer, claimed, sampling)
    theorem = answer.theorems[0] if answer.theorems else None
    if wrong:
        point = (subject.family.shapes[0], 0, "near")
        example = counterexample(NAME, subject, point, told)
        return Finding(NAME, "fail", answer.residual, RESIDUAL, None, example, theorem, told)
    return Finding(NAME, "pass", answer.residual, RESIDUAL, theorem=theorem, message=told)


def _judged(
    subject: Subject, answer: "Decomposition", claimed: set[str], sampling: str
) -> tuple[bool, str]:
    """Whether it is wrong, and what the loss follows."""
    if not answer.resolved:
        return True, "nothing known explains it"
    found = {term.gradient for term in answer.terms}
    told = f"{sampling} it follows {', '.join(sorted(found)) or 'nothing'}"
    if found != claimed:
        return True, f"claimed {', '.join(sorted(claimed))}; {told}"
    turned = [t.gradient for t in answer.terms if t.gradient in SIGNS and _turned(t)]
    if turned:
        return True, f"{sampling} it follows {', '.join(turned)} in the wrong sense"
    sizes = {term.gradient: abs(term.coefficient) for term in answer.terms}
    beta = subject.objective.constants.get("beta")
    penalties = [sizes[name] for name in PENALTIES if name in sizes]
    if not beta or len(penalties) != 1 or "E[r]" not in sizes:
        return False, told
    weight = penalties[0] / sizes["E[r]"]
    off = abs(weight / float(beta) - 1) > WEIGHED
    return off, f"{told}; beta is {beta:g}, the divergence weighs {weight:.6g} beside E[r]"


def _turned(term: "Term") -> bool:
    return term.coefficient * SIGNS[term.gradient] < 0


PROPERTY = Property(NAME, frozenset({"policy", "kl"}), None, "one enumeration", judge)
