"""For every test: Hypothesis repeats its cases in CI and is wide at night, and each claim is checked once."""

import fcntl
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import stirred
from stirred.verify.ledger.run import LedgerRecord, run_claim

sys.modules["stirred"] = stirred  # this tree's, whatever is installed under that name

collect_ignore = ["benchmarks"]  # they need the group `bench`, and --doctest-modules would import them

# a conformance class runs each of its tests for each class that inherits it
unneeded = [HealthCheck.too_slow, HealthCheck.differing_executors]
common = {"deadline": None, "suppress_health_check": unneeded}
settings.register_profile("change", derandomize=True, max_examples=10, **common)
settings.register_profile("local", max_examples=10, **common)
settings.register_profile("nightly", max_examples=100, **common)  # seeded by --hypothesis-seed
settings.load_profile("nightly" if "STIRRED_SEED" in os.environ else "change" if os.environ.get("CI") else "local")


@pytest.fixture(autouse=True)
def same_depth() -> Iterator[None]:
    """No test leaves a deeper stack behind, where a hostile text would end the next one's process."""
    before = sys.getrecursionlimit()
    yield
    assert sys.getrecursionlimit() == before


@pytest.fixture(scope="session")
def changing_seed() -> int:
    """The seed of this night's random cases: STIRRED_SEED, which `.ci/nightly` sets and prints; else 0."""
    return int(os.environ.get("STIRRED_SEED", "0"))


@pytest.fixture
def usual_signals() -> Iterator[None]:
    """Signals with their usual effect on the programs that a test starts, also under nohup or in the background."""
    numbers = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
    before = [signal.getsignal(number) for number in numbers]
    for number, handler in zip(numbers, before, strict=True):
        if handler is signal.SIG_IGN:  # a child would inherit it
            signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], LedgerRecord]:
    """Records by claim id, each claim checked once in all processes of a run: the first one keeps it in a file."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # that of all workers
    kept: dict[str, LedgerRecord] = {}

    def record(claim_id: str) -> LedgerRecord:
        if claim_id not in kept:
            kept[claim_id] = _once(folder / f"{claim_id}.record", claim_id)
        return kept[claim_id]

    return record


def _once(path: Path, claim_id: str) -> LedgerRecord:
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        known = file.read()
        if known:
            return pickle.loads(known)  # noqa: S301 what this run wrote
        record = run_claim(claim_id)
        file.write(pickle.dumps(record))
        return record
