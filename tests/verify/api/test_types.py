"""A type checker refuses a wrong budget before anything runs, wherever `stirred` is installed."""

import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from stirred import spec
from stirred.spec.output_premetrics import OUTPUT_PREMETRICS
from stirred.verify.api.blocks import DistanceName, OutputName
from stirred.verify.cli.commands.init import FILES
from stirred.verify.laws.claim.premetrics import METRIC_NAMES

ROOT = Path(__file__).resolve().parents[3]

GOOD = """
from fractions import Fraction
import stirred

@stirred.satisfies(data_sets=(0, 1), distance="absolute_difference", epsilon="ln 3", flip="1/4")
def answer(data: int, source: stirred.Source, *, flip: Fraction) -> int:
    return 1 - data if source.bernoulli(flip) else data

loss: stirred.Loss = stirred.smallest_budget(answer, data_sets=(0, 1), distance="absolute_difference", flip="1/4")
found = stirred.audit(answer, data_sets=(0, 1), distance=lambda x, y: abs(x - y), epsilon=loss, flip="1/4")
holds: bool = found.verdict is stirred.Verdict.EXHAUSTED

def named(data: int, source: stirred.Source, *, epsilon: Fraction, flip: Fraction) -> int:
    return answer(data, source, flip=flip)

stirred.satisfies(
    data_sets=[(0,), (1,)], distance="bounded", epsilon="ln 3", parameters={"epsilon": "1"}, flip="1/4"
)(named)
delta = stirred.smallest_delta(named, data_sets=[0, 1], distance="unbounded", epsilon=1, parameters={"epsilon": 1})
loss = stirred.smallest_budget(named, data_sets=(0, 1), distance="add/remove", parameters={"epsilon": 1}, flip="1/4")
pieces = len(stirred.smallest_budget(answer, data_sets=(0, 1), distance="bounded", flip="symbol").pieces)
loss = stirred.smallest_budget(answer, data_sets=(0, 1), distance="bounded", generator="source", flip="1/4")
smaller: bool = loss < 1
"""

BAD = """
import stirred

def answer(data: int, source: stirred.Source) -> int:
    return data

stirred.audit(answer, data_sets=(0, 1), distance="absolute_difference", epsilon=0.8)
stirred.assert_satisfies(answer, data_sets=(0, 1), distance="absolute_difference", epsilon=0.8)
stirred.satisfies(data_sets=(0, 1), distance="absolute_difference", epsilon=0.8)
stirred.Blocks(data_sets=(0, 1), distance="absolute_difference", epsilon=0.8)
stirred.smallest_budget(answer, data_sets=(0, 1), distance="absolute_difference", delta=0.1)
stirred.audit(answer, data_sets=(0, 1), distance=3)
stirred.nothing
stirred.audit(answer, data_sets=(0, 1), distance="absolute_difference", output="pur")
stirred.audit(answer, data_sets=(0, 1), distance="absolute_diference")
stirred.smallest_budget(answer, data_sets=(0, 1), distance="absolute_difference", output="zdcp")
stirred.satisfies(data_sets=(0, 1), distance="add-remove", invariants=["sizes"], epsilon=1)
stirred.Blocks(data_sets=(0, 1), distance="add-remove", output="pure-dp")
stirred.audit(answer, data_sets=(0, 1), distance="bounded", parameters=["epsilon"])
"""

MODULES = [name for name in FILES if name.endswith(".py")]


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """What mypy says of the two files, in a folder elsewhere."""
    folder = tmp_path_factory.mktemp("typed")
    site = tmp_path_factory.mktemp("site")
    (site / "stirred").symlink_to(ROOT / "stirred")
    (folder / "good.py").write_text(GOOD)
    (folder / "bad.py").write_text(BAD)
    for name in MODULES:
        (folder / name).write_text(FILES[name])
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), "good.py", "bad.py", *MODULES],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(site)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stdout.splitlines()


def test_a_type_checker_knows_the_names_that_there_are():
    known = {name.replace("-", "_").replace("/", "_") for name in get_args(DistanceName)}
    words = {"add_remove", "unbounded", "replace_one", "change_one", "bounded"}
    assert known == {*METRIC_NAMES, *words} - {"explicit", "pufferfish"}  # these need a claim file


def test_a_type_checker_knows_every_output_premetric():
    listed = {name.replace("-", "_") for kind in get_args(OutputName) for name in get_args(kind)}
    named = {name: kind for name, kind in OUTPUT_PREMETRICS.items() if name != "renyi"}  # an object: it has an order
    wanted = {one for name, kind in named.items() for one in (name, *kind.aliases)}
    assert listed == wanted, "an output premetric and its aliases stand in one Literal of verify/api/blocks.py"
    homes = {kind: getattr(spec, kind.__name__, None) for kind in OUTPUT_PREMETRICS.values()}
    assert [kind for kind, home in homes.items() if kind is not home] == [], "spec/__init__.py imports each class"


def test_a_right_use_passes(checked):
    assert [line for line in checked if line.startswith("good.py")] == []


def test_so_does_what_init_writes(checked):
    assert MODULES == ["coins.py", "test_coins.py", "ask.py"]
    assert [line for line in checked if line.startswith(tuple(MODULES))] == []


def test_every_wrong_one_fails(checked):
    lines = {int(line.split(":")[1]) for line in checked if line.startswith("bad.py") and ": error: " in line}
    assert lines == set(range(7, 20)), checked
