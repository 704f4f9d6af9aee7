"""The line that says how far a long run is: on a terminal only, with records per second and the time that is left."""

import io
import time

from stirred.verify.commands.progress_line import ProgressLine


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_is_told_the_speed_and_the_time_that_is_left(monkeypatch):
    clock = iter([0, 10**9, 2 * 10**9, 2 * 10**9 + 1, 3 * 10**9])
    monkeypatch.setattr(time, "monotonic_ns", lambda: next(clock))
    stream = Terminal()
    line = ProgressLine(stream)
    for done in (0, 100, 200, 201, 1000):
        line.show("reading", done, 1000)
    shown = stream.getvalue().split("\r\x1b[K")
    assert shown[1:] == [
        "reading: 100 of 1000 records, 100 records/s, 9 s left",
        "reading: 200 of 1000 records, 100 records/s, 8 s left",
        "",
    ]


def test_what_takes_seconds_each_is_told_by_the_time_that_is_left(monkeypatch):
    clock = iter([0, 6 * 10**9])
    monkeypatch.setattr(time, "monotonic_ns", lambda: next(clock))
    stream = Terminal()
    line = ProgressLine(stream, "tables")
    for done in (0, 3):
        line.show("PHSafe", done, 9)
    assert stream.getvalue().endswith("PHSafe: 3 of 9 tables, 12 s left")


def test_a_file_is_told_nothing():
    stream = io.StringIO()
    ProgressLine(stream).show("reading", 1, 2)
    assert stream.getvalue() == ""
