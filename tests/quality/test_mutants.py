"""The mutation run: which changes it makes, and (nightly) that every survivor of the engines is explained."""

import pytest
from quality.mutants import explained, mutants, survivors
from quality.mutated_areas import AREAS, ROOT

SOURCE = '''
"""A module."""
LIMIT = 3

def least(values, *, strict=False):
    """The least positive value."""
    if not values:
        raise ValueError(f"{1 + 1} values")
    total = 0
    for value in values:
        if 0 < value <= LIMIT and value is not None:
            total += value
    return min(total, LIMIT) if strict else pow(total, 2)
'''
RETURN = "least: return min(total, LIMIT) if strict else pow(total, 2) =>"


def test_each_operator_constant_and_statement_that_decides_is_changed_in_turn():
    found = dict(mutants(SOURCE))
    assert len(found) == len(set(found.values()))
    for name in (
        "module: LIMIT = 3 => LIMIT = 4",
        "least: if not values: => if values:",
        "least: total = 0 => total = 1",
        "least: if 0 < value <= LIMIT and value is not None: => if 0 <= value <= LIMIT and value is not None:",
        "least: if 0 < value <= LIMIT and value is not None: => if 0 < value >= LIMIT and value is not None:",
        "least: if 0 < value <= LIMIT and value is not None: => if 0 < value <= LIMIT or value is not None:",
        "least: if 0 < value <= LIMIT and value is not None: => if 0 < value <= LIMIT and value is None:",
        "least: total += value => total -= value",
        "least: total += value => pass",
        f"{RETURN} return pow(total, 2)",
        f"{RETURN} return max(total, LIMIT) if strict else pow(total, 2)",
        f"{RETURN} return min(total, LIMIT) if strict else pow(2, total)",
    ):
        assert name in found
    assert not any("raise" in name or "def least" in name or "A module" in name for name in found)


@pytest.mark.parametrize("module", AREAS)
def test_every_listed_survivor_is_a_mutant_of_its_module_with_a_reason(module):
    listed = explained()[module]
    assert set(listed) <= {name for name, _ in mutants((ROOT / module).read_text())}
    assert all(len(reason) > 10 for reason in listed.values())


@pytest.mark.nightly
@pytest.mark.parametrize("module", AREAS)
def test_the_survivors_of_an_engine_are_the_explained_ones(module, changing_seed):
    """One mutant in eight each night, others the next night: eight nights of one month try all of them."""
    found = survivors(module, every=8, first=changing_seed % 8, passed_over=explained()[module])
    assert not found, f"mutants of {module} that its tests do not notice: {found}"
