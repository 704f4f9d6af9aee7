"""Further releases: what they do to the budget of all releases together."""

from itertools import combinations, permutations, product

from stirred.verify.ledger import cases, every, mutant, state
from stirred.verify.ledger.claims.census.invariants import swapping_release
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import image, multiplicative

# e^((a - 1) D_a) for an integer order a
renyi_sum = lambda p, q, a: (
    oo if any(p[t] > 0 and get(q, t, 0) == 0 for t in p) else sum(p[t] ** a / q[t] ** (a - 1) for t in p if p[t] > 0)
)
with_function = lambda p, f: {(t, f[t]): p[t] for t in p}
no_less_than_of_first = lambda p, q, a, f: (
    renyi_sum(image(p, f), image(q, f), a)
    >= renyi_sum(image(p, [t // 2 for t in range(4)]), image(q, [t // 2 for t in range(4)]), a)
)

# T_1 and T_2 together have the divergences of T_1, where T_2 is f(T_1) under x and f_prime(T_1) under x'
adds_nothing = lambda p, q, a, f, f_prime: (
    renyi_sum(with_function(p, f), with_function(q, f_prime), a) == renyi_sum(p, q, a)
)
adds_something = lambda p, q, a, f, f_prime: (
    renyi_sum(with_function(p, f), with_function(q, f_prime), a) > renyi_sum(p, q, a)
)

_ORDERS = (2, 3, 4)
_ORDERS_SCOPE = "by e^((a - 1) D_a) for the orders a = 2, 3, 4, exactly"

_JOINT = cases(
    f"T_1 and T_2 with two outcomes each, t = 2 T_1 + T_2, all joint laws with denominator 4; {_ORDERS_SCOPE}", "p q a"
)(lambda: ((p, q, a) for a, (p, q) in product(_ORDERS, product(laws_of(4, 4), repeat=2))))

_FUNCTIONS = tuple(product(range(3), repeat=3))
_COINS = [law for law in laws_of(2, 4) if len(law) == 2]
_THREE = f"T_1 with three outcomes, all laws with denominator 4; T_2 any function of them; {_ORDERS_SCOPE}"
_MERGES = ((0, 1, 2), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 0, 0))
_SAME_FUNCTION = cases(f"{_THREE}; but for the names of the outcomes of T_2", "p q a f f_prime")(
    lambda: ((p, q, a, f, f) for p, q, a, f in product(laws_of(3, 4), laws_of(3, 4), _ORDERS, _MERGES))
)
_TWO_FUNCTIONS = cases(f"{_THREE}, another one for each of the two data sets", "p q a f f_prime")(
    lambda: product(laws_of(3, 4), laws_of(3, 4), _ORDERS, _FUNCTIONS, _FUNCTIONS)
)
_CONSTANTS = cases(
    f"T_1 with two outcomes, all laws with denominator 4; T_2 a constant; {_ORDERS_SCOPE}", "p q a f f_prime"
)(lambda: ((p, q, a, (0, 0), (0, 0)) for a, (p, q) in product(_ORDERS, permutations(_COINS, 2))))

state("das.other-releases", "article, Remark 6", "dissertation, section 3.4.1", "dissertation, section 4.4.2")(
    """Nevertheless, as with any data release, they necessarily increase the total PLB associated with the 2020
    Census.""",
    every(_JOINT, lambda p, q, a: no_less_than_of_first(p, q, a, [[t // 2, t % 2] for t in range(4)])),
    mutant("T_2 in place of T_1 and T_2", lambda p, q, a: no_less_than_of_first(p, q, a, [t % 2 for t in range(4)])),
    mutant("always increases it", every(_CONSTANTS, adds_something)),
    every(_SAME_FUNCTION, adds_nothing),
    mutant("a function of the data and of T_1, for a function of T_1", _TWO_FUNCTIONS),
    reading="""the total PLB (the smallest budget of all releases together) does not decrease: 'as with any data
    release', of which a constant or a function of earlier ones, such as the Demographic Profile of section 5.1, adds
    none; section 4.4.2 has 'at a minimum increase'""",
)

state("das.derived-products", "article, section 5.1", "dissertation, section 3.4.2")(
    """As explained in the previous section, because these data products are derived either from the Group 1 products or
    the privacy-protected intermediate outputs pertaining to those products, their production does not contribute to the
    overall 2020 PLB.""",
    every(_SAME_FUNCTION, adds_nothing),
    mutant("a function of the data and of T_1, for a function of T_1", _TWO_FUNCTIONS),
    mutant("it contributes", adds_something),
    reading="""what is released, with any function of it that is the same for all data sets, has the divergences of what
    is released, where all of it is accounted for: the noisy measurements (the intermediate outputs) too""",
)

_SWAPPED = swapping_release(3, 1, 2, 2)

# pairs in one universe: the laws of the swapped data set, and what is derived from it, or from the data too
_products = lambda derived, pairs_of: cases(
    f"pairs in every universe; {_SWAPPED.scope}; all products with two values, functions of {derived}", "p q f g"
)(
    lambda: (
        (p, q, f, g)
        for x, y in combinations(_SWAPPED.laws, 2)
        if _SWAPPED.totals[x] == _SWAPPED.totals[y]
        for p, q in [(_SWAPPED.laws[x], _SWAPPED.laws[y])]
        for outputs in [sorted(set(p) | set(q))]
        for functions in [[dict(zip(outputs, v, strict=True)) for v in product((0, 1), repeat=len(outputs))]]
        for f, g in pairs_of(functions, functions)
    )
)
loss_of_swapped_alone = lambda p, f, q, g: (
    multiplicative(with_function(p, f), with_function(q, g)) == multiplicative(p, q)
)

state(
    "das.swapping-covers-products",
    "article, section 5.3",
    "dissertation, section 3.4.3",
    "dissertation, section 4.4.2",
    "slides, What if the 2020 Census used swapping?",
)(
    """Note that if the PSA were applied to the 2020 Decennial Census, the nominal eps reported in Table 5 would be the
    total PLB across all data products derived from the swapped data set Z …""",
    every(_products("Z alone", zip), loss_of_swapped_alone, identity="a function of Z beside Z tells no more than Z"),
    mutant("products derived from the data too", _products("Z and of the data", product)),
    reading="Z and every function of it together have the loss of Z; section 4.4.2 says it of the 2010 Census",
)
