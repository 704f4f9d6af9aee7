from itertools import product

import pytest

from stirred.spec.permutation_swapping import swapping_invariants
from stirred.verify.certificates.replay import replay
from stirred.verify.evidence.verdict import Verdict

REFUTED = {
    "swapping.swap-of-two.printed": {"x": [[0, 0, 0], [0, 1, 1]]},
    "swapping.full-support.printed": {},
    "swapping.invariants.demonstration.printed": {"tenures": ["owned", "rented"]},
    "swapping.disjoint-tables.printed": {"rows": [5, 5, 2], "columns": [4, 4, 4]},
    "swapping.disjoint-tables.only-if.printed": {"tables": [[[0, 1], [1, 0]], [[1, 0], [0, 1]]]},
}
GRADES = {
    "swapping.swap-of-two.printed": "misprint",
    "swapping.full-support.printed": "incomplete",
    "swapping.invariants.demonstration.printed": "misprint",
    "swapping.disjoint-tables.printed": "false",
    "swapping.disjoint-tables.only-if.printed": "misprint",
}


@pytest.mark.parametrize("claim_id", REFUTED)
def test_a_false_statement_about_swapping_has_its_smallest_case_and_its_grade(claim_id, checked):
    record = checked(claim_id)
    assert record.verdict is Verdict.REFUTED
    assert record.claim.grade.word == GRADES[claim_id]
    assert record.witness["case"].items() >= REFUTED[claim_id].items()
    assert replay(record.witness)


@pytest.mark.parametrize(
    "claim_id",
    [
        "swapping.plausible-originals.printed",
        "swapping.fixed-swaps.printed",
        "swapping.fixed-swaps.argument.printed",
        "swapping.uncertain-relation",
    ],
)
def test_a_statement_holds_as_an_attentive_reader_takes_it(claim_id, checked):
    assert checked(claim_id).verdict is Verdict.EXHAUSTED


def test_proposition_4_is_decided_for_tables_of_any_size(checked):
    assert checked("swapping.invariants.margins").verdict >= Verdict.DECIDED


@pytest.mark.parametrize("shape", list(product((1, 2, 3), repeat=3)))
def test_the_swapping_invariants_are_the_vector_that_definition_2_displays(shape):
    """[n_11. n_12. ... n_MH. n_1.1 n_1.2 ... n_M.S], on a table whose margins are all different."""
    strata, rows, columns = (range(size) for size in shape)
    cells = {cell: 2**i for i, cell in enumerate(product(strata, rows, columns))}
    tables = [tuple(tuple(cells[m, h, s] for s in columns) for h in rows) for m in strata]
    displayed = [sum(cells[m, h, s] for s in columns) for m, h in product(strata, rows)]
    displayed += [sum(cells[m, h, s] for h in rows) for m, s in product(strata, columns)]
    margins = swapping_invariants(tables)
    assert displayed == [n for over, _ in margins for n in over] + [n for _, over in margins for n in over]
