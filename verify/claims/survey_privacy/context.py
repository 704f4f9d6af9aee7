"""What section 8.4 says of differential privacy within the Five Safes, where it can be checked."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import verify.claims.survey_privacy.complexities  # noqa: F401 its words are used here
from verify.claims.survey_privacy.words import vectors
from verify.engines.zcdp.renyi_grid import laws_of
from verify.ledger import cases, define, every, state

define(
    {
        "renamed(x, names)": "tuple(names[r] for r in x)",
        "renamed_kernel(p, names)": "{renamed(x, names): p[x] for x in p}",
        "with_public(p, q, share)": """{x: {(k, t): (share if k == 0 else 1 - share) * [p, q][k][x][t] for k in (0, 1)
            for t in [p, q][k][x]} for x in p}""",
    }
)


@cases(
    "40 fixed random mechanisms of two records from 'milk', 'tea' and 'none', two outcomes in sixths; these renamed in "
    "every order as 'asthma', 'cancer' and 'flu'",
    "p names",
)
def of_drinks() -> Iterator[tuple[Any, ...]]:
    chosen = random.Random(84)  # noqa: S311 fixed cases, not secrets
    laws, drinks = laws_of(2, 6), ("milk", "tea", "none")
    for _ in range(40):
        kernel = {x: chosen.choice(laws) for x in vectors(2, drinks)}
        for illnesses in permutations(("asthma", "cancer", "flu")):
            yield kernel, dict(zip(drinks, illnesses, strict=True))


state(
    "survey.context.same-structure",
    "dissertation, Remark 8.4.2",
    printed="It is, however, agnostic to the nature of the data at hand. A differential privacy mechanism will treat "
    "two datasets identically so long as they possess identical mathematical structures, even though one may be highly "
    "sensitive in nature (e.g. records of patients suffering from a socially stereotyped disease) while the other is "
    "not (e.g. a log of dairy preferences of customers at a coffee shop).",
    reading="what a mechanism loses does not depend on what its records are called",
    checks=[every(of_drinks, "loss_of(renamed_kernel(p, names)) == loss_of(p)")],
    mutants={
        "of one record alone": every(of_drinks, "loss_of_unit(renamed_kernel(p, names), 0) == loss_of_unit(p, 1)")
    },
)


@cases(
    "all pairs of mechanisms on two data sets with two outcomes in quarters, of which a coin with probability 1/2 or "
    "1/5 that does not see the data chooses one, and which one is published",
    "p q share",
)
def chosen_openly() -> Iterator[tuple[Any, ...]]:
    kernels = [{(x,): law for x, law in enumerate(rows)} for rows in product(laws_of(2, 4), repeat=2)]
    yield from product(kernels, kernels, (Fraction(1, 2), Fraction(1, 5)))


state(
    "survey.context.transparent",
    "dissertation, Remark 8.4.3",
    printed="Indeed, one of the celebrated feature of differential privacy is that the privacy mechanism can be "
    "entirely transparent without sabotaging the privacy guarantee.",
    reading="where the mechanism is chosen without the data, publishing which one it was loses what the worse one does",
    checks=[every(chosen_openly, "loss_of(with_public(p, q, share)) == max(loss_of(p), loss_of(q))")],
    mutants={
        "what the better one does": every(
            chosen_openly, "loss_of(with_public(p, q, share)) <= min(loss_of(p), loss_of(q))"
        )
    },
)


@cases("all pairs of mechanisms on two data sets with two outcomes in quarters", "p q")
def two_projects() -> Iterator[tuple[Any, ...]]:
    yield from ((p, q) for p, q, share in chosen_openly if share == Fraction(1, 2))


_DIVIDED = "loss_of(both_fresh(p, q)) <= {}"

state(
    "survey.context.divided",
    "dissertation, section 8.4",
    printed="For privacy definitions of the same flavor (i.e. the same D, d_X and d_T choices), the privacy loss "
    "budgets of two mechanisms may be composed - often the case added - to yield the overall budget pertaining to "
    "both. What this means is that the data custodian with a fixed amount of privacy loss budget may choose to divide "
    "the budget across a number of projects, evenly or unevenly",
    reading="pure differential privacy with independent noise: the sum of the budgets covers both releases",
    checks=[every(two_projects, _DIVIDED.format("loss_of(p) * loss_of(q)"))],
    mutants={"the larger of the two": every(two_projects, _DIVIDED.format("max(loss_of(p), loss_of(q))"))},
)
