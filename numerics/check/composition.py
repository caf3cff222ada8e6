"""An advantage estimator, then a loss: as one objective.

    group_advantage, then policy     rewards [B], group [B] -> adv -> loss  (group_policy family)
    token_reward, then ...           the score of a response minus its penalties, summed over its
                                     tokens, is the reward that the rest sees

What an estimator returns is data: no gradient flows through it.
"""

import inspect
from collections.abc import Callable, Mapping

from torch import Tensor

from numerics.check.subject import Inputs, Subject, bind
from numerics.errors import UnusableInput
from numerics.objective import Objective

SHAPE = {"B": 4, "T": 3, "V": 3}
ORDER = ("logp", "logp_old", "logp_ref", "adv", "rewards", "group", "mask")


def composed(
    loss: Objective, *, advantages: Objective | None = None, rewards: Objective | None = None
) -> Objective:
    """The loss of rewards, with advantages and rewards computed by the estimators given.

    Without `advantages` the loss takes the reward itself as the advantage of every token of a
    response. Raises UnusableInput for a part of another family.

    >>> from numerics.objective import objective
    >>> from numerics.objectives import dr_grpo, group_mean
    >>> parts = objective(dr_grpo.dr_grpo), objective(group_mean.group_mean)
    >>> composed(parts[0], advantages=parts[1]).name
    'group_mean, then dr_grpo'
    """
    last = _bound(loss, "policy")
    groups = None if advantages is None else _bound(advantages, "group_advantage")
    scores = None if rewards is None else _bound(rewards, "token_reward", frozenset({"beta"}))
    parts = [part for part in (scores, groups, last) if part is not None]

    def function(**inputs: Tensor) -> Tensor:
        reward = inputs["rewards"] if groups else inputs["adv"]
        given: Mapping[str, Tensor] = {**inputs, "rewards": reward, "score": reward}
        if scores:
            tokens = _held(scores, given)
            given = {**given, "rewards": (tokens * inputs["mask"]).sum(-1)}
        adv = _held(groups, given) if groups else given["rewards"]
        return last.value({**given, "adv": _in_axes(adv, last, inputs["mask"])})

    taken = {name for part in parts for name in part.mapped.ours}
    taken = (taken | {"mask"} | ({"rewards", "group"} if groups else {"adv"})) - {"score", "beta"}
    if groups:
        taken -= {"adv"}
    return _declared(function, parts, [name for name in ORDER if name in taken], loss)


def _declared(
    function: Callable[..., Tensor], parts: list[Subject], names: list[str], loss: Objective
) -> Objective:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([inspect.Parameter(name, kind) for name in names])
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__name__ = ", then ".join(part.objective.name for part in parts)
    grouped = "group" in names
    return Objective(
        function=function,
        name=function.__name__,
        claims=loss.claims,
        family="group_policy" if grouped else "policy",
        shapes={} if grouped else {"adv": "B"},
    )


def _bound(part: Objective, family: str, numbers: frozenset[str] = frozenset()) -> Subject:
    subject = bind(part, SHAPE)
    if subject.family.name != family:
        raise UnusableInput(
            f"{part.name} cannot stand here",
            part.where,
            f"the {family} family",
            subject.family.name,
        )
    missing = numbers & set(subject.mapped.ours)
    if missing:
        name = sorted(missing)[0]
        raise UnusableInput(
            f"{part.name} needs a value of {name}", part.where, f"a constant {name}", "none"
        )
    return subject


def _held(part: Subject, inputs: Inputs) -> Tensor:
    fixed = {name: value.detach() for name, value in inputs.items()}
    result = part.raw(fixed)
    picked = result if part.objective.returns is None else result[part.objective.returns]
    if not isinstance(picked, Tensor):
        raise UnusableInput(
            f"{part.objective.name} returns no tensor",
            part.objective.where,
            "a tensor",
            str(picked),
        )
    return picked.detach()


def _in_axes(adv: Tensor, loss: Subject, mask: Tensor) -> Tensor:
    """Advantages [B] or [B,T] in the axes that the loss takes them in."""
    if loss.axes.get("adv") == "B":
        return adv if adv.dim() == 1 else adv[:, 0]
    return adv if adv.dim() == 2 else adv[:, None].expand(mask.shape)
