"""What a call from Python asks of a product is refused, when it is made, as on the command line."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from stirred.spec import InputError
from stirred.verify.products.studies.psa import PSA
from stirred.verify.products.studies.study import carry_out
from stirred.verify.products.studies.topdown.study import TOPDOWN
from stirred.verify.products.swap.on_one_machine import swap_here
from stirred.verify.products.swap.request import SwapRequest
from stirred.verify.products.topdown import run as topdown_run
from stirred.verify.products.topdown.release import CheckedRun, TopDownRequest
from stirred.verify.products.topdown.run import run_topdown

HALF = Fraction(1, 2)
SWAP = {"file": "homes.csv", "swap": ["county"]}
RATE = {**SWAP, "swap_rate": HALF}
TOPDOWN_FILES = {"settings": ["s.ini"], "schema": "schema.toml", "data": "data", "output": "released"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({**RATE, "nulls": "maybe"}, "nulls must be 'refuse' or 'category'; got 'maybe'"),
        ({**RATE, "swap": "county"}, "swap must be a list of texts; got 'county'"),
        ({**RATE, "match": "size"}, "match must be a list of texts; got 'size'"),
        ({**RATE, "hold": [1]}, "hold must be a list of texts or None; got [1]"),
        ({**RATE, "file": Path("homes.csv")}, "file must be a text; got PosixPath('homes.csv')"),
        ({**RATE, "swap": []}, "--swap must name at least one column; got none"),
        ({**RATE, "certify": 1}, "certify must be True or False; got 1"),
        ({**RATE, "memory": "2GB"}, "memory must be an integer or 'all' or None; got '2GB'"),
        ({**RATE, "memory": 0}, "--memory must be at least 1; got 0"),
        ({**RATE, "buckets": True}, "buckets must be an integer or None; got True"),
        ({**RATE, "buckets": 0}, "--buckets must be at least 1; got 0"),
        ({**RATE, "bucket_records": -1}, "--bucket-records must be at least 1; got -1"),
        ({**RATE, "seed": -1}, "--seed must be at least 0; got -1"),
        ({**SWAP, "swap_rate": 0.5}, "--swap-rate must be an exact number; got the float 0.5: write Fraction('0.5')"),
        ({**SWAP, "swap_rate": 2}, "--swap-rate must be between 0 and 1; got 2"),
        ({**SWAP, "epsilon": 0}, "--epsilon must be from 1/1000 to 1000; got 0"),
        ({**SWAP, "epsilon": "1"}, "--epsilon must be an integer or a fraction; got '1': write Fraction('1')"),
        ({**RATE, "epsilon": 1}, "--swap-rate cannot be combined with --epsilon"),
        ({**SWAP, "epsilon": 1, "certify": True}, "--certify cannot be combined with --epsilon"),
        ({**RATE, "microdata": "m.csv", "count": "n"}, "--microdata cannot be combined with --count"),
        ({**SWAP, "output": "o.csv"}, "--output and --microdata require --swap-rate or --epsilon"),
    ],
)
def test_a_swap_is_refused_when_it_is_asked(fields, message):
    with pytest.raises(InputError) as refusal:
        SwapRequest(**fields)
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"settings": "s.ini"}, "settings must be a list of texts; got 's.ini'"),
        ({"settings": []}, "--settings must name at least one file; got none"),
        ({"schema": None}, "schema must be a text; got None"),
        ({"earlier": "old", "reproduce": "County=total"}, "reproduce must be a list of texts; got 'County=total'"),
        ({"earlier": "old"}, "--earlier and --reproduce require each other"),
        ({"estimate": "best"}, "estimate must be 'nearest' or 'rounded'; got 'best'"),
        ({"weights": "none"}, "weights must be 'precision' or 'equal'; got 'none'"),
        ({"ties": "first"}, "ties must be 'smallest' or 'largest'; got 'first'"),
        ({"format": "xlsx"}, "format must be 'parquet' or 'csv'; got 'xlsx'"),
        ({"engine": "dask"}, "engine must be 'processes' or 'spark'; got 'dask'"),
        ({"no_measurements": None}, "no_measurements must be True or False; got None"),
        ({"workers": 0}, "--workers must be at least 1; got 0"),
        ({"seed": -1}, "--seed must be at least 0; got -1"),
    ],
)
def test_a_topdown_run_is_refused_when_it_is_asked(fields, message):
    with pytest.raises(InputError) as refusal:
        TopDownRequest(**{**TOPDOWN_FILES, **fields})
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("study", "options", "message"),
    [
        (PSA, {"massachusetts": True, "swap_rates": "1/2"}, "--swap-rates must be a list; got '1/2'"),
        (PSA, {"file": "homes.csv", "swap": "county"}, "swap must be a list of texts; got 'county'"),
        (TOPDOWN, {"populations": "massachusetts"}, "--populations must be a list; got 'massachusetts'"),
        (TOPDOWN, {"rho_squared": "1"}, "--rho-squared must be a list; got '1'"),
    ],
)
def test_a_study_reads_no_text_letter_by_letter(tmp_path, study, options, message):
    with pytest.raises(InputError) as refusal:
        carry_out(study, options, tmp_path / "study")
    assert str(refusal.value) == message
    assert not (tmp_path / "study").exists()


def test_a_study_has_at_least_one_process(tmp_path):
    with pytest.raises(InputError, match="--jobs must be at least 1; got 0"):
        carry_out(PSA, {"massachusetts": True}, tmp_path / "study", jobs=0)


class TestNothingIsLeft:
    """A run that is refused late leaves no folder of parts, which another run could not use."""

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"output": "taken"}, "taken: cannot be written: it must be a regular file"),
            ({"claim": "taken"}, "taken: cannot be written: it must be a regular file"),
            ({"output": "none/o.csv"}, "none/o.csv: cannot be written: No such file or directory"),
            ({"swap_rate": Fraction(1)}, "--swap-rate must be between 0 and 1, exclusive, for a release; got 1"),
            ({"buckets": 3}, "buckets must be a power of two from 1 to 1048576; got 3"),
        ],
    )
    def test_of_a_swap(self, tmp_path, monkeypatch, changed, message):
        monkeypatch.chdir(tmp_path)
        Path("homes.csv").write_text("size,tenure,county\n2,own,A\n2,rent,B\n2,own,B\n3,own,A\n")
        Path("taken").mkdir()
        asked = SwapRequest("homes.csv", ["county"], HALF, match=["size"], output="o.csv", memory=10**9, seed=1)
        with pytest.raises(InputError) as refusal:
            swap_here(replace(asked, **changed))
        assert str(refusal.value).startswith(message)
        assert {path.name for path in tmp_path.iterdir()} == {"homes.csv", "taken"}

    def test_of_topdown(self, town, monkeypatch):
        files = [str(town / name) for name in ("schema.toml", "data")]
        asked = TopDownRequest([str(town / "settings.ini")], *files, str(town.parent / "asked"), workers=1, seed=1)
        read = CheckedRun.of(asked)
        with monkeypatch.context() as missing:
            missing.setattr(topdown_run, "find_spec", lambda _: None)
            with pytest.raises(InputError, match="--estimate nearest needs highspy: pip install highspy"):
                run_topdown(read)

        def refuse(design, counts):
            raise InputError("a rule is broken")

        monkeypatch.setattr(topdown_run, "check_edits", refuse)
        with pytest.raises(InputError, match="a rule is broken"):
            run_topdown(read)
        assert [path.name for path in town.parent.iterdir()] == ["town"]

    def test_an_output_that_exists_is_refused_before_files_are_read(self, town):
        with pytest.raises(InputError, match=r"--output must be a new folder; .* exists"):
            CheckedRun.of(TopDownRequest(["none.ini"], "none.toml", "none", str(town)))
