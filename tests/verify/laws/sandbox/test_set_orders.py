"""The order of a set never reaches a user's code: whatever asks for it is refused, in whichever interpreter."""

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from foreign_modules import audited_module, laws, refusal

from stirred.spec import InputError
from stirred.verify.laws.local import LocalFunction
from stirred.verify.laws.sandbox.set_orders import has_stable_hash

GIVEN = """
import builtins, collections, collections.abc, copy, functools, itertools, json, math, operator, statistics
from collections import Counter, deque
from fractions import Fraction
from operator import itemgetter
two, ints, mixed, fixed = {"a", "b"}, {0, 8}, {"a", 1}, frozenset({"a", "b"})
pairs, nested, one = {("a", 1), ("b", 1)}, {frozenset({"a"}), frozenset({"b"})}, {"a"}
class Own(set): pass
class Passing(set):
    def __iter__(self):
        return super().__iter__()
    def __len__(self):
        return 0
"""


def lines(block: str, *longer: str) -> tuple[str, ...]:
    """The lines of a block, each a program, and longer programs."""
    return *dedent(block).strip().splitlines(), *map(dedent, longer)


REFUSED = lines(
    """
    for _ in two: pass
    [x for x in two]
    {x for x in two}
    {x: 0 for x in two}
    sum(len(x) for x in two)
    any(x for x in two)
    next(iter(two))
    list(two)
    tuple(two)
    [*two]
    (*two, 1)
    print(*two)
    {**dict.fromkeys(two)}
    dict.fromkeys(two, 0)
    Counter(two)
    deque(two)
    Counter().update(two)
    dict(zip(two, range(2)))
    list(map(str, two))
    list(map(list, [two]))
    list(enumerate(two))
    ''.join(two)
    '%s' % two
    '%s' % (two,)
    f'{two}'
    str(two)
    repr([two])
    '{}'.format(two)
    str.join('', two)
    format(two)
    print(two)
    a, b = two
    a, *b = two
    [].extend(two)
    x = []; x += two
    x = []; x[:] = two
    two.pop()
    set.pop(two)
    two.__iter__()
    set.__iter__(two)
    iter(two)
    two.__reduce__()
    two.__repr__()
    two.__str__()
    operator.methodcaller('__iter__')(two)
    max(two, key=len)
    min(two, key=lambda x: 0)
    sorted(two, key=len)
    sorted(two, key=lambda x: x)
    sorted(nested)
    min(nested)
    sum({0.1, 0.2, 0.3})
    sum(two, '')
    sorted({float('nan'), 1.0})
    functools.reduce(operator.add, two)
    math.prod(two)
    list(itertools.chain(two))
    math.gcd(*ints)
    list(itertools.chain.from_iterable([two]))
    list(itertools.permutations(two))
    statistics.mode(two)
    list(ints)
    list(mixed)
    list(fixed)
    list(pairs)
    next(iter(two | {'c'}))
    list(two - {'c'})
    list({'a': 0, 'b': 1}.keys() - {'c'})
    list(Own(two))
    list(Passing(two))
    Own(two).pop()
    exec('for _ in two: pass')
    eval('list(two)')
    [f(two) for f in [list]]
    operator.itemgetter(0)(list(two))
    operator.indexOf(two, 'a')
    bytes({1, 2})
    iter(fixed)
    (lambda *given: given)(*two)
    list({'a', 'b', 'c', 8, 0} - {'a', 'b', 'c'})
    heapq = __import__('heapq'); heapq.nsmallest(1, two)
    import pickle; pickle.dumps(two)
    import _pickle; _pickle.dumps(two)
    import io, pickle; pickle.Pickler(io.BytesIO()).dump([two])
    import io, pickle; pickle._Pickler(io.BytesIO()).dump([two])
    json.dumps(list(two))
    collections.OrderedDict.fromkeys(two)
    class Slotted: __slots__ = two
    hash('a')
    hash(('a',))
    list(map(hash, 'a'))
    """,
    """
    try:
        list(two)
    except Exception:
        pass
    """,
)

