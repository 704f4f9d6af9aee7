"""Pages of the site: every word of a source is there, and nothing of a text is markup; what is kept is made again."""

import re
from hashlib import md5

import pytest
from hypothesis import given
from hypothesis import strategies as st
from site_links import Read

from stirred.mechanisms.catalogue import CATALOGUE
from stirred.verify.cli.guide import pages
from stirred.verify.cli.site import kept_run
from stirred.verify.cli.site.build import site_files
from stirred.verify.cli.site.coq_files import _read, behind, coq_files, theorem_anchor, theorem_place
from stirred.verify.cli.site.entry import entries
from stirred.verify.cli.site.guide_pages import markdown
from stirred.verify.cli.site.kept_run import digest_of_sources, kept_text
from stirred.verify.cli.site.losses import ASKED, OF_ALL_VALUES, catalogued_losses
from stirred.verify.cli.site.mechanism_pages import KnownLoss
from stirred.verify.cli.site.page import typeset
from stirred.verify.cli.site.proof_pages import Node, drawing, reduced
from stirred.verify.cli.site.source_pages import highlighted
from stirred.verify.evidence.theorems import theorems
from stirred.verify.ledger.book import claims


@pytest.mark.parametrize("topic", pages())
def test_a_page_has_every_word_of_its_source(few_files, topic):
    said = "".join(Read(few_files[f"guide/{topic}.html"].decode()).text.split())
    for block in pages()[topic].text.split("```")[1::2]:
        _, _, code = block.partition("\n")
        assert "".join(code.split()) in said


def test_links_between_pages_lead_to_pages_and_others_become_text():
    text = markdown("[a](03-reading-a-verdict.md#x) [b](../../ledger/claims/README.md) [c](../other.py) [d](#e)")
    assert Read(text).links == ["reading-a-verdict.html#x", "../ledger/index.html", "#e"]
    assert Read(text).text.split() == ["a", "b", "c", "d"]


@pytest.mark.parametrize("text", ["<script>x</script>", "[a](javascript:x)", "[a](data:text/html,x)", "![a](x.png)"])
def test_hostile_markdown_does_nothing(text):
    read = Read(markdown(text))
    assert "script" not in [tag for tag, _ in read.tags]
    assert [link for link in read.links if ":" in link] == []


def test_code_is_text_whatever_its_language():
    for language in ("python", "coq", "console", "no-such-language"):
        assert Read(highlighted("a </code><b>\x1b[0m", language)).text.split()[0] == "a"
        assert [tag for tag, _ in Read(highlighted("</code><b>", language)).tags if tag != "span"] == []


CHAIN = {"a": [], "b": ["a"], "c": ["a", "b"], "d": []}


def places(edges):
    """The left edge of each box."""
    drawn = drawing([Node(name, "closed", f"#{name}") for name in edges], edges, "x")
    return {name: int(x) for x, name in re.findall(r'<rect class="closed" x="(\d+)".*?<text[^>]*>(\w+)</text>', drawn)}


def test_a_box_stands_to_the_right_of_what_it_uses():
    found = places(CHAIN)
    assert found["a"] < found["b"] < found["c"]
    assert found["a"] == found["d"]


def test_an_arrow_that_others_imply_is_left_out():
    assert reduced(CHAIN) == {"a": set(), "b": {"a"}, "c": {"b"}, "d": set()}
    assert drawing([Node(name, "closed", "#") for name in CHAIN], CHAIN, "x").count("<path") == 2


def test_nothing_is_drawn_of_what_is_no_node():
    assert "<path" not in drawing([Node("b", "closed", "#b")], CHAIN, "x")


@pytest.mark.parametrize("edges", [{"a": ["a"]}, {"a": ["b"], "b": ["a"]}])
def test_a_circle_ends(edges):
    assert len(reduced(edges)) == len(edges)


