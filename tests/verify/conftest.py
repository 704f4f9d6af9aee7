"""What runs PHSafe, TopDown and surveys on small files."""

import csv
import json

import pytest
from published_files import GEO, PERSONS, UNITS
from survey_files import RUN, RUN_RECORDS

from stirred.verify.cli.commands.survey import EXAMPLE
from stirred.verify.cli.main import main
from stirred.verify.products.topdown.examples import EXAMPLES


@pytest.fixture
def town(tmp_path):
    """The example of TopDown, in a folder of its own."""
    for name, text in EXAMPLES["town"]().items():
        path = tmp_path / "town" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "town"


@pytest.fixture
def phsafe(tmp_path, capsys):
    """A folder of data and settings, with a function that runs the command on them."""
    data = tmp_path / "data"
    data.mkdir()
    for name, text in (("geo", GEO), ("units", UNITS), ("persons", PERSONS)):
        (data / f"{name}.csv").write_text(text)

    def run(chosen, *options, status=0):
        file = tmp_path / "settings.json"
        file.write_text(chosen if isinstance(chosen, str) else json.dumps(chosen))
        words = ["run", "phsafe", "--settings", str(file), "--data", str(data), "--output", str(tmp_path / "out")]
        assert main([*words, *map(str, options)]) == status
        captured = capsys.readouterr()
        if status:
            assert not list(tmp_path.glob("out*"))
            lines = captured.err.splitlines()
            assert not captured.out
            return lines
        return captured

    run.data, run.out = data, tmp_path / "out"
    return run


@pytest.fixture
def survey(tmp_path, capsys):
    """A function that runs the command on the example with some lines changed; its status, output and errors."""

    def run(*changes, text=EXAMPLE, options=()):
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "s.toml").write_text(text)
        status = main(["survey", str(tmp_path / "s.toml"), *options])
        captured = capsys.readouterr()
        return status, captured.out.splitlines(), captured.err.replace(f"{tmp_path}/", "")

    run.folder = tmp_path
    return run


@pytest.fixture
def released(tmp_path, capsys):
    """A function that runs the command on records and settings; its status, rows, output and errors."""
    import pyarrow as pa  # noqa: PLC0415 slow to load
    import pyarrow.parquet as pq  # noqa: PLC0415 slow to load

    def run(records=RUN_RECORDS, *changes, text=RUN, name="sample.parquet", options=()):
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "s.toml").write_text(text)
        (tmp_path / "out.csv").unlink(missing_ok=True)
        table = pa.table(records)
        if name.endswith(".csv"):
            lines = [",".join(table.schema.names)]
            lines += [",".join("" if v is None else str(v) for v in row.values()) for row in table.to_pylist()]
            (tmp_path / name).write_text("\n".join(lines) + "\n")
        else:
            pq.write_table(table, tmp_path / name)
        words = ["--settings", str(tmp_path / "s.toml"), "--data", str(tmp_path / name), "--output"]
        status = main(["run", "survey", *words, str(tmp_path / "out.csv"), *options])
        captured = capsys.readouterr()
        rows = []
        if status == 0:
            rows = list(csv.DictReader((tmp_path / "out.csv").read_text().splitlines()))
        else:
            assert not list(tmp_path.glob("out*"))
            assert not list(tmp_path.glob(".out*"))
        return status, rows, captured.out, captured.err.replace(f"{tmp_path}/", "")

    run.folder = tmp_path
    return run
