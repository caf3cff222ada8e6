"""The samples reached every branch of the loss: both sides of the clip for both signs of the
advantage, padding, and a penalty that acts.

A fact about the check and not about the loss: where a branch was not reached, every pass beside it
says nothing of that branch, and the whole is inconclusive. Small shapes and few seeds miss some; a
loss that is given logp_ref and does not depend on it has its penalty switched off.
"""

from numerics.check.coverage import missed, reached, sees_the_reference
from numerics.check.subject import Subject
from numerics.check.trial import takes
from numerics.properties import Finding, Property, Setting

NAME = "reaches_every_branch"
FAMILIES = frozenset(
    {"policy", "logits", "rollout", "actor_critic", "value", "kl", "preference", "token_reward"}
)
BETA = "beta > 0 (logp_ref is taken and changes nothing)"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Count over all points."""
    counts = reached(subject, setting)
    if not counts:
        told = "a batch that lacks arguments of its family is not counted"
        return Finding(NAME, "reported", message=told)
    unmet = missed(subject, counts)
    if takes(subject, "logp_ref") and not sees_the_reference(subject, setting):
        unmet += (BETA,)
    if not unmet:
        return Finding(NAME, "pass", message=f"all {len(counts)} are reached")
    told = f"not reached: {', '.join(unmet)}"
    hint = "a larger --shape or more seeds reach more; constants such as beta are set by --constant"
    return Finding(NAME, "inconclusive", message=told, notes=(hint,))


PROPERTY = Property(NAME, FAMILIES, None, "samples alone, and a few forwards", judge)
