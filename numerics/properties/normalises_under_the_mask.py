"""Whitened numbers have mean zero (where a mean is taken off) and deviation one under the mask.

Positions off the mask are zero; one affine map of positive slope serves the whole batch or each
row; a single number, and equal ones, give something finite.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, takes, try_everywhere, value
from numerics.errors import UnusableInput
from numerics.properties import Finding, Property, Setting

NAME = "normalises_under_the_mask"
ALLOWED = 1e-3  # an epsilon beside the variance; N or N - 1 is a convention and not judged


def judge(subject: Subject, setting: Setting) -> Finding:
    """Batches of several shapes, and one of a single number."""
    single = Setting((*setting.shapes, {"B": 1, "T": 1}), setting.seeds, setting.regimes)
    return try_everywhere(NAME, subject, single, _trial, allowed=ALLOWED)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    mask = inputs["mask"] > 0 if takes(subject, "mask") else torch.ones_like(inputs["mask"]) > 0
    x = inputs["x"]
    try:
        found = value(subject, inputs)
    except UnusableInput:
        if int(mask.sum()) < 2:
            return None  # a refusal of a single number is an answer
        raise
    kept = found[mask]
    level = value(subject, {**inputs, "x": torch.full_like(x, 0.7)})[mask]
    if not bool(torch.isfinite(level).all()):
        return torch.inf, f"{int(mask.sum())} equal numbers give {level[0].item()}"
    if not bool(torch.isfinite(kept).all()):
        return torch.inf, f"{int(mask.sum())} numbers give {kept[0].item()}"
    if takes(subject, "mask") and bool((found[~mask] != 0).any()):
        leak = float(found[~mask].abs().max())
        return max(leak, 1.0), f"a masked position holds {leak:.6g}, not zero"
    if int(mask.sum()) < 4:
        return None
    return _one_map(kept, x[mask]) if not _by_row(found, x, mask) else (0.0, "")


def _by_row(found: Tensor, x: Tensor, mask: Tensor) -> bool:
    """Whether each row is normalised on its own: mean zero in every row of two or more."""
    rows = [found[r][mask[r]] for r in range(len(mask)) if int(mask[r].sum()) > 1]
    return all(abs(float(r.mean())) < ALLOWED * float(r.abs().max() + 1e-300) for r in rows)


def _one_map(kept: Tensor, x: Tensor) -> tuple[float, str]:
    mean, deviation = float(kept.mean()), float(kept.std())
    design = torch.stack([torch.ones_like(x), x], 1)
    fitted = torch.linalg.lstsq(design, kept[:, None]).solution[:, 0]
    bent = float((kept - design @ fitted).abs().max()) / float(kept.abs().max())
    if bent > 1e-6 or float(fitted[1]) <= 0:
        return max(bent, 1.0), "no single increasing affine map leads to the result"
    shifted = abs(mean)
    if shifted > ALLOWED and abs(mean - float(fitted[1]) * float(x.mean())) > ALLOWED:
        return shifted, f"the mean under the mask is {mean:.6g}, not 0"
    biased = deviation * ((len(kept) - 1) / len(kept)) ** 0.5
    off = min(abs(deviation - 1), abs(biased - 1))
    return off, f"the deviation under the mask is {deviation:.6g}, not 1"


PROPERTY = Property(NAME, frozenset({"whiten"}), None, "one forward", judge)
