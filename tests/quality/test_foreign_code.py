"""Attacks on the auditor by a mechanism's code: it can neither forge a verdict nor hide what it does, nor do harm."""

import sys
from fractions import Fraction
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from foreign_modules import PUBLISHES, VOTES, audited_module, claim_text, laws, refusal, written
from started import stirred

from stirred.mechanisms import sample
from stirred.spec import Law
from stirred.verify.evidence.verdict import Verdict

UNCONFINED = sys.platform != "linux"


class TestTheVerdictIsNotTheMechanisms:
    @pytest.mark.parametrize(
        "patch",
        [
            "from stirred.spec import Loss\nLoss.__le__ = lambda a, b: True\nLoss.__gt__ = lambda a, b: False",
            "import fractions\nfractions.Fraction.__eq__ = lambda a, b: True",
            "from stirred.verify.engines import exhaustive\nexhaustive.violations = lambda *a: iter(())",
            "import stirred.spec.laws.law\nstirred.spec.laws.law.Law.__getitem__ = lambda law, t: 1",
            "import stirred.verify.evidence.verdict as v\nv.Verdict._member_map_['REFUTED'] = v.Verdict.PROVED",
        ],
    )
    def test_patching_our_modules_changes_no_verdict(self, tmp_path: Path, patch: str) -> None:
        record = audited_module(tmp_path, f"{patch}\n{PUBLISHES}")
        assert record.verdict is Verdict.REFUTED

    def test_one_files_mechanism_does_not_change_another_files_verdict(self, tmp_path: Path) -> None:
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
        patch = "import sys\nfrom stirred.spec import Loss\nLoss.__le__ = lambda a, b: 1\nsys.modules['foreign'] = 0\n"
        written(tmp_path / "one", patch + "def f(data, source):\n    return 0\n")
        written(tmp_path / "two", PUBLISHES)
        files = []
        for name in ("one", "two"):
            files.append(tmp_path / name / "claim.toml")
            files[-1].write_text(claim_text("foreign:f", ('id = "own"', f'id = "{name}"')))
        done = stirred("audit", *map(str, files))
        assert done.returncode == 1
        assert "one: EXHAUSTED" in done.stdout
        assert "two: REFUTED" in done.stdout

    @pytest.mark.parametrize(
        "does",
        [
            "for fd in range(3, 64):\n        try: os.write(fd, FORGED)\n        except OSError: pass",
            "for fd in range(3, 64):\n        try: os.close(fd)\n        except OSError: pass",
            "for fd in range(3, 64):\n        try: os.dup2(1, fd)\n        except OSError: pass",
            "os._exit(0)",
            "os.abort()",
            "raise SystemExit(0)",
            "sys.stdout.close(); sys.stderr.close(); raise KeyboardInterrupt",
        ],
    )
    def test_writing_to_and_closing_descriptors_is_refused(self, tmp_path: Path, does: str) -> None:
        forged = b'{"confined":true,"values":[],"weights":[],"outputs":["0"],"shapes":[[1]],"trees":[[[],[0],0]]}\n'
        message = refusal(
            tmp_path, f"import os, sys\nFORGED = {forged!r}\n\ndef f(data, source):\n    {does}\n    return 0\n"
        )
        assert "its process" in message or "it raised" in message or "refused" in message


