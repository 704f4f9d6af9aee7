"""Measurable functions: which sigma-algebra a post-processed output has, and what Proposition 2.5.4 needs of it."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import chain, combinations, product

from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, incomplete, mutant, own, settled, state
from stirred.verify.ledger.claims.processing.finite_premetrics import Map, Weights, pushed, pushed_on, weights
from stirred.verify.ledger.engines.small_domains import domain_of, invariants
from stirred.verify.ledger.language_names import oo, subsets

Event = frozenset[int]
Field = frozenset[Event]
"""A sigma-algebra on {0, 1, 2}."""

sent_into = lambda f, s: {u for u, t in enumerate(f) if t in s}
largest_field = lambda f, field: {s for s in subsets(range(3)) if sent_into(f, s) in field}
image_field = lambda f, field: {{f[u] for u in s} for s in field}
makes_measurable = lambda f, field, g: all(sent_into(f, s) in field for s in g)
is_largest_field = lambda g, f, field, fields: (
    g in fields and all(makes_measurable(f, field, h) == (h <= g) for h in fields)
)
weighted_tv = lambda w, field, p, q: w[field] * max(sum(p[t] - q[t] for t in s) for s in field)
keeps_bounds = lambda before, after: all(after <= e * a for a in [1, 2, 4] for e in [0, 1, 2, 4, oo] if before <= e * a)
immune_on_fields = lambda w, laws, maps: all(
    keeps_bounds(weighted_tv(w, field, p, q), weighted_tv(w, target, pushed_on(p, f, 3), pushed_on(q, f, 3)))
    for field in w
    for f in maps
    for target in [largest_field(f, field)]
    for p in laws
    for q in laws
)
processed_into = lambda w, field, p, q, f, target: (
    not makes_measurable(f, field, target)
    or weighted_tv(w, target, pushed_on(p, f, 3), pushed_on(q, f, 3)) <= weighted_tv(w, field, p, q)
)
processed_into_largest = lambda w, laws, maps: all(
    processed_into(w, field, p, q, f, target)
    for field in w
    for f in maps
    for target in [largest_field(f, field)]
    for p in laws
    for q in laws
)
processed_into_trivial = lambda w, laws, maps: all(
    processed_into(w, field, p, q, f, {set(range(0)), set(range(3))})
    for field in w
    for f in maps
    for p in laws
    for q in laws
)
processed_into_all = lambda w, laws, maps: all(
    processed_into(w, field, p, q, f, target) for field in w for f in maps for target in w for p in laws for q in laws
)

_EVENTS = tuple(frozenset(s) for s in chain.from_iterable(combinations(range(3), n) for n in range(4)))
_MAPS: tuple[Map, ...] = tuple(product(range(3), repeat=3))
_MERGES: tuple[Map, ...] = tuple(tuple(c.values()) for c in invariants(domain_of(3)))

_FIELDS: tuple[Field, ...] = tuple(
    frozenset(s for s in _EVENTS if all((a in s) == (b in s) for a, b in product(c, repeat=2) if c[a] == c[b]))
    for c in invariants(domain_of(3))
)
"""All five: the unions of the classes of each partition."""

_largest = cache(
    lambda f, field: frozenset(s for s in _EVENTS if frozenset(u for u, t in enumerate(f) if t in s) in field)
)

functions = cases(
    "all functions from three points to three, all sigma-algebras on the first three",
    "f field fields",
    lambda: product(_MAPS, _FIELDS, (_FIELDS,)),
)

state("post-processing.largest-algebra", "dissertation, section A.5, after Definition A.5.1")(
    """the sigma-algebra F_T'^[x] of the post-processed mechanism is the largest sigma-algebra such that f is measurable
    with respect to the sigma-algebra F_T^[x] of the mechanism T.""",
    every(functions, lambda f, field, fields: is_largest_field(largest_field(f, field), f, field, fields)),
    mutant(
        "the images of the sets in F_T",
        lambda f, field, fields: is_largest_field(image_field(f, field), f, field, fields),
    ),
    reading="F_T'^[x] = {S : f^-1(S) in F_T^[x]}, as Definition A.5.1 has it",
)

weighted_variations = cases(
    "D_Pr = w(F) D_TV with all w(F) in {1, 2} for the five sigma-algebras F on three outcomes; all laws in halves, "
    "all 27 functions, all sigma-algebras F' that the statement allows; {X} of two data sets with d(x, x') in {1, 2, "
    "4}, d(x', x) = oo",
    "w laws maps",
    lambda: (
        (dict(zip(_FIELDS, chosen, strict=True)), laws, maps)
        for laws, maps in ((weights(3, 1)[:2], _MERGES), (weights(3, 2), _MAPS))
        for chosen in product((1, 2), repeat=len(_FIELDS))
    ),
)

_variation = cache(lambda field, p, q: max(sum(p[t] - q[t] for t in s) for s in field))
_targets: Mapping[str, Callable[[Map, Field], Iterable[Field]]] = {
    "all": cache(lambda f, field: [one for one in _FIELDS if one <= _largest(f, field)]),
    "largest": lambda f, field: [_largest(f, field)],
    "trivial": lambda _f, _field: [frozenset((_EVENTS[0], _EVENTS[-1]))],
}


@cache
def _changes(laws: tuple[Weights, ...], maps: tuple[Map, ...], into: str) -> frozenset[tuple[Field, int, Field, int]]:
    """The sigma-algebra and D_TV before and after functions of the outcome."""
    return frozenset(
        (field, _variation(field, p, q), target, _variation(target, pushed(p, f, 3), pushed(q, f, 3)))
        for field, p, q, f in product(_FIELDS, laws, laws, maps)
        for target in _targets[into](f, field)
    )


_kept = cache(lambda before, after: all(after <= e * a for e in (0, 1, 2, 4) for a in (1, 2, 4) if before <= e * a))


def immune_iff_processed(
    w: Mapping[Field, int], laws: tuple[Weights, ...], maps: tuple[Map, ...], *, into: str
) -> Witness | None:
    """All flavors are immune, with the largest sigma-algebra for f o T, iff (2.11) holds for some sigma-algebras F'."""
    immune = all(_kept(w[field] * u, w[target] * v) for field, u, target, v in _changes(laws, maps, "largest"))
    processed = all(w[target] * v <= w[field] * u for field, u, target, v in _changes(laws, maps, into))
    return settled(immune == processed, _AS_PROCESSED[into], lambda: {"w": w, "laws": laws, "maps": maps})