def test_a_name_is_text():
    drawn = drawing([Node("<b>", "closed", '"><script>')], {"<b>": []}, "<i>")
    assert not re.search(r"<(b|i|script)>", drawn)


def said(files, name):
    return " ".join(Read(files[f"mechanisms/{name}.html"].decode()).text.split())


@pytest.mark.parametrize("name", CATALOGUE)
def test_what_a_claim_file_may_name_has_a_page_with_its_parameters(few_files, name):
    text = said(few_files, name)
    for parameter, what in CATALOGUE[name].parameters.items():
        assert f"{parameter} {what.value}" in text


def test_an_example_has_its_program_and_its_claim(few_files):
    text = said(few_files, "noisy_majority")
    assert "def noisy_majority(answers, source, *, flip):" in text
    assert "claimed at flip = 1/4" in text
    assert "budget how much? epsilon = ln(11/5)" in text


def test_what_is_wrong_on_purpose_does_not_stand_among_exact_budgets(few_files):
    text = said(few_files, "index")
    exact, wrong = text.split("Wrong on purpose", 1)
    assert "histogram_wrong_on_purpose" not in exact
    assert re.search(r"Each exceeds its claim.* histogram_wrong_on_purpose ", wrong)


def test_a_published_specification_answers_five_questions(few_files):
    text = said(few_files, "published")
    for words in ("massachusetts-1940", "who is eligible for protection?", "hamming_unordered, resolution: household"):
        assert words in text


def test_a_known_loss_is_drawn_and_says_how_it_was_asked_for(few_records):
    known = KnownLoss("$ stirred derive mechanism claim.toml", "text", "", "ln(3) by x = <b>", r"\ln \tfrac{3}{1}")
    claimed = KnownLoss("", "", "flip = 1/4", "infinite", "")
    losses = {"kernel": (known,), "noisy_majority": (claimed,)}
    files = site_files(entries(few_records), source="a run", losses=losses)
    page = files["mechanisms/kernel.html"].decode()
    assert "<math>" in page
    assert r"\ln \tfrac{3}{1}</annotation>" in page
    assert "$ stirred derive mechanism claim.toml" in page
    assert "ln(3) by x = &lt;b&gt;" in page
    assert "At flip = 1/4: infinite" in said(files, "noisy_majority")
    assert "The exact loss" not in said(files, "identity")


def test_losses_are_those_of_mechanisms_with_laws():
    asked = {*ASKED, *OF_ALL_VALUES}
    assert [name for name in asked if CATALOGUE[name].program is None] == []
    assert len(asked) >= 10


def test_the_losses_of_the_catalogue_are_exact():
    found = {name: one.needed for name, (one,) in catalogued_losses().items()}
    assert found["permutation-swapping"].startswith("ln(2) ")
    assert found["clamped-geometric"].startswith("ln(3) ")  # 1/ratio
    # from 0 to 1 the probability of 0 falls by 1/ratio, and by the quotient of 1 + r + r^2 + r^3 and 1 + 2r + r^2 again
    assert found["truncated-geometric"].startswith("ln(18/5) ")
    assert found["identity"].startswith("infinite")
    assert found["constant"] == "0"
    flip = "flip_probability"
    assert found["randomized-response"].startswith(f"ln((1 - {flip})/{flip}) for 0 < {flip} <= 1/2; ")


