"""One core claim: what a file states and what Python states are the same objects, and each says where it is made."""

from fractions import Fraction

import pytest
from claim_texts import SCHEMA, SOUND, replaced

import stirred
from stirred.build import StatedClaim, built_claim
from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.spec import InputError, Loss
from stirred.verify.audit.corner_picture import with_and_without_invariants
from stirred.verify.claim.claim import FOUR_BLOCKS
from stirred.verify.claim.five_blocks import five_blocks
from stirred.verify.claim.read import build_claim
from stirred.verify.claim.text import read_claims
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits

COIN = replaced(
    SCHEMA,
    ("records = 2", 'records = 2\norder = "ordered"'),
    ('schema = { vote = ["no", "yes"] }', "schema = { vote = [0, 1] }"),
    ('"hamming_unordered"', '"hamming_ordered"'),
    ("invariants = []", 'invariants = ["size"]'),
    ('name = "identity"', 'name = "randomized-response"\nflip_probability = "1/4"'),
)


@pytest.fixture
def read(tmp_path):
    def built(text, limits=DEFAULT_LIMITS):
        (tmp_path / "claim.toml").write_text(text)
        (one,) = read_claims([tmp_path / "claim.toml"])
        return build_claim(one, limits)

    return built


def in_python(limits=DEFAULT_LIMITS, **changed):
    blocks = {
        "data_sets": stirred.ordered_data_sets(((0,), (1,)), [2]),
        "distance": "hamming_ordered",
        "invariants": ["size"],
        "epsilon": Loss(2),
        **changed,
    }
    return built_claim(randomized_response, StatedClaim(stirred.Blocks(**blocks), {"flip_probability": "1/4"}, limits))


def test_a_file_and_python_state_the_same_objects(read):
    one, other = read(COIN), in_python()
    assert one.data.domain.points == other.data.domain.points
    assert one.data.multiverse == other.data.multiverse
    points = one.data.domain.points
    assert all(one.data.input_premetric(x, y) == other.data.input_premetric(x, y) for x in points for y in points)
    assert one.output_premetric == other.output_premetric
    assert one.invariants == other.invariants == ("size",)
    assert [case.setting for case in one.cases] == [case.setting for case in other.cases]
    assert [case.budget.loss for case in one.cases] == [case.budget.loss for case in other.cases] == [Loss(2)]


def test_each_says_where_it_is_made_and_what_it_states(read, tmp_path):
    one, other = read(replaced(COIN, ("[multiverse]", '[multiverse]\ndescription = "all polls"'))), in_python()
    assert one.file.path == tmp_path / "claim.toml"
    assert one.file.directory == tmp_path.resolve()
    assert one.words == dict.fromkeys((*FOUR_BLOCKS, "budget"), "") | {"multiverse": "all polls"}
    assert other.file is None
    assert set(other.words) == {*FOUR_BLOCKS, "budget"}
    assert set(in_python(epsilon=None).words) == set(FOUR_BLOCKS)
    assert five_blocks(in_python(epsilon=None)).budget.text == "not stated"


def test_limits_are_handed_to_whatever_runs(read):
    few = Limits(choices=7)
    for claim in (read(COIN, few), in_python(few)):
        assert claim.limits == claim.mechanism.function.limits == few
    claim = read(COIN, Limits(choices=1))
    with pytest.raises(InputError, match="more than 1 choice"):
        claim.mechanism.function.laws(claim.data.domain.points, claim.cases[0].setting, is_ordered=True)


def test_blocks_read_on_another_domain_or_have_no_meaning_there(read):
    one = read(COIN)
    longer = read(replaced(COIN, ("records = 2", "records = [1, 2]"))).kind
    assert {len(universe) for universe in one.multiverse_on(longer)} == {2, 4}
    listed = read(replaced(COIN, ('invariants = ["size"]', "universes = [[[[0], [0]], [[0], [1]]]]")))
    assert len(listed.multiverse_on(longer)) == 1
    with pytest.raises(InputError, match="universes"):
        listed.multiverse_on(read(replaced(COIN, ("records = 2", "records = 1"))).kind)
    with pytest.raises(InputError, match="needs a domain with order"):
        one.premetric_on(read(SCHEMA).kind, one.data.multiverse)


def test_tables_are_listed_where_strata_alone_are_audited(read):
    strata = read(SOUND)
    assert strata.data is None
    assert strata.mechanism.function is None
    assert strata.with_listed_tables(1) is strata
    listed = strata.with_listed_tables(2)
    assert len(listed.data.domain) == 2
    laws = listed.mechanism.function.laws(listed.data.domain.points, listed.cases[0].setting, is_ordered=True).laws
    assert {sum(law.probabilities) for law in laws.values()} == {Fraction(1)}


def test_without_its_invariants_a_claim_is_about_the_same_mechanism(read):
    claim = read(
        replaced(
            SCHEMA, ("invariants = []", 'invariants = [["vote"]]'), ('name = "identity"', 'name = "release-invariants"')
        )
    )
    without, within = with_and_without_invariants(claim)
    assert without.budget == "infinite"
    assert within.budget == "0"
