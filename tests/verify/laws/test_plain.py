"""Outputs as canonical texts: one text for one value, and another one for whatever can be told apart from it.

What a mechanism raises is told with the line of its own code, whoever's function raised it. Functions of this process
are made again in a new interpreter, where hashes and addresses are others.
"""

import functools
import math
import subprocess
import sys
import weakref
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from claim_texts import RENYI, audited, replaced
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import Enclosure, InputError, Law, Loss
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum
from stirred.spec.numbers.reals.real import EnclosedReal, order
from stirred.verify.laws.listing import line_of_code
from stirred.verify.laws.local import LocalFunction
from stirred.verify.laws.pair_values import OfDataSets, OfLaws, law_text, plain_value, read_value_text
from stirred.verify.laws.plain import PlainTexts, plain_text
from stirred.verify.laws.sent_function import carried, unpacked

atoms = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.text(max_size=2), st.binary(max_size=2), st.fractions()
)

plain = st.recursive(
    atoms,
    lambda inner: st.one_of(st.lists(inner, max_size=3).map(tuple), st.frozensets(inner, max_size=3)),
    max_leaves=6,
)


def typed(value: object) -> object:
    """The value with the type of each part beside it."""
    if isinstance(value, tuple):
        return tuple, tuple(map(typed, value))
    if isinstance(value, frozenset):
        return frozenset, frozenset(map(typed, value))
    return type(value), value


@given(plain)
def test_the_text_is_a_literal_of_the_value(value):
    read = eval(plain_text(value), {"Fraction": Fraction})  # noqa: S307 a literal of our own
    assert typed(read) == typed(value)
    assert plain_text(value).isprintable()


@given(plain, plain)
def test_two_values_have_one_text_only_if_nothing_tells_them_apart(first, second):
    assert (plain_text(first) == plain_text(second)) == (typed(first) == typed(second))


@given(st.lists(st.one_of(st.integers(), st.text(max_size=2)), max_size=5))
def test_a_set_has_one_text_in_whatever_order_it_was_made(members):
    backwards: set[object] = set()
    backwards.update(reversed(members))
    assert plain_text(set(members)) == plain_text(backwards)
    assert plain_text(set(members)) != plain_text(frozenset(members))


@pytest.mark.parametrize("value", [1.0, [1], {1: 2}, object(), int, 1j, range(2), bytearray(b"x"), (1, [2])])
def test_anything_else_is_refused(value):
    with pytest.raises(InputError, match="an output must be None, a bool, an int, a str"):
        plain_text(value)


class Passing(type):
    """A kind of classes that say of themselves that they are int."""

    def __eq__(cls, other):
        return other is int or type.__eq__(cls, other)

    def __hash__(cls):
        return hash(int)


class Posing(metaclass=Passing):
    def __repr__(self):
        return "0"


@pytest.mark.parametrize("text", [plain_text, PlainTexts()])
def test_a_class_that_says_it_is_int_is_none(text):
    with pytest.raises(InputError, match="an output must be"):
        text((Posing(), Posing()))


def test_texts_that_are_kept_are_those_of_equal_values_of_equal_kinds():
    texts = PlainTexts()
    for value in [(0, 1), (False, True), (0, "1"), (0, 1), (False, 1), ((0, 1),), (), (Fraction(1), 0), (1, 0)] * 2:
        assert texts(value) == plain_text(value)


HALF = Fraction(1, 2)
SETS = frozenset({1}), frozenset(), set(), (frozenset({"a"}), set())