@pytest.mark.parametrize(
    ("written", "set_as"),
    [
        ("n_1 x_i", "n<sub>1</sub> x<sub>i</sub>"),
        ("rho^2 and Delta^2.", "ρ<sup>2</sup> and Δ<sup>2</sup>."),
        ("(b+1)^(1/2)", "(b+1)<sup>1/2</sup>"),
        ("e^{-eps d}", "e<sup>−ε d</sup>"),
        ("p**k", "p<sup>k</sup>"),
        ("||x||^2", "‖x‖<sup>2</sup>"),
        ("x -> y <-> z != 0", "x → y ↔ z ≠ 0"),
        ("n - 1 (-1, [-2", "n − 1 (−1, [−2"),
        ("2^1.5 e^ln(b)", "2^1.5 e^ln(b)"),
        ("psa_law, PH1_num, q_levels.x", "psa_law, PH1_num, q<sub>levels</sub>.x"),
        ("rho-zCDP, eps_D-DP, multi-delta", "ρ-zCDP, ε<sub>D</sub>-DP, multi-delta"),
        ("D_Mult^δ(P) = sup_S", "D<sub>Mult</sub><sup>δ</sup>(P) = sup<sub>S</sub>"),
        ("epsilonic deltas", "epsilonic deltas"),
    ],
)
def test_what_is_set(written, set_as):
    assert typeset(written) == set_as


MARK = re.compile(r"</?su[bp]>")
WRITTEN = {"ε": "eps", "−": "-", "→": "->", "≤": "<=", "≥": ">=", "≠": "!=", "↔": "<->", "‖": "||", "…": "..."}


@given(st.text(alphabet="ab_^{}()<>&'\"x1 -=|*.;#", max_size=40))
def test_no_text_becomes_markup_but_indices_and_powers(text):
    left = MARK.sub("", typeset(text))
    assert "<" not in left
    assert ">" not in left
    for tag in ("sub", "sup"):
        assert typeset(text).count(f"<{tag}>") == typeset(text).count(f"</{tag}>")


def test_every_statement_of_the_ledger_keeps_its_words():
    for one in claims():
        plain = re.findall(r"[A-Za-z]{9,}", one.statement)
        assert re.findall(r"[A-Za-z]{9,}", MARK.sub(" ", typeset(one.statement))) == plain, one.id


def test_docstrings_have_their_formulas_set_and_their_code_as_it_is():
    shown = markdown("E_γ(P) <= `E_γ(P)` <b>", formulas=True)
    assert shown == "<p>E<sub>γ</sub>(P) ≤ <code>E_γ(P)</code> &lt;b&gt;</p>\n"


SOURCE = """\
(******************************************************************************)
(* A file (article, Lemma 2)                                                  *)
(*   one == its definition                                                    *)
(******************************************************************************)
From Stirred Require Import law
  swapping.

Definition one := 1.

Record pair := Pair { left : nat }.

Lemma step : one = 1.
Proof. by []. Qed.

Theorem two : left (Pair one) = 1.
Proof. exact: step. Qed.
"""


def glob_of(source):
    """What Coq writes, of these names."""
    placed = [("def", "one"), ("ind", "pair"), ("constr", "Pair"), ("proj", "left"), ("prf", "step"), ("prf", "two")]
    starts = {name: re.search(rf" {name} (?=[:{{])", source).start() + 1 for _, name in placed}
    lines = [f"{kind} {starts[name]}:{starts[name] + 2} <> {name}" for kind, name in placed]
    used = [*(("one = 1", "one", "def"), ("left (", "left", "proj"), ("Pair one", "Pair", "constr"))]
    used.append(("step. Q", "step", "thm"))
    lines += [f"R{source.index(at)}:{source.index(at) + 2} Stirred.a.own <> {name} {kind}" for at, name, kind in used]
    digest = md5(source.encode(), usedforsecurity=False).hexdigest()
    return "\n".join([f"DIGEST {digest}", "FStirred.a.own", *lines]) + "\n"


@pytest.fixture
def read(tmp_path, monkeypatch):
    """The file of `SOURCE`, beside what Coq has written of it."""
    monkeypatch.setattr("stirred.verify.cli.site.coq_files._FOLDER", tmp_path)

    def reading(beside=None):
        (tmp_path / "own.v").write_text(SOURCE)
        if beside is not None:
            (tmp_path / "own.glob").write_text(beside)
        return _read(tmp_path / "own.v")

    return reading


