"""What a copy of a process tells of the components that it has looked at, and what another makes of that."""

import marshal
from fractions import Fraction

from stirred.mechanisms.reading import known_components, region
from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.component import probability
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.region import Halfspace, Region

ONE = Exact(1)


def shares(bound):
    """Of 2·X − Y ≤ bound, and of the rest."""
    given, x = Region().drawn(BaseLaw.LAPLACE)
    given, y = given.drawn(BaseLaw.EXPONENTIAL)
    twice = Exact(2)
    return given.shares([[Halfspace({x: twice, y: -ONE}, bound)], [Halfspace({x: -twice, y: ONE}, -bound)]])


def as_new(monkeypatch):
    looked_at = {}
    monkeypatch.setattr(known_components, "LOOKED_AT", looked_at)
    monkeypatch.setattr(region, "LOOKED_AT", looked_at)
    probability.cache_clear()
    return looked_at


def test_structures_are_told_as_integers_and_looked_at_no_more(monkeypatch):
    first = as_new(monkeypatch)
    expected = shares(Exact(Fraction(1, 3)))
    told = marshal.loads(marshal.dumps(known_components.told_components()))  # noqa: S302 our own
    assert len(told) == 2
    second = as_new(monkeypatch)
    known_components.learn_components(told)
    assert second.keys() == first.keys()
    seen = []
    monkeypatch.setattr(region, "check", lambda laws, rows, found: seen.append(found))
    assert shares(Exact(Fraction(1, 3))) == expected
    assert not seen
    shares(Exact(Fraction(1, 4)))
    assert len(seen) == 2


def test_of_a_wrong_structure_nothing_is_believed(monkeypatch):
    as_new(monkeypatch)
    expected = shares(Exact(Fraction(1, 3)))
    told = known_components.told_components()
    as_new(monkeypatch)
    known_components.learn_components([(laws, [(form, (5, 7)) for form, _ in tied]) for laws, tied in told])
    assert shares(Exact(Fraction(1, 3))) == expected
