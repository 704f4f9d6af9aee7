"""What section 8.4 says of differential privacy within the Five Safes, where it can be checked."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from stirred.verify.ledger import cases, every, mutant, state
from stirred.verify.ledger.claims.survey_privacy.words import loss_of, vectors
from stirred.verify.ledger.engines.renyi_grid import laws_of

renamed_kernel = lambda p, names: {[names[r] for r in x]: p[x] for x in p}
renamed_beside = lambda p, names, r: {[names[x[0]] if x[1] == r else x[0], x[1]]: p[x] for x in p}
with_public = lambda p, q, share: (
    {x: {(k, t): (share if k == 0 else 1 - share) * [p, q][k][x][t] for k in (0, 1) for t in [p, q][k][x]} for x in p}
)


@cases(
    "40 fixed random mechanisms of two records from 'milk', 'tea' and 'none', two outcomes in twelfths; these "
    "renamed in every order as 'asthma', 'cancer' and 'flu'",
    "p names",
)
def of_drinks() -> Iterator[tuple[Any, ...]]:
    chosen = random.Random(84)  # noqa: S311 fixed cases, not secrets
    laws, drinks = [law for law in laws_of(2, 12) if len(law) == 2], ("milk", "tea", "none")
    for _ in range(40):
        kernel = {x: chosen.choice(laws) for x in vectors(2, drinks)}
        for illnesses in permutations(("asthma", "cancer", "flu")):
            yield kernel, dict(zip(drinks, illnesses, strict=True))


of_shuffled = cases(
    "the same mechanisms; the first record renamed within these in every order, beside 'milk' alone",
    "p names",
    lambda: (
        case
        for drinks in [("milk", "tea", "none")]
        for seen in [[p for number, (p, _) in enumerate(of_drinks) if number % 6 == 0]]
        for case in product(seen, (dict(zip(drinks, order, strict=True)) for order in permutations(drinks)))
    ),
)

loses_as_renamed = lambda p, names: loss_of(renamed_kernel(p, names)) == loss_of(p)

state("survey.context.same-structure", "dissertation, Remark 8.4.2")(
    """It is, however, agnostic to the nature of the data at hand. A differential privacy mechanism will treat two
    datasets identically so long as they possess identical mathematical structures, even though one may be highly
    sensitive in nature (e.g. records of patients suffering from a socially stereotyped disease) while the other is not
    (e.g. a log of dairy preferences of customers at a coffee shop).""",
    every(of_drinks, loses_as_renamed, identity="no name enters the definition of a loss"),
    mutant(
        "data sets are renamed one by one, so that others are neighbors",
        every(of_shuffled, lambda p, names: loss_of(renamed_beside(p, names, "milk")) == loss_of(p)),
    ),
    reading="""what a mechanism loses does not depend on what its records are called: the structure is which data sets
    are neighbors""",
)

chosen_openly = cases(
    "all pairs of mechanisms on two data sets with two outcomes in quarters, of which a coin with probability 1/2 or "
    "1/5 that does not see the data chooses one, and which one is published",
    "p q share",
    lambda: (
        case
        for kernels in [[{(x,): law for x, law in enumerate(rows)} for rows in product(laws_of(2, 4), repeat=2)]]
        for case in product(kernels, kernels, (Fraction(1, 2), Fraction(1, 5)))
    ),
)

state("survey.context.transparent", "dissertation, Remark 8.4.3", "dissertation, section 4.5.1")(
    """Indeed, one of the celebrated feature of differential privacy is that the privacy mechanism can be entirely
    transparent without sabotaging the privacy guarantee.""",
    every(
        chosen_openly,
        lambda p, q, share: loss_of(with_public(p, q, share)) == max(loss_of(p), loss_of(q)),
        identity="a coin that does not see the data has no loss, for all pairs of mechanisms",
    ),
    mutant(
        "what the better one does", lambda p, q, share: loss_of(with_public(p, q, share)) <= min(loss_of(p), loss_of(q))
    ),
    reading="where the mechanism is chosen without the data, publishing which one it was loses what the worse one does",
)