PLAIN: dict[str, tuple[str, str]] = {
    "a bool, an int and a float": ("(True, 1, 1.0)[VOTES]", "got a float: round it"),
    "signed zeros": ("(0.0, -0.0, 0.0)[VOTES]", "got a float"),
    "a complex number": ("complex(VOTES)", "got a complex"),
    "a Decimal": ("Decimal(VOTES)", "got a Decimal: round it"),
    "an uncompared field": ("Merged(VOTES)", "got a Merged: return the plain values"),
    "a class that equals everything": ("Equal(VOTES)", "got an Equal"),
    "a metaclass that says it is int": ("Disguised(VOTES)", "got a Disguised"),
    "a text of a subclass": ("Text(str(VOTES))", "got a Text: its type must be exactly str: write str(…)"),
    "an int of a subclass": ("Number(VOTES)", "got a Number: its type must be exactly int: write int(…)"),
    "a fraction of a subclass": ("Part(VOTES)", "got a Part: its type must be exactly Fraction"),
    "an enumeration": ("Colour(VOTES % 2)", "got a Colour"),
    "a named tuple": ("Pair(VOTES, 0)", "got a Pair: its type must be exactly tuple: write tuple(…)"),
    "a list": ("[VOTES]", "got a list: write tuple(…) of plain values"),
    "a dictionary": ("{'votes': VOTES}", "got a dict: write tuple(sorted(….items()))"),
    "a generator": ("(v for v in [VOTES])", "got a generator: write tuple(…)"),
    "a law": ("Law({VOTES: 1})", "got a Law: return one output drawn through the source"),
    "an object": ("object()", "got an object"),
    "a function": ("(lambda: VOTES)", "got a function"),
    "inside a tuple": ("('x', (0, [VOTES]))", "got a list"),
    "inside a set": ("frozenset([Number(VOTES)])", "got a Number"),
    "very deep": ("deep(VOTES)", "must be nested at most 50 deep"),
    "very long": ("'x' * 200_000", "must have at most 100000 characters"),
    "a number of many digits": ("10 ** 200_000 + VOTES", "must have at most 100000 characters"),
}

TYPES = """
    from dataclasses import dataclass, field
    from decimal import Decimal
    from enum import IntEnum
    from fractions import Fraction
    from typing import NamedTuple
    from stirred.spec import Law

    @dataclass(frozen=True)
    class Merged:
        votes: int = field(compare=False)

    class Equal:
        def __init__(self, votes): self.votes = votes
        def __eq__(self, other): return True
        def __hash__(self): return 0

    class Meta(type):
        def __eq__(cls, other): return True
        def __hash__(cls): return type.__hash__(int)

    class Disguised(metaclass=Meta):
        def __init__(self, votes): self.votes = votes
        def __repr__(self): return "0"

    class Text(str): pass
    class Number(int): pass
    class Part(Fraction): pass
    class Colour(IntEnum):
        RED = 0
        GREEN = 1
    class Pair(NamedTuple):
        first: int
        second: int

    def deep(value):
        for _ in range(60):
            value = (value,)
        return value
"""


class TestOutputsArePlain:
    @pytest.mark.parametrize("name", PLAIN)
    def test_anything_else_is_refused_with_how_to_write_it(self, tmp_path: Path, name: str) -> None:
        expression, expected = PLAIN[name]
        votes = "sum(vote == 'yes' for (vote,) in data)"
        text = f"{dedent(TYPES)}\ndef f(data, source):\n    return {expression.replace('VOTES', votes)}\n"
        assert expected in refusal(tmp_path, text)

    def test_values_that_python_merges_stay_apart(self, tmp_path: Path) -> None:
        text = """
        from fractions import Fraction

        def f(data, source):
            kinds = (True, 1, Fraction(1), "1", b"1", None, (1,), frozenset([1]), "True", "None", "(1,)", {1}, (True,))
            return kinds[source.uniform(len(kinds))]
        """
        (law,) = laws(tmp_path, text, VOTES[:1]).laws.values()
        assert len(law) == 13
        assert set(law.values()) == {Fraction(1, 13)}

    def test_sets_are_one_whatever_their_order(self, tmp_path: Path) -> None:
        text = """
        def f(data, source):
            return frozenset(["a", "b", "c", "d"][i] for i in source.permutation(4)), {("x", 1), ("y", 2)}
        """
        (law,) = laws(tmp_path, text, VOTES[:1]).laws.values()
        assert law == Law({"(frozenset({'a', 'b', 'c', 'd'}), {('x', 1), ('y', 2)})": 1})

    @pytest.mark.parametrize("pair", ["(True, 1)", "(1, Fraction(1))", "(frozenset(), set())", "((1,), (True,))"])
    def test_what_tells_data_sets_apart_is_a_loss(self, tmp_path: Path, pair: str) -> None:
        text = f"from fractions import Fraction\ndef f(data, source):\n    return {pair}[('yes',) in data]\n"
        record = audited_module(tmp_path, text)
        assert record.verdict is Verdict.REFUTED


