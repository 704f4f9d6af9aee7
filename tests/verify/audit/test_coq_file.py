"""A claim as a Coq theorem: `coqc` accepts what the auditor says, and nothing that was altered."""

import hashlib
import json
import re
import resource
import subprocess
from fractions import Fraction

import pytest
from claim_texts import CLAIMS, SOUND, replaced
from quality.random_claims import random_claim
from started import stirred

from stirred.spec import InputError
from stirred.verify.audit.audit import audit
from stirred.verify.audit.coq_file import (
    COQ_DISTANCES,
    BudgetPower,
    NoCoqFileError,
    check_coq_name,
    coq_file,
    coq_module,
    coqc_command,
    squarings,
)
from stirred.verify.audit.coqc import CLASSICAL_REALS, THEORIES, refused_by_coqc
from stirred.verify.cli.main import main
from stirred.verify.evidence.certificates.check import DISTANCES
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims


def coqc(file):
    """What Coq says of a file; the theories are compiled by make -C proofs."""
    assert (THEORIES / "audit" / "audited_claim.vo").exists(), "first: make -C proofs"
    command = [part.replace("proofs/theories", str(THEORIES)) for part in coqc_command(file.name).split()]
    return subprocess.run(command, cwd=file.parent, capture_output=True, text=True, timeout=300, check=False)


def used_by_children():
    """Seconds of the processor, which a busy machine does not change."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def certificates(tmp_path, *texts):
    file = tmp_path / "claims.toml"
    found = []
    for text in texts:
        file.write_text(text, encoding="utf-8")
        found += [
            one for claim in read_claims([file]) for one in audit(build_claim(claim), is_certified=True).certificates
        ]
    return found


MECHANISMS = """\
from fractions import Fraction


def majority(answers, source, *, flip):
    votes = sum(1 - answer if source.bernoulli(flip) else answer for (answer,) in answers)
    return 2 * votes > len(answers)


def tries(answers, source):
    drawn = source.attempt(third)
    return drawn if source.bernoulli(Fraction(1, 4)) else sum(answer for (answer,) in answers)


def third(source):
    first = source.uniform(4)
    return source.restart() if first == 3 else first


def loops(answers, source):
    while source.bernoulli(Fraction(1, 3)):
        pass
    return source.bernoulli(Fraction(1 + sum(answer for (answer,) in answers), 5))


def respond(answers, source):
    return tuple(1 - answer if source.bernoulli(Fraction(1, 4)) else answer for (answer,) in answers)


def clamped(count, source):
    return source.clamp(count + source.discrete_laplace(Fraction(1, 2)), 0, 19)


def swapped(homes, source):
    selected = source.attempt(lambda inner: chosen(len(homes), inner))
    moves = source.attempt(lambda inner: deranged(selected, inner))
    released = list(homes)
    for home, other in zip(selected, moves):
        released[home] = (homes[home][0], homes[other][1])
    return tuple(sorted(released))


def chosen(size, source):
    selected = tuple(home for home in range(size) if source.bernoulli(Fraction(1, 2)))
    return source.restart() if len(selected) == 1 else selected


def deranged(selected, source):
    order = source.permutation(len(selected))
    if any(place == other for place, other in enumerate(order)):
        source.restart()
    return tuple(selected[other] for other in order)
