"""What benchmarks measure: processor time, which other work changes least, and the memory of a process."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Cost:
    """Processor seconds, seconds by the clock and megabytes at most of a process and those that it waited for."""

    processor: float
    clock: float
    megabytes: float

    def __str__(self):
        return f"{self.processor:.2f} s processor, {self.clock:.2f} s clock, {self.megabytes:.0f} MB"


def cost(*words, cwd=ROOT):
    """What `python words…` costs; it must succeed."""
    begun = time.monotonic()
    command = [sys.executable, *map(str, words)]
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: status {process.returncode}")
    return Cost(used.ru_utime + used.ru_stime, time.monotonic() - begun, used.ru_maxrss / 1024)


def processor_time():
    """Seconds of this process and of those that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def least(*functions, repeats=3):
    """The least processor time of each, taken in turns."""
    found = [float("inf")] * len(functions)
    for _ in range(repeats):
        for place, function in enumerate(functions):
            begun = time.process_time()
            function()
            found[place] = min(found[place], time.process_time() - begun)
    return found
