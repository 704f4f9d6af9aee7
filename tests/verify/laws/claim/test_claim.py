"""One core claim: what a file states and what Python states are the same objects, and each says where it is made.

Claim files: what is read, and that whatever is not gets one line with the file.

The map of the Five Safes: each block speaks about one of them, and nothing on the page is a score.
"""

import os
import re
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from claim_texts import CLAIMS, SCHEMA, SOUND, build, built, refusal, replaced

import stirred
from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.spec import InputError, Loss
from stirred.spec.blocks.specification import BLOCKS
from stirred.verify.api.build import StatedClaim, built_claim
from stirred.verify.audit.compared_claims import with_and_without_invariants
from stirred.verify.cli.commands.audit import PUBLISHED
from stirred.verify.cli.main import main
from stirred.verify.evidence.files.bounded_file import MAX_BYTES
from stirred.verify.laws.claim.claim import FOUR_BLOCKS
from stirred.verify.laws.claim.five_blocks import FiveBlocks, Stated, StatedBlock, five_blocks, five_safes, not_stated
from stirred.verify.laws.claim.text import read_claims
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits
from stirred.verify.ledger.claim import Statement

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
    return partial(built, tmp_path)


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


def test_without_its_invariants_a_claim_keeps_a_distance_of_its_own(read, tmp_path):
    (tmp_path / "mine.py").write_text(
        "def apart(x, y):\n    return sum(a != b for a, b in zip(x, y))\n", encoding="utf-8"
    )
    votes = ('invariants = ["size"]', 'invariants = [["vote"]]')
    named = with_and_without_invariants(read(replaced(COIN, votes)))
    own = read(replaced(COIN, votes, ('name = "hamming_ordered"', 'function = "mine:apart"')))
    assert with_and_without_invariants(own) == named
    assert len(named) == 2


def test_the_sound_texts_are_accepted_and_invalid_toml_is_refused_with_its_line(tmp_path: Path) -> None:
    build(tmp_path, SOUND)
    build(tmp_path, SCHEMA)
    assert "(at line 2, column" in refusal(tmp_path, 'id = "a.b"\nstatement = \n')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id = " + "[" * 100_000, "line 1: must be nested at most 20 deep; it is nested deeper"),
        ("", "must state a claim; it is empty"),
        ("claim = []", "claim must have at least one claim; got none"),
        ('id = "a"\nstatement = "s"', "domain: missing key; a claim must have blocks, a mechanism or numbers"),
        ('id = "a"\n[[claim]]\nid = "b"', "id: unknown key; known: claim"),
    ],
    ids=["nesting", "empty file", "no claim", "nothing claimed", "keys beside a list"],
)
def test_a_text_that_states_no_claim_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert refusal(tmp_path, text) == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'id = "\xff"', "line 1, column 7 must be UTF-8; it is not"),
        (b"#" * (MAX_BYTES + 1), f"must have at most {MAX_BYTES} bytes"),
        (None, r"claim\.toml: cannot be read: No such file or directory"),
    ],
    ids=["bytes", "size", "absent"],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    if content is not None:
        (tmp_path / "claim.toml").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_claims([tmp_path / "claim.toml"])
    with pytest.raises(InputError, match="is a directory; name a file in it"):
        read_claims([tmp_path])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "claim.toml").touch(mode=0)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        read_claims([tmp_path / "claim.toml"])


