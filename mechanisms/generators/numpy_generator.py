"""The look-alike of `numpy.random.Generator`: NumPy's methods over exact draws.

`random`, `uniform`, `laplace`, `gumbel` and `logistic` are computed from one uniform k/2^53 as NumPy does, and so is
`choice` with probabilities, by the cumulated floats; where NumPy draws again a k that it rejects, k is uniform on the
others. Orders and integers are uniform, as those of NumPy are. `binomial`, `geometric`, `hypergeometric` and
`multinomial` have their documented laws with the exact values of their parameters; NumPy's algorithms approximate them.
"""

import copy
import importlib
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from stirred.mechanisms.draws.unbounded_draw import Draw
from stirred.mechanisms.generators.discrete_draws import (
    binomial_weights,
    exact_value,
    hypergeometric_weights,
    integer_below,
    numpy_gumbel,
    numpy_laplace,
    numpy_logistic,
    uniform_float,
    weights_of_cuts,
)
from stirred.mechanisms.generators.grid_draw import GeneratorRun
from stirred.mechanisms.generators.sized import UndrawnArray, array_of, is_open, sized

# `choice`, `permutation`, `shuffle` and `permuted` of NumPy's generator, exact.

_FLOYD = 10_000
"""Populations up to here are sampled without replacement by Floyd's algorithm where the sample is not shuffled."""


