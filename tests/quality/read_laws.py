"""The laws of functions that are read, path by path."""

import importlib.util
import sys
from contextlib import suppress
from fractions import Fraction

from quality.drawing_programs import shown

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.read_mechanism import ReadMechanism
from stirred.mechanisms.source import RestartError
from stirred.spec.arguments import InputError
from stirred.spec.laws.enclosed_share import EnclosedShare
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.real import EnclosedReal, UndecidedOrderError


def powers(above, below):
    """A quotient of sums of c·e^r."""
    return ExponentialQuotient(*({Fraction(r): Fraction(c) for r, c in part.items()} for part in (above, below)))


def number(weight):
    """A weight as a number."""
    if not isinstance(weight, EnclosedShare):
        return weight
    return Exact(EnclosedReal(Enclosure(weight.lower, weight.upper)))


def is_one(total):
    """Whether a number is 1, as far as that is known."""
    with suppress(UndecidedOrderError):
        return total == 1
    return True


def law_of(module, name, data, **parameters):
    """The law of a function, by what it returns or raises; conditioned on not beginning afresh."""
    read = ReadMechanism(getattr(module, name), parameters, lambda file: file == module.__file__)
    found = {}

    class Chooser:
        """Decides by a script, and multiplies the weights."""

        def __init__(self, script):
            self.script, self.weight, self.open = script, 1, []
            self.at = 0

        def choose(self, weights):
            weights = [*map(number, weights)]
            assert is_one(sum(weights, Fraction(0)))
            if self.at == len(self.script):
                self.open += [[*self.script, other] for other in range(1, len(weights))]
                self.script = [*self.script, 0]
            self.weight = weights[self.script[self.at]] * self.weight
            self.at += 1
            return self.script[self.at - 1]

        def restart(self):
            raise RestartError

    waiting = [[]]
    while waiting:
        source = Chooser(waiting.pop())
        try:
            outcome = read.outcome(data, source)
        except RestartError:
            waiting += source.open
            continue
        waiting += source.open
        key = repr(outcome.value)
        found[key] = source.weight + found.get(key, Fraction(0))
    total = sum(found.values(), Fraction(0))
    return found if is_one(total) else {key: weight / total for key, weight in found.items()}


def loaded(file, text):
    """The module of a text, which is written to a file."""
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


FAILED = "please report it"
"""What is said where Python runs a path in another way: never right where a law is listed by its runs."""


def read_law(function, data):
    """The law of a function as it is read, by its outcomes' texts; None where it is refused, the refusal if wrongly."""
    read = ReadMechanism(function, {}, lambda file: file == function.__code__.co_filename)
    try:
        return dict(exact_law(lambda point, source: shown(read.outcome(point, source).value), data))
    except InputError as refusal:
        return str(refusal) if FAILED in str(refusal) else None
