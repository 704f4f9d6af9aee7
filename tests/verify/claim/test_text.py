"""Claim files: what is read, and that whatever is not gets one line with the file."""

import os
from pathlib import Path

import pytest
from claim_texts import CLAIMS, SCHEMA, SOUND, build, refusal

from stirred.spec import InputError
from stirred.verify.claim.text import read_claims
from stirred.verify.commands.audit import PUBLISHED
from stirred.verify.files.bounded_file import MAX_BYTES
from stirred.verify.ledger.claim import Statement


def test_the_sound_texts_are_accepted(tmp_path: Path) -> None:
    build(tmp_path, SOUND)
    build(tmp_path, SCHEMA)


def test_invalid_toml_is_refused_with_its_line(tmp_path: Path) -> None:
    assert "(at line 2, column" in refusal(tmp_path, 'id = "a.b"\nstatement = \n')


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, "id = " + "[" * 100_000) == "line 1: must be nested at most 20 deep; it is nested deeper"


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, "") == "must state a claim; the file states none"


def test_a_claim_of_nothing_is_refused(tmp_path: Path) -> None:
    message = refusal(tmp_path, 'id = "a"\nstatement = "s"')
    assert message == "domain: missing key; a claim must have blocks, a mechanism or numbers"


def test_keys_beside_a_list_of_claims_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, 'id = "a"\n[[claim]]\nid = "b"') == "id: unknown key; known: claim"


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "claim.toml"
    file.write_bytes(b'id = "\xff"')
    with pytest.raises(InputError, match="must be UTF-8; byte 6 is not"):
        read_claims([file])


def test_an_oversized_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "claim.toml"
    file.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(InputError, match=f"must have at most {MAX_BYTES} bytes"):
        read_claims([file])


def test_a_missing_file_and_a_directory_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.toml: cannot be read: No such file or directory"):
        read_claims([tmp_path / "absent.toml"])
    with pytest.raises(InputError, match="is a directory; name a file in it"):
        read_claims([tmp_path])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "claim.toml"
    file.write_text(SOUND, encoding="utf-8")
    file.chmod(0)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        read_claims([file])


def test_an_id_is_used_once_over_all_files(tmp_path: Path) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    for file in (first, second):
        file.write_text(SOUND, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_claims([first, second])
    assert str(caught.value) == f"{second}: id: 'swap.small' is used twice; it is also in {first}"


def test_arrays_of_numbers_are_compared_one_by_one(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    numbers = "what = 'sum'\nprinted = [3, 4]\nformula = 'a + b'\nwhere = { a = [1, 2], b = 2 }\n"
    file.write_text(f"id = 'c.d'\nstatement = 's'\n[[numbers]]\n{numbers}", encoding="utf-8")
    (claim,) = read_claims([file])
    assert [(one.what, one.printed.text, one.inputs["a"].text, one.inputs["b"].text) for one in claim.numbers] == [
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


JUNK = [
    "0",
    "-1",
    "true",
    '""',
    '"x"',
    '"1/2"',
    "[]",
    "{}",
    "[[]]",
    "[{}]",
    "[[1, 2]]",
    '[["x"]]',
    "{ a = [] }",
    "{ x = {} }",
]


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
