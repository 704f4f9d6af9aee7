"""The mechanisms of installed libraries, each with the claim of its library, beside what draws from it show.

No draws of these are the same again, as the libraries take their randomness from the system.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from stirred.spec.arguments import InputError, parse_exact
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, NormalizedRenyi, OutputPremetric
from stirred.verify.audit.black_box.black_boxes import BlackBox, Called
from stirred.verify.audit.black_box.sampling import Sampling
from stirred.verify.audit.libraries.claiming_object import LibraryObject, library_object
from stirred.verify.audit.sampled import audit_sampled
from stirred.verify.engines.printed_number import parse_printed
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.claim.listed_pairs import about_box, claim_of_pairs


@dataclass(frozen=True)
class Catalogued:
    """A mechanism of a library.

    Attributes:
        distribution: of the library, by its name on PyPI.
        make: the object, or a function of a data set that is claimed to satisfy `epsilon`.
        digits: significant digits to which outputs are rounded; None for all.
        pairs: neighbouring data sets, where the object brings none.
        d_in: the input distance that a measurement's claim is for.
    """

    distribution: str
    make: Callable[[], Any]
    digits: int | None = None
    pairs: Sequence[tuple[Any, Any]] = ()
    d_in: Any = 1
    epsilon: str = "1"
    note: str = ""


_ONE = 1.0
"""OpenDP tells a scale of floats from one of integers."""

_TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 9]


def _opendp(
    name: str, domain: Callable[[Any], Any], metric: Callable[[Any], Any], **arguments: Any
) -> Callable[[], Any]:
    def make() -> Any:
        dp = import_module("opendp.prelude")
        dp.enable_features("contrib")
        return getattr(dp.m, name)(domain(dp), metric(dp), **arguments)

    return make


def _opendp_sum() -> Any:
    dp = import_module("opendp.prelude")
    dp.enable_features("contrib")
    records = dp.vector_domain(dp.atom_domain(bounds=(0, 10)))
    return dp.t.make_sum(records, dp.symmetric_distance()) >> dp.m.then_laplace(scale=10 / 1)


def _opendp_coin() -> Any:
    dp = import_module("opendp.prelude")
    dp.enable_features("contrib")
    return dp.m.make_randomized_response_bool(prob=3 / 4)


def _diffprivlib(name: str, **arguments: Any) -> Callable[[], Any]:
    """A mechanism by the name of its class, at ε = 1 and sensitivity 1."""
    return lambda: getattr(import_module("diffprivlib.mechanisms"), name)(epsilon=1, **{"sensitivity": 1, **arguments})


def _diffprivlib_coin() -> Any:
    return import_module("diffprivlib.mechanisms").Binary(epsilon=1, value0="no", value1="yes")


def _diffprivlib_tool(name: str, **arguments: Any) -> Callable[[], Any]:
    """A statistic of ten numbers in [0, 10] at ε = 1."""
    return lambda: lambda data: getattr(import_module("diffprivlib.tools"), name)(data, epsilon=1, **arguments)


def _linear_regression() -> Any:
    """The coefficient of a regression with a feature in [0, 100]: its square has sensitivity 10,000."""
    models, numpy = import_module("diffprivlib.models"), import_module("numpy")

    def fitted(data: Sequence[tuple[Any, Any]]) -> Any:
        table = numpy.array(data, dtype="float64")
        model = models.LinearRegression(epsilon=1, bounds_X=(0, 100), bounds_y=(0, 1), fit_intercept=False)
        return model.fit(table[:, :1], table[:, 1]).coef_

    return fitted


def _integers(dp: Any) -> Any:
    return dp.atom_domain(T=int)


def _floats(dp: Any) -> Any:
    return dp.atom_domain(T=float, nan=False)


def _vectors(dp: Any) -> Any:
    return dp.vector_domain(dp.atom_domain(T=int))


_TENS = [(_TEN, [*_TEN[:-1], 1])]
_POINTS = [([(0, 1)] * 9 + [(100, 1)], [(0, 1)] * 9 + [(20, 1)])]
_ONES = [([1, 1, 1], [1, 1, 0])]

CATALOGUED: Mapping[str, Catalogued] = {
    "opendp: laplace on integers": Catalogued(
        "opendp", _opendp("make_laplace", _integers, lambda dp: dp.absolute_distance(T=int), scale=_ONE)
    ),
    "opendp: laplace on floats": Catalogued(
        "opendp",
        _opendp("make_laplace", _floats, lambda dp: dp.absolute_distance(T=float), scale=_ONE),
        d_in=_ONE,
    ),
    "opendp: gaussian on integers": Catalogued(
        "opendp", _opendp("make_gaussian", _integers, lambda dp: dp.absolute_distance(T=int), scale=_ONE)
    ),
    "opendp: gaussian on floats": Catalogued(
        "opendp",
        _opendp("make_gaussian", _floats, lambda dp: dp.absolute_distance(T=float), scale=_ONE),
        d_in=_ONE,
    ),
    "opendp: laplace on vectors": Catalogued(
        "opendp", _opendp("make_laplace", _vectors, lambda dp: dp.l1_distance(T=int), scale=_ONE)
    ),
    "opendp: sum of records in [0, 10]": Catalogued("opendp", _opendp_sum),
    "opendp: randomized response": Catalogued("opendp", _opendp_coin),
    "diffprivlib: Binary": Catalogued("diffprivlib", _diffprivlib_coin),
    "diffprivlib: Geometric": Catalogued("diffprivlib", _diffprivlib("Geometric")),
    "diffprivlib: GeometricTruncated": Catalogued("diffprivlib", _diffprivlib("GeometricTruncated", lower=0, upper=3)),
    "diffprivlib: GeometricFolded": Catalogued("diffprivlib", _diffprivlib("GeometricFolded", lower=0, upper=3)),
    "diffprivlib: GaussianDiscrete": Catalogued("diffprivlib", _diffprivlib("GaussianDiscrete", delta=0.01)),
    "diffprivlib: Laplace": Catalogued(
        "diffprivlib", _diffprivlib("Laplace"), note="floats: IBM/differential-privacy-library, issues 19 and 94"
    ),
    "diffprivlib: Laplace, 6 digits": Catalogued("diffprivlib", _diffprivlib("Laplace"), digits=6),
    "diffprivlib: LaplaceTruncated, 6 digits": Catalogued(
        "diffprivlib", _diffprivlib("LaplaceTruncated", lower=0, upper=3), digits=6
    ),
    "diffprivlib: LaplaceFolded, 6 digits": Catalogued(
        "diffprivlib", _diffprivlib("LaplaceFolded", lower=0, upper=3), digits=6
    ),
    "diffprivlib: LaplaceBoundedDomain, 6 digits": Catalogued(
        "diffprivlib", _diffprivlib("LaplaceBoundedDomain", lower=0, upper=3), digits=6
    ),
    "diffprivlib: LaplaceBoundedNoise, 6 digits": Catalogued(
        "diffprivlib", _diffprivlib("LaplaceBoundedNoise", delta=0.01), digits=6
    ),
    "diffprivlib: Gaussian, 6 digits": Catalogued("diffprivlib", _diffprivlib("Gaussian", delta=0.01), digits=6),
    "diffprivlib: GaussianAnalytic, 6 digits": Catalogued(
        "diffprivlib", _diffprivlib("GaussianAnalytic", delta=0.01), digits=6
    ),
    "diffprivlib: Staircase, 6 digits": Catalogued("diffprivlib", _diffprivlib("Staircase"), digits=6),
    "diffprivlib: Snapping": Catalogued("diffprivlib", _diffprivlib("Snapping", lower=0, upper=10)),
    "diffprivlib: tools.mean, 6 digits": Catalogued(
        "diffprivlib", _diffprivlib_tool("mean", bounds=(0, 10)), digits=6, pairs=_TENS
    ),
    "diffprivlib: tools.sum, 6 digits": Catalogued(
        "diffprivlib", _diffprivlib_tool("sum", bounds=(0, 10)), digits=6, pairs=_TENS
    ),
    "diffprivlib: tools.median, 6 digits": Catalogued(
        "diffprivlib", _diffprivlib_tool("median", bounds=(0, 10)), digits=6, pairs=_TENS
    ),
    "diffprivlib: tools.count_nonzero": Catalogued("diffprivlib", _diffprivlib_tool("count_nonzero"), pairs=_ONES),
    "diffprivlib: models.LinearRegression, 6 digits": Catalogued(
        "diffprivlib",
        _linear_regression,
        digits=6,
        pairs=_POINTS,
        note="the lower bound of a feature stands for both: IBM/differential-privacy-library, issues 104 and 105",
    ),
}
"""Each by its name in the study's table."""