class TestTheOrderOfRecords:
    @pytest.mark.parametrize(
        "leaks",
        [
            "data != tuple(sorted(data))",
            "data[0] > data[-1]",
            "any(a > b for a, b in zip(data, data[1:]))",
            "data[-2] > data[-1]",
            "data[0] > data[1]",
        ],
    )
    def test_a_mechanism_that_reads_the_order_is_refused_with_the_pair(self, tmp_path: Path, leaks: str) -> None:
        points = tuple((("no",),) * (5 - k) + (("yes",),) * k for k in range(6))
        text = f"def f(data, source):\n    return data[0] if {leaks} else 0\n"
        message = refusal(tmp_path, text, points=points, is_ordered=False)
        assert "the mechanism must not depend on the order of records in an unordered domain" in message
        assert "on the same records in the order" in message
        assert len(laws(tmp_path, text, points).laws) == 6  # the order matters in an ordered domain

    def test_the_scope_says_how_many_orders_were_tried(self, tmp_path: Path) -> None:
        text = "def f(data, source):\n    return len(data)\n"
        assert laws(tmp_path, text, is_ordered=False).assumed.startswith("each data set in all orders of its records;")
        many = (tuple((str(i),) for i in range(7)), tuple(("x",) for i in range(7)))
        assumed = laws(tmp_path, text, many, is_ordered=False).assumed
        assert assumed.startswith("each data set in all orders of its records, or in 25 or more of them;")

    def test_a_record_drawn_at_random_has_one_law_in_every_order(self, tmp_path: Path) -> None:
        text = "def f(data, source):\n    return data[source.uniform(len(data))]\n"
        assert laws(tmp_path, text, is_ordered=False).laws[VOTES[1]] == Law(
            {"('no',)": Fraction(1, 2), "('yes',)": Fraction(1, 2)}
        )


HIDDEN = {
    "random": "import random\ndef f(data, source):\n    return random.random() < 0.01 and data",
    "the generator below": "import _random\ndef f(data, source):\n    return _random.Random().random() < 0.01 and data",
    "the system below": "import posix\ndef f(data, source):\n    return posix.urandom(1)[0] == 0 and data",
    "another copy": "import importlib, random\ndef f(data, source):\n"
    "    return importlib.reload(random).random() < 0.01 and data",
    "the machine": "import os\ndef f(data, source):\n    return os.uname().nodename == 'x' and data",
    "a thread's number": "import _thread\ndef f(data, source):\n    return _thread.get_ident() % 1009 == 3 and data",
    "a generator": "import random\ndef f(data, source):\n    return random.Random().getrandbits(7) == 0 and data",
    "a seeded generator": "from random import Random\ndef f(data, source):\n    return Random(1).random() < 1 and data",
    "the system's": "import random\ndef f(data, source):\n    return random.SystemRandom().random() < 0.01 and data",
    "a name taken": "from random import choice\ndef f(data, source):\n    return choice(range(100)) == 0 and data",
    "secrets": "import secrets\ndef f(data, source):\n    return secrets.randbelow(100) == 0 and data",
    "bytes": "import os\ndef f(data, source):\n    return os.urandom(1)[0] == 0 and data",
    "bytes of the kernel": "import os\ndef f(data, source):\n    return os.getrandom(1)[0] == 0 and data",
    "a device": "def f(data, source):\n    return open('/dev/urandom', 'rb').read(1)[0] == 0 and data",
    "a device by descriptor": "import os\ndef f(data, source):\n"
    "    return os.read(os.open('/dev/urandom', os.O_RDONLY), 1)[0] == 0 and data",
    "numpy": "import numpy\ndef f(data, source):\n    return bool(numpy.random.random() < 0.01) and data",
    "numpy's generator": "from numpy.random import default_rng\ndef f(data, source):\n"
    "    return bool(default_rng(1).random() < 0.01) and data",
    "numpy's old generator": "import numpy.random.mtrand as m\ndef f(data, source):\n"
    "    return bool(m.RandomState(1).rand() < 0.01) and data",
    "uuid": "import uuid\ndef f(data, source):\n    return uuid.uuid4().int % 100 == 0 and data",
    "the clock": "import time\ndef f(data, source):\n    return time.time_ns() % 100 == 0 and data",
    "another clock": "from time import perf_counter\ndef f(data, source):\n    return perf_counter() < 0 and data",
    "the date": "from datetime import datetime\ndef f(data, source):\n    return datetime.now().year > 2100 and data",
    "an address": "def f(data, source):\n    return id(object()) % 1009 == 0 and data",
    "a hash": "def f(data, source):\n    return hash('x') % 1009 == 0 and data",
    "an object's hash": "def f(data, source):\n    return hash(object()) % 1009 == 0 and data",
    "the process": "import os\ndef f(data, source):\n    return os.getpid() % 1009 == 0 and data",
    "a thread": "import threading\ndef f(data, source):\n    threading.Thread(target=print).start()\n    return 0",
    "the system's files": "def f(data, source):\n    return open('/proc/self/stat').read()[0] == '0' and data",
    "another program": "import subprocess\ndef f(data, source):\n    return subprocess.run(['date']) and data",
}

