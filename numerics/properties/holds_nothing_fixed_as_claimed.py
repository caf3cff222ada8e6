"""Nothing that depends on the trained input leaves the graph (claim "holds nothing fixed").

A stop-gradient is right or wrong by intention only, so without the claim it is reported by
`reports_frozen_sites`. Under it every `detach`, `no_grad`, `.data` or `.item()` of a value that
moves with the input is a fault: the value keeps it, and the gradient has lost a term.
"""

from numerics.check.frozen import Site
from numerics.check.specification import frozen_in
from numerics.check.subject import Subject
from numerics.check.trial import counterexample
from numerics.errors import UnusableInput
from numerics.properties import Finding, Property, Setting

NAME = "holds_nothing_fixed_as_claimed"
CLAIM = "holds nothing fixed"
FAMILIES = frozenset(
    {"policy", "kl", "logits", "value", "preference", "reward_model", "entropy", "divergence"}
    | {"actor_critic", "group_policy"}
)


def judge(subject: Subject, setting: Setting) -> Finding:
    """List the sites at every point of the first seed."""
    if CLAIM not in subject.objective.claims:
        return Finding(NAME, "not_applicable", message="claims nothing of what it holds fixed")
    for point in setting.points():
        if point[1] == setting.seeds[0]:
            sites = _sites(subject, point)
            if sites:
                message = f"held fixed: {'; '.join(map(str, sites))}"
                example = counterexample(NAME, subject, point, message)
                return Finding(NAME, "fail", float(len(sites)), 0.0, 1.0, example, message=message)
    return Finding(NAME, "pass", 0.0, 0.0, 1.0, message="nothing leaves the graph")


def _sites(subject: Subject, point: tuple) -> tuple[Site, ...]:
    inputs = subject.sample(*point)
    try:
        return frozen_in(subject.function(inputs), inputs[subject.wrt])
    except UnusableInput:
        return ()


PROPERTY = Property(NAME, FAMILIES, None, "two forwards per sample", judge)
