"""The schema of a release: answers that cells are in, and their names, against the schema that the program reads.

What is kept below siblings leaves them exactly those counts that some table of the leaves sums to.

`stirred check` of a release whose units were measured: each record is a unit, at every leaf.

Whether counts are nearest, against every point of small questions; and bounds that are not above any of them.
"""

import json
from fractions import Fraction
from itertools import combinations_with_replacement, product
from random import Random

import numpy as np
import pyarrow.parquet as pq
import pytest
from released_town import rewritten, sealed, with_column
from small_homes import UNITS, earlier_release, homes_release, written_homes

from stirred.mechanisms.das.topdown.schema import RecordSchema
from stirred.spec.arguments import InputError
from stirred.verify.products.release_checks import optimality_check as module
from stirred.verify.products.release_checks.folder import ReleasedAnswers, ReleasedFolder, Tree
from stirred.verify.products.release_checks.lower_bounds import Below
from stirred.verify.products.release_checks.optimality_check import Nearness, bound_by_prices, nearness
from stirred.verify.products.release_checks.question import MeasuredSum, NearestQuestion, question_of
from stirred.verify.products.release_checks.records import RecordKinds, record_kinds
from stirred.verify.products.topdown.examples import EXAMPLES, redistricting
from stirred.verify.products.topdown.files import read_schema

TEXTS = {"town": EXAMPLES["town"]()["schema.toml"], "redistricting": redistricting()["schema.toml"]}

QUERIES = {
    "town": ["total", "detailed", "hhgq", "hhinstlevels", "hhinstlevels * hispanic", "votingage * hispanic"],
    "redistricting": ["hhgq", "hhinstlevels * cenrace", "cenrace * hispanic", "detailed"],
}


def kinds_of(folder, text):
    """What check reads of a schema."""
    (folder / "schema.toml").write_text(text)
    return record_kinds(str(folder / "schema.toml"))


@pytest.mark.parametrize(("name", "query"), [(name, query) for name, own in QUERIES.items() for query in own])
def test_answers_are_the_rows_of_the_schema_in_order(tmp_path, name, query):
    kinds = kinds_of(tmp_path, TEXTS[name])
    schema: RecordSchema = read_schema(str(tmp_path / "schema.toml")).schema
    parts = [] if query == "total" else query.split(" * ")
    factors = [
        "detailed"
        if query == "detailed"
        else " * ".join(p for p in parts if p == a or kinds.groups.get(p, "")[0:1] == (a,))
        for a in kinds.attributes
    ]
    answers, shape = kinds.answers("query", [one or "*" for one in factors])
    rows = schema.rows(query)
    size = 1
    for one in shape:
        size *= one
    assert size == len(rows)
    for number, (label, row) in enumerate(rows.items()):
        inside = [cell for cell, answer in enumerate(answers.tolist()) if answer == number]
        assert inside == [cell for cell, entry in enumerate(row) if entry]
        assert kinds.labels(query, inside[:1]) == [label]


def test_a_recode_of_some_values_leaves_the_others_uncounted(tmp_path):
    text = TEXTS["town"].replace('household = ["household"], ', "")
    answers, shape = kinds_of(tmp_path, text).answers("query", ["hhinstlevels", "*", "*"])
    assert (answers.tolist(), shape) == ([-1] * 4 + [0] * 8, [1, 1, 1])


def test_a_factor_that_is_not_known_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"hispanic must be counted by a name of schema\.toml; got 'hhinstlevels'"):
        kinds_of(tmp_path, TEXTS["town"]).answers("query", ["*", "*", "hhinstlevels"])


CELLS = ("x", "y", "z")
LEAVES = ("a1", "a2", "b1", "b2")
PARENTS = {"root": None, "a": "root", "b": "root", **{leaf: leaf[0] for leaf in LEAVES}}

TREE = Tree(
    PARENTS,
    [["root"], ["a", "b"], list(LEAVES)],
    {node: [one for one, parent in PARENTS.items() if parent == node] for node in PARENTS},
)

KINDS = RecordKinds("person", "leaf", {"cell": CELLS}, {}, {})


def tables(above):
    """Every way to give the records of the root to the leaves: by leaf the counts of its cells."""
    ways = [list(combinations_with_replacement(range(len(LEAVES)), above.get(cell, 0))) for cell in range(len(CELLS))]
    for chosen in product(*ways):
        yield [[own.count(leaf) for own in chosen] for leaf in range(len(LEAVES))]