DEPENDS_ON_MORE = (
    "must depend on its data and its source only",
    "must draw all of its randomness from its source",
    "must keep nothing between calls",
)


class TestNothingBesidesTheSource:
    @pytest.mark.parametrize("name", HIDDEN)
    def test_randomness_from_elsewhere_is_refused_at_its_first_use(self, tmp_path: Path, name: str) -> None:
        message = refusal(tmp_path, HIDDEN[name] + "\n")
        assert "is refused: a mechanism must depend on its data and its source only" in message

    def test_every_function_of_the_modules_of_randomness_and_time_is_refused(self, tmp_path: Path) -> None:
        text = """
        import os, random, secrets, time, uuid

        def f(data, source):
            passed = []
            for module in (random, secrets):
                for name in module.__all__:
                    if name not in ("Random", "SystemRandom", "compare_digest"):
                        try:
                            getattr(module, name)()
                        except ValueError as refused:
                            if "is refused" in str(refused):
                                continue
                        except TypeError:
                            pass
                        passed.append(name)
            for clock in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
                for name in (clock, clock + "_ns"):
                    try:
                        getattr(time, name)()
                        passed.append(name)
                    except ValueError:
                        pass
            raise NameError(passed)
        """
        assert "it raised NameError: [] (" in refusal(tmp_path, text)

    @pytest.mark.parametrize(
        "text",
        [
            "CALLS = []\ndef f(data, source):\n    CALLS.append(0)\n    return len(CALLS) > 2 and data",
            "SEEN = set()\ndef f(data, source):\n    SEEN.add(data)\n    return len(SEEN) == 2 and data",
            "LAST = [None]\ndef f(data, source):\n    last, LAST[0] = LAST[0], data\n    return last",
            "def f(data, source, seen=[]):\n    seen.append(0)\n    return source.uniform(2) if len(seen) < 5 else 2",
            "def f(data, source):\n    return tuple({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'})",
            "def f(data, source):\n    return next(iter({'a', 'b'}))",
            "def f(data, source):\n    return next(iter({'yes', 'no'}))",
            "TWO = {'tea', 'juice'}\ndef g():\n    return list(TWO)\ndef f(data, source):\n    return g()[0]",
            "def f(data, source):\n    return repr(object()).endswith('f0>') and data or repr(object())",
        ],
    )
    def test_what_depends_on_state_or_hash_orders_is_refused(self, tmp_path: Path, text: str) -> None:
        message = refusal(tmp_path, text + "\n")
        assert any(words in message for words in DEPENDS_ON_MORE), message

    def test_an_effect_of_an_attempt_is_refused_however_improbable(self, tmp_path: Path) -> None:
        text = """
        from fractions import Fraction
        TINY = Fraction(1, 2**400)

        def f(data, source):
            seen = []

            def body(inner):
                seen.append(inner.bernoulli(TINY))
                return 0

            source.attempt(body)
            return data if seen[-1] else 0
        """
        assert "an attempt must have no effect besides its result" in refusal(tmp_path, text)

    def test_an_effect_that_only_shifts_probabilities_is_refused(self, tmp_path: Path) -> None:
        text = """
        from fractions import Fraction
        TINY = Fraction(1, 2**400)

        def f(data, source):
            seen = [False]

            def body(inner):
                seen.append(inner.bernoulli(TINY))
                return 0

            source.attempt(body)
            return source.bernoulli(Fraction(1, 2) if seen[-1] else Fraction(1, 3))
        """
        assert "the mechanism must draw all of its randomness from its source" in refusal(tmp_path, text)

    def test_a_library_that_is_installed_as_links_is_imported(self, tmp_path: Path, monkeypatch: Any) -> None:
        for folder in ("site", "real", "own"):
            (tmp_path / folder).mkdir()
        (tmp_path / "real" / "linked.py").write_text("THREE = 3\n")
        (tmp_path / "site" / "linked.py").symlink_to(tmp_path / "real" / "linked.py")
        monkeypatch.syspath_prepend(tmp_path / "site")
        text = "import linked\ndef f(data, source):\n    return linked.THREE\n"
        assert {law.support for law in laws(tmp_path / "own", text).laws.values()} == {("3",)}
        reads = f"def f(data, source):\n    return open({str(tmp_path / 'site' / 'linked.py')!r}).read()\n"
        assert "is not beside the code" in refusal(tmp_path / "own", reads)

    def test_the_source_has_one_class_whoever_runs_the_mechanism(self, tmp_path: Path) -> None:
        text = """
        def f(data, source):
            return source.attempt(lambda inner: (type(source).__name__, type(inner).__module__, type(inner).__name__))
        """
        (law,) = laws(tmp_path, text, VOTES[:1]).laws.values()
        namespace: dict[str, Any] = {}
        exec(dedent(text), namespace)  # noqa: S102 the same text as the module
        assert law == Law({repr(sample(namespace["f"], VOTES[0])): 1})

    def test_the_scope_says_what_is_assumed(self, tmp_path: Path) -> None:
        record = audited_module(tmp_path, "def f(data, source):\n    return 0\n")
        assert record.verdict is Verdict.EXHAUSTED
        assert record.scope.endswith("assumes a fresh process per call and no randomness other than `source`")

    @pytest.mark.parametrize(
        "text",
        [
            "import logging\nLOG = logging.getLogger('x')\ndef f(data, source):\n    LOG.info('x')\n    return 0\n",
            "import numpy\ndef f(data, source):\n    return int(numpy.array([1, 2]).sum())\n",
            "import sympy\ndef f(data, source):\n    return str(sympy.Rational(1, 2))\n",
            (
                "from stirred.mechanisms import discrete_gaussian\nfrom fractions import Fraction\n"
                "def f(data, source):\n    return source.attempt(lambda inner: inner.uniform(3))\n"
            ),
            (
                "import tempfile, uuid, datetime, decimal\ndef f(data, source):\n"
                "    return datetime.date(2020, 4, 1).isoformat() + str(decimal.Decimal(1))\n"
            ),
        ],
    )
    def test_honest_code_runs(self, tmp_path: Path, text: str) -> None:
        assert len(laws(tmp_path, text).laws) == 3