@pytest.mark.parametrize("value", [0, (1, "a'b", None, True), -3, Fraction(-1, 3), (), (HALF,), b"x", {1, 2}, *SETS])
def test_a_plain_value_comes_back_from_its_text(value):
    found = plain_value(plain_text(value))
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", ["3 + discrete_gaussian(4)", "open('x')", "Fraction(1, 0", "f(x)", "len('a')", "a.b"])
def test_what_is_no_plain_value_is_refused(text):
    with pytest.raises(InputError, match="must be a plain value"):
        plain_value(text)


def value_of(found):
    laws = [law_text(Law({"(1, 2)": HALF, "3": HALF}))]
    given = []

    def divergence(p, q):
        given.append((p, q))
        return found

    text = OfLaws(divergence, laws, {"pair": (0, 0)})("pair")
    assert given == [(Law({(1, 2): HALF, 3: HALF}),) * 2]
    return read_value_text("place", plain_text(text))


def test_values_are_exact_numbers_of_any_kind():
    assert value_of(3) == 3
    assert value_of(Fraction(1, 3)) == Fraction(1, 3)
    assert value_of(None) is value_of(math.inf) is value_of(Loss(None)) is None
    assert order(value_of(Loss(9, 2)), LogarithmSum({Fraction(3): Fraction(1)})) == 0
    assert value_of(Loss(1)) == 0
    enclosed = value_of(Enclosure(Fraction(1, 4), HALF))
    assert isinstance(enclosed, EnclosedReal)
    assert (enclosed.ends.lower, enclosed.ends.upper) == (Fraction(1, 4), HALF)
    assert value_of(Enclosure(HALF, HALF)) == HALF
    assert str(value_of(LogarithmSum({Fraction(3): HALF}))) == "≈ 0.549306"


@pytest.mark.parametrize("value", [0.5, math.nan, -math.inf, True, "1/2", [1], 1j])
def test_other_values_are_refused(value):
    with pytest.raises(InputError, match="must be an exact number"):
        value_of(value)


def test_a_distance_of_data_sets_is_a_text():
    texts = [OfDataSets(lambda x, y, value=value: value)((0, 1)) for value in (2, Fraction(1, 2), None, math.inf)]
    assert texts == ["2", "1/2", "infinite", "infinite"]
    with pytest.raises(InputError, match="a distance must be an exact number; got the float"):
        OfDataSets(lambda x, y: 0.5)((0, 1))


@pytest.mark.parametrize("text", ["1", "'a'", "'ln 3'", "'between 1 0'", "'ln 1/2 1'", "x"])
def test_a_text_that_our_own_part_would_not_send_is_refused(text):
    with pytest.raises(InputError):
        read_value_text("place", text)


CLAIM = replaced(
    RENYI,
    ("normalized_renyi", "multiplicative"),
    ('rho_squared = "0.5"', "epsilon = 1"),
    ('name = "kernel"\nlaws = [[0, [["a", 1]]], [1, [["a", 1]]]]', 'function = "mine:FUNCTION"'),
)

CODE = """\
from fractions import Fraction
def helper(n):
    return Fraction(n + 1, 0)
def divides(x, source):
    return helper(x)
def rounds(x, source):
    p = 0.5
    return source.bernoulli(p)
def inside_a_library(x, source):
    words = "one"
    return Fraction(words)
def outside_of_any_line(x, source):
    return 0.5
"""


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("divides", "it raised ZeroDivisionError: Fraction(1, 0) (mine.py, line 3)"),
        ("rounds", "write Fraction('0.5') (mine.py, line 8)"),
        ("inside_a_library", "it raised ValueError: Invalid literal for Fraction: 'one' (mine.py, line 11)"),
        ("outside_of_any_line", "or write it as a Fraction or a text"),
    ],
)
def test_the_message_ends_with_the_file_and_line(tmp_path, name, ending):
    (tmp_path / "mine.py").write_text(CODE)
    with pytest.raises(InputError) as raised:
        audited(tmp_path, replaced(CLAIM, ("FUNCTION", name)))
    assert str(raised.value).endswith(ending)
    assert "\n" not in str(raised.value)


def test_what_no_line_of_a_users_own_raised_has_none():
    try:
        int("x")
    except ValueError as error:
        here = line_of_code(error)
    assert here.startswith("test_plain.py, line ")
    assert line_of_code(ValueError()) == ""
    assert line_of_code(SyntaxError("x", ("/somewhere/m.py", 7, 1, "def"))) == "m.py, line 7"
    assert line_of_code(SyntaxError("x", ("<string>", 7, 1, "def"))) == ""


def test_the_installed_command_names_the_users_line_too(tmp_path):
    """An installation may be a folder of links to these files."""
    (tmp_path / "own.toml").write_text(CLAIM.replace("FUNCTION", "rounds"))
    (tmp_path / "mine.py").write_text(CODE)
    command = [str(Path(sys.executable).with_name("stirred")), "audit", "own.toml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert "(mine.py, line 8)" in done.stderr


OPTIONS = frozenset(("tea", "juice", "water", "milk"))
SHARED = "text hashes or addresses, which its two runs share"


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
    with pytest.raises(InputError, match=r"differ; it uses sets.*: sort it$"):
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