def test_an_id_is_used_once_over_all_files(tmp_path: Path) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    for file in (first, second):
        file.write_text(SOUND, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_claims([first, second])
    assert str(caught.value) == f"{second}: id: 'swap.small' is a duplicate; it is also in {first}"


def test_arrays_of_numbers_are_compared_one_by_one(read) -> None:
    numbers = "what = 'sum'\nprinted = [3, 4]\nformula = 'a + b'\nwhere = { a = [1, 2], b = 2 }\n"
    rows = read(f"id = 'c.d'\nstatement = 's'\n[[numbers]]\n{numbers}").numbers
    assert [(one.what, one.printed.text, one.inputs["a"].text, one.inputs["b"].text) for one in rows] == [
        ("sum (1 of 2)", "3", "1", "2"),
        ("sum (2 of 2)", "4", "2", "2"),
    ]


def test_published_claims_have_ids_and_sources_like_those_of_the_ledger() -> None:
    claims = read_claims(sorted(PUBLISHED.glob("*.toml")))
    assert claims
    for claim in claims:
        assert claim.source.startswith(("article, ", "PHSafe, ", "slides, "))
        if "." in claim.id:
            Statement(claim.id, (claim.source,), claim.statement)


def test_the_source_of_a_claim_without_one_is_its_file() -> None:
    (claim,) = read_claims([CLAIMS / "own_mechanism.toml"])
    assert claim.source == "own_mechanism.toml"


JUNK = (
    *("0", "-1", "true", '""', '"x"', '"1/2"', "[]", "{}", "[[]]", "[{}]", "[[1, 2]]", '[["x"]]', "{ a = [] }"),
    "{ x = {} }",
)


def test_no_junk_value_gets_anything_but_one_line(tmp_path: Path) -> None:
    texts = [SOUND, SCHEMA, *((CLAIMS / f"{name}.toml").read_text(encoding="utf-8") for name in ("coin", "geometric"))]
    lines = [(text, line) for text in texts for line in text.splitlines() if " = " in line]
    messages = []
    for text, line in lines:
        for junk in JUNK:
            changed = text.replace(line, f"{line.partition(' = ')[0]} = {junk}", 1)
            try:
                build(tmp_path, changed, audited=True)
            except InputError as error:
                messages.append(str(error))
    assert len(messages) > len(lines) * len(JUNK) // 2
    for message in messages:
        assert message.startswith(f"{tmp_path / 'claim.toml'}: ")
        assert "\n" not in message


RECORDS = "tests/verify/audit/records/fixtures"
WORDS = FiveBlocks(*(StatedBlock(f"about {name}") for name in BLOCKS))


def test_every_block_speaks_about_data_or_outputs_and_about_one_alone():
    safes = five_safes(WORDS)
    assert [one.name for one in safes] == ["people", "projects", "settings", "data", "outputs"]
    assert [one.blocks for one in safes] == [
        *((), (), ()),
        ("domain: about domain", "multiverse: about multiverse", "input premetric: about input_premetric"),
        ("output premetric: about output_premetric", "budget: about budget"),
    ]
    assert all(one.silent and one.question for one in safes)


def test_what_is_not_stated_speaks_about_nothing():
    found = five_safes(FiveBlocks(*(not_stated() for _ in BLOCKS)))
    assert not any(one.is_spoken_of for one in found)
    assert found[-1].blocks == ("output premetric: not stated", "budget: not stated")
    only_who = FiveBlocks(StatedBlock("voters"), *(not_stated() for _ in BLOCKS[1:]))
    assert [one.name for one in five_safes(only_who) if one.is_spoken_of] == ["data"]


def test_words_are_marked_and_long_ones_cut():
    words = StatedBlock(" ".join(["household"] * 100), Stated.IN_WORDS)
    data = five_safes(FiveBlocks(words, *[StatedBlock("x")] * 4))[3]
    assert data.blocks[0].endswith("… (in words only)")
    assert len(data.blocks[0]) < 200


@pytest.mark.parametrize(
    ("file", "about"),
    [
        ("tests/claims/coin.toml", "data and outputs; not at all about people, projects and settings"),
        (f"{RECORDS}/unfamiliar_release.yaml", "outputs; not at all about people, projects, settings and data"),
        (f"{RECORDS}/town_person.ini", "none of the five"),
    ],
)
def test_the_page_of_an_audit_has_the_map_of_what_was_audited(file, about, capsys, tmp_path):
    target = tmp_path / "page.html"
    main(["audit", file, "--html", str(target)])
    capsys.readouterr()
    page = target.read_text()
    _, _, after = page.partition("Which of the Five Safes the specification speaks about</h3>")
    section = after.partition("<h3>")[0]
    assert f"<p>The specification speaks about {about}.</p>" in section
    assert not re.search(r"\b(score|grade|percent)\b|%", section.replace("no score", ""))


def test_other_formats_have_no_map(capsys):
    main(["audit", "tests/claims/coin.toml", "--json"])
    assert "Five Safes" not in capsys.readouterr().out


def test_an_invariant_stands_under_data(capsys):
    main(["audit", "tests/claims/compare/invariant_claimed.toml", "--format", "html"])
    _, _, after = capsys.readouterr().out.partition("Which of the Five Safes the specification speaks about</h3>")
    (row,) = [line for line in re.split("<tr>", after) if ">data<" in line]
    assert "multiverse: " in row
    assert "invariant: " in row
