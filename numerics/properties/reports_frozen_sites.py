"""Every value that leaves the graph is listed, beside those that the specification freezes.

A stop-gradient is right or wrong by intention only: an on-policy ratio exp(logp - sg(logp)) needs
it, a penalty under an accidental detach is lost without any other sign. So this is reported, and
judged only where a claim says what should be frozen.
"""

from numerics.check.specification import frozen_in_both, specification_of
from numerics.check.subject import Subject
from numerics.properties import Finding, Property, Setting

NAME = "reports_frozen_sites"


def judge(subject: Subject, setting: Setting) -> Finding:
    """List the sites at the first point; constants that were merely copied are left out."""
    shape, seed, regime = setting.points()[0]
    inputs = subject.sample(shape, seed, regime)
    sites, promised = frozen_in_both(subject, specification_of(subject), inputs)
    if not sites and not promised:
        return Finding(
            NAME, "pass", 0.0, 0.0, message="nothing that depends on the input leaves the graph"
        )
    listed = "; ".join(map(str, sites)) or "nothing"
    notes = (
        ()
        if promised is None
        else (f"the specification freezes {'; '.join(map(str, promised)) or 'nothing'}",)
    )
    allowed = None if promised is None else float(len(promised))
    return Finding(
        NAME, "reported", float(len(sites)), allowed, message=f"frozen: {listed}", notes=notes
    )


PROPERTY = Property(
    name=NAME,
    families=frozenset({"policy", "kl", "logits"}),
    theorem=None,
    cost="two forwards",
    judge=judge,
)
