"""Records that are merged give exactly the estimates, draws and refusals that their programs give one by one."""

import csv
import io
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from stirred.mechanisms.fast import sequential_donors
from stirred.mechanisms.interpreters.sampling import ReplaySource, sample
from stirred.mechanisms.tables.reading import open_table
from stirred.spec import InputError
from stirred.spec.arguments import parse_exact
from stirred.verify.laws.surveys.pipeline import followed
from stirred.verify.products.survey import merged as module
from stirred.verify.products.survey import records as reading
from stirred.verify.products.survey.merged import is_merged
from stirred.verify.products.survey.records import CLASS_SIZE, columns_of, read_records
from stirred.verify.products.survey.run import SurveyRun, read_run

SURVEY = """
id = "s"
statement = "s"
[population]
schema = {{ region = ["n", "s", "w"], age = [1, 2], income = [0, 1, 3, "missing"] }}
missing = "missing"
numbers = {numbers}
units = 2
collected = ["income"]
[[stage]]
kind = "design"
name = "bernoulli"
rate = "1/2"
{stages}
{mechanisms}
[protection]
starts = "sample"
invariant = "nothing"
distance = "hamming_unordered"
resolution = "person"
"""

RESPONSE = '[[stage]]\nkind = "non-response"\nrate = "1/2"\n'
WEIGHTS = {
    "design": "",
    "non-response": 'by = "BY"',
    "post-stratification": 'by = "region"\ntotals = [["n", 7], ["s", "5/3"], ["w", 2]]',
    "raking": 'rounds = 2\nmargins = { region = [["n", 7], ["s", 5], ["w", 2]], age = [[1, 10], [2, 4]] }',
    "greg": "units = 9\ntotals = { age = AGES }",
}
IMPUTATION = (
    '[[stage]]\nkind = "imputation"\nname = "sequential-hot-deck"\nvariable = "income"\nclasses = {classes}\n'
    "otherwise = {otherwise}\ndonations = {donations}\n"
)
KINDS = (
    'statistic = "count"',
    'statistic = "total"\nof = "income"',
    'statistic = "mean"\nof = "income"\notherwise = 1',
    'statistic = "mean"\nof = "income"\npopulation = 7',
)
WEIGHT_TEXTS = ("1", "2.5", "1/3", "12.345678901234567", "1e2", "2.50", "0.125", "40", "7/6", "3e-1", "0")
NUMBERS = ("0", "1", "3", "1/2", "0.7", "-8", "9", "1.50", "1/3", "2e0")


@dataclass(frozen=True)
class Case:
    """A survey file, the stage of the data, and the lines of these."""

    survey: str
    stage: str
    rows: tuple[dict[str, str], ...]


def some_case(draw: Random) -> Case:
    """A survey whose records are merged, and some records, which its steps may refuse.

    Nine units whose ages, 1 and 2, sum to 30 have negative regression weights.
    """
    stage = draw.choice(["sample", "response", "response", "processed"])
    kinds = [draw.choice(list(WEIGHTS)) for _ in range(draw.randint(0, 3))] if draw.random() < 0.9 else None
    if stage == "sample" and kinds is not None:
        kinds = [kind for kind in kinds if kind != "non-response"]
    by, has_class = draw.choice(["region", "age"]), kinds is not None and "non-response" in kinds
    kinds = kinds if kinds is None or not has_class else dedicated(kinds)
    steps = [
        f'[[stage]]\nkind = "weights"\nname = "{kind}"\ndepends_on = ["region", "age"]\n'
        f"{WEIGHTS[kind].replace('BY', by).replace('AGES', draw.choice(['13', '30']))}\n"
        for kind in kinds or []
    ]
    imputed = IMPUTATION.format(
        classes=draw.choice(['["region"]', '["age", "region"]', "[]"]),
        otherwise=draw.choice([0, 1]),
        donations=draw.randint(1, 2),
    )
    if is_imputed := draw.random() < 0.8:
        steps.insert(draw.randint(0, len(steps)), imputed)
    stages = ("" if stage == "sample" else RESPONSE) + "".join(steps)
    if stage == "processed" and not steps:
        stage = "response"
    has_numbers = draw.random() < 0.3
    mechanisms = "\n".join(
        f'[[mechanism]]\nlabel = "{n}"\n{some_mechanism(draw, is_weighted=bool(kinds))}'
        for n in range(draw.randint(1, 2))
    )
    text = SURVEY.format(numbers='["income"]' if has_numbers else "[]", stages=stages, mechanisms=mechanisms)
    texts = draw.sample(WEIGHT_TEXTS, 3) if draw.random() < 0.2 else draw.sample(WEIGHT_TEXTS[:-1], 3)
    complete = is_imputed and stage == "processed"
    incomes = [*(NUMBERS if has_numbers else "013"), *([] if complete else ["", "missing"])]
    rows = tuple(
        {
            "region": draw.choice("nsw"),
            "age": draw.choice("12"),
            "income": draw.choice(incomes),
            "weight": draw.choice(texts),
            CLASS_SIZE: str(draw.randint(1, 3) if draw.random() < 0.15 else draw.randint(9, 12)),
        }
        for _ in range(draw.randint(1, 9))
    )
    return Case(text, stage, rows)