ALLOWED = lines(
    """
    sorted(two)
    sorted(two, reverse=True)
    sorted(nested, key=sorted)
    sorted(pairs, key=itemgetter(0))
    len(two)
    'a' in two
    two | one
    two & one
    two - one
    two ^ one
    two == fixed
    two <= fixed
    two.union(one)
    two.issubset(fixed)
    two.isdisjoint(one)
    set(two)
    frozenset(two)
    {*two}
    two.update(one)
    two.add('c')
    two.discard('c')
    two.copy()
    copy.copy(two)
    copy.deepcopy(two)
    min(two)
    max(two)
    min(ints, default=1)
    max(set(), default=1)
    sum(ints)
    sum({Fraction(1, 2), 1})
    any(two)
    all(two)
    bool(two)
    {fixed: 1}[fixed]
    {fixed}
    max(1, 2)
    min([2, 1], key=abs)
    list(one)
    next(iter(one))
    one.pop()
    only, = {'a'}
    dict.fromkeys(one)
    dict.fromkeys('ab')
    f'{set()}'
    list({'b': 0, 'a': 1})
    list({'a': 0}.keys() & two)
    sorted({'b', 'a'})[0]
    isinstance(two, set)
    ''.join(sorted(two))
    [x for x in sorted(two)]
    sum([0.1, 0.2])
    sum([[1]], [])
    sorted('ba', key=ord)
    hash((1, Fraction(1, 2)))
    {('a', 1): 0}[('a', 1)]
    set(map(frozenset, [two]))
    import enum
    import typing, abc, re, decimal
    """,
    """
    class T(str): pass
    {T('a'): 0}['a']
    """,
    """
    class T(str): __hash__ = str.__hash__
    {T('a')}
    """,
    """
    import dataclasses
    @dataclasses.dataclass(frozen=True)
    class T:
        a: str
    {T('a'): 0}[T('a')]
    """,
    """
    import enum
    class E(enum.Enum):
        A = 'a'
        B = 'b'
    {E.A: 0}[E.A], list(E)
    """,
    """
    class A(__import__('abc').ABC):
        @__import__('abc').abstractmethod
        def f(self): ...
        g = f
    class B(A): ...
    """,
)


ORDER = "the order of a set is refused: a mechanism must depend on its data and its source only; iterate over sorted(…)"
REPOSITORY = Path(__file__).parents[4]
NAMES = frozenset(("income", "age", "sex", "region", "tenure", "size", "race", "school", "work"))

PROGRAM = """
import json, sys
from pathlib import Path
from stirred.verify.laws.sandbox.refusals import Refusals
from stirred.verify.laws.sandbox.refused import REFUSED
given, texts = json.loads(sys.argv[1])
refusals = Refusals(Path("/srv/me"))
refusals.loaded()
found = {}
for text in texts:
    names = {"__name__": "m", "__file__": "/srv/me/m.py"}
    try:
        exec(compile(given, "/srv/me/m.py", "exec"), names)
        assert not REFUSED
        exec(compile(text, "/srv/me/m.py", "exec"), names)
        found[text] = ""
    except BaseException as error:
        found[text] = f"{type(error).__name__}: {error}"
    if REFUSED:
        found[text] = str(REFUSED[0])
        REFUSED.clear()
print(json.dumps([refusals.said["watched"], found]), file=sys.__stdout__)
"""


@pytest.fixture(scope="module")
def answers() -> dict[str, str]:
    """What each line of a user's code comes to: nothing, or a refusal."""
    asked = json.dumps([GIVEN, REFUSED + ALLOWED])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, asked], capture_output=True, text=True, check=False, cwd=REPOSITORY
    )
    assert done.returncode == 0, done.stderr
    is_whole, found = json.loads(done.stdout.splitlines()[-1])
    assert is_whole
    return found


@pytest.mark.parametrize("text", REFUSED)
def test_whatever_shows_an_order_or_a_hash_is_refused(answers: dict[str, str], text: str) -> None:
    assert " is refused: a mechanism must depend on its data and its source only" in answers[text]


@pytest.mark.parametrize("text", ALLOWED)
def test_what_depends_on_no_order_runs(answers: dict[str, str], text: str) -> None:
    assert answers[text] == ""


def test_a_rare_order_is_refused_though_no_interpreter_shows_it(tmp_path: Path) -> None:
    names = sorted(NAMES)
    text = f"""
    NAMES = set({names!r})
    def f(data, source):
        first = next(iter(set(NAMES)))
        return data if first == "income" else 0
    """
    assert refusal(tmp_path, text).endswith(f"{ORDER} (foreign.py, line 4)")


