"""`stirred study libraries`: one line for each mechanism; what cannot be made is said."""

import json
from types import SimpleNamespace

import pytest

from stirred.verify.cli import main
from stirred.verify.libraries.catalogue import CATALOGUED, Catalogued
from stirred.verify.studies import libraries


def unmade():
    raise AttributeError("no such mechanism in this version")


@pytest.fixture
def _catalogue(monkeypatch):
    """Functions in the place of libraries' mechanisms."""
    table = {
        "one: leaks": Catalogued("one", lambda: lambda data: data, pairs=[(0, 1)], note="known: issue 1"),
        "one: sound": Catalogued("one", lambda: lambda data: 0, pairs=[(0, 1)], epsilon="0.5"),
        "two: unmade": Catalogued("two", unmade, pairs=[(0, 1)]),
        "three: absent": Catalogued("three", lambda: None),
    }
    monkeypatch.setattr(libraries, "CATALOGUED", table)
    monkeypatch.setattr(libraries, "installed_libraries", lambda: {"one": "1.0", "two": "2.0"})


@pytest.mark.usefixtures("_catalogue")
def test_it_prints_a_line_for_each_mechanism(capsys):
    assert main(["study", "libraries", "--draws", "500"]) == 0
    leaks, sound, unmade_, counts = capsys.readouterr().out.splitlines()
    assert leaks.startswith("one: leaks 1.0: REFUTED: claimed epsilon = 1, found epsilon >= ")
    assert leaks.endswith("(known: issue 1)")
    assert sound.startswith("one: sound 1.0: OPEN: claimed epsilon = 0.5, found epsilon >= 0.0000, at confidence")
    assert unmade_ == "two: unmade 2.0: not drawn: AttributeError: no such mechanism in this version"
    assert counts == "3 mechanisms, 1 refuted"


@pytest.mark.usefixtures("_catalogue")
def test_the_records_have_the_same(capsys):
    assert main(["study", "libraries", "--draws", "500", "--json", "--only", "leaks"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["verdict"], record["version"], record["draws"]) == ("REFUTED", "1.0", 1_000)


@pytest.mark.usefixtures("_catalogue")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "none"], "--only must be part of the name"),
        (["--draws", "0"], "draws must be"),
        (["--seconds", "0"], "seconds must"),
    ],
)
def test_bad_options_are_refused(options, message, capsys):
    assert main(["study", "libraries", *options]) == 2
    assert message in capsys.readouterr().err


def test_a_library_that_is_absent_is_left_out(monkeypatch):
    monkeypatch.setattr(libraries, "CATALOGUED", {"x": SimpleNamespace(distribution="no-such-distribution")})
    assert libraries.installed_libraries() == {}


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in CATALOGUED if name.startswith(("opendp", "diffprivlib"))])
def test_every_mechanism_of_the_installed_versions_is_made(name):
    pytest.importorskip(f"{CATALOGUED[name].distribution}", exc_type=ImportError)
    (found,) = libraries.studied_mechanisms(name, 500, 100)
    assert found.verdict != "not drawn", found.how
