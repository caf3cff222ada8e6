"""An entropy term is the entropy in nats, up to its coefficient (claim "nats").

At uniform logits it is log V times the constant `coefficient` (1 without one), negative under the
claim "bonus", and at a certain token it is zero; so a mean over the vocabulary, bits, or a sum of
other functions of the probabilities are seen. Judged for one token, where reductions coincide.
"""

import math

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "measures_entropy_in_nats"
THEOREM = "foundations.relative_entropy_to_uniform_is_missing_entropy"
CLAIM, CERTAIN = "nats", 60.0


def judge(subject: Subject, setting: Setting) -> Finding:
    """One token over vocabularies of several sizes."""
    shapes = tuple({"B": 1, "T": 1, "V": size} for size in (2, 5, 11))
    return try_everywhere(NAME, subject, Setting(shapes, (0,), ("near",)), _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    claims = subject.objective.claims
    if CLAIM not in claims:
        return None
    size = inputs["logits"].shape[-1]
    coefficient = float(subject.objective.constants.get("coefficient", 1.0))
    wanted = coefficient * math.log(size) * (-1 if "bonus" in claims else 1)
    certain = torch.zeros_like(inputs["logits"])
    certain[..., 0] = CERTAIN
    uniform = torch.zeros_like(inputs["logits"])
    found, none = (float(value(subject, {**inputs, "logits": x})) for x in (uniform, certain))
    observed = max(abs(found - wanted), abs(none)) / abs(wanted)
    told = f"{size} equal logits give {found:.6g}, not {wanted:.6g}; a certain token {none:.3g}"
    return observed, told


PROPERTY = Property(NAME, frozenset({"entropy"}), THEOREM, "two forwards", judge)