@dataclass(frozen=True)
class StudiedMechanism:
    """One line of the table.

    Attributes:
        claimed: the budget that the library states.
        found: the budget that the draws show at least, with its confidence.
        verdict: REFUTED or OPEN; "not drawn" where this version has no such mechanism.
        draws: that were counted.
        how: the event, or why it was not drawn from.
        note: what is known of it, with its source.
    """

    mechanism: str
    version: str
    claimed: str
    found: str
    verdict: str
    draws: int
    seconds: int
    how: str
    note: str


def installed_libraries() -> dict[str, str]:
    """The libraries of the catalogue that are installed, with their versions."""
    found = {}
    for library in dict.fromkeys(one.distribution for one in CATALOGUED.values()):
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def studied_mechanisms(only: str, draws: int, seconds: int) -> Iterator[StudiedMechanism]:
    """The mechanisms whose names have a text in them, one after another."""
    installed = installed_libraries()
    chosen = {name: one for name, one in CATALOGUED.items() if one.distribution in installed and only in name}
    if not chosen:
        raise InputError(
            "--only must be part of the name of a mechanism of a library that is installed; libraries: pip install "
            f"'stirred[libraries]'; mechanisms: {', '.join(CATALOGUED)}"
        )
    Sampling(draws=draws, seconds=seconds)
    return (_studied(name, one, installed[one.distribution], draws, seconds) for name, one in chosen.items())


