import math
import shutil

import generator_programs
import numpy as np
import pytest
from generator_programs import BROKEN, COINS, COUNTS, MET

import stirred
from stirred.spec.arguments import InputError
from stirred.spec.numbers.enclosure import Enclosure
from stirred.verify.cli.main import main

CLAIM = """
[[claim]]
id = "tutorial.{name}"
statement = "What a tutorial promises."
domain = {{ data_sets = {data_sets} }}
multiverse = {{ invariants = [] }}
input_premetric = {{ name = "{distance}", resolution = "person" }}
output_premetric = {{ name = "multiplicative" }}
budget = {{ epsilon = "{epsilon}" }}
mechanism = {{ function = "tutorial:{name}"{more} }}
"""


def in_claim_file(table):
    """The mechanisms of a table whose distance has a name, as a claim file."""
    named = [entry for entry in table.values() if isinstance(entry[1]["distance"], str)]
    return "".join(claim(function.__name__, blocks, epsilon) for function, blocks, epsilon in named), len(named)


def claim(name, blocks, epsilon, more=""):
    data_sets = [list(x) if isinstance(x, tuple) else x for x in blocks["data_sets"]]
    return CLAIM.format(name=name, data_sets=data_sets, distance=blocks["distance"], epsilon=epsilon, more=more)


def audited(folder, text, *options):
    shutil.copy(generator_programs.__file__, folder / "tutorial.py")
    (folder / "claims.toml").write_text(text, encoding="utf-8")
    return main(["audit", str(folder / "claims.toml"), *options])


def in_python(table):
    """The names of a table's mechanisms; those that a claim file audits, too, at night alone."""
    marks = {True: [pytest.mark.nightly], False: []}
    return [pytest.param(name, marks=marks[isinstance(one[1]["distance"], str)]) for name, one in table.items()]


@pytest.mark.parametrize("name", in_python(MET))
def test_a_mechanism_of_a_tutorial_is_met_as_it_stands(name):
    function, blocks, epsilon = MET[name]
    found = stirred.audit(function, **blocks, epsilon=epsilon)
    assert found.verdict.name in ("EXHAUSTED", "ENCLOSED")
    assert (found.smallest if isinstance(found.smallest, Enclosure) else found.smallest.epsilon(20)).lower > 0


@pytest.mark.parametrize("name", in_python(BROKEN))
def test_a_broken_variant_is_refuted_with_its_pair(name):
    function, blocks, epsilon = BROKEN[name]
    found = stirred.audit(function, **blocks, epsilon=epsilon)
    assert found.verdict.name == "REFUTED"
    assert "x' = " in found.because


def test_claim_files_audit_them_too(tmp_path, capsys):
    met, count = in_claim_file(MET)
    assert audited(tmp_path, met) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{count} claims: {count} hold, 0 refuted, 0 undecided"
    broken, count = in_claim_file(BROKEN)
    assert audited(tmp_path, broken) == 1
    assert capsys.readouterr().out.splitlines()[-1] == f"{count} claims: 0 hold, {count} refuted, 0 undecided"


def test_released_digits_are_refused_where_doubles_decide():
    with pytest.raises(InputError, match=r"programs.py, line \d+: a released number has too many values"):
        stirred.audit(generator_programs.textbook_laplace, **COUNTS, epsilon="1", numerics="double")


UNANNOTATED = """
def coin(truth, generator):
    return 1 - truth if generator.random() < 0.25 else truth

def keyword(truth, *, rng=None):
    return 1 - truth if rng.random() < 0.25 else truth
"""


def test_what_is_not_annotated_is_said_by_the_claim_or_the_option(tmp_path, capsys):
    (tmp_path / "own.py").write_text(UNANNOTATED, encoding="utf-8")
    own = claim("coin", COINS, "ln 3").replace("tutorial:", "own:")
    by_claim = own.replace('"own:coin"', '"own:coin", generator = "random"')
    assert audited(tmp_path, by_claim) == 0
    annotated = claim("python_response", COINS, "ln 3")
    assert audited(tmp_path, annotated + own.replace("own:coin", "own:keyword"), "--generator", "numpy") == 0
    assert audited(tmp_path, own) == 2
    assert "annotate it so, or say generator = 'numpy' or 'random'" in capsys.readouterr().err
    assert audited(tmp_path, own.replace('"own:coin"', '"own:coin", generator = "nunpy"')) == 2
    assert "did you mean 'numpy'" in capsys.readouterr().err


