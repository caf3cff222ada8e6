"""Where a gradient is wrong, by what factor, and five lines that show it.

The bisection halves the flattened input: a normal direction that is zero outside one half sees only
that half's error.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.check.directional import STEP, Scalar, root_mean_square
from numerics.check.frozen import Site
from numerics.check.gradient import evaluator

# Relative step for one entry: its derivative is small beside f, so rounding asks for a larger one.
ENTRY_STEP = 1e-4
ALL_ENTRIES = 512  # differences of every entry up to this size, of a sample above
SAMPLE = 48
CLOSE = 1e-5


@dataclass(frozen=True)
class Located:
    """An entry with a wrong derivative: its index, both values, and what the error looks like."""

    entry: tuple[int, ...]
    autograd: float
    difference: float
    guess: str


def locate(
    function: Callable[[Tensor], Tensor],
    point: Tensor,
    gradient: Tensor,
    sites: tuple[Site, ...],
    mask: Tensor | None,
    seed: int = 0,
) -> Located:
    """Bisect to one entry of `point` whose gradient disagrees with differences, and describe the
    disagreement.
    """
    evaluate = evaluator(function, sites)
    entry = bisect(evaluate, point, gradient, seed)
    places = _places(point, gradient, entry)
    differences = torch.tensor(
        [entry_difference(evaluate, point, place) for place in places]
    ).double()
    found = gradient.reshape(-1)[places]
    worst = places[int((found - differences).abs().argmax())]
    if worst != entry and abs(_error(gradient, places, differences, entry)) < CLOSE * float(
        found.abs().max()
    ):
        entry = worst
    difference = float(differences[places.index(entry)])
    guess = describe(found, differences, places, tuple(point.shape), mask)
    return Located(
        _unravel(entry, point.shape), gradient.reshape(-1)[entry].item(), difference, guess
    )


def bisect(evaluate: Scalar, point: Tensor, gradient: Tensor, seed: int = 0) -> int:
    """The flat index at the end of the halves with the larger error: log2(numel) rounds of four
    evaluations.
    """
    low, high = 0, point.numel()
    rng = torch.Generator().manual_seed(seed)
    step = STEP * root_mean_square(point)
    while high - low > 1:
        middle = (low + high) // 2
        left = _error_within(evaluate, point, gradient, slice(low, middle), step, rng)
        right = _error_within(evaluate, point, gradient, slice(middle, high), step, rng)
        low, high = (low, middle) if left >= right else (middle, high)
    return low


def _error_within(
    evaluate: Scalar,
    point: Tensor,
    gradient: Tensor,
    part: slice,
    step: float,
    rng: torch.Generator,
) -> float:
    line = torch.zeros(point.numel(), dtype=torch.float64)
    line[part] = torch.randn(part.stop - part.start, generator=rng, dtype=torch.float32).double()
    line = line.view(point.shape)
    difference = (evaluate(point + step * line) - evaluate(point - step * line)) / (2 * step)
    return abs(difference - float((gradient * line).sum()))


def entry_difference(evaluate: Scalar, point: Tensor, place: int) -> float:
    """A fourth-order difference of one entry."""
    step = ENTRY_STEP * root_mean_square(point)
    unit = torch.zeros(point.numel(), dtype=torch.float64)
    unit[place] = step
    unit = unit.view(point.shape)
    inner = evaluate(point + unit) - evaluate(point - unit)
    outer = evaluate(point + 2 * unit) - evaluate(point - 2 * unit)
    return (8 * inner - outer) / (12 * step)


def _places(point: Tensor, gradient: Tensor, entry: int) -> list[int]:
    if point.numel() <= ALL_ENTRIES:
        return list(range(point.numel()))
    row = point.shape[-1] if point.dim() > 2 else 1
    start = entry - entry % row
    near = range(start, start + min(row, SAMPLE // 3))
    strong = gradient.reshape(-1).abs().topk(SAMPLE // 3).indices.tolist()
    spread = range(0, point.numel(), max(1, point.numel() // (SAMPLE // 3)))
    return sorted({entry, *near, *strong, *spread})


def _error(gradient: Tensor, places: list[int], differences: Tensor, entry: int) -> float:
    return gradient.reshape(-1)[entry].item() - float(differences[places.index(entry)])


def _unravel(flat: int, shape: torch.Size) -> tuple[int, ...]:
    return tuple(int(i) for i in torch.unravel_index(torch.tensor(flat), shape))


def describe(
    found: Tensor, true: Tensor, places: list[int], shape: tuple[int, ...], mask: Tensor | None
) -> str:
    """In words, what turns the true derivatives into those found: a factor, a set of tokens, other
    positions.
    """
    scale = float(torch.maximum(found.abs(), true.abs()).max())
    wrong = (found - true).abs() > CLOSE * scale
    seen = true.abs() > 1e-4 * scale
    factor = _constant(found[seen], true[seen])
    if factor is not None and bool(((found - factor * true).abs() <= CLOSE * scale).all()):
        return name_factor(factor, shape, mask)
    tokens = [place // (shape[2] if len(shape) > 2 else 1) for place in places]
    bad = sorted(
        {token for token, is_wrong in zip(tokens, wrong.tolist(), strict=True) if is_wrong}
    )
    if mask is not None and bad and not bool(mask.reshape(-1)[bad].any()):
        return f"only where mask = 0: a padding leak, first at token {_token(bad[0], shape)}"
    complete = len(places) == math.prod(shape)
    if complete and _same_numbers(found, true, scale):
        return "the same numbers at other positions: a transposed or shifted index"
    sensitive = {token for token, is_seen in zip(tokens, seen.tolist(), strict=True) if is_seen}
    if not sensitive <= set(bad):
        inside = torch.tensor([token in bad for token in tokens]) & seen
        part = _constant(found[inside], true[inside])
        factor_text = "no constant factor" if part is None else name_factor(part, shape, mask)
        return (
            f"only at {'token' if len(bad) == 1 else 'tokens'} {_listed(bad, shape)}: {factor_text}"
        )
    ratios = found[seen] / true[seen]
    if not len(ratios):
        return "the differences are zero, autograd is not"
    low, high = float(ratios.min()), float(ratios.max())
    return f"no constant factor: autograd / difference from {low:.4g} to {high:.4g}"


def _constant(found: Tensor, true: Tensor) -> float | None:
    if not len(true):
        return None
    factor = float((found * true).sum() / (true * true).sum())
    worst = float((found - factor * true).abs().max())
    return factor if worst <= CLOSE * float(torch.maximum(found.abs(), true.abs()).max()) else None


def _same_numbers(found: Tensor, true: Tensor, scale: float) -> bool:
    return bool(((found.sort().values - true.sort().values).abs() <= CLOSE * scale).all())


def _token(flat: int, shape: tuple[int, ...]) -> str:
    return str(list(_unravel(flat, torch.Size(shape[:2]))))


def _listed(bad: list[int], shape: tuple[int, ...]) -> str:
    shown = ", ".join(_token(flat, shape) for flat in bad[:4])
    return shown + (f" and {len(bad) - 4} more" if len(bad) > 4 else "")


def name_factor(factor: float, shape: tuple[int, ...], mask: Tensor | None) -> str:
    """The factor with the name of the mistake that it suggests.

    >>> name_factor(-1.0, (2, 4), None)
    'factor -1 (a sign)'
    >>> name_factor(4 / 3, (2, 4), None)
    'factor 1.33333 (T/(T-1))'
    """
    if abs(factor) <= CLOSE:
        return "factor 0 (no gradient at all)"
    known = _known_factors(shape, mask).items()
    names = [name for name, value in known if math.isclose(factor, value, rel_tol=CLOSE)]
    return f"factor {factor:.6g}" + (f" ({' or '.join(names[:2])})" if names else "")


def _known_factors(shape: tuple[int, ...], mask: Tensor | None) -> Mapping[str, float]:
    """Factors that mistakes leave behind, the likelier ones first."""
    rows, length = (*shape, 1, 1)[:2]
    known = {"a sign": -1.0, "doubled": 2.0, "halved": 0.5, "doubled, with a sign": -2.0}
    sizes = {"T": length, "B": rows, "B T": rows * length}
    if len(shape) > 2:
        sizes["V"] = shape[2]
    for name, size in sizes.items():
        if size > 1:
            known |= {name: size, f"1/{name}": 1 / size}
            known |= {f"{name}/({name}-1)": size / (size - 1)}
            known |= {f"({name}-1)/{name}": (size - 1) / size}
    if mask is not None:
        kept, pads = int(mask.sum()), int((mask == 0).sum())
        known |= {"response tokens / all tokens": float(mask.mean())}
        known |= {"all tokens / response tokens": 1 / float(mask.mean())}
        known |= {"number of response tokens": kept, "1/number of response tokens": 1 / kept}
        known |= {"number of padded tokens": pads, "1/number of padded tokens": 1 / max(pads, 1)}
    return {name: value for name, value in known.items() if value != 1.0}
