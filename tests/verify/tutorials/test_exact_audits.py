"""Mechanisms as tutorials write them are audited as they stand: exactly where that can be, else a line says why not."""

import importlib
import tomllib
from pathlib import Path

import pytest

import stirred
from stirred.spec import InputError
from stirred.verify.evidence.verdict import Verdict

FOLDER = Path(__file__).parent
CLAIMS = tomllib.loads((FOLDER / "claims.toml").read_text(encoding="utf-8"))["mechanism"]

REFUSED = {
    "broken:seeded_by_the_data": r"broken.py, line \d+: np.random.Random fixes what is drawn",
}


def audited(claim):
    module, _, name = claim["function"].partition(":")
    return stirred.audit(
        getattr(importlib.import_module(module), name),
        data_sets=[tuple(data) for data in claim["data_sets"]],
        distance=claim["distance"],
        epsilon=claim["epsilon"],
        delta=claim.get("delta"),
        generator=claim["generator"],
    )


@pytest.fixture(autouse=True)
def _modules(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda one: one["function"])
def test_it_is_decided_exactly_or_refused_with_what_cannot_be_followed(claim):
    name = claim["function"]
    if name in REFUSED:
        with pytest.raises(InputError, match=REFUSED[name]):
            audited(claim)
    elif claim["expected"] == "met":
        assert audited(claim).verdict in (Verdict.EXHAUSTED, Verdict.ENCLOSED)
    else:
        assert audited(claim).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "claim", [one for one in CLAIMS if one["expected"] == "refuted"], ids=lambda one: one["function"]
)
def test_a_mistake_is_found_by_draws_too(claim):
    module, _, name = claim["function"].partition(":")
    found = stirred.estimate(
        getattr(importlib.import_module(module), name),
        pairs=[(tuple(claim["x"]), tuple(claim["x_prime"]))],
        epsilon=claim["epsilon"],
        seed=1,
        draws=100_000,
    )
    assert found.verdict is Verdict.REFUTED
