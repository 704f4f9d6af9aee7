"""Sigma-algebras: those of a mechanism's outcomes, finite ones by their atoms, and standard spaces on paper."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from stirred.spec.laws.law import Law
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import argued, cases, every, incomplete, mutant, own, settled, some, state
from stirred.verify.ledger.engines.small_domains import domain_of, invariants, universes
from stirred.verify.ledger.language_names import oo, subsets
from stirred.verify.ledger.words import image, multiplicative, outcomes, probability, same_law, total_variation

Algebra = frozenset[frozenset[int]]

exceeding_ratio = lambda p, q, delta: max(
    [1]
    + [
        ((probability(p, s) - delta) / probability(q, s) if probability(q, s) > 0 else oo)
        for s in subsets(outcomes(p, q))
        if probability(p, s) > delta
    ]
)
atoms_ratio = lambda p, q, delta: max(exceeding_ratio(p, q, delta), exceeding_ratio(q, p, delta))
preimage_of = lambda f, s: {u for u in range(len(f)) if f[u] in s}
measurable_for = lambda f, algebra, seeds: all(preimage_of(f, s) in seeds for s in algebra)
induced_sets = lambda f, seeds: {s for s in subsets(range(3)) if preimage_of(f, s) in seeds}
image_sets = lambda f, seeds: {{f[u] for u in s} for s in seeds}
built_sets = lambda built, f, seeds: induced_sets(f, seeds) if built == "induced" else image_sets(f, seeds)
is_largest_among = lambda algebra, those: algebra in those and all(a <= algebra for a in those)

# topologies: [0, 1] in cells, of which the odd ones are points
told_apart_by_opens = lambda opens, a, b: any((a in s) != (b in s) for s in opens)
borel_sets = lambda T, opens: (
    {s for s in subsets(T) if all(told_apart_by_opens(opens, a, b) or (a in s) == (b in s) for a in T for b in T)}
)
is_open_in_cells = lambda s: all({c - 1, c + 1} <= s for c in s if c % 2 == 1)
continuous_on_cells = lambda f, opens: all(is_open_in_cells(preimage_of(f, s)) for s in opens)

_THREE, _ATOMS = universes(domain_of(3)), tuple(invariants(domain_of(3)))
_THIRDS = (counts for counts in product(range(4), repeat=3) if sum(counts) == 3)
_LAWS = [Law({t: Fraction(k, 3) for t, k in enumerate(counts)}) for counts in _THIRDS]

_on_atoms = lambda *atoms: cases(
    f"all laws on three outcomes in thirds; the sigma-algebra on them with the atoms {atoms}", "p q f"
)(lambda: product(_LAWS, _LAWS, [dict(enumerate(atoms))]))

state("sigma-algebra.trivial", "dissertation, section A.1")(
    """if F_T^[x] is the trivial sigma-algebra {empty, T}, then T(x, .) is always measurable and P_x does not vary with
    x (or with T). Hence D_Pr(P_x, P_x') = 0 for all x, x' in [x]. This implies that perfect privacy (eps = 0) can be
    achieved, regardless of the behavior of the data-release mechanism T.""",
    every(_on_atoms(0, 0, 0), lambda p, q, f: same_law(image(p, f), image(q, f))),
    mutant("two atoms", _on_atoms(0, 0, 1)),
    reading="a law on a finite sigma-algebra is its law on the atoms; equal laws are at distance 0 under every D_Pr",
)

_NESTED = [(f, g) for f in _ATOMS for g in _ATOMS if all(f[a] == f[b] for a in f for b in f if g[a] == g[b])]
_COARSER = "D_Mult, D_Mult^(1/4), D_TV; all laws on three outcomes in thirds; all sigma-algebras on them"
coarser = cases(f"{_COARSER}, one coarser", "p q f g")(
    lambda: ((p, q, f, g) for f, g in _NESTED for p, q in product(_LAWS, repeat=2))
)
finer = cases(f"{_COARSER}, one finer", "p q f g")(
    lambda: ((p, q, g, f) for f, g in _NESTED for p, q in product(_LAWS, repeat=2))
)

not_farther = lambda p, q, f, g: all(
    multiplicative(a, b) <= multiplicative(u, v)
    and total_variation(a, b) <= total_variation(u, v)
    and atoms_ratio(a, b, 1 / 4) <= atoms_ratio(u, v, 1 / 4)
    for a, b, u, v in [(image(p, f), image(q, f), image(p, g), image(q, g))]
)

state("sigma-algebra.coarser", "dissertation, section A.1")(
    """More generally, one can coarsen F_T^[x] to reduce D_Pr(P_x, P_x') by removing sets S from F_T^[x] on which P_x
    and P_x' differ.""",
    every(coarser, not_farther),
    mutant("finer for coarser", finer),
    reading="""that one can, the trivial one shows for every D_Pr (sigma-algebra.trivial); here that no coarser one
    increases the D_Pr of the text""",
)

is_larger = lambda p, q, f, g: multiplicative(image(p, f), image(q, f)) > multiplicative(image(p, g), image(q, g))

state("sigma-algebra.larger", "dissertation, section A.1")(
    "Larger F_T^[x] will typically result in larger values of D_Pr(P_x, P_x').",
    every(finer, lambda p, q, f, g: not_farther(p, q, g, f)),
    mutant("smaller F for larger F", coarser),
    mutant("always larger", is_larger),
    some(finer, lambda p, q, f, g: multiplicative(image(p, f), image(q, f)) > multiplicative(image(p, g), image(q, g))),
    reading="for the D_Pr of the text they are never smaller, and for some laws larger",
)

_preimage = cache(lambda f, s: frozenset(u for u, t in enumerate(f) if t in s))

_ALGEBRAS = tuple(
    frozenset(s for s in _THREE if all((a in s) == (b in s) for a in c for b in c if c[a] == c[b])) for c in _ATOMS
)

_measurable = cache(lambda f, seeds: frozenset(a for a in _ALGEBRAS if all(_preimage(f, s) in seeds for s in a)))

_BUILT: Mapping[str, Callable[[tuple[int, ...], Algebra], Algebra]] = {
    "induced": lambda f, seeds: frozenset(s for s in _THREE if _preimage(f, s) in seeds),
    "images": lambda f, seeds: frozenset(frozenset(f[u] for u in s) for s in seeds),
}

functions = cases(
    "all functions from three seeds to three outcomes, in pairs (two data sets, or one function twice), all "
    "sigma-algebras on the seeds",
    "f g seeds",
)(lambda: ((f, g, seeds) for seeds in _ALGEBRAS for f, g in product(product(range(3), repeat=3), repeat=2)))


def largest(f: tuple[int, ...], g: tuple[int, ...], seeds: Algebra, *, built: str) -> Witness | None:
    """The sets built from two data sets are the largest sigma-algebra that makes both measurable, and grow with F_U."""
    of = _BUILT[built]
    both, those = of(f, seeds) & of(g, seeds), _measurable(f, seeds) & _measurable(g, seeds)
    grows = all(of(f, seeds) <= of(f, more) for more in _ALGEBRAS if seeds <= more)
    is_so = both in those and all(a <= both for a in those) and grows
    return settled(
        is_so,
        lambda f, g, seeds, algebras: (
            is_largest_among(
                built_sets(built, f, seeds) & built_sets(built, g, seeds),
                [a for a in algebras if measurable_for(f, a, seeds) and measurable_for(g, a, seeds)],
            )
            and all(built_sets(built, f, seeds) <= built_sets(built, f, a) for a in algebras if seeds <= a)
        ),
        lambda: {"f": f, "g": g, "seeds": seeds, "algebras": _ALGEBRAS},
    )


state("sigma-algebra.induced", "dissertation, section A.1, after Definition A.1.4")(
    """This means F_T^x is the largest sigma-algebra such that T(x, .) is measurable and thus F_T^(T,[x]) is the largest
    sigma-algebra such that T(x', .) is measurable for all x' in [x]. … F_T^(T,[x]) depends upon the choice of F_U -
    with smaller F_U resulting in smaller F_T^(T,[x])""",
    every(functions, largest, built="induced"),
    mutant("the images of the sets in F_U", {"built": "images"}),
)

_topologies = lambda size: (
    opens
    for none, *inner, whole in [universes(domain_of(size))]
    for n in range(len(inner) + 1)
    for chosen in combinations(inner, n)
    for opens in [frozenset((*chosen, none, whole))]
    if all(a | b in opens and a & b in opens for a, b in product(opens, repeat=2))
)
_is_continuous = lambda f, opens: all(
    {c - 1, c + 1} <= cells for s in opens for cells in [{c for c in range(5) if f[c] in s}] for c in cells if c % 2
)

_CELLS = "all functions on [0, 1] that are constant on three intervals and the two points between them; one data set"

# the continuous functions of the cells onto topological spaces, where the pairs that are told apart fit
_onto = lambda which, fits: cases(f"all topologies on one to three points{which}; {_CELLS}", "opens f")(
    lambda: (
        (opens, f)
        for size in (1, 2, 3)
        for opens, f in product(_topologies(size), product(range(size), repeat=5))
        if set(f) == set(range(size)) and _is_continuous(f, opens)
        if fits(any((a in s) != (b in s) for s in opens) for a, b in combinations(range(size), 2))
    )
)

# all subsets, which f induces as every set of cells is a Borel set of [0, 1], are the Borel sets.
is_borel = lambda f, opens: borel_sets(set(f), opens) == set(subsets(set(f))) or not continuous_on_cells(f, opens)

state("sigma-algebra.borel", "dissertation, section A.1")(
    """If T(x', .) is continuous (for all x' in [x]) and surjective (for some x' in [x]), then F_T^(T,[x]) is the Borel
    sigma-algebra on T.""",
    every(_onto("", lambda _: True), is_borel),
    reading="U is uniform on [0, 1] with its Borel sets, by the sentences before; T is a topological space",
    grade=incomplete("a Hausdorff T, as spaces of outcomes are"),
)

own("sigma-algebra.borel.finite", "dissertation, section A.1")(
    """The same for a finite T in which any two points are told apart by some open set (a T_0 space): F_T^(T,[x]) and
    the Borel sigma-algebra are all subsets.""",
    every(_onto(" that tell any two points apart", all), is_borel),
    mutant("some two points are told apart, for any two", _onto(" that tell some two points apart", any)),
    repairs="sigma-algebra.borel",
)

own("sigma-algebra.borel.hausdorff", "dissertation, section A.1")(
    "The same for every Hausdorff space T.",
    argued(
        "every Hausdorff space T, U uniform on [0, 1] with its Borel sets",
        proof="""Every F_T^x' with x' in [x] holds the Borel sets of T, since T(x', .) is continuous. Let f =
            T(x', .) be the surjective one and S in F_T^x', so that A = f^-1(S) is a Borel set of [0, 1], and so is
            its complement f^-1(T - S). T is compact and Hausdorff as the continuous image of [0, 1], and metrizable,
            since a Hausdorff continuous image of a compact metric space is. So T is a Polish space in which S = f(A)
            and T - S = f([0, 1] - A) are continuous images of Borel sets of a Polish space, that is, analytic, and by
            Souslin's theorem a set that is analytic with its complement is a Borel set. Hence F_T^x' is the Borel
            sigma-algebra, and so is the intersection over [x].""",
    ),
    repairs="sigma-algebra.borel",
)

own("tradeoff.blackwell.standard", "dissertation, Theorem A.6.2")(
    """For P, Q on any measurable space and P', Q' on a standard Borel space, such as R^k or a countable set, Tr(P, Q)
    >= Tr(P', Q') everywhere iff there exists a Markov kernel kappa with P' = kappa o P and Q' = kappa o Q.""",
    argued(
        "all laws P, Q; all laws P', Q' on a standard Borel space",
        proof="""If: a decision rule phi' for P', Q' gives phi(w) = int phi' dkappa(., w) for P, Q, with its size
            and power. Only if: let v = (P+Q)/2 and h = dQ/d(P+Q), so that dQ/dv = 2h and dP/dv = 2(1-h); let m be the
            law of h under v, on [0, 1], of mean 1/2; likewise v', h', m'. For c = g/(1+g) with g >= 0, sup_a (Tr(P,
            Q)(a) - g a) = sup_phi (E_Q phi - g E_P phi) = int (2h - 2g(1-h))^+ dv = 2(1+g) int (t-c)^+ dm(t). So int
            (t-c)^+ dm >= int (t-c)^+ dm' for 0 <= c < 1, and with equality for other c, as the means are equal. Hence
            m' is below m in the convex order, and by Strassen's theorem there are variables s of law m' and t of law
            m with E[t | s] = s. Let K be a regular conditional law of s given t. It sends the law 2t m(dt) of h under
            Q to that of h' under Q', since int 2t K(t, B) m(dt) = E[2t; s in B] = E[2s; s in B], and likewise 2(1-t)
            m(dt) to that of h' under P'. Let R be a regular conditional law of v' given h', which exists on a
            standard Borel space. As dQ'/dv' and dP'/dv' are functions of h', R sends the laws of h' under Q' and P'
            to Q' and P'. So kappa(., w) = int K(h(w), ds) R(s, .) is the kernel.""",
    ),
    repairs="tradeoff.blackwell",
)