def _studied(name: str, one: Catalogued, number: str, draws: int, seconds: int) -> StudiedMechanism:
    begun = time.monotonic()
    try:
        built, box, objects = _claim(one)
        found = audit_sampled(
            built, Sampling(draws=draws, seconds=seconds, digits=one.digits), box=box, objects=objects
        )
    except (InputError, ImportError, AttributeError, TypeError, ValueError) as error:
        why = f"{type(error).__name__}: {error}"
        return StudiedMechanism(name, number, "", "", "not drawn", 0, 0, why, one.note)
    (looks,), (case,) = found.looks, built.cases
    return StudiedMechanism(
        name,
        number,
        "" if case.budget is None else case.budget.text,
        found.record.needed,
        found.record.verdict.name,
        sum(2 * look.draws for look in looks),
        round(time.monotonic() - begun),
        looks[-1].event,
        one.note,
    )


def _claim(one: Catalogued) -> tuple[PrivacyClaim, BlackBox, Mapping[Any, Any]]:
    """The claim of a library's mechanism, what draws from it, and its data sets by their texts."""
    made: Any = one.make()
    known = library_object(made, one.d_in)
    if known is None:  # a function of the library, whose claim stands in the catalogue
        known = LibraryObject(one.distribution, made, "pure", {"epsilon": one.epsilon}, ())
    measure, budget = _library_claim(known)
    built, objects = claim_of_pairs(one.pairs or known.pairs, measure, budget)
    box = Called(known.call, {}, known.title)
    return about_box(built, box.name), box, objects


def _library_claim(known: LibraryObject) -> tuple[OutputPremetric, ClaimedBudget]:
    """The output premetric and the budget that a library states for its object."""
    if known.output == "zcdp":
        return NormalizedRenyi(), ClaimedBudget(rho_squared=parse_printed("rho", known.budget["rho"]))
    delta = known.budget.get("delta")
    measure = Multiplicative() if delta is None else ApproximateMultiplicative(parse_exact("delta", delta))
    return measure, ClaimedBudget(epsilon=parse_printed("epsilon", known.budget["epsilon"]))
