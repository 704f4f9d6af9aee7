"""The words that a shell offers are those of the parsers, asked of the shells themselves.

`stirred verify`: claims are asked for by id, by where they are printed, by grade and by words.
"""

import json
import shutil
import subprocess

import pytest

from stirred.verify.cli.commands import COMMANDS, completion
from stirred.verify.cli.commands.completion import SCRIPTS, command_levels
from stirred.verify.cli.main import main
from stirred.verify.evidence.reports.formats import FORMATS

BASH = """
source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_stirred
printf '%s\\n' "${COMPREPLY[@]}"
"""

ZSH = """
compdef() { : }
source "$1"; shift
compadd() { shift; print -rl -- ${(M)@:#$PREFIX*} }
_files() { print FILES }
words=("$@") CURRENT=$# PREFIX=${words[-1]}
_stirred
"""

FISH = """
source $argv[1]
complete -C (string join -- ' ' $argv[2..])
"""

CALLS = {
    "bash": ["bash", "--norc", "-c", BASH, "bash"],
    "zsh": ["zsh", "-f", "-c", ZSH, "zsh"],
    "fish": ["fish", "--no-config", "-c", FISH],
}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scripts")
    levels = command_levels()
    for shell, made in SCRIPTS.items():
        (folder / shell).write_text(made(levels))
    return folder


@pytest.fixture(
    params=[pytest.param(one, marks=pytest.mark.skipif(not shutil.which(one), reason=one)) for one in CALLS]
)
def shell(request):
    return request.param


@pytest.fixture
def offered(shell, scripts, tmp_path):
    def ask(*words):
        call = [*CALLS[shell], str(scripts / shell), "stirred", *words]
        done = subprocess.run(call, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=60)
        assert done.stderr == ""
        return {line.partition("\t")[0] for line in done.stdout.splitlines() if line}

    return ask


def test_a_command_is_completed_from_its_beginning(offered):
    assert offered("") == set(COMMANDS)
    assert offered("au") == {"audit"}


def test_an_option_is_completed_and_its_values_are_those_of_the_parser(offered):
    assert offered("audit", "--form") == {"--format"}
    assert offered("audit", "claim.toml", "--format", "") == set(FORMATS)
    assert offered("run", "topdown", "--engine", "sp") == {"spark"}


def test_a_command_below_a_command_has_its_own_words(offered):
    assert offered("run", "") == {"cell-key", "phsafe", "survey", "topdown"}
    assert offered("run", "topdown", "--ini") == {"--init"}
    assert offered("audit", "--ini") == set()


def test_the_values_of_an_argument_are_offered(offered):
    assert offered("completion", "") == set(SCRIPTS)


def test_a_value_that_is_named_like_a_command_leads_nowhere(offered):
    assert offered("show", "audit", "--htm") == set()
    assert offered("show", "audit", "--jso") == {"--json"}


def test_elsewhere_files_are_offered(shell, offered, tmp_path):
    (tmp_path / "some_claim.toml").touch()
    wanted = {"bash": set(), "zsh": {"FILES"}, "fish": {"some_claim.toml"}}  # bash itself falls back to files
    assert offered("audit", "some") == wanted[shell]
    assert offered("audit", "--html", "some") == wanted[shell]
    assert offered("audit", "--seconds", "some") == set()


def test_every_option_of_every_level_is_in_every_script(scripts):
    levels = command_levels()
    assert {level.path[0] for level in levels if level.path} == set(COMMANDS)
    for name in SCRIPTS:
        text = (scripts / name).read_text()
        for level in levels:
            for option in level.options:
                said = f"-l {option.names[-1][2:]} " if name == "fish" else option.names[-1]
                assert said in text, (name, level.path, option)


def test_of_a_command_that_cannot_be_loaded_the_name_is_offered(monkeypatch):
    def missing(name, subparsers):
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(completion, "add_command", missing)
    assert [level.path for level in command_levels()] == [(), *((name,) for name in COMMANDS)]


def test_the_command_prints_the_script_and_refuses_other_shells(capsys, scripts):
    assert main(["completion", "bash"]) == 0
    assert capsys.readouterr().out == (scripts / "bash").read_text() + "\n"
    assert main(["completion", "csh"]) == 2
    assert capsys.readouterr().err.startswith("stirred: argument shell: invalid choice: 'csh'")


def listed(capsys, *words):
    """The ids that are listed, or the one line of an error."""
    status = main(["verify", *words, "--list", "--json"])
    out, err = capsys.readouterr()
    return [one["id"] for one in json.loads(out)] if status == 0 else (status, err)


def test_a_place_chooses_what_is_printed_there(capsys):
    found = listed(capsys, "dissertation, Theorem 5.8.4")
    assert "pufferfish.neighborhood.converse" in found
    assert found == listed(capsys, "--source", "dissertation, Theorem 5.8.4")
    assert set(found) < set(listed(capsys, "--source", "dissertation"))


def test_an_item_is_not_another_one_that_begins_with_its_number(capsys):
    status, error = listed(capsys, "article, Theorem")
    assert status == 2
    assert error == "stirred: no claim is of 'article, Theorem'; see stirred verify --list --source 'article'\n"


def test_grades_narrow_and_none_left_is_said(capsys):
    refuted = listed(capsys, "--source", "article", "--refuted")
    grades = [listed(capsys, "--source", "article", "--grade", word) for word in ("false", "incomplete", "misprint")]
    assert sorted(refuted) == sorted(one for found in grades for one in found)
    assert listed(capsys, "psa.budget", "--search", "no such words") == (
        2,
        "stirred: some claim must be asked for; none is chosen by --search 'no such words'\n",
    )


@pytest.mark.parametrize(
    ("asked", "is_short_for"),
    [
        ("Theorem 5.8.4", "dissertation, Theorem 5.8.4"),
        ("5.8.4", "dissertation, Theorem 5.8.4"),
        ("phsafe, lemma 3", "PHSafe, Lemma 3"),
        ("PHSAFE", "PHSafe"),
    ],
)
def test_an_item_is_found_by_its_name_or_number_alone(capsys, asked, is_short_for):
    assert listed(capsys, asked) == listed(capsys, is_short_for)
    assert listed(capsys, "--source", asked) == listed(capsys, "--source", is_short_for)


@pytest.mark.parametrize("words", ["cluster sample", "sample cluster"])
def test_words_need_not_follow_one_another(capsys, words):
    assert "survey.sampling.cluster.sharp" in listed(capsys, "--search", words)


@pytest.mark.parametrize("words", ["swap rate", "SWAP  Rate"])
def test_words_are_found_whatever_their_case(capsys, words):
    found = listed(capsys, "--search", words)
    assert "psa.no-swapping" not in found
    assert "pairwise.tiers.stop" in found


def test_a_narrowed_choice_is_compared_with_what_was_kept_of_it_alone(capsys, tmp_path):
    main(["verify", "supports.", "--json"])
    kept = tmp_path / "kept.json"
    kept.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["verify", "--source", "dissertation, (C.1)", "--against", str(kept)]) == 0
