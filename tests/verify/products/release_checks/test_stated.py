"""What specification.toml says is compared with the other files of a release, block by block; its words are not.

Every change here leaves the records and measurements as they are: nothing but the promise is another one.
"""

import re
import shutil

import pytest
from released_town import changed, changed_manifest, part, release, rewritten, sealed, written_town

from stirred.verify.products.release_checks.stated import domain_of, statement_of

RHO = "293764/114921"
STATED = "specification.toml"


@pytest.fixture(scope="module")
def made_again(made):
    """A second run that reproduces totals of the first."""
    options = ("--earlier", made[1], "--reproduce", "Block=hhgq * votingage", " County = hispanic ")
    return release(made[0], *options, output="again")


@pytest.fixture
def again(made_again, tmp_path):
    return shutil.copytree(made_again, tmp_path / "again")


OTHER_BLOCKS = {
    "resolution": ('resolution = "person"', 'resolution = "household"', "input_premetric.resolution must be 'person'"),
    "resolution in another case": ('"person"', '"Person"', "input_premetric.resolution must be 'person'"),
    "input premetric": (
        "hamming_unordered",
        "symmetric_difference",
        "input_premetric.name must be 'hamming_unordered'",
    ),
    "ordered": ("hamming_unordered", "hamming_ordered", "by the other files; it is 'hamming_ordered'"),
    "output premetric": ("normalized_renyi", "multiplicative", "output_premetric.name must be 'normalized_renyi'"),
    "output premetric in another case": ("normalized_renyi", "Normalized_Renyi", "output_premetric.name must be"),
    "no output premetric": ('[output_premetric]\nname = "normalized_renyi"', "", "output_premetric.name must be"),
    "mechanism": ('"composition"', '"identity"', "mechanism.name must be 'composition'"),
    "domain": ("all data sets of person records", "all data sets of households", "domain.description must be"),
    "domain of other columns": ("votingage, hispanic", "votingage", "must be 'k, hhgq, votingage, hispanic, and of"),
    "domain of other rules": ("nurse_nva_0, ", "", "by the other files; it is"),
    "domain of other limits": (
        "at most 99999 in each unit of type prison",
        "at most 9 in each unit of type prison",
        "by",
    ),
    "domain of an earlier release": (
        'nursing home"\n\n[mu',
        'nursing home; of these, what the earlier release speaks of: all"\n\n[mu',
        "domain.description must be",
    ),
    "a domain of records": ("[multiverse]", 'records = "3"\n[multiverse]', "domain.records must not be there"),
    "a schema": ("[multiverse]", 'schema = { a = ["b"] }\n[multiverse]', "domain.schema.a must not be there"),
    "one type of units": ('    "units of type prison (Block)",\n', "", "the invariant 'units of type prison (Block)'"),
    "units of another level": ("household (Block)", "household (County)", "the invariant 'units of type household (B"),
    "a further invariant": ('"total (State)"', '"total (State)", "total (Block)"', "'total (Block)' of specification"),
    "further units": (
        '"total (State)"',
        '"total (State)", "units of type barracks (Block)"',
        "is not a constraint of the release",
    ),
    "universes": ("[input_pre", 'universes = ["x"]\n[input_pre', "multiverse.universes must not be there"),
    "another letter": ("[mechanism]\n", 'epsilon = "1/10"\n[mechanism]\n', "budget.epsilon must not be there"),
    "a curve": ("[mechanism]\n", 'curve = ["1/10"]\n[mechanism]\n', "budget.curve must not be there"),
    "delta": (
        'name = "normalized_renyi"',
        'name = "normalized_renyi"\ndelta = "1/9"',
        "output_premetric.delta must not",
    ),
    "distances": ("resolution =", 'distances = "by unit"\nresolution =', "input_premetric.distances must not be there"),
    "a function": ("resolution =", 'function = "m:f"\nresolution =', "input_premetric.function must not be there"),
    "a parameter": ('"composition"', '"composition"\nsteps = "2"', "mechanism.steps must not be there"),
    "parameters": ('"composition"', '"composition"\nparameters = {}', "mechanism.parameters must not be there"),
    "an account": ("[domain]", '[account]\ntotal = "1"\n[domain]', "account.total must not be there"),
    "an empty table": ("[domain]", "[account]\n[domain]", "account must not be there"),
    "printed numbers": ("[domain]", '[[numbers]]\nwhat = "rho"\n[domain]', "numbers must not be there"),
    "a key with a dot": ("[domain]", '"budget.rho_squared" = "1"\n[domain]', "budget.rho_squared must not be there"),
    "a part of no level": ("level-3 =", 'level-4 = "1"\nlevel-3 =', "got 'level-4'"),
    "a part inside a part": (
        "level-3 =",
        'level-4.rho = "1"\nlevel-3 =',
        "mechanism.parts.level-4.rho must not be there",
    ),
    "parts that sum to more": (
        'level-0 = "146882/574605"',
        'level-0 = "3"',
        "budget.rho_squared must be at least 338417/63845, as its parts",
    ),
    "an earlier release of nothing": ("level-0 =", 'earlier-release = "0"\nlevel-0 =', "must have a positive part"),
    "one that gives back": ("level-0 =", 'earlier-release = "-1"\nlevel-0 =', "must have a positive part"),
    "one that no file shows": ("level-0 =", 'earlier-release = "1/9"\nlevel-0 =', "in manifest.json"),
    "another number in the statement": (RHO + ".", "1/1000 for each household.", "statement must name the budget"),
    "another decimal": (f"rho^2 = {RHO}.", "rho^2 = 1.5987 for each person.", "it says 'rho^2 = 1.5987'"),
    "a bound below": (f"rho^2 = {RHO}.", "zCDP with rho at most 0.01.", "it says 'rho at most 0.01'"),
    "a budget": (f"satisfies rho^2 = {RHO}.", "has a privacy budget of 0.1.", "it says 'budget of 0.1'"),
    "another number in a description": (
        "[budget]",
        '[budget]\ndescription = "rho^2 = 1/7"',
        "budget.description must name the budget",
    ),
}