_AS_PROCESSED = {
    "all": lambda w, laws, maps: immune_on_fields(w, laws, maps) == processed_into_all(w, laws, maps),
    "largest": lambda w, laws, maps: immune_on_fields(w, laws, maps) == processed_into_largest(w, laws, maps),
    "trivial": lambda w, laws, maps: immune_on_fields(w, laws, maps) == processed_into_trivial(w, laws, maps),
}

state("post-processing.iff-data-processing", "dissertation, Proposition 2.5.4", "dissertation, (2.11)")(
    """Fix a probability premetric D_Pr. The DP flavor (X, multiverse, d_X, D_Pr) is immune to post-processing for all
    choices of X, multiverse and d_X if and only if, for all P, Q in P_(Omega, F), and all measurable f : (Omega, F) ->
    (Omega', F'), D_Pr[P, Q] >= D_Pr[f_*(P), f_*(Q)], (2.11)""",
    every(weighted_variations, immune_iff_processed, into="all"),
    reading="""the post-processing mechanism has the sigma-algebra {S : f^-1(S) in F} of Definition A.5.1, F' may be
    smaller""",
    grade=incomplete("that F' is the largest sigma-algebra for f, or that post-processing may make it coarser"),
)

own("post-processing.iff-data-processing.largest", "dissertation, Proposition 2.5.4")(
    """For a probability premetric D_Pr, the flavor is immune to post-processing for all X, multiverses and d_X iff
    (2.11) holds for all P, Q on (Omega, F), all functions f on Omega, and F' = {S : f^-1(S) in F}.""",
    every(weighted_variations, immune_iff_processed, into="largest"),
    mutant("the trivial F' for the largest one", {"into": "trivial"}),
    mutant("every F' for which f is measurable", {"into": "all"}),
    repairs="post-processing.iff-data-processing",
)