def dedicated(kinds):
    """Weights are adjusted for non-response once."""
    first = kinds.index("non-response")
    return [kind for n, kind in enumerate(kinds) if kind != "non-response" or n == first]


def some_mechanism(draw: Random, *, is_weighted: bool) -> str:
    kind = draw.choice(KINDS)
    parts = ['name = "geometric"', 'ratio = "1/2"', kind]
    if "population" not in kind and draw.random() < 0.6:
        parts.append("cells = " + draw.choice(['["region"]', '["age"]', '["age", "region"]']))
    if draw.random() < 0.3:
        parts.append("where." + draw.choice(["age = 1", "income = 1", 'region = "n"']))
    if is_weighted and draw.random() < 0.6:
        parts.append(f'largest = "{draw.choice(["2", "5/2", "12.3", "1/3", "4"])}"')
    parts.append(f'unit = "{draw.choice(["1", "1/10", "3"])}"')
    return "\n".join([*parts, "least = -1000000", "most = 1000000", ""])


def the_run(folder: Path, case: Case) -> SurveyRun:
    (folder / "s.toml").write_text(case.survey)
    return read_run(str(folder / "s.toml"), case.stage)


def table_of(run: SurveyRun, case: Case):
    text = io.StringIO()
    lines = csv.DictWriter(text, columns_of(run.read, run.stage), extrasaction="ignore")
    lines.writeheader()
    lines.writerows(case.rows)
    return open_table("d.csv", text.getvalue().encode())


def data_of(run: SurveyRun, case: Case):
    """The records as the programs take them, read one by one."""
    low, high = (0, 3)
    found = []
    for n, row in enumerate(case.rows, 1):
        income = None if row["income"] in ("", "missing") else parse_exact("income", row["income"])
        record = [row["region"], int(row["age"]), income if income is None else min(max(income, low), high)]
        names = columns_of(run.read, run.stage)
        record += [parse_exact("weight", row["weight"])] if "weight" in names else []
        record += [int(row[CLASS_SIZE])] if CLASS_SIZE in names else []
        found.append((n, tuple(record)))
    return tuple(found)


REFUSED = "refused by a step"


def estimates(run, data):
    """By the programs, one record after another."""
    try:
        processed = followed(run.read.after(run.stage), data, ReplaySource(()))
    except InputError:
        return REFUSED
    return outcome(lambda: [one.statistic.estimates(processed) for one in run.read.releases])


def merged_estimates(run, records, merged):
    found = merged(run.read, run.stage, records)
    if found is None:
        return REFUSED
    releases = zip(run.read.releases, found, strict=True)
    return outcome(lambda: [one.statistic.of_sums.estimates(part) for one, part in releases])


def outcome(of):
    """What a function returns, or the words in which it refuses."""
    try:
        return of()
    except InputError as error:
        return str(error)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("merged")


@examples(60, at_night=5_000)
@given(draw=st.randoms(use_true_random=False), seed=st.integers(0, 99))
def test_estimates_and_draws_are_those_of_the_programs(folder, draw, seed):
    case = some_case(draw)
    run = the_run(folder, case)
    records, data = read_records(table_of(run, case), run.read, run.stage), data_of(run, case)
    assert records.data == data
    assert [list(map(type, record)) for _, record in records.data if run.read.stages.is_weighted] == [
        [str, int, *(type(one) for one in record[2:3]), Fraction, *([int] * (len(record) - 4))]
        for _, record in records.data
        if run.read.stages.is_weighted
    ]
    assert is_merged(run.read, run.stage)
    assert merged_estimates(run, records, module.merged) == estimates(run, data)
    drawn = outcome(lambda: run.drawn(records, seed))
    assert drawn == outcome(lambda: sample(run.mechanism, data, seed=seed))


def seen(folder, merged, seeds=range(250)):
    """The first of some cases in which another function merges wrongly; None where it does not."""
    for seed in seeds:
        case = some_case(Random(seed))  # noqa: S311 not for secrets
        run = the_run(folder, case)
        records, data = read_records(table_of(run, case), run.read, run.stage), data_of(run, case)
        try:
            if merged_estimates(run, records, merged) != estimates(run, data):
                return seed
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return seed
    return None


def changed(of: ModuleType, old: str, new: str) -> ModuleType:
    """A module with another text in one place."""
    text = Path(of.__file__).read_text()
    assert text.count(old) == 1, old
    made = ModuleType(of.__name__)
    exec(compile(text.replace(old, new), of.__file__, "exec"), made.__dict__)  # noqa: S102 our own source
    return made


