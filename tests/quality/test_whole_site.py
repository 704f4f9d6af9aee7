"""The site of the whole ledger: its links, its size, its time, and that what people look for is found."""

import json
import time

import pytest
from site_links import broken_links

from stirred.verify.cli.site.build import site_files
from stirred.verify.cli.site.entry import entries
from stirred.verify.ledger.book import claim_ids
from stirred.verify.ledger.run import run

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def whole():
    """Every file of the site, and the processor time of making them from a finished run."""
    records = json.loads(json.dumps([record.as_json() for record in run(jobs=2)]))
    before = time.process_time()
    files = site_files(entries(records), source="a run of the whole ledger")
    return files, time.process_time() - before


def test_every_link_leads_somewhere(whole):
    assert broken_links(whole[0]) == []


def test_every_claim_has_a_page(whole):
    assert {f"ledger/{name}.html" for name in claim_ids()} <= set(whole[0])


def test_it_is_small_and_made_soon(whole):
    files, seconds = whole
    assert sum(map(len, files.values())) < 15_000_000
    assert seconds < 60
