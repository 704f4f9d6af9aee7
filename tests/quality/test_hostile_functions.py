"""Functions that aim at a false verdict get the right one, or none: a refusal that names what is not read."""

import pytest
from quality import frame_functions, looking_functions  # noqa: F401 they add to the table
from quality.hostile_functions import TRUTH
from tiers import few

import stirred
from stirred.spec.arguments import InputError


@pytest.mark.parametrize(
    "function",
    few(sorted(TRUTH, key=lambda one: one is not frame_functions.column_of_floats), 40),
    ids=lambda one: one.__name__,
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_no_verdict_is_false(function):
    try:
        found = stirred.smallest_budget(function, data_sets=[(0,), (1,)], distance=lambda x, y: int(x != y))
    except InputError as refusal:
        print(refusal)
        return
    assert str(found).partition(" ≈")[0] == TRUTH[function]
