"""An independent check of queries: one file, nothing but Python's standard library.

`stirred check FILE…`, or `python query.py FILE…` with this file alone. A file has one certificate, a JSON object, or a
list of them. A claim that a solver has decided comes down to this: no values satisfy all assertions of a query, which
are the claim's hypotheses and the negation of its conclusion.

format             "stirred query 1"
claim, statement   for the reader: not compared with anything here, and printed as such
scope              what the names of the query range over, in words
query              SMT-LIB text of declarations, definitions and assertions, without quoted names
sum                null, or [[place, number], …]. The assertions are then comparisons of two polynomials, `and`s of such
                   and `not`s of inequalities and of `or`s, all numbered from 0 in their order. As a >= 0, a > 0 or
                   a = 0 the named ones, times their numbers (above 0 unless a = 0), add up to a constant below 0, or
                   to 0 with an a > 0 among them: so no values satisfy them all (J. Farkas, 1902, where they are
                   linear; any product of names counts as a name of its own here)
without            [text, …]: what else speaks about the claim, and is not certified here

Without a sum the query is given to each of `SOLVERS` that is installed: one must answer unsat, and none sat.

Confirmed is that no values satisfy the query; that the query is the negation of the claim is taken on trust.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial, reduce
from itertools import chain, product
from pathlib import Path
from typing import Any

FORMAT = "stirred query 1"
_USAGE = "usage: python query.py FILE [FILE ...]\nexit status: 0 all confirmed, 1 one is not, 2 one is unreadable\n"
_LIBRARY = """
import sys
try:
    import cvc5
except ImportError:
    sys.exit()
solver = cvc5.Solver(cvc5.TermManager())
solver.setOption("nl-cov", "true")  # cylindrical coverings, for products of names
solver.setOption("tlimit-per", "60000")
parser = cvc5.InputParser(solver)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "query")
while not (command := parser.nextCommand()).isNull():
    sys.stdout.write(command.invoke(solver, parser.getSymbolManager()))
