"""Label smoothing mixes the loss of the pair with that of the swapped pair.

With a constant `label_smoothing` = e: L_e(w, l) = (1 - e) L_0(w, l) + e L_0(l, w); or, for the
loss that takes the noise off again, ((1 - e) L_0(w, l) - e L_0(l, w)) / (1 - 2 e).
"""

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, try_everywhere, value, with_constants
from numerics.properties import Finding, Property, Setting

NAME = "smooths_its_labels"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Swap the pair at a smoothing of zero."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    e = subject.objective.constants.get("label_smoothing")
    if not e or not 0 < float(e) < 0.5:
        return None
    plain = with_constants(subject, label_smoothing=0.0)
    one, other = value(plain, inputs), value(plain, swapped(inputs))
    mixed, noise_off = (1 - e) * one + e * other, ((1 - e) * one - e * other) / (1 - 2 * e)
    found = value(subject, inputs)
    return min(apart(found, mixed), apart(found, noise_off)), (
        f"label_smoothing={e:g} is not a mixture with the loss of the swapped pair"
    )


def swapped(inputs: dict[str, Tensor]) -> dict[str, Tensor]:
    """The same responses with preferred and rejected exchanged."""
    turn = {"w": "l", "l": "w"}
    return {
        n: inputs[n[:-1] + turn[n[-1]]] if n[-2:] in ("_w", "_l") else inputs[n] for n in inputs
    }


PROPERTY = Property(
    NAME, frozenset({"preference", "reward_model"}), None, "three forwards per sample", judge
)