@pytest.mark.parametrize("change", OTHER_BLOCKS.values(), ids=OTHER_BLOCKS)
def test_a_block_that_says_something_else_is_not_confirmed(check, folder, change):
    old, new, words = change
    changed(folder / STATED, (old, new))
    assert words in check.refuted(folder)


def test_so_are_units_that_are_left_out_of_the_invariants(check, folder):
    text = (folder / STATED).read_text()
    (folder / STATED).write_text(re.sub(r'    "units of type .*\n', "", text))
    assert "does not name the invariant 'units of type household (Block)'" in check.refuted(folder)


UNREADABLE = {
    "a letter instead": ("rho_squared =", "epsilon =", "budget.rho_squared must be an exact number"),
    "a block that is a text": ("[multiverse]", 'x = "1"\n[other]', "multiverse.invariants must be an array of texts"),
    "invariants that are none": ('"total (State)"', "1", "multiverse.invariants must be an array of texts"),
    "a statement that is none": (f'"The release satisfies rho^2 = {RHO}."', "1", "statement must be a text"),
}


@pytest.mark.parametrize("change", UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_specification_cannot_be_read(check, folder, change):
    old, new, words = change
    changed(folder / STATED, (old, new))
    assert words in check.unreadable(folder)


OWN_WORDS = {
    "another unit": (f"{RHO}.", f"{RHO} for each household.", "the words of the statement: 'The release satisfies"),
    "a number in words": (f"rho^2 = {RHO}.", "one thousandth for each household.", "one thousandth for each household"),
    "another letter": (f"rho^2 = {RHO}.", "epsilon = 0.1.", "the words of the statement: 'The release satisfies eps"),
    "rounded": (f"rho^2 = {RHO}.", "rho^2 = 2.56.", "'The release satisfies rho^2 = 2.56.'"),
    "its root": (f"rho^2 = {RHO}.", "rho = 1.599.", "'The release satisfies rho = 1.599.'"),
    "a bound above": (f"rho^2 = {RHO}.", "rho^2 at most 3.", "'The release satisfies rho^2 at most 3.'"),
    "a share": (f"satisfies rho^2 = {RHO}.", "has 1/10 of its budget at the top.", "has 1/10 of its budget at the top"),
    "a year": (f"rho^2 = {RHO}.", "the budget of 2020.", "satisfies the budget of 2020"),
    "another scale": (f"rho^2 = {RHO}.", "a budget of 17.14 (epsilon, at delta 10^-10).", "a budget of 17.14"),
    "a denial": (f"satisfies rho^2 = {RHO}.", "is not 0.1-zCDP.", "is not 0.1-zCDP"),
    "a bound from below": (f"rho^2 = {RHO}.", "rho^2 of at least 1.", "rho^2 of at least 1."),
    "a range": (f"rho^2 = {RHO}.", "rho^2 between 2 and 3.", "rho^2 between 2 and 3."),
    "a decimal comma": (f"rho^2 = {RHO}.", "rho^2 = 0,5.", "rho^2 = 0,5."),
    "a multiverse": (
        "[multiverse]",
        '[multiverse]\ndescription = "nothing is released exactly"',
        "the words of multiverse.description: 'nothing is released exactly'",
    ),
    "a premetric": (
        "[output_premetric]",
        '[output_premetric]\ndescription = "pure"',
        "the words of output_premetric.description: 'pure'",
    ),
    "an id": ('"topdown.release"', '"epsilon.one.for.households"', "the words of id: 'epsilon.one.for.households'"),
    "a source": ('id = "', 'source = "the law"\nid = "', "the words of source: 'the law'"),
}


@pytest.mark.parametrize("change", OWN_WORDS.values(), ids=OWN_WORDS)
def test_words_of_the_claimant_are_listed_first_and_leave_the_release_open(check, folder, change):
    old, new, words = change
    changed(folder / STATED, (old, new))
    out = check.undecided(folder)
    before, _, after = out.partition("CONFIRMED")
    assert f"not compared: {words}" in before or words in before
    assert "words of" not in after.partition("OPEN")[0]
    assert out.endswith("OPEN: whether words of specification.toml that are not compared promise more\n")


def test_a_budget_above_what_the_noise_spends_is_no_difference(check, folder):
    changed(folder / STATED, (f'rho_squared = "{RHO}"', 'rho_squared = "3"'), (f"= {RHO}.", "= 3."))
    out = check.confirmed(folder)
    assert f"spends at most rho^2 = {RHO} for" in out
    assert "specification.toml has 3\n" in out


def test_spaces_and_order_are_no_difference(check, folder):
    changed(
        folder / STATED,
        ("all data sets of person", "all  data sets of   person"),
        ('"person"', '" person "'),
        ('    "total (State)",\n', ""),
        ("invariants = [", 'invariants = [\n    "total (State)",'),
    )
    check.confirmed(folder)


@pytest.mark.parametrize(
    "said", [{"household": RHO}, {"person": "1/1000"}, {"person": RHO, "household": "1"}, None, "1"], ids=str
)
def test_the_manifest_has_the_same_budget_and_unit(check, folder, said):
    changed_manifest(folder, rho_squared=said)
    assert (
        f"manifest.json: rho_squared must be {{'person': '{RHO}'}}, by the other files; it is {said}"
        in check.refuted(folder)
    )


def test_another_schema_is_another_unit_and_another_domain(check, folder):
    changed(folder / "schema.toml", ('record = "person"', 'record = "household"'))
    check.refuted(folder)
    changed(folder / STATED, ('"person"', '"household"'), ("of person records", "of household records"))
    changed_manifest(folder, rho_squared={"household": RHO})
    # what a record is stands in no file
    assert "that one record is one household" in check.confirmed(folder).partition("CONFIRMED")[0]


def test_counts_that_are_said_to_be_rounded_are_not_confirmed_to_be_nearest(check, folder):
    changed_manifest(
        folder, estimate="a solution in least squares among real numbers, rounded; not the nearest integers"
    )
    out = check.confirmed(folder)
    assert "nearest: no other" not in out
    assert "not compared: how near the counts are" in out.partition("CONFIRMED")[0]


class TestConstraints:
    """What is kept and no invariant names."""

    @pytest.mark.parametrize("sign", ["<=", ">="])
    def test_a_total_is_no_bound(self, check, folder, sign):
        rewritten(part(folder, "State", "Constraint"), lambda rows: [{**row, "sign": sign} for row in rows])
        sealed(folder)
        changed(folder / STATED, ('    "total (State)",\n', ""))
        assert (
            "total_con of State must be kept exactly, or be a rule or bound of schema.toml at the leaves"
            in check.refuted(folder)
        )

    def test_a_rule_is_kept_at_the_leaves_alone(self, check, folder):
        def as_rule(rows):
            rule = {"query_name": "nurse_nva_0_con", "hhgq": "nurse_nva_0", "votingage": "nurse_nva_0", "value": [0]}
            return [*rows, *({**row, **rule} for row in rows)]

        rewritten(part(folder, "State", "Constraint"), as_rule)
        sealed(folder)
        out = check.refuted(folder)
        assert (
            "nurse_nva_0_con of State must be kept exactly, or be a rule or bound of schema.toml at the leaves" in out
        )


class TestEarlier:
    def test_nothing_is_confirmed_of_an_earlier_release(self, check, again):
        out = check.confirmed(again)
        before, _, after = out.partition("CONFIRMED")
        assert f"not compared: of the earlier release, that it spends at most rho^2 = {RHO}\n" in before
        assert "that the totals that are reproduced are its" in before
        assert "specification.toml has the resolution and premetrics of the other files" in after
        assert f"CONFIRMED: the noise spends at most rho^2 = {RHO} for one replaced record" in after

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            (f'earlier-release = "{RHO}"', "", "an earlier release must have a positive part"),
            (f'earlier-release = "{RHO}"', 'earlier-release = "1/1000"', "the same rho_squared in manifest.json"),
            (f'earlier-release = "{RHO}"', f'earlier-release = "-{RHO}"', "must have a positive part"),
            ('rho_squared = "587528/114921"', f'rho_squared = "{RHO}"', "budget.rho_squared must be at least"),
            ("all data sets of person", "all data sets of household", "domain.description must be"),
            ('resolution = "person"', 'resolution = "household"', "input_premetric.resolution must be"),
            ('    "total (State)",\n', "", "does not name the invariant 'total (State)'"),
            ("= 587528/114921.", f"= {RHO}1.", "statement must name the budget 587528/114921"),
        ],
    )
    def test_what_it_is_said_to_be_is_compared_with_the_manifest(self, check, again, old, new, words):
        changed(again / STATED, (old, new))
        assert words in check.refuted(again)

    @pytest.mark.parametrize(
        "said",
        [
            None,
            {},
            [],
            {"rho_squared": RHO, "reproduced": []},
            {"rho_squared": RHO, "reproduced": ["Block=hhgq * votingage"]},
            {"rho_squared": RHO, "reproduced": ["Block=hhgq * votingage", "County=hhgq"]},
            {"rho_squared": "1", "reproduced": ["Block=hhgq * votingage", "County=hispanic"]},
            {"rho_squared": RHO, "reproduced": ["Block=hhgq * votingage", "County=hispanic"], "epsilon": "1/10"},
        ],
        ids=str,
    )
    def test_so_are_the_totals(self, check, again, said):
        changed_manifest(again, earlier=said)
        check.refuted(again)

    def test_its_own_invariants_and_data_sets_are_listed_first(self, check, again):
        changed(
            again / STATED,
            ('"total (State)"', '"total (State)", "total (Tract)"'),
            ('nursing home"\n\n[mu', 'nursing home; of these, what the earlier release speaks of: all"\n\n[mu'),
        )
        out = check.confirmed(again)
        before = out.partition("CONFIRMED")[0]
        assert "not compared: of the earlier release, that it keeps total (Tract)\n" in before
        assert "not compared: of the earlier release, that it speaks of 'all'\n" in before


