"""Records that imputation copies from donors, and what it means to protect the data after it: section 7.2.2."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from stirred.mechanisms import exact_law
from stirred.mechanisms.surveys.imputation import hot_deck
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.ledger import cases, every, mutant, own, state
from stirred.verify.ledger.claims.survey_privacy.words import loss_of, noisy_count, releases, vectors
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get
from stirred.verify.ledger.words import count, hamming_ordered

_SECTION = "dissertation, section 7.2.2"

# d has the place of the donor of each missing record; a hot deck has a law of completed data for each data set
with_donated = lambda x, d: x + [x[j] for j in d]
after_deck = lambda deck, T: {
    x: {t: sum(deck[x][z] * get(T[z], t, 0) for z in deck[x]) for t in releases(T)} for x in deck
}

donated = cases(
    "2 or 3 respondents with answers 0 and 1, 1 to 3 missing records, and all choices of a donor for each",
    "x y i d",
    lambda: (
        case
        for size, missing in product((2, 3), (1, 2, 3))
        for x, i in product(product((0, 1), repeat=size), range(size))
        for y in [(*x[:i], 1 - x[i], *x[i + 1 :])]
        for case in ((x, y, i, donors) for donors in combinations_with_replacement(range(size), missing))
    ),
)

changed_with_donated = lambda x, d, y, more: hamming_ordered(with_donated(x, d), with_donated(y, d)) == 1 + more

state("survey.donors.records", _SECTION)(
    """This means an individual survey respondent can contribute to multiple records in the post-imputation dataset.
    This complicates the appropriate definition of neighboring datasets, … In the post-imputation dataset, changing a
    single record does not correspond to changing the data of one entity.""",
    every(donated, lambda x, y, i, d: changed_with_donated(x, d, y, count(d, i))),
    mutant("one record", lambda x, y, d: changed_with_donated(x, d, y, 0)),
    reading="a respondent's change changes their record and every copy of it",
)


def _deck(respondents: int, missing: int) -> dict[Any, dict[Any, Fraction]]:
    """The law of the answers after imputation by a hot deck of one class, for all answers of the respondents."""
    found = {}
    for answers in vectors(respondents):
        records = {i: (answer,) for i, answer in enumerate((*answers, *(None,) * missing))}
        law = exact_law(hot_deck, unit_data(records), variable=0, donor_class=lambda _: "all")
        found[answers] = {tuple(record[0] for _, record in data): law.numeric(data) for data in law}
    return found


decks = cases(
    "1 to 3 respondents in one class with 1 to 3 missing records, 4 units in all at most; each missing record takes "
    "the answer of a donor drawn uniformly; noisy counts of the completed data, e^epsilon = 3/2 and 3",
    "m k g deck T",
    lambda: (
        (respondents, missing, g, _deck(respondents, missing), kernel)
        for respondents, missing in product((1, 2, 3), (1, 2, 3))
        for whole in [respondents + missing]
        if whole <= 4
        for g in (Fraction(3, 2), Fraction(3))
        for kernel in [{x: law for x, law in noisy_count(whole, g).items() if len(x) == whole}]
    ),
)

state("survey.donors.weaker", _SECTION)(
    """Hence, naively applying DP to the post-imputation dataset will not provide a donor record with the expected level
    of protection; that is, the privacy guarantees for a donor record will be weaker than those for a post-imputed
    record.""",
    every(decks, lambda g, deck, T: loss_of(T) == g and loss_of(after_deck(deck, T)) > g),
    mutant(
        "the copies only", lambda m, k, g, deck, T: m > 1 or (loss_of(T) == g and loss_of(after_deck(deck, T)) == g**k)
    ),
    mutant("the expected level", lambda g, deck, T: loss_of(T) == g and loss_of(after_deck(deck, T)) <= g),
    every(decks, lambda m, k, g, deck, T: m > 1 or (loss_of(T) == g and loss_of(after_deck(deck, T)) == g ** (1 + k))),
    reading="""of a mechanism that loses epsilon at a record after imputation, as a noisy count; where the class has one
    donor of k copies, (1 + k) epsilon""",
)


@cases(
    "80 fixed random mechanisms on completed data of 2 respondents and 1 or 2 missing records whose donors are drawn "
    "uniformly, with two outcomes in sixths",
    "m k deck T",
)
def any_mechanism() -> Iterator[tuple[Any, ...]]:
    chosen = random.Random(74)  # noqa: S311 fixed cases, not secrets
    laws = [law for law in laws_of(2, 6) if len(law) == 2]
    made = {missing: _deck(2, missing) for missing in (1, 2)}
    for number in range(80):
        missing = 1 + number % 2
        yield 2, missing, made[missing], {x: chosen.choice(laws) for x in vectors(2 + missing)}


bound_of_draws = lambda g, k, size: g * (1 + (g - 1) / size) ** k
loses_by_draws = lambda m, k, g, deck, T: loss_of(T) == g and loss_of(after_deck(deck, T)) == g * (1 + (g - 1) / m) ** k
within_draws = lambda m, k, deck, T: all(loss_of(after_deck(deck, T)) <= bound_of_draws(g, k, m) for g in [loss_of(T)])

own("survey.donors.drawn", _SECTION)(
    """Where k missing records each take the answer of a donor drawn uniformly from m respondents, a mechanism on the
    completed data with budget epsilon loses no more than e^epsilon (1 + (e^epsilon - 1)/m)^k for a respondent, and a
    noisy count loses that: the first factor for the respondent's own record, one for each copy that may be theirs.""",
    every(decks, loses_by_draws),
    mutant(
        "m + 1 donors",
        lambda m, k, g, deck, T: loss_of(T) == g and loss_of(after_deck(deck, T)) == g * (1 + (g - 1) / (m + 1)) ** k,
    ),
    every(any_mechanism, within_draws),
    mutant("no factor for copies", lambda deck, T: loss_of(after_deck(deck, T)) <= loss_of(T)),
)

coded = cases(
    "noisy counts of two and three coded answers, e^epsilon = 3/2 and 3: answers a, b and c, coded as 1, 0 and 0",
    "g code T",
    lambda: (
        (g, {x: tuple(int(r == "a") for r in x) for x in vectors(size, ("a", "b", "c"))}, kernel)
        for size, g in product((2, 3), (Fraction(3, 2), Fraction(3)))
        for kernel in [{x: law for x, law in noisy_count(size, g).items() if len(x) == size}]
    ),
)

state("survey.levels.processed-data", _SECTION)(
    """If the DP mechanism takes the processed data as input, then the DP guarantees apply to the processed data and do
    not necessarily carry over to the responding sample data. In order to have guarantees for the responding sample, the
    statistical agency must show that the pipeline from the responding sample to the survey outputs (considered as a
    data-release mechanism) also satisfies DP.""",
    every(coded, lambda g, code, T: loss_of(T) == g and loss_of({x: T[code[x]] for x in code}) <= g),
    every(decks, lambda g, deck, T: loss_of(T) == g and loss_of(after_deck(deck, T)) > g),
    mutant("under imputation too", lambda g, deck, T: loss_of(T) == g and loss_of(after_deck(deck, T)) <= g),
    mutant(
        "nor where records are coded",
        every(coded, lambda g, code, T: loss_of(T) == g and loss_of({x: T[code[x]] for x in code}) > g),
    ),
    reading="they carry over where each record is coded by itself, and do not where records are imputed from others",
)
