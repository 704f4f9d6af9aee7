"""For every test: Hypothesis is derandomised in CI, the ledger is checked once, benchmarks run when they are named."""

import os
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

from verify.ledger.run import Record, run_claim

collect_ignore = ["benchmarks"]  # they need the group `bench`, and --doctest-modules would import them

common = {"deadline": None, "max_examples": 40, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", derandomize=True, **common)
settings.register_profile("local", **common)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session")
def checked() -> Callable[[str], Record]:
    """Records by claim id, each claim checked once."""
    kept: dict[str, Record] = {}

    def record(claim_id: str) -> Record:
        if claim_id not in kept:
            kept[claim_id] = run_claim(claim_id)
        return kept[claim_id]

    return record


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep all tests that read the ledger in one process, so that no other one checks it again."""
    if config.pluginmanager.hasplugin("xdist"):
        for item in items:
            if "checked" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.xdist_group("ledger"))
