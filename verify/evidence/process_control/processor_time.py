"""Processor time of this process and of those that it started: the measure of work that other work does not change."""

import os
from collections.abc import Iterator
from pathlib import Path

STARTED: set[int] = set()
"""Processes that run on this one's account; whoever starts one that is not waited for at once adds it here."""


def processor_time() -> float:
    """Seconds of this process, of those that it has waited for, and, on Linux, of those that run and theirs.

    Elsewhere a process counts when it has ended.

    >>> begun = processor_time()
    >>> sum(range(10**6)) > 0 and processor_time() >= begun
    True
    """
    used = os.times()
    now = used.user + used.system + used.children_user + used.children_system
    if STARTED:
        now += sum(map(_ticks, _running(STARTED))) / os.sysconf("SC_CLK_TCK")
    _read[:] = _read[0] + max(0.0, now - _read[1]), now  # nobody waits for a part of what is killed
    return _read[0]


_read = [0.0, 0.0]
"""What was answered last, and what was read for it."""


def _running(pids: set[int] | list[int]) -> Iterator[int]:
    for pid in [*pids]:
        yield pid
        try:
            below = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        except OSError:
            continue
        yield from _running([*map(int, below)])


def _ticks(pid: int) -> int:
    """Of a process in both modes, with those that it has waited for; 0 where it has ended, or nothing tells."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    return sum(map(int, told.rpartition(")")[2].split()[11:15]))
