"""Which reference objective, with which options, a loss equals in value and in gradient.

Every reference of the loss's family (and the combinations of `variants`) is tried with every choice
of its named options; bounds of a clip are read from the loss (see `probe`), other numbers are
fitted to gradients and rounded (see `fitting`), guards and clamps are tried last. The comparison is
exact to 1e-9 and made off-policy, outside the clip, with unequal lengths and far references:
on-policy nearly all of them are equal. What a later loss holds fixed (advantages, rewards) is
compared in value only.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from numerics.check.candidate import NEAR, Candidate, Identification, preference
from numerics.check.fitting import fitted, linear_numbers
from numerics.check.frozen import record
from numerics.check.option_search import Trial, later, trials
from numerics.check.probe import Breaks, breaks_of
from numerics.check.specification import Specification, from_reference
from numerics.check.subject import Inputs, Subject, bind, contracted
from numerics.check.usable import require_usable
from numerics.check.variants import variants
from numerics.errors import UnusableInput
from numerics.objective import Objective
from numerics.properties import Setting

ROUGH = 3e-2  # a misfit that is worth a guard or a clamp
REFINED = 8  # candidates that are refined
MANY = 80  # trials, of which the first sample decides
SCREENED = 24  # trials that are fitted at all samples


@dataclass(frozen=True)
class _Search:
    """The loss, once for each argument that receives a gradient, its samples (those for fitting
    with the most telling first), and which numbers its references are linear in (found once).
    """

    subjects: tuple[Subject, ...]
    setting: Setting
    batch: tuple[dict[str, Tensor], ...]
    fitting: tuple[dict[str, Tensor], ...]
    linear: dict[str, tuple[str, ...]] = field(default_factory=dict)

    targets: dict[int, Tensor] = field(default_factory=dict)

    @property
    def subject(self) -> Subject:
        return self.subjects[0]

    @property
    def compared(self) -> str:
        """What is compared, in words."""
        names = set(self.subject.mapped.ours)
        if self.subject.family.held:
            return "value"
        return "value and gradient" + (", off-policy too" if "logp_old" in names else "")

    def own(self, inputs: Inputs) -> Tensor:
        """The loss's gradients at a sample in one vector, or its values where a later loss holds
        them fixed.
        """
        if id(inputs) not in self.targets:
            self.targets[id(inputs)] = _own(self.subjects, inputs)
        return self.targets[id(inputs)]


def _own(subjects: tuple[Subject, ...], inputs: Inputs) -> Tensor:
    if subjects[0].family.held:
        return subjects[0].value(inputs).detach().flatten().double()
    parts = []
    for subject in subjects:
        gradient = record(subject.function(inputs), inputs[subject.wrt]).gradients[0]
        parts.append(torch.zeros_like(inputs[subject.wrt]) if gradient is None else gradient)
    return torch.cat([part.flatten().double() for part in parts])


def identify(objective: Objective, *, seed: int = 0) -> Identification:
    """Search the reference objectives of the family, every option of theirs, and every scale.

    Raises: UnusableInput as `check` does, and where no reference objective is of the family.

    >>> from numerics.objective import objective
    >>> half_a_square = objective(lambda logp, logp_ref: 0.5 * (logp - logp_ref) ** 2)
    >>> identify(half_a_square).closest.text
    "kl_penalty(kind='k2')"
    """
    search = _search(objective, seed)
    breaks = breaks_of(search.subject)
    wanted, tried = _wanted(search, breaks)
    found = sorted((c for t in wanted if (c := _fit(search, t, search.fitting))), key=preference)
    if not found:
        family = search.subject.family.name
        raise UnusableInput(f"no reference objective of the {family} family", objective.where)
    equal = _equal_ones(search, found)
    if equal:
        also = tuple(equal[1:])
        return Identification(objective.name, equal[0], True, also, "", tried, search.compared)
    closest = _closer(search, found[0])
    told = _first_difference(search, closest)
    return Identification(objective.name, closest, not told, (), told, tried, search.compared)


def _search(objective: Objective, seed: int) -> _Search:
    subject = bind(objective, _shapes(objective)[0])
    shapes = subject.family.shapes
    require_usable(subject, shapes[0], seed)
    seeds = 4 if subject.family.held else 2
    setting = Setting(shapes, tuple(range(seed, seed + seeds)))
    points = setting.points()
    batch = tuple(subject.sample(*point) for point in points)
    order = sorted(range(len(points)), key=lambda n: (points[n][2] != "moderate", -n))
    fitting = tuple(batch[n] for n in order if points[n][2] != "far")
    subjects = tuple(subject.each_differentiated(batch[0]))
    return _Search(subjects, setting, batch, fitting)


def _shapes(objective: Objective) -> tuple[Mapping[str, int], ...]:
    from numerics.check.signature import map_arguments

    return map_arguments(objective).family.shapes


def _wanted(search: _Search, breaks: Breaks) -> tuple[list[Trial], int]:
    """The trials that are worth a fit at all samples: the best at the first ones."""
    sample = search.fitting[0]
    everything = [
        trial
        for known in variants(search.subject)
        for trial in trials(search.subject, known, breaks, sample)
    ]
    few = search.fitting[: 1 if len(everything) > MANY else 2]
    fits = [(c, t) for t in everything if (c := _fit(search, t, few)) is not None]
    fits.sort(key=lambda pair: preference(pair[0]))
    close = [trial for c, trial in fits if c.misfit < ROUGH][:SCREENED]
    return close or [trial for _, trial in fits[:3]], len(everything)


# ------------------------------------------------------------------ one trial


def _fit(search: _Search, trial: Trial, samples: tuple[dict[str, Tensor], ...]) -> Candidate | None:
    """Its free numbers fitted; None where the reference cannot run or has another shape."""
    defaults = {n: float(trial.options.get(n, trial.known.options[n])) for n in trial.free}

    def vector(numbers: Mapping[str, float]) -> Tensor:
        candidate = Candidate(trial.known, {**trial.options, **numbers}, 1.0, 0.0)
        return torch.cat([_numbers(search, _plain(search, candidate), x) for x in samples])

    target = torch.cat([search.own(x) for x in samples])
    try:
        if vector(defaults).shape != target.shape:
            return None
        if trial.known.name not in search.linear:
            search.linear[trial.known.name] = linear_numbers(vector, defaults)
        linear = [n for n in search.linear[trial.known.name] if n in defaults]
        fit = fitted(vector, target, defaults, linear)
    except (UnusableInput, RuntimeError, IndexError, ArithmeticError):
        return None
    if fit is None or not fit.misfit <= 10.0:
        return None
    return Candidate(trial.known, {**trial.options, **fit.numbers}, fit.scale, fit.misfit)


def _plain(search: _Search, candidate: Candidate) -> Specification:
    return from_reference(search.subject, candidate.known, candidate.options)


def _numbers(search: _Search, specification: Specification, inputs: Inputs) -> Tensor:
    """The same of a specification."""
    if search.subject.family.held:
        return specification.evaluate(inputs).detach().flatten()
    names = [subject.wrt for subject in search.subjects]
    leaves = {name: inputs[name].detach().requires_grad_() for name in names}
    value = contracted(specification.evaluate({**inputs, **leaves}))
    if not value.requires_grad:
        return torch.cat([torch.zeros_like(leaf).flatten() for leaf in leaves.values()])
    gradients = torch.autograd.grad(value, list(leaves.values()), allow_unused=True)
    pairs = zip(leaves.values(), gradients, strict=True)
    return torch.cat([(torch.zeros_like(x) if g is None else g).flatten() for x, g in pairs])


# ------------------------------------------------------------------ exact agreement


def _equal_ones(search: _Search, found: list[Candidate]) -> list[Candidate]:
    """The candidates that agree at every sample, with guards and clamps where they need them: first
    those that fit the gradients, then those that nearly do.
    """
    near = list({c.text: c for c in found if c.misfit < NEAR}.values())[:REFINED]
    rough = [c for c in found if NEAR <= c.misfit < ROUGH][:REFINED]
    refined = [c for c in near if _agrees_everywhere(search, c)]
    if not refined:
        tries = ((c, 1) for c in (*near, *rough)), ((c, 2) for c in (*near, *rough[:2]))
        changed = (_changed(search, c, count) for group in tries for c, count in group)
        refined = [next((c for c in changed if c is not None), None)]
    shorter = {c.text: c for c in (_simplified(search, c) for c in refined if c is not None)}
    return sorted(shorter.values(), key=preference)


def _changed(search: _Search, candidate: Candidate, count: int) -> Candidate | None:
    """The candidate with so many guards or clamps, its numbers fitted anew where they act at the
    samples of the search; None if it agrees with none of them.
    """
    known = candidate.known
    free = tuple(n for n in candidate.options if isinstance(known.options.get(n), float))
    for change in later(known, count):
        fixed = {**candidate.options, **change}
        changed: Candidate | None = replace(candidate, options=fixed)
        if candidate.misfit >= NEAR:
            names = tuple(n for n in free if n not in change)
            changed = _fit(search, Trial(known, fixed, names), search.fitting[:2])
        if changed is not None and _agrees_everywhere(search, changed):
            return replace(changed, misfit=0.0)
    return None


def _closer(search: _Search, candidate: Candidate) -> Candidate:
    """The candidate with the guard that brings it closer by far, if there is one."""
    if not NEAR <= candidate.misfit < ROUGH:
        return candidate
    known = candidate.known
    tried = [candidate]
    for change in later(known, 1):
        names = tuple(n for n in known.options if n in candidate.options)
        free = tuple(n for n in names if isinstance(known.options[n], float) and n not in change)
        trial = Trial(known, {**candidate.options, **change}, free)
        tried += [c for c in [_fit(search, trial, search.fitting)] if c is not None]
    best = min(tried, key=lambda c: c.misfit)
    return best if best.misfit < 0.1 * candidate.misfit else candidate


def _simplified(search: _Search, candidate: Candidate) -> Candidate:
    """Without the options that make no difference, such as the kind of a penalty of weight zero."""
    for name in candidate.changed:
        options = {**candidate.options, name: candidate.known.options[name]}
        fewer = replace(candidate, options=options)
        if _agrees_everywhere(search, fewer):
            candidate = fewer
    return candidate


def _scaled(search: _Search, candidate: Candidate) -> Specification:
    plain = _plain(search, candidate)
    return replace(plain, evaluate=lambda inputs: candidate.scale * plain.evaluate(inputs))


def _agrees_everywhere(search: _Search, candidate: Candidate) -> bool:
    """At every sample, the far ones first, for each argument that receives a gradient."""
    from numerics.properties.matches_the_specification import difference

    specification = _scaled(search, candidate)
    try:
        return all(
            difference(subject, specification, inputs).agrees
            for inputs in reversed(search.batch)
            for subject in search.subjects
        )
    except (UnusableInput, RuntimeError):
        return False


def _first_difference(search: _Search, candidate: Candidate) -> str:
    from numerics.properties.matches_the_specification import difference

    specification = _scaled(search, candidate)
    for point, inputs in zip(search.setting.points(), search.batch, strict=True):
        for subject in search.subjects:
            found = difference(subject, specification, inputs)
            if not found.agrees:
                what = "value" if found.entry is None else f"d/d {subject.wrt}{list(found.entry)}"
                sizes = ", ".join(f"{axis}={size}" for axis, size in point[0].items())
                told = f"{what}: {found.mine:.6g} here, {found.theirs:.6g} there"
                where = f"sample ({sizes}), seed {point[1]}, regime {point[2]}"
                return f"{where}: {told}; {found.guess}"
    return ""
