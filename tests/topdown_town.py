"""`stirred run topdown` on a copy of its example."""

import csv

from stirred.verify.cli.main import main

__all__ = ["changed", "lines", "run"]


def run(capsys, town, *more, output="released"):
    """Exit status, what was said on stdout and stderr, and the folder of what is released."""
    target = town.parent / output
    given = ["--settings", town / "settings.ini", "--schema", town / "schema.toml", "--data", town / "data"]
    if "spark" not in more:
        given += ["--workers", "1"]
    status = main(["run", "topdown", *map(str, given), "--output", str(target), *map(str, more)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err, target


def lines(path):
    """The records of a CSV file."""
    with path.open() as file:
        return list(csv.DictReader(file))


def changed(town, file, old, new):
    """Replace a text in a file of the example."""
    text = (town / file).read_text()
    assert old in text
    (town / file).write_text(text.replace(old, new, 1))
