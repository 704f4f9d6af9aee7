"""`stirred audit` of folders and of several files: all that is in them is audited, and nothing hides another result."""

import os

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.cli import main
from stirred.verify.commands.audited_files import expanded

CLAIM = """\
id = "{name}"
statement = "A coin satisfies epsilon = ln 3."
domain = {{ schema = {{ answer = [0, 1] }}, records = 1, order = "ordered" }}
multiverse = {{ invariants = [] }}
input_premetric = {{ name = "hamming_ordered", resolution = "person" }}
output_premetric = {{ name = "multiplicative" }}
budget = {{ gamma = 3 }}
mechanism = {{ name = "randomized-response", flip_probability = "1/4" }}
"""
RECORD = "url_slug: {name}\ndeployment:\n  basic: {{name: A}}\n"
SHARES = "[budget]\ngeolevel_budget_prop = 1/2, 1/2\n"
SAFETAB = '{"privacy_budget_p_level_1_usa": 1, "privacy_defn": "zcdp"}'


@pytest.fixture
def folder(tmp_path):
    """Two claims, three records, a folder with one more, and files of other kinds."""
    texts = {
        "coin.toml": CLAIM.format(name="coin"),
        "pyproject.toml": "[project]\nname = 'x'\n",
        "record.yaml": RECORD.format(name="record"),
        "schema.yaml": "type: object\n",
        "shares.ini": SHARES,
        "safetab.json": SAFETAB,
        "package.json": "{}",
        "notes.txt": "deployment:\n",
        ".hidden.yaml": "deployment:\n",
        "sub/more.yml": RECORD.format(name="more"),
        ".git/x.yaml": "deployment:\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def audited(capsys, *files):
    status = main(["audit", *map(str, files)])
    out, err = capsys.readouterr()
    names = [line.split(": ")[0] for line in out.splitlines()]
    return (
        status,
        {name for name in names if "." not in name and "claim" not in name and "witness" not in name},
        out,
        err,
    )


def test_a_folder_is_audited_with_the_folders_in_it(capsys, folder):
    status, names, out, err = audited(capsys, folder)
    assert names == {"coin", "record", "shares", "safetab", "more"}
    assert status == 1
    assert out.endswith("5 claims: 1 hold, 1 refuted, 3 undecided\n")
    others = ", ".join(str(folder / name) for name in ("package.json", "pyproject.toml", "schema.yaml"))
    assert err == f"not audited: {folder}: no claim files or records: {others}\n"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("bad.yaml", "url_slug: [", "invalid YAML"),
        ("bad.yaml", "deployment: {}\n", "url_slug: missing key"),
        ("bad.toml", 'id = "x"\nbudget = [', "invalid TOML"),
        ("bad.ini", "[budget]\ngeolevel_budget_prop = half\n", "must be an exact number"),
        ("bad.json", '{"privacy_budget": 1', "invalid JSON"),
        ("bad.yaml", b"deployment: \xff", "must be UTF-8"),
        ("bad.yaml", RECORD.format(name="record"), "the name 'record' is used twice"),
        ("bad.toml", CLAIM.format(name="coin"), "the name 'coin' is used twice"),
    ],
)
def test_one_bad_file_of_a_folder_hides_no_other_result(capsys, folder, name, text, words):
    _, before, good, _ = audited(capsys, folder)
    (folder / "z").mkdir()
    (folder / "z" / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    status, names, out, err = audited(capsys, folder)
    assert (status, names) == (2, before)
    assert out == good[:-1] + ", 1 not audited\n"
    assert f"stirred: {folder / 'z' / name}: " in err
    assert words in err


def test_a_file_that_is_named_beside_its_folder_is_audited_once(folder):
    assert len(expanded([str(folder / "coin.toml"), str(folder), str(folder / "sub")], [])) == 5


def test_a_folder_without_claims_is_refused(capsys, tmp_path):
    (tmp_path / "a.yaml").write_text("x: 1", encoding="utf-8")
    assert main(["audit", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (f"stirred: {tmp_path}: must have 1 to 1000 claim files and records; it has 0\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_a_folder_that_cannot_be_read_is_refused(tmp_path):
    tmp_path.chmod(0)
    with pytest.raises(InputError, match="cannot be read"):
        expanded([str(tmp_path)], [])
    tmp_path.chmod(0o700)


def test_what_an_audit_of_a_folder_reads_is_not_overwritten(capsys, folder):
    assert main(["audit", str(folder), "--html", str(folder / "coin.toml")]) == 2
    assert "must not be a file that is audited" in capsys.readouterr().err