class TestOneFile:
    def test_header_requirements_and_items_are_read(self, read):
        file = read()
        assert file.header.splitlines() == ["A file (article, Lemma 2)", "  one == its definition"]
        assert file.requires == ("law", "swapping")
        assert [(item.name, item.kind, item.line) for item in file.items] == [
            *(("one", "Definition", 8), ("pair", "Record", 10), ("step", "Lemma", 12), ("two", "Theorem", 15)),
        ]
        assert not file.is_compiled

    def test_what_an_item_uses_is_what_coq_says(self, read):
        file = read(glob_of(SOURCE))
        uses = {item.name: item.uses for item in file.items}
        assert file.is_compiled
        assert uses == {"one": set(), "pair": set(), "step": {"one"}, "two": {"pair", "step"}}

    @pytest.mark.parametrize("beside", [glob_of(f"{SOURCE}\n"), ""], ids=["another text", "nothing yet"])
    def test_what_coq_has_not_said_of_this_text_is_not_used(self, read, beside):
        assert not read(beside).is_compiled


class TestTheProofs:
    def test_every_theorem_of_the_statements_stands_in_one_file(self):
        homes = [item.name for file in coq_files().values() for item in file.headlines]
        assert sorted(homes) == sorted(theorems())

    def test_every_file_says_what_it_is_about(self):
        assert [name for name, file in coq_files().items() if not file.header] == []

    def test_a_theorem_has_its_page_and_its_place(self):
        assert theorem_place("l1_tables_hamming") == "proofs/swaps/hamming.html"
        assert (theorem_anchor("l1_tables_hamming"), theorem_anchor("count_of")) == ("l1_tables_hamming", "d-count_of")

    def test_a_statement_unfolds_to_the_definitions_of_a_law_and_a_table(self):
        if not coq_files()["budget_numbers"].is_compiled:
            pytest.skip("the proofs are not compiled")
        found = behind("dwellings_below")
        names = [item.name for _, item in found]
        assert {"law", "table", "psa", "uniform_on", "sizes_fit", "log_ratio_le", "below_printed", "below"} <= {*names}
        assert [item.text.rstrip().endswith(".") for _, item in found] == [True] * len(found)
        for file, item in found:  # what a definition names stands above it
            used = {one for one in item.uses & {*names} if one in item.text.split()}
            assert all(names.index(one) < names.index(item.name) for one in used - {item.name}), (file, item)

    def test_what_a_file_rests_on_is_the_weakest_of_its_theorems(self):
        assert coq_files()["hamming"].assumptions == "closed"
        assert coq_files()["psa_exponential"].assumptions == "classical reals"


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A project of one module, whose cache is a folder of the test."""
    for room in ("spec", "mechanisms", "verify/cli/site"):
        (tmp_path / room).mkdir(parents=True)
    (tmp_path / "spec" / "a.py").write_text("x = 1\n")
    monkeypatch.setattr(kept_run, "_ROOT", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def made(texts):
    return lambda: texts.pop(0)


def test_it_is_made_once(sources):
    texts = ["first", "second"]
    assert [kept_text("run.json", made(texts)) for _ in range(3)] == ["first"] * 3


def test_it_is_made_again_when_a_source_changes_and_the_older_goes(sources):
    texts = ["first", "second"]
    kept_text("run.json", made(texts))
    (sources / "spec" / "a.py").write_text("x = 2\n")
    assert kept_text("run.json", made(texts)) == "second"
    assert len(list((sources / "cache" / "stirred").iterdir())) == 1


@pytest.mark.parametrize(
    ("file", "changes"), [("spec/b.toml", True), ("verify/cli/site/page.py", False), ("spec/n.md", False)]
)
def test_it_depends_on_what_a_verdict_depends_on(sources, file, changes):
    before = digest_of_sources()
    (sources / file).write_text("y")
    assert (digest_of_sources() != before) == changes


def test_a_cache_that_cannot_be_written_to_costs_a_run_only(sources):
    (sources / "cache").write_text("a file")
    assert kept_text("run.json", made(["first"])) == "first"