MUTANTS = {
    "the largest weight is another": ("floor(largest / scale) if", "floor(largest / scale) - 1 if"),
    "negative weights count": ("max(scale, Fraction(0)) * number", "scale * number"),
    "a missing value is 0": ("if is_missing[variable.codes].any():", "if is_missing.all():"),
    "values are not summed": ("_counting(columns, groups, largest, wholes[0])", "_counting(columns, groups, largest)"),
    "denominators are forgotten": ("total / (weight * wholes[1])", "total / weight"),
    "a condition is averaged": ("variable is None or variable in filters else", "variable is None else"),
    "cut weights count without their values": ("is_above.astype(object) * factors", "is_above.astype(object)"),
    "a weight that is cut counts once": ("+ largest * count", "+ count"),
    "weights that are cut are lost": ("+ largest * count", ""),
    "the class's share is upside down": ("Fraction(sizes.values[code], count)", "Fraction(count, sizes.values[code])"),
    "the first record says the size": (
        "np.maximum.at(last, classes.codes, np.arange(len(classes.codes), dtype=np.int32))",
        "last[classes.codes[::-1]] = np.arange(len(classes.codes))[::-1]",
    ),
    "a piece is left out": ("range(0, len(groups.codes), _PIECE)", "range(_PIECE, len(groups.codes), _PIECE)"),
    "a class may be too small": ("sizes.values[code] < count", "sizes.values[code] < 0"),
    "zero may be adjusted": ("not columns.numbers.all() or", "not columns.numbers.any() or"),
    "weights are cut before they are scaled": ("floor(largest / scale) if", "floor(largest) if"),
    "negative weights may be adjusted": (" or min(columns.scales.values) <= 0", ""),
    "classes are mixed up": ("columns.variables[place] for place in form.classes", "variable for _ in form.classes"),
    "nobody's value is the first": ("values.index(form.otherwise), variable", "0, variable"),
    "nothing is donated": ("variable.codes[donors])", "variable.codes)"),
    "an adjustment is undone": ("record[-1] / weight for", "weight / record[-1] for"),
    "a step is left out": ("for step in read.after(stage):", "for step in read.after(stage)[1:]:"),
    "steps come in another order": ("for step in read.after(stage):", "for step in read.after(stage)[::-1]:"),
    "scales are those of one group": (
        "scales, most = [label[0] for label in groups.values]",
        "scales, most = [groups.values[0][0]] * len(groups.values)",
    ),
    "all releases are the first": (
        "_released(columns, one.statistic)",
        "_released(columns, read.releases[0].statistic)",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_function_that_merges_otherwise_is_seen(folder, name):
    assert seen(folder, changed(module, *MUTANTS[name]).merged) is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("places - last <= min", "places - last < min"),
        ("(last >= begun) & ", ""),
        ("order[last], NOBODY", "last, NOBODY"),
        ("prepend=NOBODY) != 0", "prepend=NOBODY) > 1"),
    ],
)
def test_other_donors_are_seen(folder, monkeypatch, old, new):
    donors = changed(sequential_donors, old, new).sequential_donors
    monkeypatch.setattr(module, "sequential_donors", donors)
    assert seen(folder, module.merged) is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("np.flatnonzero(~is_plain)", "np.flatnonzero(~is_plain)[:1]"),
        ("Fraction(1, one) for one in denominators", "Fraction(1, SCALE) for one in denominators"),
        ("denominators.setdefault(value.denominator, len(denominators))", "0"),
    ],
)
def test_other_weights_are_seen(folder, old, new):
    other = changed(reading, old, new).read_records
    for seed in range(50):
        case = some_case(Random(seed))  # noqa: S311 not for secrets
        run = the_run(folder, case)
        if other(table_of(run, case), run.read, run.stage).data != data_of(run, case):
            return
    raise AssertionError("no case sees it")


def test_the_cases_have_every_step_release_and_refusal(folder):
    """Else an agreement would say nothing of them."""
    texts, outcomes = [], []
    for seed in range(250):
        case = some_case(Random(seed))  # noqa: S311 not for secrets
        texts.append(f'stage = "{case.stage}"\n{case.survey}')
        outcomes.append(estimates(run := the_run(folder, case), data_of(run, case)))
    whole = "\n".join(texts)
    for part in (*(f'name = "{kind}"' for kind in WEIGHTS), *KINDS, "largest", "cells", "where", "numbers = [", "deck"):
        assert whole.count(part) > 10, part
    assert {re.search(r'stage = "(\w+)"', text)[1] for text in texts} == {"sample", "response", "processed"}
    assert 5 < outcomes.count(REFUSED) < 125
    assert sum("must be integers; got a missing answer" in one for one in outcomes if isinstance(one, str)) > 5


def test_values_that_are_too_many_for_a_place_each_are_merged_too(folder, monkeypatch):
    """And records that are summed in several pieces, and denominators that are too large to be common."""
    for name in ("_DENSE", "_PIECE", "_LARGE"):
        monkeypatch.setattr(module, name, 2)
    assert seen(folder, module.merged, range(60)) is None
