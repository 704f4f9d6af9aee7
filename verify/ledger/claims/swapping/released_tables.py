"""What tables of swapped microdata have in common: they add up, keep edit constraints, show the uniques of a key."""

from collections import Counter
from itertools import product

from stirred.verify.ledger import cases, every, incomplete, mutant, own, some, state
from stirred.verify.ledger.claims.swapping.data_sets import across, columns_of, data_sets, inside, swapped_records

# two published tables of one swapped data set, the second with so much added to each of its counts
_tables = lambda noise: cases(
    f"{inside.scope}: the table n_mhs and the table n_m.s of the swapped data",
    "cells margins",
    lambda: (
        (dict(Counter(f"{m}{h}{s}" for m, h, s in z)), {name: n + noise for name, n in margins.items()})
        for x, g in inside
        for z in [[(m, h, x[j][2]) for (m, h, _), j in zip(x, g, strict=True)]]
        for margins in [Counter(f"{m}{s}" for m, _, s in z)]
    ),
)
add_up = lambda margins, cells: all(
    margins[ms] == sum(cells[mhs] for mhs in cells if mhs[0] == ms[0] and mhs[2] == ms[1]) for ms in margins
)

state("swapping.released-tables.add-up", "article, section 5.3", "dissertation, section 3.4.3")(
    """This characteristic of swapping leads to an additional desirable property that is not necessarily enjoyed by
    mechanisms based on output noise infusion (such as those used in the 2020 DAS): the logical consistency between, and
    within, multiple data products is automatically preserved under swapping without the need for any additional
    processing, because all these data products are produced from the same post-swapped microdata.""",
    every(_tables(0), add_up),
    mutant("noise of 1 on each count of the second table", _tables(1)),
    reading="a table's cells sum to the margins that another table of the same data prints",
)

edits = lambda x, g, parts: (
    all(set(columns_of(swapped_records(x, g), c)) <= set(columns_of(x, c)) for c in parts)
    and len(swapped_records(x, g)) == len(x)
)

_IN = (2, "householder of 70", "retirement community")
_OUT = (2, "householder of 30", "next tract")
retirement = cases("a household of a retirement community, swapped", "x g", lambda: [((_IN, _OUT), (1, 0))])

state("swapping.released-tables.edits", "dissertation, section 4.5.2")(
    """Logical consistency is another advantageous property of data swapping, as it ensures all statistics produced from
    the 2010 Census align with one another. For example, in any contingency table released in 2010, the sum of cells in
    a singe row or column always matches the marginal total. Likewise, reported values for the same count remain
    consistent across different publications. Additionally, the 2010 Census outputs respect the structural zeroes and
    edit constraints present in the underlying confidential microdata.""",
    every(retirement, edits, parts=((0, 1), (0, 2), (1, 2))),
    reading="""what swapping inside a key's strata gives has no combination of key, holding variables and place that the
    data have not. A householder's age is no key of 2010, and so is held. That the cells add up is
    swapping.released-tables.add-up""",
    grade=incomplete(
        "that no constraint is between what a household holds and its place, such as an age that a tract cannot have, "
        "or a kind of tenure where that is not in the key: the swap brings the household there"
    ),
)

own("swapping.released-tables.edits.repaired", "dissertation, section 4.5.2")(
    """Data swapped inside a key's strata have no combination of key and holding variables, nor of key and place, that
    was not there: constraints between characteristics of one household, and between key and place, hold. What is held
    and a place can come together anew.""",
    every(inside, edits, parts=((0, 1), (0, 2))),
    mutant("constraints between what a household holds and its place", {"parts": ((1, 2),)}),
    mutant("swaps between strata", across),
    some(inside, lambda x, g: not edits(x, g, ((1, 2),))),
    repairs="swapping.released-tables.edits",
)

same_invariants = cases(
    "two values of each variable, up to 3 records: all pairs of data sets with the same invariants",
    "x y",
    lambda: (
        (x, y)
        for x, y in product(data_sets(3), repeat=2)
        if all(sorted((r[0], r[k]) for r in x) == sorted((r[0], r[k]) for r in y) for k in (1, 2))
    ),
)

revealed = lambda y, x, unique_in: all(
    r in y for r in x if sum(1 for q in x if all(q[k] == r[k] for k in unique_in)) == 1
)

state("swapping.uniques-revealed", "dissertation, section 4.6.1")(
    """The most damning source of identification risk pertains to the population uniques which, if exist, can be
    directly revealed as logical consequences of the invariants.""",
    every(same_invariants, revealed, unique_in=(0,)),
    mutant("unique by all variables together", {"unique_in": (0, 1, 2)}),
    reading="""they can be: a household that is the only one with its value of the key is in every data set with these
    invariants; one that is unique by all its variables together need not be""",
)
