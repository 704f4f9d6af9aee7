"""Functions of this process are made again in a new interpreter, where hashes and addresses are others."""

import functools
import weakref
from dataclasses import dataclass
from fractions import Fraction

import pytest

from stirred.spec import InputError
from stirred.verify.laws.carried import carried, unpacked
from stirred.verify.laws.local import LocalFunction

OPTIONS = frozenset(("tea", "juice", "water", "milk"))
SHARED = "hashes of texts or addresses, which its two runs share"


def laws(function, **parameters):
    return LocalFunction("mechanism", function).laws(((0,), (1,)), parameters, is_ordered=True)


@functools.cache
def doubled(number):
    return 0 if number == 0 else 2 + doubled(number - 1)


def closing_over(shift):
    later = None

    def mechanism(data, source, *, flip=Fraction(1, 2)):
        return shift + doubled(data[0]) + (source.bernoulli(flip) if later is None else 0)

    later = None
    return mechanism


@dataclass(frozen=True)
class Shifted:
    shift: int

    def __call__(self, data, source):
        return self.shift + data[0] + source.uniform(2)


DEPEND = {
    "an address in a text": lambda data, source: repr(object()),
    "that of a function": lambda data, source: str(laws),
}


@pytest.mark.parametrize("name", DEPEND)
def test_what_depends_on_addresses_is_refused(name):
    with pytest.raises(InputError, match=r"repr of an? \w+ is refused: .*; compare the values themselves"):
        laws(DEPEND[name])


def test_the_hint_names_sets_where_there_are_any():
    with pytest.raises(InputError, match=r"differ; it has to do with sets.*: sort it$"):
        laws(lambda data, source: str(weakref.ref(laws)) if "tea" in OPTIONS else 0)
    with pytest.raises(InputError, match=r"differ$"):
        laws(lambda data, source: str(weakref.ref(laws)))


def test_sets_that_are_sorted_or_searched_run():
    found = laws(lambda data, source: (sorted(OPTIONS)[source.uniform(4)], "tea" in OPTIONS))
    assert len(found.laws[(0,)].support) == 4
    assert SHARED not in found.assumed


def test_closures_caches_defaults_and_partial_applications_are_made_again():
    for function in (closing_over(3), functools.partial(closing_over(2), flip=Fraction(1, 3))):
        found = laws(function)
        assert SHARED not in found.assumed
        assert len(found.laws[(1,)].support) == 2


def test_globals_are_those_of_now(monkeypatch):
    monkeypatch.setitem(globals(), "OPTIONS", ("coffee",))
    found = laws(lambda data, source: min(OPTIONS))
    assert found.laws[(0,)].support == ("'coffee'",)
    assert SHARED not in found.assumed


def test_what_stays_here_is_said_in_the_scope():
    class Local:
        def __call__(self, data, source):
            return data[0]

    for function in (Local(), lambda data, source: Local()(data, None) + 1):
        assert SHARED in laws(function).assumed


def test_an_object_goes_with_its_class():
    text = carried(Shifted(2), lambda file: True)
    assert unpacked(text) == Shifted(2)


def test_what_cannot_be_pickled_is_not_carried():
    class Stubborn:
        def __reduce_ex__(self, protocol):
            raise KeyboardInterrupt if protocol < 0 else ArithmeticError

    assert carried(Stubborn(), lambda file: True) is None