"""

MAJORITY = """\
id = "coins.majority"
statement = 'The majority (*) of three "answers satisfies epsilon = 0.8 for each person.'
domain = { schema = { answer = [0, 1] }, records = 3, order = "ordered" }
multiverse = { invariants = [] }
input_premetric = { name = "hamming_ordered", resolution = "person" }
output_premetric = { name = "multiplicative" }
budget = { epsilon = "0.8" }
mechanism = { function = "mine:majority", parameters = { flip = "1/4" } }
"""
WRONG = replaced(MAJORITY, ('epsilon = "0.8"', 'epsilon = "0.788"'), ("coins.", "wrong."))
TRIES = replaced(
    MAJORITY,
    ('of three "answers satisfies epsilon = 0.8 for each person', 'of "tries'),
    ("records = 3", "records = 2"),
    ('function = "mine:majority", parameters = { flip = "1/4" }', 'function = "mine:tries"'),
    ('name = "multiplicative"', 'name = "approximate_multiplicative", delta = "3/4"'),
    ("coins.majority", "coins.tries"),
)
VARIATION = replaced(
    MAJORITY,
    ('name = "multiplicative"', 'name = "total_variation"'),
    ("0.8", "5/16"),
    ("coins.majority", "coins.variation"),
)
LOOPS = replaced(
    MAJORITY,
    ('function = "mine:majority", parameters = { flip = "1/4" }', 'function = "mine:loops"'),
    ('name = "hamming_ordered"', 'name = "symmetric_difference"'),
    ("coins.majority", "coins.loops"),
    ('epsilon = "0.8"', 'epsilon = "ln 2"'),
    ("epsilon = 0.8 for", "epsilon = ln 2 for"),
)


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.py").write_text(MECHANISMS)
    return tmp_path


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    """The theorem of each claim; each is audited once."""
    folder = tmp_path_factory.mktemp("audited")
    (folder / "mine.py").write_text(MECHANISMS)
    claims = {"met": MAJORITY, "exceeded": WRONG, "tries": TRIES, "variation": VARIATION, "loops": LOOPS}
    return dict(zip(claims, map(coq_module, certificates(folder, *claims.values())), strict=True))


def test_coq_proves_what_holds_and_the_negation_of_what_does_not(tmp_path, modules):
    assert {name for name, text in modules.items() if "claim_is_exceeded" in text} == {"exceeded"}
    assert "~ satisfies" in modules["exceeded"]
    assert "Attempt (" in modules["tries"]
    assert "Restart" in modules["tries"]
    assert "Multiplicative (3, 4)" in modules["tries"]
    assert "TotalVariation" in modules["variation"]
    assert "summed laws with loops" in modules["loops"]
    (tmp_path / "All.v").write_text(coq_file([*modules.values()]))
    done = coqc(tmp_path / "All.v")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Axioms:") == len(modules)
    assert set(re.findall(r"^((?!Claim)[A-Z]\w+\.\w+)", done.stdout, re.M)) == CLASSICAL_REALS


ALTERED = [
    ("met", "Exact (4, 5)", "Exact (3, 5)"),
    ("met", "(mechanism 1 trees)", "(mechanism 0 trees)"),
    ("exceeded", "~ satisfies", "satisfies"),
    ("tries", "Give 0", "Give 9"),
]
ALTERED_TOO = [
    ("met", "Exact (4, 5)", "Exact (4, 0)"),
    ("met", "Exact (4, 5)", "Exact (0, 5)"),
    ("met", "weights_0 := [:: 3; 1]", "weights_0 := [:: 5; 1]"),
    ("met", "weights_0 := [:: 3; 1]", "weights_0 := [:: 3; 1; 1]"),
    ("met", "weights_0 := [:: 3; 1]", "weights_0 := [:: 3]"),
    ("met", "weights_0 := [:: 3; 1]", "weights_0 := [:: 0; 0]"),
    ("met", "weights_0 := [:: 3; 1]", "weights_0 := [:: 1; 0]"),
    ("met", "[:: Give 0; Give 1]", "[:: Give 0]"),
    ("met", "[:: Give 0; Give 1]", "[:: Give 0; Give 1; Give 1]"),
    ("met", "[:: Give 0; Give 1]", "[:: Give 0; Give 2]"),
    ("met", "[:: Give 0; Give 1]", "[:: ]"),
    ("met", "trees := [:: tree_0;", "trees := [:: tree_7;"),
    ("met", "trees := [:: tree_0; ", "trees := [:: "),
    ("met", "tree_1; ", "tree_9; "),
    ("met", "changed_places data_sets", "changed_members data_sets"),
    ("met", "satisfies (universes", "~ satisfies (universes"),
    ("met", "Multiplicative (0, 1)", "Multiplicative (0, 0)"),
    ("met", "vm_cast_no_check (erefl true).", ""),
    ("exceeded", "Give 0", "Give 5"),
    ("exceeded", "[:: Give 0; Give 1]", "[:: Give 0]"),
    ("exceeded", "Exact (197, 250)", "Exact (4, 5)"),
    ("tries", "Attempt (", "Attempt (Restart) [::]. Definition other := Attempt ("),
    ("tries", "Multiplicative (3, 4)", "Multiplicative (1, 2)"),
    ("tries", "Restart", "Give 3"),
    ("variation", "TotalVariation", "Multiplicative (0, 1)"),
    ("loops", "weights_0 := [:: ", "weights_0 := [:: 1; "),
]


@pytest.mark.parametrize(
    ("name", "old", "new"), [*ALTERED, *(pytest.param(*one, marks=pytest.mark.nightly) for one in ALTERED_TOO)]
)
def test_coq_says_no_to_an_altered_file(tmp_path, modules, name, old, new):
    assert old in modules[name]
    (tmp_path / "Altered.v").write_text(coq_file([modules[name].replace(old, new)]))
    assert coqc(tmp_path / "Altered.v").returncode == 1


NOTHING = """Local Notation "'satisfies' a b c d e" := True (at level 10, a, b, c, d, e at level 9).\nTheorem claim"""


def test_the_end_of_a_file_prints_a_statement_that_a_notation_has_emptied(tmp_path, modules):
    emptied = re.sub(r"apply: .*?Qed", "by [].\nQed", modules["met"].replace("Theorem claim", NOTHING), flags=re.S)
    (tmp_path / "Nothing.v").write_text(coq_file([emptied]))
    done = coqc(tmp_path / "Nothing.v")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Claim1.claim_is_met\n     : forall _ : choice_of_reals, True\nClosed under")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Exact (4, 5)", "Exact (4, 5)", None),
        ("Exact (4, 5)", "Exact (3, 5)", "coqc refuses it: .*"),
        ("vm_cast_no_check (erefl true).\nQed.", "Admitted.", r"its theorems rest on Claim1\.claim_is_met"),
        ("End Claim1.", "End Claim1.\nEnd Claim1.", "coqc refuses it: .*"),
        ("Print Assumptions", "(* \nPrint Assumptions *) Check", "coqc says of 0 theorems .* asks 1 times"),
    ],
)
def test_coqc_says_whether_a_file_holds_and_on_which_axioms(modules, old, new, message):
    text = coq_file([modules["met"]])
    assert old in text
    found = refused_by_coqc(text.replace(old, new), seconds=300, memory=4 << 30)
    assert found is None if message is None else re.fullmatch(message, found)


def test_the_command_writes_the_same_bytes_again_with_their_sources_and_says_how_to_check_them(mine):
    (mine / "claim.toml").write_text(MAJORITY)
    for name in ("One.v", "Two.v"):
        done = stirred("audit", "claim.toml", "--coq", name, cwd=mine)
        assert done.returncode == 0
        assert f"{name}: to check it, after make -C proofs: stirred check {name} --claim CLAIM --coqc" in done.stderr
    text = (mine / "One.v").read_text()
    assert text == (mine / "Two.v").read_text()
    assert "Theorem claim_is_met (choice : choice_of_reals) :\n  satisfies" in text
    for name in ("claim.toml", "mine.py"):
        assert f"(* {name}: SHA-256 {hashlib.sha256((mine / name).read_bytes()).hexdigest()} *)\n" in text
    assert text.endswith("\nSet Printing All.\nCheck Claim1.claim_is_met.\nPrint Assumptions Claim1.claim_is_met.\n")


def test_what_the_claim_says_does_not_leave_its_comment(mine):
    (certificate,) = certificates(mine, MAJORITY)
    assert "(* the claimant's words, not checked: The majority ( * ) of three ''answers satisfies" in coq_module(
        certificate
    )
    told = coq_module({**certificate, "claim": "*) Axiom absurd : False. (*", "outputs": ['(**)"', "*"]})
    assert "(* claim: * ) Axiom absurd : False. ( * *)" in told
    assert "(* output 0: ( ** )'' *)" in told


@pytest.mark.parametrize("name", ["claim.toml", "a-claim.v", "1.v", ".v", "claim.v.v", "é.v"])
def test_a_name_that_coq_does_not_compile_is_refused(tmp_path, capsys, name):
    with pytest.raises(InputError, match="--coq must name a file of letters, digits and _"):
        check_coq_name(name)
    assert main(["audit", "--coq", str(tmp_path / name)]) == 2
    assert (capsys.readouterr().out, list(tmp_path.iterdir())) == ("", [])


def test_coq_knows_each_distance_that_a_certificate_names():
    assert COQ_DISTANCES.keys() == DISTANCES.keys()


def test_a_name_that_coq_compiles_is_not():
    check_coq_name("some folder/A_claim1.v")


def test_the_command_says_of_which_claim_there_is_no_theorem(tmp_path, capsys):
    (tmp_path / "claim.toml").write_text(SOUND)
    assert main(["audit", str(tmp_path / "claim.toml"), "--coq", str(tmp_path / "Claim.v")]) == 0
    assert "Claim.v: no theorem on swap.small: no finite exact laws" in capsys.readouterr().err
    assert not (tmp_path / "Claim.v").exists()


def test_a_mechanism_of_the_library_has_one_choice_by_its_law(tmp_path):
    (certificate,) = certificates(tmp_path, (CLAIMS / "coin.toml").read_text())
    assert "the auditor has summed the laws: each tree is one choice" in coq_module(certificate)


def test_what_the_checker_in_coq_does_not_decide_has_no_theorem(mine):
    zcdp = replaced(
        MAJORITY,
        ("multiplicative", "normalized_renyi"),
        ('epsilon = "0.8"', "rho_squared = 9"),
        ("epsilon = 0.8", "rho_squared = 9"),
    )
    (certificate,) = certificates(mine, zcdp)
    with pytest.raises(NoCoqFileError, match="not normalized_renyi"):
        coq_module(certificate)
    (coin,) = certificates(mine, MAJORITY)
    with pytest.raises(NoCoqFileError, match="more than 5000 data sets or outputs"):
        coq_module({**coin, "outputs": [str(place) for place in range(5001)]})
    with pytest.raises(NoCoqFileError, match="more than 5000000 probabilities to compare"):
        coq_module({**coin, "universes": [[*range(2500)]]})
    with pytest.raises(NoCoqFileError, match="more than 200 choices deep"):
        coq_module({**coin, "weights": [["1"]], "laws": [{"tree": [0] * 400 + [1], "rows": [0], "results": [0]}]})


@pytest.mark.parametrize(
    ("power", "d"),
    [
        (BudgetPower(Fraction(4, 5)), Fraction(1)),
        (BudgetPower(Fraction(1, 1000)), Fraction(3, 2)),
        (BudgetPower(Fraction(20)), Fraction(2)),
        (BudgetPower(None, Fraction(3), 2), Fraction(1)),
        (BudgetPower(None, Fraction(7, 5), 3), Fraction(1, 2)),
    ],
)
def test_bounds_close_on_the_power_and_are_shown(power, d):
    below, above = list(power.below(d)), list(power.above(d))
    assert max(below) < min(above)
    assert min(above) / max(below) < 1 + Fraction(1, 2**200)
    assert squarings(power, [(d, g) for g in below], is_below=True) is not None
    assert squarings(power, [(d, g) for g in above], is_below=False) is not None
    assert squarings(power, [(d, max(below) * 2)], is_below=True) is None
    assert squarings(power, [(d, min(above) / 2)], is_below=False) is None


def test_a_rational_power_is_its_own_bound():
    assert list(BudgetPower(None, Fraction(9), 2).above(Fraction(3))) == [27]
    assert list(BudgetPower(Fraction(1)).below(Fraction(0))) == [1]


UNNUMBERED = replaced(MAJORITY, ('of three "answers satisfies epsilon = 0.8 for each person', "of its answers"))
FIGURES = {
    "randomized response on 6 bits": replaced(
        UNNUMBERED,
        ("records = 3", "records = 6"),
        ('epsilon = "0.8"', "gamma = 3"),
        ("coins.majority", "coins.response"),
        ('function = "mine:majority", parameters = { flip = "1/4" }', 'function = "mine:respond"'),
    ),
    "the clamped geometric mechanism on 20 counts": replaced(
        UNNUMBERED,
        ('{ schema = { answer = [0, 1] }, records = 3, order = "ordered" }', f"{{ data_sets = {[*range(20)]} }}"),
        ("hamming_ordered", "absolute_difference"),
        ('epsilon = "0.8"', "gamma = 2"),
        ("coins.majority", "coins.geometric"),
        ('function = "mine:majority", parameters = { flip = "1/4" }', 'function = "mine:clamped"'),
    ),
    "the PSA on 5 records": replaced(
        UNNUMBERED,
        ('answer = [0, 1] }, records = 3, order = "ordered"', "county = [0, 1], tenure = [0, 1] }, records = 5"),
        ("invariants = []", 'invariants = [["county"], ["tenure"]]'),
        ("hamming_ordered", "hamming_unordered"),
        ('epsilon = "0.8"', "gamma = 6"),
        ("coins.majority", "coins.swapping"),
        ('function = "mine:majority", parameters = { flip = "1/4" }', 'function = "mine:swapped"'),
    ),
}


@pytest.mark.nightly
@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_take_less_than_half_a_minute(mine, name):
    (certificate,) = certificates(mine, FIGURES[name])
    text = coq_file([coq_module(certificate)])
    assert "has summed" not in text
    (mine / "Figure.v").write_text(text)
    before = used_by_children()
    assert coqc(mine / "Figure.v").returncode == 0
    assert used_by_children() - before < 30


@pytest.mark.nightly
@pytest.mark.parametrize("measure", ["multiplicative", "approximate_multiplicative", "total_variation"])
def test_coq_agrees_with_the_auditor_on_random_claims_at_their_boundaries(tmp_path, measure):
    texts = [random_claim(seed, measure).text() for seed in range(100, 160)]
    (tmp_path / "claims.toml").write_text("\n".join(texts))
    records = [audit(build_claim(claim), is_certified=True) for claim in read_claims([tmp_path / "claims.toml"])]
    decided = [record for record in records if record.certificates]
    modules = [coq_module(json.loads(json.dumps(one.certificates[0]))) for one in decided]
    assert len(modules) > 30
    for record, text in zip(decided, modules, strict=True):
        assert ("claim_is_exceeded" in text) == (record.verdict is Verdict.REFUTED)
    (tmp_path / "Random.v").write_text(coq_file(modules))
    assert coqc(tmp_path / "Random.v").returncode == 0