def of_node(table, node):
    """The counts of a node of a table."""
    rows = [row for leaf, row in zip(LEAVES, table, strict=True) if leaf.startswith(node)]
    return [sum(column) for column in zip(*rows, strict=True)]


def meets(table, kept):
    for one in kept:
        for node, values in one.values.items():
            counts = of_node(table, node)
            for number, value in enumerate(values):
                total = sum(count for count, answer in zip(counts, one.answers, strict=True) if answer == number)
                if (
                    value is not None
                    and not {"=": total == value, "<=": total <= value, ">=": total >= value}[one.sign]
                ):
                    return False
    return True


def kept_from(random, table):
    """Constraints below the root that a table meets: some are bounds of single cells, some of several."""
    found = []
    for name in range(random.randint(1, 3)):
        level = random.randint(1, 2)
        answers = np.array(random.choice([[0, 0, 0], [0, 0, 1], [0, -1, 1], [-1, 0, 0], [0, 1, 2]]))
        sign = random.choice(["=", "<=", ">="])
        values = {}
        for node in TREE.levels[level]:
            counts = of_node(table, node)
            sums = [sum(c for c, a in zip(counts, answers, strict=True) if a == n) for n in range(answers.max() + 1)]
            away = {"=": 0, "<=": 1, ">=": -1}[sign] * random.randint(0, 1)
            values[node] = [None if sign == "<=" and random.random() < 0.1 else one + away for one in sums]
        found.append(ReleasedAnswers(level, f"k{name}", sign, answers, values, Fraction(0)))
    return found


def test_the_counts_that_are_possible_are_those_of_the_tables():
    random = Random(5)  # noqa: S311 repeatable
    with_sums = 0
    for _ in range(80):
        above = {cell: random.randint(1, 2) for cell in random.sample(range(3), random.randint(1, 3))}
        every = list(tables(above))
        kept = kept_from(random, random.choice(every))
        cells = sorted(above)
        possible = {
            tuple(of_node(table, node)[cell] for node in "ab" for cell in cells)
            for table in every
            if meets(table, kept)
        }
        counts = [{"root": above}, {"a": {}, "b": above}, {leaf: {} for leaf in LEAVES}]
        release = ReleasedFolder(KINDS, TREE, ["R", "S", "L"], [], kept, counts, {}, {})
        question = question_of(release, Below(release), 1, "root", equal=True)
        more = question.columns - len(question.released)
        with_sums += more > 0
        for point in product(*(range(above[cell] + 1) for _ in "ab" for cell in cells)):
            if any(point[place] + point[place + len(cells)] != above[cell] for place, cell in enumerate(cells)):
                continue
            highs = [range((high or 0) + 1) for high in question.highs[len(point) :]]
            assert None not in question.highs
            found = any(question.broken((*point, *sums)) is None for sums in product(*highs))
            assert found == (point in possible), (above, kept, point)
    assert 10 <= with_sums <= 70, "both kinds are tried"


@pytest.fixture(scope="module")
def homes(tmp_path_factory):
    folder = written_homes(tmp_path_factory.mktemp("homes"))
    return folder, earlier_release(folder)


@pytest.fixture
def rounded(tmp_path, homes):
    folder = written_homes(tmp_path)
    return homes_release(folder, homes[1], "--estimate", "rounded")[1]


def test_a_release_is_confirmed_from_its_folder_alone(check, rounded):
    out = check.confirmed(rounded)
    records = pq.read_metadata(rounded / "homes.parquet").num_rows
    # 3 leaves: housing and group quarters, the total of those, the earlier occupied and vacant ones, 2 tenures
    assert f"CONFIRMED: {records} records and {len(UNITS)} units of the schema, at leaves of the tree" in out
    assert "meet all of 21 constraints" in out
    assert "the noise spends at most rho^2 = 9 for one replaced record" in out
    assert "specification.toml has 10, 1 of it for the earlier release" in out
    assert "that it speaks of 'all data sets of housing unit records with block, h1'" in out.partition("CONFIRMED")[0]


def test_of_the_nearest_it_is_open_whether_others_are_nearer(check, tmp_path, homes):
    _, folder = homes_release(written_homes(tmp_path), homes[1])
    said = "OPEN: whether other counts of records and units are nearer was not checked"
    assert said in check.undecided(folder)


