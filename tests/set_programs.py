"""Programs that ask a set for its order, or a value for its hash, and programs that do not."""

from textwrap import dedent

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
