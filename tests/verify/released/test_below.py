"""What is kept below siblings leaves them exactly those counts that some table of the leaves sums to."""

from fractions import Fraction
from itertools import combinations_with_replacement, product
from random import Random

import numpy as np

from stirred.verify.released.below import Below
from stirred.verify.released.folder import ReleasedAnswers, ReleasedFolder, Tree
from stirred.verify.released.question import question_of
from stirred.verify.released.records import RecordKinds

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
