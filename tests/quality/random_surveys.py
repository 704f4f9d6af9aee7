"""Random small survey files with the oracle's cases: every run of a survey is followed here, in plain Python."""

import random
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from quality.oracle import Case

ORDER = ("population", "frame", "sample", "processed")
MISSING = "missing"


@dataclass(frozen=True)
class RandomSurvey:
    """A survey with the oracle's case of the setting in which its budget is claimed."""

    seed: int
    text: str
    case: Case
    kind: str
    value: Fraction


def random_survey(seed):
    """The survey of a seed: often one whose invariant stage fixes the data, so that nothing is compared."""
    draw = random.Random(seed)  # noqa: S311 not for secrets
    units = draw.choice((1, 2, 2, 3))
    is_imputed = draw.random() < 0.5
    values = (0, 1, MISSING) if is_imputed else (0, 1)
    stages, lines = {"population": None}, []
    if draw.random() < 0.5:
        stages["frame"] = lambda data: {data: Fraction(1)}
        lines.append('[[stage]]\nkind = "frame"\n')
    if draw.random() < 0.8:
        stages["sample"], text = _design(draw, units)
        lines.append(f'[[stage]]\nkind = "design"\n{text}\n')
    if is_imputed:
        stages["processed"] = _hot_deck
        lines.append('[[stage]]\nkind = "imputation"\nname = "hot-deck"\nvariable = "a"\notherwise = 0\n')
    release, mechanism = _release(draw, units)
    present = [stage for stage in ORDER if stage in stages]
    level = draw.choice(present)
    before = present[: present.index(level)]
    invariant = draw.choice(["nothing", *before, *before, *before])
    distance = draw.choice(("hamming_unordered", "symmetric_difference"))
    population = [frozenset(enumerate(row, 1)) for row in product(values, repeat=units)]
    case = _case(population, stages, (level, invariant), distance, release)
    kind, value = draw.choice(("gamma", "epsilon")), Fraction(draw.choice(("0", "1/2", "1", "2", "3")))
    if kind == "gamma":
        value += 1 if draw.random() < 0.7 else Fraction(5, 4)
    schema = ", ".join(f'"{value}"' if value == MISSING else str(value) for value in values)
    text = (
        f'id = "s.{seed}"\nstatement = "s"\n[population]\nschema = {{ a = [{schema}] }}\nunits = {units}\n'
        f"{'missing = ' + chr(34) + MISSING + chr(34) if is_imputed else ''}\n{''.join(lines)}"
        f'[mechanism]\n{mechanism}\n[protection]\nstarts = "{level}"\ninvariant = "{invariant}"\n'
        f'distance = "{distance}"\nresolution = "person"\n[budget]\n{kind} = "{value}"\n'
    )
    return RandomSurvey(seed, text, case, kind, value)


def _design(draw, units):
    kind = draw.random()
    if kind > 0.85:
        draws = draw.randint(1, units)

        def repeated(data):
            """Who was drawn, once each however often."""
            law = {}
            for chosen in product(sorted(data, key=str), repeat=draws if data else 0):
                law[frozenset(chosen)] = law.get(frozenset(chosen), 0) + Fraction(1, len(data) ** len(chosen) or 1)
            return law

        return repeated, f'name = "with-replacement"\nsize = {draws}'
    if kind < 0.6:
        size = draw.randint(1, units)

        def simple(data):
            parts = [frozenset(part) for part in combinations(sorted(data, key=str), size)]
            return {part: Fraction(1, len(parts)) for part in parts}

        return simple, f'name = "simple-random-sample"\nsize = {size}'
    rate = Fraction(draw.choice(("1/2", "1/3")))

    def bernoulli(data):
        rows = [part for n in range(len(data) + 1) for part in combinations(data, n)]
        return {frozenset(part): rate ** len(part) * (1 - rate) ** (len(data) - len(part)) for part in rows}

    return bernoulli, f'name = "bernoulli"\nrate = "{rate}"'


def _hot_deck(data):
    """Each missing value is that of a donor drawn at random from those who answered, and 0 if there is none."""
    donors = [value for _, value in data if value != MISSING] or [0]
    open_units = [unit for unit, value in data if value == MISSING]
    kept = frozenset((unit, value) for unit, value in data if value != MISSING)
    law = {}
    for chosen in product(donors, repeat=len(open_units)):
        result = kept | frozenset(zip(open_units, chosen, strict=True))
        law[result] = law.get(result, 0) + Fraction(1, len(donors) ** len(open_units))
    return law


def _release(draw, units):
    ratio = Fraction(draw.choice(("1/2", "1/3", "2/3")))

    def noisy(data):
        """Clamped to what counts can be: the likelihood ratios of mixtures are those of the noise without ends."""
        count = sum(value == 1 for _, value in data)
        law = {str(k): (1 - ratio) / (1 + ratio) * ratio ** abs(k - count) for k in range(units + 1)}
        law["0"] = ratio**count / (1 + ratio)
        law[str(units)] = ratio ** (units - count) / (1 + ratio)
        return law if units else {"0": Fraction(1)}

    return noisy, f'name = "geometric"\nstatistic = "count"\nwhere = {{ a = 1 }}\nratio = "{ratio}"'


def _then(law, kernel):
    found = {}
    for data, mass in law.items():
        for result, chance in kernel(data).items():
            found[result] = found.get(result, 0) + mass * chance
    return found


def _case(population, stages, setting, distance, release):
    level, invariant = setting
    kernels = [stages[stage] for stage in ORDER if stages.get(stage)]
    present = [stage for stage in ORDER if stage in stages]
    start, fixed = present.index(level), present.index(invariant) if invariant != "nothing" else 0

    def reached(data, first, last):
        law = {data: Fraction(1)}
        for kernel in kernels[first:last]:
            law = _then(law, kernel)
        return law

    beginnings = dict.fromkeys(x for data in population for x in reached(data, 0, fixed))
    universes = [frozenset(reached(x, fixed, start)) for x in beginnings]
    points = list(dict.fromkeys(x for universe in universes for x in sorted(universe, key=str)))
    if invariant == "nothing":
        universes = [frozenset(points)]
    laws = tuple(_then(reached(x, start, len(kernels)), release) for x in points)
    distances = {}
    for (i, x), (j, y) in product(enumerate(points), repeat=2):
        d = len(x - y) if len(x) == len(y) else None
        d = d if distance == "hamming_unordered" else len(x ^ y)
        if i != j and d is not None:
            distances[i, j] = Fraction(d)
    listed = tuple(tuple(points.index(x) for x in universe) for universe in dict.fromkeys(universes))
    return Case(listed, distances, laws, "multiplicative")