CHANGES = (
    ("homes", "tenure", "owned", "rented", "must have as many records that are owned as units owned"),
    ("units", "kind", "owned", "free", "must have as many records that are owned as units owned"),
    ("units", "kind", "empty", "prison", "tot_hu_con of"),
    ("units", "kind", "empty", "owned", "earlier h1_con of"),
    ("units", "kind", "empty", "jail", "kind must be of the schema and the tree; got 'jail'"),
)


@pytest.mark.parametrize("changed", CHANGES, ids=lambda one: one[3])
def test_one_unit_that_is_another_is_noticed(check, rounded, changed):
    name, column, old, new, words = changed

    def change(rows):
        next(row for row in rows if row[column] == old)[column] = new
        return rows

    rewritten(rounded / f"{name}.parquet", change)
    sealed(rounded)
    assert words in check.refuted(rounded)


def test_a_unit_that_is_missing_is_noticed(check, rounded):
    rewritten(rounded / "units.parquet", lambda rows: rows[1:])
    assert "units.parquet must have rows 11, as in manifest.json; it has 10" in check.refuted(rounded)


@pytest.mark.parametrize("name", ["homes", "units"])
@pytest.mark.parametrize(("key", "value"), [("bytes", 1), ("crc32", "00000000"), ("sha256", "0"), ("note", "x")])
def test_what_the_manifest_says_of_either_table_is_compared(check, rounded, name, key, value):
    manifest = json.loads((rounded / "manifest.json").read_text())
    manifest["units" if name == "units" else "file"][key] = value
    (rounded / "manifest.json").write_text(json.dumps(manifest))
    assert f"{name}.parquet{' must have' if key in ('bytes', 'crc32') else ':'} {key}" in check.refuted(rounded)


def test_a_column_that_no_unit_has_is_refused(check, rounded):
    with_column(rounded / "units.parquet", "owner", 1)
    sealed(rounded)
    said = "units.parquet: must have the columns block, kind, each once; it has 'owner' besides"
    assert said in check.unreadable(rounded)


@pytest.mark.parametrize("query", ["kind", "h1", "tot_hu", "tenure", "size * tenure", "detailed", "total"])
def test_answers_are_the_rows_of_the_schema_in_order_of_units(homes, query):
    path = homes[0] / "schema.toml"
    schema, kinds = read_schema(str(path)).schema, record_kinds(str(path))
    answers, shape = kinds.answers("query", kinds.factors(query))
    rows = schema.rows(query)
    assert len(shape) == 3
    for number, (label, row) in enumerate(rows.items()):
        inside = [cell for cell, answer in enumerate(answers.tolist()) if answer == number]
        assert inside == [cell for cell, entry in enumerate(row) if entry]
        assert kinds.labels(query, inside[:1]) == [label]
    assert len(rows) == answers.max() + 1


def test_units_that_do_not_fit_the_records_are_no_schema(tmp_path, homes):
    text = (homes[0] / "schema.toml").read_text()
    for old, new, words in (
        ('of = "tenure"', 'of = "size"', "size has no value 'owned'"),
        ('["paid", "free"]', '["cash"]', "kind has no value 'cash'"),
        (', rented = ["paid", "free"]', "", "same must name each value of tenure"),
        ('attribute = "kind"', 'attribute = "size"', "attribute must be no attribute of a record"),
        ('"prison"]\nof', '"prison"]\nleast = { prison = 1 }\nof', "units.least: unknown key"),
        ('table = "homes"', 'table = "units"', "records another table"),
    ):
        assert old in text
        with pytest.raises(InputError, match=words):
            kinds_of(tmp_path, text.replace(old, new, 1))
    with pytest.raises(InputError, match="must count records or units; it counts both"):
        kinds_of(tmp_path, text).answers("query", ["tenure", "*", "kind"])


MOST = 4


def question_from(random, *, size=4, free=0):
    """A question of four counts up to 4 and its points, or nothing where it has none."""
    columns = range(size)
    rows = []
    for number in range(random.randint(1, 3)):
        chosen = [(column, 1) for column in columns if random.random() < 0.6]
        low = random.randint(0, 5)
        lower, upper = random.choice([(low, low), (None, low + 2), (low - 2, None), (low - 1, low + 1)])
        if chosen:
            rows.append((f"row {number}", tuple(chosen), lower, upper))
    if free:  # a sum below: the first two counts together are at most 3
        rows.append(("below", ((0, 1), (1, 1), (size, -1)), 0, 0))
        rows.append(("of below", ((size, 1),), 0, 3))
    forms = []
    for _ in range(random.randint(2, 6)):
        chosen = tuple(column for column in columns if random.random() < 0.5)
        if chosen:
            forms.append(MeasuredSum(chosen, random.randint(-3, 8), random.randint(1, 5)))
    whole = NearestQuestion(size + free, tuple(rows), tuple(forms), (0,) * size, (MOST,) * size)
    points = [
        point
        for point in product(range(MOST + 1), repeat=size)
        if whole.broken(point + (sum(point[:2]),) * free) is None
    ]
    return whole, points