def rounded(count, rng):
    rng = np.random.default_rng(rng)
    return round(count + rng.laplace(scale=2.0)) > 1


def test_a_library_that_makes_a_generator_of_a_generator_gets_it_back():
    found = stirred.audit(rounded, **COUNTS, epsilon="0.51", generator="numpy")
    assert found.verdict.name == "ENCLOSED"


def fresh(count, rng):
    return count + round(np.random.default_rng().laplace())


def of_two(count, rng):
    return count + rng.laplace() < rng.laplace()


@pytest.mark.parametrize(
    ("mechanism", "least"),
    [
        (fresh, 1),
        (of_two, 1 - math.log(4 / 3)),  # P(L' - L > c) = e^-c (2 + c)/4, and the ratio is largest from 1 to 2
    ],
)
def test_noise_of_a_generator_made_inside_and_of_two_draws_is_exact(mechanism, least):
    def verdict(epsilon):
        return stirred.audit(mechanism, **COUNTS, epsilon=str(epsilon), generator="numpy").verdict.name

    assert (verdict(least + 1e-9), verdict(least - 1e-9)) == ("ENCLOSED", "REFUTED")


def beta(count, rng):
    return count + rng.beta(1, 2) < 1


def test_what_cannot_be_read_is_refused_in_one_line():
    with pytest.raises(InputError, match=r"mechanisms.py, line \d+: Generator.beta is not read: use another draw"):
        stirred.audit(beta, **COUNTS, epsilon="1", generator="numpy")


def test_a_parameter_left_open_needs_a_source():
    def coin(truth, rng, *, p):
        return 1 - truth if rng.random() < p else truth

    with pytest.raises(InputError, match="p must be a number, where the mechanism draws from a generator of floats"):
        stirred.audit(coin, **COINS, epsilon="1", p="symbol", generator="numpy")
    assert stirred.smallest_budget(coin, **COINS, p="1/4", generator="numpy").gamma == 3


def test_decorated_mechanisms_and_curves_take_the_generator_too():
    @stirred.satisfies(**COINS, epsilon="ln 3", generator="random")
    def coin(truth, rng):
        return 1 - truth if rng.random() < 0.25 else truth

    assert [found.verdict.name for found in stirred.check(coin)] == ["EXHAUSTED"]
    assert stirred.privacy_curve(coin, **COINS, generator="random")


def of_a_logarithm(data, rng: np.random.Generator):
    return data + int(np.log(rng.random()) < -1.0)


def of_a_product(data, rng: np.random.Generator):
    return data + int(3 * rng.random() < 1.0)


@pytest.mark.parametrize(("function", "is_assumed"), [(of_a_logarithm, True), (of_a_product, False)])
def test_what_is_taken_as_monotone_and_not_rounded_right_is_said_in_the_scope(function, is_assumed):
    blocks = {"data_sets": [0, 1], "distance": "absolute_difference", "numerics": "double"}
    found = stirred.audit(function, **blocks, epsilon="1")
    assert ("log, exp, powers and their like are taken as monotone" in found.record.scope) is is_assumed


def either_kind(data, rng: np.random.Generator):
    return [1] if data else (1,)


def empty_of_a_shape(data, rng: np.random.Generator):
    return np.zeros((0, 1 + data))


def asking_type(data, rng: np.random.Generator):
    return data if type(rng.random()) is float else 0


def catching_type_errors(data, rng: np.random.Generator):
    try:
        "".join([rng.random()])
    except TypeError:
        return 0
    return data


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (either_kind, "of one type where it has one value"),
        (empty_of_a_shape, "array of shape"),
        (asking_type, "type of a number that is drawn is not read"),
        (catching_type_errors, "join of a number that is drawn is not read"),
    ],
)
def test_outputs_and_numbers_that_only_types_tell_apart_are_refused(function, said):
    with pytest.raises(InputError, match=said):
        stirred.audit(function, data_sets=[0, 1], distance=lambda x, y: int(x != y), epsilon="0")