class NumpyChoices:
    """The methods that draw members and orders."""

    _run: GeneratorRun

    def choice(  # noqa: PLR0917 as NumPy has them
        self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
    ) -> Any:
        """Members of a population: uniform, or where a uniform number falls in the cumulated probabilities."""
        population = int(a) if np.ndim(a) == 0 else np.asarray(a)
        n = population if isinstance(population, int) else population.shape[axis]
        shape = () if size is None else tuple(int(one) for one in np.atleast_1d(size))
        count = math.prod(shape)
        if not n and count:
            raise ValueError("a cannot be empty unless no samples are taken")
        rates = None if p is None else _checked(p, n)
        if not replace and count > n:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        places = (
            [self._one(n, rates) for _ in range(count)]
            if replace
            else self._different(n, count, shuffle=shuffle)
            if rates is None
            else self._weighted(rates, count)
        )
        found = places[0] if size is None else array_of(shape, places, np.int64)
        if isinstance(population, int):
            return found
        return population[found] if population.ndim == 1 else population.take(found, axis=axis)

    def _one(self, n: int, rates: Any) -> int:
        return int(integer_below(self._run, n)) if rates is None else self._by_cuts(_cumulated(rates))

    def _by_cuts(self, cuts: Any) -> int:
        self._run.has_doubles = True
        return self._run.source.choose(weights_of_cuts(tuple(map(float, cuts))))

    def _different(self, n: int, count: int, *, shuffle: bool) -> list[int]:
        """A uniform ordered sample; without a shuffle in the order of NumPy's algorithm."""
        if shuffle:
            left = list(range(n))
            return [left.pop(self._run.source.uniform(len(left))) for _ in range(count)]
        if n > _FLOYD:
            self._run.refuse(f"rng.choice of more than {_FLOYD} members with shuffle=False is not followed")
        found: list[int] = []
        for last in range(n - count, n):
            drawn = self._run.source.uniform(last + 1)
            found.append(last if drawn in found else drawn)
        return found

    def _weighted(self, rates: Any, count: int) -> list[int]:
        """Different members: what is drawn twice is drawn again among the others, as NumPy does."""
        if np.count_nonzero(rates) < count:
            raise ValueError("Fewer non-zero entries in p than size")
        found: list[int] = []
        while len(found) < count:
            rates[found] = 0
            cuts = _cumulated(rates)
            drawn = [self._by_cuts(cuts) for _ in range(count - len(found))]
            found += dict.fromkeys(drawn)
        return found

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """A uniform order of a range, or of an array along an axis."""
        array = np.arange(x) if np.ndim(x) == 0 else np.asarray(x)
        return array.take(self._run.source.permutation(array.shape[axis]), axis=axis)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Put a list, or an array along an axis, in a uniform order."""
        if isinstance(x, np.ndarray):
            x[...] = self.permutation(x, axis)
            return
        order = self._run.source.permutation(len(x))
        x[:] = [x[place] for place in order]

    def permuted(self, x: Any, *, axis: Any = None, out: Any = None) -> Any:
        """An array, each of whose lines along an axis is put in a uniform order of its own."""
        array = np.array(x)
        if axis is None:
            made = self.permutation(array.ravel()).reshape(array.shape)
        else:
            lines = np.moveaxis(array, axis, -1)
            for place in np.ndindex(lines.shape[:-1]):
                lines[place] = self.permutation(lines[place])
            made = array
        if out is None:
            return made
        out[...] = made
        return out


def _checked(p: Any, n: int) -> Any:
    """The probabilities as floats, checked as NumPy checks them."""
    rates = np.array(p, dtype=np.float64)
    if rates.ndim != 1 or rates.size != n:
        raise ValueError("a and p must have same size")
    if np.isnan(rates).any() or (rates < 0).any():
        raise ValueError("Probabilities are not non-negative")
    if abs(math.fsum(rates) - 1.0) > math.sqrt(np.finfo(np.float64).eps):
        raise ValueError("Probabilities do not sum to 1")
    return rates


def _cumulated(rates: Any) -> Any:
    cuts = rates.cumsum()
    cuts /= cuts[-1]
    return cuts


class NumpyDraws(NumpyChoices):
    """The methods of `numpy.random.Generator` that are followed; the others refuse.

    Args:
        run: the run that it belongs to.
    """

    def __init__(self, run: GeneratorRun) -> None:
        self._run = run

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Uniform k/2^53, of float32 k/2^24."""
        if out is not None:
            self._run.refuse("rng.random with out= is not followed: take what it returns")
        kind = np.dtype(dtype).type
        bits = 24 if kind is np.float32 else 53
        return sized(size, lambda: uniform_float(self._run, float if size is None else kind, bits), kind=kind)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Low + (high − low)·U."""

        def draw(least: Any, most: Any) -> Any:
            return float(least) + (float(most) - float(least)) * uniform_float(self._run)

        return sized(size, draw, low, high, kind=np.float64)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Laplace noise."""
        return self._from_uniform("numpy_laplace", numpy_laplace, loc, scale, size)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Gumbel noise."""
        return self._from_uniform("numpy_gumbel", numpy_gumbel, loc, scale, size, rises=False)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Logistic noise."""
        return self._from_uniform("numpy_logistic", numpy_logistic, loc, scale, size)

    def _from_uniform(
        self, name: str, function: Callable[..., float], loc: Any, scale: Any, size: Any, *, rises: bool = True
    ) -> Any:
        def draw(where: Any, by: Any) -> Any:
            if by < 0:
                raise ValueError("scale < 0")
            return uniform_float(self._run, least=1).step(name, function, float(where), float(by), rises=rises)

        return sized(size, draw, loc, scale, kind=np.float64)

    def standard_exponential(
        self, size: Any = None, dtype: Any = np.float64, method: str = "zig", out: Any = None
    ) -> Any:
        """−log1p(−U) for the method "inv"."""
        if method != "inv" or dtype is not np.float64 or out is not None:
            self._run.refuse(_ZIGGURAT.format("standard_exponential"))
        return sized(size, lambda: -(-uniform_float(self._run)).step("math.log1p", math.log1p), kind=np.float64)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Successes in n trials: the documented law."""
        self._run.documented.add("binomial")
        return sized(size, lambda trials, rate: self._binomial(int(trials), exact_value(rate)), n, p)

    def _binomial(self, n: int, p: Fraction) -> int:
        if not 0 <= p <= 1:
            raise ValueError("p < 0, p > 1 or p is NaN")
        weights = binomial_weights(n, p)
        if weights is None:
            self._run.refuse("rng.binomial of more than 2,000 trials is not followed")
        return self._run.source.choose(weights)

    def geometric(self, p: Any, size: Any = None) -> Any:
        """Trials until the first success: the documented law, unbounded."""
        self._run.documented.add("geometric")
        return sized(size, self._geometric, p)

    def _geometric(self, p: Any) -> Any:
        rate = exact_value(p)
        if not 0 < rate <= 1:
            raise ValueError("p <= 0, p > 1 or p contains NaNs")
        if rate == 1:
            return 1
        self._run.is_undrawn = self._run.is_unbounded = True
        return 1 + self._run.source.geometric(1 - rate)

    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Any = None) -> Any:
        """Good ones in a sample without replacement: the documented law."""
        self._run.documented.add("hypergeometric")

        def draw(good: Any, bad: Any, drawn: Any) -> int:
            if min(good, bad, drawn) < 0 or drawn > good + bad:
                raise ValueError("ngood + nbad < nsample")
            weights = hypergeometric_weights(int(good), int(bad), int(drawn))
            if weights is None:
                self._run.refuse("rng.hypergeometric of a sample of more than 2,000 is not followed")
            return self._run.source.choose(weights)

        return sized(size, draw, ngood, nbad, nsample)

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Any:
        """How many of n fall on each place: the documented law, the last place having what is left of 1."""
        self._run.documented.add("multinomial")
        rates = [exact_value(p) for p in np.asarray(pvals)]
        if np.ndim(n) or np.ndim(pvals) != 1:
            self._run.refuse("rng.multinomial is followed for one n and one list of probabilities")
        if sum(map(float, rates[:-1])) > 1.0 + 1e-12:
            raise ValueError("sum(pvals[:-1]) > 1.0")
        shape = () if size is None else tuple(np.atleast_1d(size))
        made = np.zeros((*shape, len(rates)), dtype=np.int64)
        for place in np.ndindex(*shape):
            made[place] = list(self._counts(int(n), rates))
        return made

    def _counts(self, left: int, rates: list[Fraction]) -> Iterator[int]:
        rest = Fraction(1)
        for rate in rates[:-1]:
            found = self._binomial(left, min(rate / rest, Fraction(1))) if rest > 0 else 0
            yield found
            left, rest = left - found, rest - rate
        yield left

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
    ) -> Any:
        """Uniform integers from low to below high, or to high."""
        made = np.dtype(dtype).type
        kind = dtype if size is None and (dtype is int or dtype is bool) else made

        def draw(first: Any, end: Any) -> Any:
            least, count = int(first), int(end) - int(first) + bool(endpoint)
            if count < 1:
                raise ValueError("low >= high")
            limits = (0, 1) if made is np.bool_ else (np.iinfo(made).min, np.iinfo(made).max)
            if not limits[0] <= least <= least + count - 1 <= limits[1]:
                raise ValueError(f"low or high is out of bounds for {np.dtype(dtype).name}")
            return integer_below(self._run, count, least, kind)

        first, end = (0, low) if high is None else (low, high)
        return sized(size, draw, first, end, kind=made)

    def bytes(self, length: int) -> bytes:
        """Bytes that are uniform."""
        return bytes(self._run.source.uniform(256) for _ in range(length))

    def __repr__(self) -> str:
        return "Generator(PCG64)"

    def __reduce__(self) -> NoReturn:
        self._run.refuse("the state of a generator is not followed")


_ZIGGURAT = (
    "rng.{} is not followed, since NumPy draws it by a ziggurat or by rejection: take rng.laplace, rng.uniform, "
    "rng.binomial or rng.geometric, or audit with --sampled"
)


def _refusing(name: str) -> Any:
    def refused(self: NumpyDraws, *_: Any, **__: Any) -> NoReturn:
        self._run.refuse(_ZIGGURAT.format(name))

    return refused


_MEMBERS = ("choice", "permutation", "shuffle", "permuted")
"""Methods whose population may be of anything, numbers that are not drawn among it."""


def _checked_by_numpy(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """The method, where NumPy's own takes the arguments, and gives the same type, dtype and shape."""

    def called(self: NumpyDraws, *arguments: Any, **named: Any) -> Any:
        if any(map(is_open, (*arguments, *named.values()))):
            if name not in _MEMBERS:
                self._run.refuse(f"rng.{name} with a number that is not drawn is not followed: round it")
            return method(self, *arguments, **named)
        given = (arguments, named) if name not in _MEMBERS else copy.deepcopy((arguments, named))
        real = getattr(_REAL[0], name)(*given[0], **given[1])
        made = method(self, *arguments, **named)
        if isinstance(made, UndrawnArray):
            made.undrawn_run = self._run
        if _shown(made) != _shown(real) and (name not in _MEMBERS or isinstance(real, (int, np.generic, np.ndarray))):
            self._run.refuse(f"rng.{name} with these arguments is not followed: give it plain numbers and shapes")
        return made

    return called