def test_a_schema_with_spaces_and_other_units_is_read_as_the_program_reads_it(check, tmp_path):
    changes = [
        ("schema.toml", 'record = "person"', 'record = " natural  person "'),
        ("schema.toml", 'attribute = "hhgq"', 'attribute = " hhgq "'),
        ("schema.toml", 'prison = 1, "nursing home" = 1', "prison = 2"),
    ]
    assert "that one record is one natural person" in check.confirmed(release(written_town(tmp_path, changes)))


def test_the_sentences_that_a_release_states():
    assert statement_of(3) == "The release satisfies rho^2 = 3."
    own = domain_of("person", ["block", "age"], [])
    assert own == "all data sets of person records with block, age"
    assert domain_of("person", ["block", "age"], [], own) == own
    assert domain_of("person", ["block", "age"], ["r"]).endswith(", and of units by type; that obey: r")
    assert domain_of("person", ["block"], [], own).endswith(f"; of these, what the earlier release speaks of: {own}")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Persons: rho = 2.56; housing units: rho = 0.07, in another file.", "OPEN"),
        ("The release satisfies rho^2 = 2,556.", "OPEN"),
        ("The release satisfies rho^2 = 2 * 1.27811.", "OPEN"),
        ("rho^2 = 1.0225 of it is for blocks and rho^2 = 1.53 for the rest.", "OPEN"),
        ("The release satisfies rho^2 = 0.001.", "NOT CONFIRMED"),
    ],
)
def test_words_refute_by_one_plain_budget_alone(check, folder, words, said):
    changed(folder / STATED, (f"The release satisfies rho^2 = {RHO}.", words))
    assert said in (check.undecided if said == "OPEN" else check.refuted)(folder)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"operating system"', '"seed, not for a release"', "OPEN: manifest.json does not say that the noise came"),
        ('"ties"', '"epsilon": "0.1", "ties"', "epsilon must not be there"),
        ('"nodes": [\n    1', '"nodes": [\n    7', "nodes must be [1, 2, 3, 12]"),
    ],
)
def test_the_manifest_promises_nothing_of_its_own(check, folder, old, new, said):
    changed(folder / "manifest.json", (old, new))
    assert said in (check.undecided if said.startswith("OPEN") else check.refuted)(folder)
