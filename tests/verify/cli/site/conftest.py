"""A few claims that are settled in a moment, their records as JSON, and the whole site of them."""

import json

import pytest
from site_links import read_pages

from stirred.verify.cli.site.build import site_files
from stirred.verify.cli.site.entry import entries
from stirred.verify.ledger.run import run

FEW = (
    "derangements.nearest-integer",
    "derangements.nearest-integer.printed",
    "hamming.half-l1",
    "psa.budget.universe-function",
)


@pytest.fixture(scope="session")
def few_records():
    """The records of these claims, as `stirred verify --json` prints them."""
    return json.loads(json.dumps([record.as_json() for record in run(FEW)]))


@pytest.fixture(scope="session")
def few_files(few_records):
    """Every file of their site by its path."""
    return site_files(entries(few_records), source="a run of a few claims")


@pytest.fixture(scope="session")
def few_pages(few_files):
    """Its pages as a browser reads them, by their paths."""
    return read_pages(few_files)
