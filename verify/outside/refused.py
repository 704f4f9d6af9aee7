"""What is refused, and what to write instead: raised, and remembered, since code can catch it and go another way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stirred.spec.arguments import InputError

__all__ = ["REFUSABLE", "REFUSED", "Refusable", "never", "refused", "with_article"]

REFUSED: list[InputError] = []
"""What was refused in this process so far."""


@dataclass(frozen=True)
class Refusable:
    """A kind of things that the law of a mechanism would silently depend on.

    Attributes:
        kind: in words, as the guide lists it.
        remedy: what to write instead.
        beginnings: what names of this kind begin with; the first kind that fits is a name's.
    """

    kind: str
    remedy: str
    beginnings: tuple[str, ...]


REFUSABLE = (
    Refusable(
        "other randomness",
        "take the generator as a parameter: def f(data, rng: np.random.Generator)",
        (
            *("random.", "_random.", "numpy.random", "numpy.ndarray", "secrets.", "uuid.", "_uuid.", "a generator's "),
            *("os.urandom", "os.getrandom", "posix.urandom", "posix.getrandom", "ssl.RAND", "_ssl.RAND"),
            *("Random.", "RandomState.", "Generator.", "PCG64.", "MT19937."),
        ),
    ),
    Refusable(
        "clocks",
        "give the time as a parameter",
        ("time.", "datetime.", "date.", "numpy.datetime64", "os.times", "posix.times", "os.clock", "posix.clock"),
    ),
    Refusable("the order of sets", "iterate over sorted(…)", ("the order of a set",)),
    Refusable(
        "addresses and hashes",
        "compare the values themselves",
        ("id of", "hash of", "repr of", "pickle.", "_pickle.", "sys.getrefcount", "sys.getallocated"),
    ),
    Refusable(
        "threads and other processes",
        "compute it in the call itself",
        (
            *("threading.", "_thread.", "concurrent.", "multiprocessing.", "asyncio.", "subprocess.", "pty."),
            *("signal.", "os.fork", "os.posix_spawn", "os.exec", "os.system", "os.spawn", "os.kill", "posix.fork"),
        ),
    ),
    Refusable("the network", "read it before, and give it as a parameter", ("socket.", "urllib.", "http.", "ssl.")),
    Refusable("writing files", "return what is to be released", ("writing ", "tempfile.", "shutil.", "os.mkdir")),
    Refusable(
        "reading files",
        "read it while the module is imported, or keep the file beside the code",
        ("reading ", "a file", "sqlite3.", "readline.", "os.stat", "os.listdir", "os.open"),
    ),
    Refusable("the person at the keyboard", "give it as a parameter", ("input",)),
    Refusable(
        "the system and its environment",
        "give it as a parameter",
        ("the environment", "os.", "posix.", "nt.", "sys.", "gc.", "resource.", "importlib.", "ctypes."),
    ),
)


def refused(what: str) -> InputError:
    """The refusal to be raised, with what to write instead."""
    remedy = next((f"; {one.remedy}" for one in REFUSABLE if what.startswith(one.beginnings)), "")
    REFUSED.append(InputError(f"{what} is refused: a mechanism must depend on its data and its source only{remedy}"))
    return REFUSED[-1]


def never(what: str) -> Callable[..., Any]:
    """What takes the place of a function that nobody may call."""

    def called(*_: Any, **__: Any) -> Any:
        raise refused(what)

    return called


def with_article(kind: type) -> str:
    """The name of a kind as messages say it: "an int"."""
    return f"{'an' if kind.__name__[:1].lower() in 'aeiou' else 'a'} {kind.__name__}"