def _shown(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return np.shape(value), value.undrawn_kind if isinstance(value, UndrawnArray) else value.dtype
    return int if type(value) is Draw else value.__class__


_REAL: list[Any] = []
_KINDS: dict[type, type] = {}


def checking_kind() -> type:
    """NumPy's own generator, with the methods as they are where these are refused to the code."""
    kind: type = importlib.import_module("numpy.random").Generator.__mro__[-2]
    methods = {name: getattr(method, "original", method) for name, method in vars(kind).items() if name[:1] != "_"}
    return type("Generator", (kind,), {name: method for name, method in methods.items() if callable(method)})


def check_by(real: Any) -> None:
    """Have arguments checked by this generator of the `checking_kind`."""
    _REAL[:] = [real]


def numpy_generator(run: GeneratorRun) -> Any:
    """A generator that draws from the source of a run; it is an instance of `numpy.random.Generator` as it is now."""
    shown: type = importlib.import_module("numpy.random").Generator
    if not _REAL:
        check_by(checking_kind()(importlib.import_module("numpy.random").PCG64(0)))
    if shown not in _KINDS:
        known = {name: one for kind in (NumpyChoices, NumpyDraws) for name, one in vars(kind).items() if name[0] != "_"}
        names = {name: one for kind in shown.__mro__[:-1] for name, one in vars(kind).items() if name[:2] != "__"}
        others = {
            name: _refusing(name) if callable(one) else property(_refusing(name))
            for name, one in names.items()
            if name not in known
        }
        checked = {name: _checked_by_numpy(name, one) for name, one in known.items()}
        _KINDS[shown] = type("Generator", (NumpyDraws, shown), others | checked)
    numpy_kind: Any = shown.__mro__[-2]
    made = numpy_kind.__new__(_KINDS[shown])  # without a bit generator
    made.__init__(run)
    return made


def passing(default_rng: Callable[..., Any]) -> Callable[..., Any]:
    """`numpy.random.default_rng` that gives a look-alike back as it is, as NumPy's gives a generator; else it is asked.

    >>> passing(lambda seed=None: "asked")(1)
    'asked'
    """

    def passed(seed: Any = None) -> Any:
        return seed if isinstance(seed, NumpyDraws) else default_rng(seed)

    return passed