"""
SOLVERS = {
    "cvc5": ["cvc5", "--lang=smt2", "--tlimit=60000", "-"],
    "yices-smt2": ["yices-smt2", "--timeout=60"],
    "mathsat": ["mathsat"],
    "cvc5 for Python": [sys.executable, "-I", "-c", _LIBRARY],
}
"""Solvers that read SMT-LIB from standard input, by their commands: others than the one that answered first."""

_COMMANDS = {"declare-const": 3, "declare-fun": 4, "declare-sort": 3, "define-fun": 5, "assert": 2}  # with their parts
_SIGNS = {"<=": ">=", "<": ">", ">=": ">=", ">": ">", "=": "="}
_WORDS = """+ - * / div mod abs and or not xor => ite distinct true false to_real to_int is_int let forall exists
par match _ as ! select store Int Real Bool Array"""
_RESERVED = {*_SIGNS, *_COMMANDS, *_WORDS.split()}
_NAME, _NUMBER = r"[A-Za-z_][A-Za-z0-9_.!-]*", r"[0-9]+(\.[0-9]+)?"
_MOST_BYTES = 20_000_000


class QueryError(Exception):
    """The certificate is malformed, or does not show what it says."""


class UnansweredError(QueryError):
    """No solver answers the query."""


def _require(is_right: object, message: str) -> None:
    if not is_right:
        raise QueryError(message)


Polynomial = dict[tuple[str, ...], Fraction]


def _terms(text: str) -> list[Any]:
    """The commands of SMT-LIB text, as lists of lists of texts: names of their own, numbers, and what is reserved."""
    _require(all(c in "\n\t" or c.isprintable() for c in text), "line feeds must end lines, with all else visible")
    text = re.sub(";.*", "", text)
    _require(not {"|", '"'} & set(text), "a query must have no quoted names and no texts")
    stack: list[list[Any]] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", text):
        if word == "(":
            stack.append([])
        elif word == ")":
            stack[-2].append(stack.pop())
        else:
            is_known = word in _RESERVED or re.fullmatch(f"{_NAME}|{_NUMBER}", word)
            _require(is_known, f"must be a name, or a number: {word}")
            stack[-1].append(word)
    (found,) = stack
    are_whole = all(one and isinstance(one[0], str) and len(one) == _COMMANDS.get(one[0]) for one in found)
    _require(are_whole, f"commands must be whole, among {sorted(_COMMANDS)}")
    _different([one[1] for one in found if one[0] != "assert"])
    for one in found:
        if one[0] == "define-fun":
            _different([parameter for parameter, _ in one[2]])
    return found


def _different(names: Sequence[Any]) -> None:
    """Require names that mean nothing else."""
    are_names = all(isinstance(name, str) and re.fullmatch(_NAME, name) for name in names)
    _require(are_names and not _RESERVED & set(names), "what is declared or defined must have a name of its own")
    _require(len(set(names)) == len(names), "names must be declared or defined once")


def _written(term: Any) -> str:
    """A term as SMT-LIB text."""
    return term if isinstance(term, str) else f"({' '.join(map(_written, term))})"


Definitions = Mapping[str, tuple[list[str], Any]]


def _polynomial(term: Any, definitions: Definitions, bound: Mapping[str, Polynomial]) -> Polynomial:
    """A term with its definitions put in, and the parameters of the one that it stands in."""
    if isinstance(term, str) and term in bound:
        return bound[term]
    head, *rest = [term] if isinstance(term, str) else term
    _require(isinstance(term, str) or (rest and isinstance(head, str) and head not in bound), "no function of parts")
    parts = [_polynomial(part, definitions, bound) for part in rest]
    if head in definitions:
        parameters, body = definitions[head]
        _require(len(parts) == len(parameters), f"must have a part for each parameter: {head}")
        if body is None:
            return {(head,): Fraction(1)}
        return _polynomial(body, definitions, dict(zip(parameters, parts, strict=True)))
    if isinstance(term, str):
        _require(re.fullmatch(_NUMBER, term), f"must be declared, or a number: {term}")
        return {(): Fraction(term)}
    _require(head in ("+", "-", "*") and parts, f"no polynomial: {head}")
    if head == "-" and len(parts) == 1:
        return _combined("-", {}, parts[0])
    return reduce(partial(_combined, head), parts)


def _combined(head: str, one: Polynomial, other: Polynomial) -> Polynomial:
    if head == "*":
        pairs = [(tuple(sorted(m + n)), a * b) for (m, a), (n, b) in product(one.items(), other.items())]
    else:
        pairs = [*one.items(), *((m, -a if head == "-" else a) for m, a in other.items())]
    found: Polynomial = {}
    for monomial, a in pairs:
        found[monomial] = found.get(monomial, Fraction(0)) + a
    return {monomial: a for monomial, a in found.items() if a}


def _facts(term: Any, definitions: Definitions, *, is_so: bool) -> Iterator[tuple[str, Polynomial]]:
    """The comparisons a >= 0, a > 0 or a = 0 that an assertion consists of, with their signs."""
    _require(isinstance(term, list) and len(term) > 1, f"no comparison: {term}")
    head, *parts = term
    _require(head != "not" or len(parts) == 1, "not must have one part")
    if head in ("not", "and" if is_so else "or"):
        inner = is_so is not (head == "not")
        yield from chain.from_iterable(_facts(part, definitions, is_so=inner) for part in parts)
        return
    _require(head in _SIGNS and len(parts) == 2 and (is_so or head != "="), f"no comparison, or several: {head}")
    left, right = (_polynomial(part, definitions, {}) for part in parts)
    sign = _SIGNS[head] if is_so else {">=": ">", ">": ">="}[_SIGNS[head]]
    is_greater = (head in (">", ">=", "=")) is is_so
    yield sign, _combined("-", left, right) if is_greater else _combined("-", right, left)


def comparisons(query: str) -> list[tuple[str, Polynomial]]:
    """The comparisons that the assertions of a query consist of: the sign >=, > or =, and a polynomial beside 0.

    >>> comparisons("(declare-const x Int) (assert (< x 2))")
    [('>', {(): Fraction(2, 1), ('x',): Fraction(-1, 1)})]
    """
    terms = _terms(query)
    constants = [term for term in terms if term[0] == "declare-const"]
    defined = [term for term in terms if term[0] == "define-fun"]
    definitions: dict[str, tuple[list[str], Any]] = {name: ([], None) for _, name, _ in constants}
    sorts = [sort for _, _, sort in constants]
    for _, name, given, sort, body in defined:
        definitions[name] = ([parameter for parameter, _ in given], body)
        sorts += [sort, *(one for _, one in given)]
    _require(all(sort in ("Int", "Real") for sort in sorts), "names must stand for numbers")
    asserted = [term for command, *term in terms if command == "assert"]
    return [fact for (term,) in asserted for fact in _facts(term, definitions, is_so=True)]


def _contradicts(facts: Sequence[tuple[str, Polynomial]], listed: Sequence[Any]) -> bool:
    """Whether a sum of comparisons is absurd."""
    total, signs = Polynomial(), set()
    for place, number in listed:
        _require(type(place) is int and 0 <= place < len(facts), "a sum must name comparisons by their places")
        is_number = type(number) in (int, str) and re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", str(number))
        _require(is_number, "a sum must have integers, or texts such as 1/2")
        (sign, polynomial), weight = facts[place], Fraction(number)
        _require(weight > 0 or sign == "=", "the numbers of a sum must be above 0")
        total = _combined("+", total, {monomial: weight * a for monomial, a in polynomial.items()})
        signs.add(sign)
    return total.keys() <= {()} and (total.get((), 0) < 0 or (not total and ">" in signs))


def _solved(terms: Sequence[Any]) -> str:
    """The solvers that find no values: they are given the commands as they are read here, and none of the text."""
    found = []
    asked = "\n".join(["(set-logic ALL)", *map(_written, terms), "(check-sat)", ""])
    for name, (command, *options) in SOLVERS.items():
        if program := shutil.which(command):
            with suppress(subprocess.TimeoutExpired, OSError, UnicodeDecodeError):  # one without an answer
                run = subprocess.run([program, *options], input=asked, capture_output=True, text=True, timeout=120)  # noqa: S603, PLW1510
                answer = run.stdout.strip()
                _require("sat" not in answer.split(), f"{name} finds values that satisfy the query")
                found += [name] if answer == "unsat" else []
    if not found:
        raise UnansweredError(f"a query without a sum needs a solver that answers: {', '.join(SOLVERS)}")
    return " and ".join(found)


def check(certificate: Any) -> list[str]:
    """What is not compared and what is taken on trust, in sentences, and what a certificate confirms."""
    try:
        return list(_checked(certificate))
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        OSError,
        RecursionError,
        subprocess.SubprocessError,
        TypeError,
        ValueError,
    ) as error:
        raise QueryError(f"not as the format describes it: {type(error).__name__} {error}") from None


def _checked(certificate: Any) -> Iterator[str]:
    _require(isinstance(certificate, dict) and certificate.get("format") == FORMAT, f"format must be {FORMAT!r}")
    keys = {"format", "claim", "statement", "scope", "query", "sum", "without"}
    _require(certificate.keys() == keys, "keys must be those of the format")
    query, listed = certificate["query"], certificate["sum"]
    terms = _terms(query)
    asserted = sum(term[0] == "assert" for term in terms)
    if listed is None:
        by = _solved(terms)
    else:
        facts = comparisons(query)
        _require(_contradicts(facts, listed), "the sum must be a constant that contradicts the comparisons")
        by = f"a sum of {len(listed)} of the {len(facts)} comparisons"
    yield f"not compared: {json.dumps({key: certificate[key] for key in ('claim', 'statement')})}; what is in brackets"
    yield "taken on trust: the query is the negation of the claim"
    yield from (f"not in the certificate: {one}" for one in certificate["without"])
    yield f"CONFIRMED: no values satisfy the {asserted} assertions, by {by} [{certificate['scope']}]"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _require(len(dict(pairs)) == len(pairs), "an object must not have duplicate keys")
    return dict(pairs)


def main(paths: Sequence[str]) -> int:
    """Check files; returns 0 where every certificate is confirmed, 1 where one is not, 2 where one cannot be read."""
    if not paths or {"-h", "--help"} & set(paths):
        (sys.stdout if paths else sys.stderr).write(_USAGE)
        return 0 if paths else 2
    status, encoding = 0, sys.stdout.encoding or "ascii"
    for path in paths:
        try:
            with Path(path).open("rb") as file:
                content = json.loads(file.read(_MOST_BYTES), object_pairs_hook=_unique)
            certificates = content if isinstance(content, list) and content else [content]
            lines = [line for one in certificates for line in check(one)]
        except (OSError, ValueError, RecursionError, MemoryError) as error:
            sys.stderr.write(f"{path}: cannot be read: {error}\n")
            status, lines = 2, []
        except QueryError as error:
            status, lines = max(status, 1), [f"NOT CONFIRMED: {error}"]
        for line in (f"{path}: {line}".encode(encoding, "replace").decode(encoding) for line in lines):
            sys.stdout.write("".join(c if c.isprintable() else "?" for c in line) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
