"""What a budget of a release of a sample becomes for the frame, by the design: closed forms, and no answer elsewhere.

A form holds for one pair of neighbour relations, of frames and of samples (`Compared`), since both change the answer:
a simple random sample amplifies bounded DP at its rate, unbounded DP at its rate and twice the budget, and nothing
where releases may tell which units were drawn. Every form is sharp: some release of the sample attains it.

All counts the chance of not being in the sample: of who is known to be in it nothing but ε holds.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from inspect import signature

from stirred.spec.arguments import Exact, InputError, likelihood_ratio, positive_integer, sampling_rate, shown
from stirred.spec.budgets.sampling import amplified, amplified_gamma
from stirred.spec.numbers.enclosure import Enclosure, exponential, log


class Compared(Enum):
    """Which frames and which samples are neighbours.

    REPLACED, ADDED and SAME_UNITS are the distances `hamming_unordered`, `symmetric_difference` and `changed_units` of
    unit-labelled samples; of frames REPLACED and SAME_UNITS take `changed_units`, ADDED `symmetric_difference`.
    """

    REPLACED = "frames: one unit's record changes; samples: one record is replaced, by another unit's too"
    ADDED = "frames and samples: one unit is added or removed"
    SAME_UNITS = "frames and samples: one unit's record changes, and the units stay"


@dataclass(frozen=True)
class Amplification:
    """The budget of T∘S for every release T of the sample that keeps ε.

    Attributes:
        gamma: e^ε', where some release attains ε'.
        formula: e^ε' in γ = e^ε and the parameters.
        conditions: what is taken for granted, unchecked.
    """

    gamma: Fraction
    formula: str
    conditions: tuple[str, ...]


UNKNOWN = "that it stays secret which units are in the sample"
_FIXED = "that the design does not depend on the records that are protected"


@dataclass(frozen=True)
class _Form:
    formula: str
    factor: Callable[..., Fraction]
    conditions: tuple[str, ...]


def _share(size: int, frame_size: int) -> Fraction:
    if positive_integer("size", size) > positive_integer("frame_size", frame_size):
        raise InputError(f"size must be at most frame_size, {frame_size}; got {size}")
    return Fraction(size, frame_size)


def _simple(gamma: Fraction, *, size: int, frame_size: int) -> Fraction:
    return amplified_gamma(gamma, _share(size, frame_size))


def _simple_added(gamma: Fraction, *, size: int, frame_size: int) -> Fraction:
    if positive_integer("size", size) >= positive_integer("frame_size", frame_size):
        raise InputError(f"size must be below frame_size, the larger frame's {frame_size}; got {size}")
    return amplified_gamma(gamma**2, _share(size, frame_size))


def _independent(gamma: Fraction, *, rate: Exact) -> Fraction:
    return amplified_gamma(gamma, sampling_rate("rate", rate))


def _draws(gamma: Fraction, *, draws: int, chance: Exact) -> Fraction:
    return amplified_gamma(gamma, sampling_rate("chance", chance)) ** positive_integer("draws", draws)


def _clusters(gamma: Fraction, *, number: int, clusters: int, cluster_size: int) -> Fraction:
    share, size = _share(number, clusters), positive_integer("cluster_size", cluster_size)
    return amplified_gamma(gamma**size, share) / amplified_gamma(gamma ** (size - 1), share)


def _systematic(gamma: Fraction, *, step: int, frame_size: int) -> Fraction:
    return _clusters(gamma, number=1, clusters=step, cluster_size=_stretches(step, frame_size))


def _shuffled(gamma: Fraction, *, step: int, frame_size: int) -> Fraction:
    return _simple(gamma, size=_stretches(step, frame_size), frame_size=frame_size)


def _stretches(step: int, frame_size: int) -> int:
    if positive_integer("frame_size", frame_size) % positive_integer("step", step):
        raise InputError(f"step must divide frame_size, {frame_size}, so that all samples have one size; got {step}")
    return frame_size // step


def _none(gamma: Fraction) -> Fraction:
    return gamma


_AT_RATE = "1 + f*(gamma - 1), f = size/frame_size"
_TOLD = _Form("gamma: releases may tell which units were drawn", _none, (_FIXED,))
_FORMS: Mapping[str, Mapping[Compared, _Form]] = {
    "simple random sample": {
        Compared.REPLACED: _Form(_AT_RATE, _simple, (UNKNOWN, _FIXED)),
        Compared.ADDED: _Form(
            "1 + f*(gamma**2 - 1), f = size/frame_size of the larger frame",
            _simple_added,
            (UNKNOWN, "that the size of the sample is the same for both frames", _FIXED),
        ),
        Compared.SAME_UNITS: _TOLD,
    },
    "Poisson sample": {
        Compared.ADDED: _Form(
            "1 + rate*(gamma - 1), rate the largest of a unit",
            _independent,
            (UNKNOWN, "that no unit's rate depends on others' records"),
        ),
        Compared.REPLACED: _Form("gamma: releases may tell the size, and all may be drawn", _none, (_FIXED,)),
        Compared.SAME_UNITS: _TOLD,
    },
    "sample with replacement": {
        Compared.REPLACED: _Form(
            "(1 + chance*(gamma - 1))**draws, chance the largest of a unit in one draw, in any frame",
            _draws,
            (UNKNOWN, "that how often a unit was drawn is how often its record is in the sample"),
        )
    },
    "cluster sample": {
        Compared.REPLACED: _Form(
            "(1 + f*(gamma**m - 1))/(1 + f*(gamma**(m - 1) - 1)), f = number/clusters, m = cluster_size",
            _clusters,
            (UNKNOWN, "that all clusters have one size, and units do not change theirs", _FIXED),
        ),
        Compared.SAME_UNITS: _TOLD,
    },
    "systematic sample in a fixed order": {
        Compared.REPLACED: _Form(
            "(1 + f*(gamma**m - 1))/(1 + f*(gamma**(m - 1) - 1)), f = 1/step, m = frame_size/step",
            _systematic,
            (UNKNOWN, "that the order does not depend on the records that are protected"),
        ),
        Compared.SAME_UNITS: _TOLD,
    },
    "systematic sample in a random order": {
        Compared.REPLACED: _Form("1 + f*(gamma - 1), f = 1/step", _shuffled, (UNKNOWN, "that the order is uniform")),
        Compared.SAME_UNITS: _TOLD,
    },
    "stratified sample of fixed sizes": {
        Compared.REPLACED: _Form(
            "1 + rate*(gamma - 1), rate the largest of a stratum",
            _independent,
            (UNKNOWN, "that units do not change their strata", _FIXED),
        ),
        Compared.SAME_UNITS: _TOLD,
    },
}

SIMPLE = "simple random sample"
"""The design of which a rate says all, if one record is replaced."""

_DIGITS = 40


@dataclass(frozen=True)
class SampleDesign:
    """How a sample is drawn: a design of `COVERED` and its parameters; of a simple random sample its rate may stand.

    Attributes:
        parameters: by name, in order of names.
    """

    design: str
    parameters: tuple[tuple[str, Exact], ...]

    def __str__(self) -> str:
        if self.design == SIMPLE and len(self.parameters) == 1:
            return f"{self.design} at the rate {self.parameters[0][1]}"
        return f"{self.design} with {', '.join(f'{name} {value}' for name, value in self.parameters)}"

    def amplified(self, epsilon: Enclosure, compared: Compared) -> tuple[Enclosure, tuple[str, ...]]:
        """ε' of a release that has ε as a function of the sample, and the form's conditions.

        ε' is the largest of all releases with at most ε, and so grows with it.

        >>> cluster = SampleDesign("cluster sample", (("cluster_size", 2), ("clusters", 10), ("number", 1)))
        >>> cluster.amplified(log(3), Compared.REPLACED)[0].text(6)
        '0.405465'
        """
        given = dict(self.parameters)
        if (self.design, compared, set(given)) == (SIMPLE, Compared.REPLACED, {"rate"}):
            return amplified(epsilon, given["rate"]), _FORMS[SIMPLE][compared].conditions
        ends = exponential(epsilon.lower, digits=_DIGITS).lower, exponential(epsilon.upper, digits=_DIGITS).upper
        low, high = (amplification(self.design, max(Fraction(1), end), compared, **given) for end in ends)
        return Enclosure(log(low.gamma, digits=_DIGITS).lower, log(high.gamma, digits=_DIGITS).upper), low.conditions


COVERED = tuple((design, compared) for design, forms in _FORMS.items() for compared in forms)
"""The designs that have a form, with the neighbours that it is for."""

DESIGNS = tuple(_FORMS)

PARAMETERS = tuple(
    sorted(
        {key for forms in _FORMS.values() for one in forms.values() for key in signature(one.factor).parameters}
        - {"gamma"}
    )
)
"""What forms ask for, by name."""


def amplification(design: str, gamma: Exact, compared: Compared, **parameters: Exact) -> Amplification:
    """The sharp budget of T∘S, for all releases T of the sample that keep ε, where it has a closed form here.

    Args:
        design: one of those in `COVERED`.
        gamma: γ = e^ε ≥ 1.
        compared: which frames and samples are neighbours.
        **parameters: what the form asks for: see its formula.

    Source: dissertation, Theorem 6.4.1 and section 6.4.1 for the designs; the forms are checked by exact programs in
        the claims on survey sampling.

    >>> amplification("simple random sample", 3, Compared.REPLACED, size=1, frame_size=10).gamma
    Fraction(6, 5)
    """
    base = likelihood_ratio("gamma", gamma)
    if design not in _FORMS:
        raise InputError(f"design must be one with a closed form, {', '.join(map(repr, _FORMS))}; got {design!r}")
    form = _FORMS[design].get(compared)
    if form is None:
        known = " or ".join(one.name for one in _FORMS[design])
        other = compared.name if isinstance(compared, Compared) else shown(compared)
        raise InputError(f"compared must be {known} for a {design}: no form is known for {other}")
    asked = set(signature(form.factor).parameters) - {"gamma"}
    if set(parameters) != asked:
        raise InputError(f"parameters of a {design} must be {sorted(asked) or 'none'}; got {sorted(parameters)}")
    return Amplification(form.factor(base, **parameters), form.formula, form.conditions)