def released(whole, point):
    return NearestQuestion(whole.columns, whole.rows, whole.forms, point, whole.most)


class TestNearness:
    @pytest.mark.parametrize("free", [0, 1], ids=["of counts", "with a sum below"])
    def test_every_answer_is_that_of_trying_all_points(self, free):
        random = Random(20)  # noqa: S311 repeatable
        found = {Nearness.NEAREST: 0, Nearness.NOT_NEAREST: 0}
        for _ in range(80):
            whole, points = question_from(random, free=free)
            if not points:
                continue
            best = min(map(whole.loss, points))
            nearest = next(point for point in points if whole.loss(point) == best)
            for point in (nearest, random.choice(points)):
                answer = nearness(released(whole, point))
                is_nearest = whole.loss(point) == best
                assert answer.known is (Nearness.NEAREST if is_nearest else Nearness.NOT_NEAREST)
                found[answer.known] += 1
                if not is_nearest:
                    assert answer.nearer in points
                    assert answer.loss == whole.loss(answer.nearer) < whole.loss(point)
        assert min(found.values()) >= 30

    def test_a_relaxed_solution_between_integers_is_split(self, monkeypatch):
        """Each two of three counts should sum to 1: with halves they do, with integers one pair does not.

        Of squares of two forms that cross in each count, the halves have loss 0 and integers at least 1.
        """
        pairs = ((0, 1), (1, 2), (0, 2))
        rows = (("odd", ((0, 1), (1, 1), (2, 1)), 1, 2),)
        question = NearestQuestion(3, rows, tuple(MeasuredSum(pair, 1, 3) for pair in pairs), (1, 0, 0), (2, 2, 2))
        assert question.released_loss == 3
        assert nearness(question).known is Nearness.NEAREST
        monkeypatch.setattr(module, "_MOST_PARTS", 1)
        assert nearness(question).known is Nearness.OPEN

    def test_prices_that_are_spoilt_prove_nothing(self, monkeypatch):
        question = NearestQuestion(1, (), (MeasuredSum((0,), 3, 1),), (2,), (9,))
        assert nearness(question).known is Nearness.NOT_NEAREST
        near = released(question, (3,))
        assert nearness(near).known is Nearness.NEAREST
        monkeypatch.setattr(module, "_rounded", lambda prices, denominator: [Fraction(50)] * len(prices))
        assert nearness(near).known is Nearness.OPEN


class TestBoundByPrices:
    def test_it_is_above_no_point_whatever_the_prices(self):
        random = Random(21)  # noqa: S311 repeatable
        compared = 0
        for _ in range(100):
            whole, points = question_from(random)
            sides = [(0, MOST)] * 4
            forms = [Fraction(random.randint(-20, 20), random.randint(1, 3)) for _ in whole.forms]
            rows = [Fraction(random.randint(-20, 20), random.randint(1, 3)) for _ in whole.rows]
            bound = bound_by_prices(whole, sides, forms, rows)
            if bound is not None and points:
                compared += 1
                assert bound <= min(map(whole.loss, points))
        assert compared >= 20

    def test_there_is_none_for_a_side_that_is_open(self):
        question = NearestQuestion(1, (("row", ((0, 1),), None, 3),), (MeasuredSum((0,), 3, 1),), (2,), (None,))
        assert bound_by_prices(question, [(0, 5)], [Fraction(0)], [Fraction(1)]) is None
        assert bound_by_prices(question, [(0, None)], [Fraction(-1)], [Fraction(0)]) is None


class TestHighs:
    def test_points_as_near_as_the_released_ones_keep_to_the_bounds(self):
        random = Random(22)  # noqa: S311 repeatable
        for _ in range(60):
            whole, points = question_from(random, free=1)
            if not points:
                continue
            question = NearestQuestion(5, whole.rows, whole.forms, random.choice(points), (None,) * 4)
            for point in points:
                if question.loss(point) <= question.released_loss:
                    highs = question.highs
                    whole_point = (*point, point[0] + point[1])
                    assert all(high is None or value <= high for value, high in zip(whole_point, highs, strict=True))