RARE = {
    "a first member": lambda data, source: data if next(iter(NAMES)) == "income" else 0,
    "a member popped": lambda data, source: data if set(NAMES).pop() == "income" else 0,
    "a text": lambda data, source: data if str(set(NAMES)).startswith("{'income'") else 0,
    "a dictionary": lambda data, source: data if [*dict.fromkeys(NAMES)][0] == "income" else 0,  # noqa: RUF015
    "weights of a choice": lambda data, source: sum(source.uniform(len(name)) for name in NAMES),
}


@pytest.mark.parametrize("name", RARE)
def test_so_it_is_in_a_function_of_this_process(name: str) -> None:
    with pytest.raises(InputError, match="the order of a set is refused"):
        LocalFunction("mechanism", RARE[name]).laws(((0,), (1,)), {}, is_ordered=True)
    assert next(iter(NAMES)) in NAMES  # nothing is refused here


def test_functions_taken_by_name_before_are_allowed_too() -> None:
    table = {"least": min, "all": sorted}
    found = LocalFunction("mechanism", lambda data, source: (table["least"](NAMES), tuple(table["all"](NAMES)))).laws(
        ((0,),), {}, is_ordered=True
    )
    assert found.laws[(0,)].support == (repr(("age", tuple(sorted(NAMES)))),)


def test_an_invariant_has_no_order_either(tmp_path: Path) -> None:
    text = "def g(data):\n    return next(iter({'a', 'b'}))\n\ndef f(data, source):\n    return 0\n"
    with pytest.raises(InputError, match="the order of a set is refused"):
        audited_module(tmp_path, text, ("invariants = []", 'invariants = ["foreign:g"]'))


def test_a_refusal_that_is_caught_is_one(tmp_path: Path) -> None:
    text = """
    def f(data, source):
        try:
            return next(iter({"a", "b"}))
        except Exception:
            return 0
    """
    assert ORDER in refusal(tmp_path, text)


def test_a_set_that_is_handed_to_a_library_is_watched_there_and_one_of_its_own_is_not(tmp_path: Path) -> None:
    site = tmp_path / "site-packages"
    site.mkdir()
    (site / "made.py").write_text(
        "def first(members):\n    return next(iter(members))\n\n"
        "def own():\n    return len([*{'a', 'b'}])\n\n"
        "def later(*members, **more):\n    return first(members[0] if members else more['members'])\n"
    )
    program = "import sys; sys.path.insert(0, {!r})\nfrom made import *\ndef f(data, source):\n    return {}\n"
    for call in ("first({'a', 'b'})", "later({'a', 'b'})", "later(members={'a', 'b'})"):
        assert ORDER in refusal(tmp_path, program.format(str(site), call))
    assert len(laws(tmp_path, program.format(str(site), "own()")).laws) == 3


def test_the_scope_says_what_is_assumed_of_libraries_and_of_outputs(tmp_path: Path) -> None:
    record = audited_module(tmp_path, "def f(data, source):\n    return frozenset({'a', 'b'})\n")
    assert record.scope.endswith(
        "no randomness other than its source, and that no library it calls leaks the order of a set; an output that is "
        "a set is published as its members in a fixed order"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("frozenset([8, 0])", "frozenset([0, 8])"),
        ("{8, 0}", "{0, 8}"),
        ("(1, frozenset([8, 0]))", "(1, frozenset([0, 8]))"),
        ("frozenset([(16, 0), (0, 0), (8, 0), (3, 3)])", "frozenset([(3, 3), (8, 0), (0, 0), (16, 0)])"),
        ("frozenset(set(range(20)) - set(range(1, 19)) | {32, 64})", "frozenset([64, 32, 0, 19])"),
    ],
)
def test_a_set_that_shows_how_it_was_made_is_no_output(tmp_path: Path, one: str, other: str) -> None:
    text = f"def f(data, source):\n    return {one} if data[0][0] == 'yes' else {other}\n"
    message = refusal(tmp_path, text)
    assert "an output that is a set must not show the order in which it was made" in message
    assert message.endswith("return tuple(sorted(…))")


def test_none_has_the_same_hash_everywhere_since_python_312() -> None:
    assert has_stable_hash(None) == (sys.version_info >= (3, 12))
    assert not has_stable_hash((1, frozenset({"a"})))
    assert has_stable_hash((True, 2))
