"""Time of the whole ledger: `python -m pytest tests/benchmarks/bench_ledger.py`, about three minutes.

Other work on a machine changes even the seconds of processor time, by a half and more. So a yardstick is measured all
along: one fixed loop of the same kind of work, exact sums of small fractions, after each few claims. What the ledger
takes in turns of that loop can be compared between machines and days. Not collected with the
tests.
"""

import gc
import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from benchmarks.measuring import processor_time

from stirred.verify.ledger.book import claim_ids, claims
from stirred.verify.ledger.run import LedgerRecord, run

SECONDS, TURNS = 180, 1_100
"""At most so many of either; the aim is 120 seconds, 750 turns."""
EACH = 40
"""Claims between two turns of the yardstick."""


def turn() -> float:
    """Processor time of one turn of the yardstick: 25,600 products and sums of small fractions, twice."""
    fractions = [Fraction(a, b) for a in range(1, 9) for b in range(1, 21)]
    gc.disable()  # what else is alive would be looked through
    begin = time.process_time()
    assert {a * b + a for a in fractions for b in fractions} == {a * b + b for a in fractions for b in fractions}
    spent = time.process_time() - begin
    gc.enable()
    return spent


def measured() -> Iterator[tuple[LedgerRecord, float, list[float]]]:
    """The records with the processor time of each, and the turns so far."""
    turns = [turn()]
    records = run(jobs=1)
    for number in range(1, len(claim_ids()) + 1):
        begin = processor_time()
        found = list(islice(records, 1))
        spent = processor_time() - begin
        if number % EACH == 0:
            turns.append(turn())
        yield found[0], spent, turns


def test_the_whole_ledger(benchmark):
    claims()  # loading them takes a second, whatever is asked
    rows = benchmark.pedantic(lambda: list(measured()), rounds=1)
    seconds = sum(spent for _, spent, _ in rows)
    yardstick = sorted(rows[-1][2])[len(rows[-1][2]) // 2]
    rows.sort(key=lambda row: row[1], reverse=True)
    benchmark.extra_info["claims"] = len(rows)
    benchmark.extra_info["processor seconds"] = round(seconds, 1)
    benchmark.extra_info["a turn of the yardstick"] = round(yardstick, 4)
    benchmark.extra_info["turns"] = round(seconds / yardstick)
    benchmark.extra_info["longest"] = {record.claim.id: round(spent, 2) for record, spent, _ in rows[:40]}
    print(*(f"{name}: {value}" for name, value in benchmark.extra_info.items()), sep="\n")
    assert {record.claim.id for record, _, _ in rows} == set(claim_ids())
    assert seconds < SECONDS or seconds / yardstick < TURNS
