"""The program of a certificate of alignment as Coq definitions: noise, and a tree of decisions for each piece.

What a program shows is the number of each path that it takes, and the numbers that have to be equal in both runs
(`Path.same`); all that it returns is computed from that. Integers are Coq's Z, real numbers its R.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stirred.verify.evidence.certificates.alignment import of_json, read_program
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.program_graph import Edge, Graph
from stirred.verify.evidence.certificates.read_values import RECORD, SIZE, PathDecision

KINDS = {"discrete laplace": "Laplace", "geometric": "Geometric"}
"""The noise that the theory has."""
PRIME = "'"
_DECIDED = {
    ">=": ("Z_le_gt_dec", "Rle_lt_dec"),
    ">": ("Z_lt_le_dec", "Rlt_le_dec"),
    "==": ("Z.eq_dec", "Req_EM_T"),
}
"""What compares two integers, or two real numbers."""


class NotInCoqError(Exception):
    """Why a certificate has no Coq file."""


@dataclass(frozen=True)
class CoqPath:
    """A path with its number, what is true on it in order, and the place of each of its draws in the piece's noise."""

    edge: Edge
    number: int
    decisions: tuple[PathDecision, ...]
    slots: tuple[int, ...]


@dataclass(frozen=True)
class CoqPiece:
    """The start, a pass or the end of a program: its noise, and its paths as a tree of decisions in order.

    Attributes:
        name: "start", "pass" or "last".
        noise: kinds and rates; a path leaves alone what it does not draw.
        leaves: the paths; those on which a decision holds come first.
    """

    name: str
    noise: tuple[tuple[str, Polynomial], ...]
    leaves: tuple[CoqPath, ...]


class CoqProgram:
    """The definitions of a program.

    Raises:
        NotInCoqError: the theory has no such program.
    """

    def __init__(self, certificate: Mapping[str, Any]) -> None:
        if certificate["rule"] != "alignment":
            raise NotInCoqError(f"the rule of {certificate['rule']} is not in Coq")
        if "measure" in certificate or "values" in certificate["program"]:
            raise NotInCoqError("budgets of zCDP, and records of given values, are not in Coq")
        self.certificate = certificate
        self.program = read_program(certificate["program"])
        self.graph = Graph(self.program)
        if real := sorted({draw.kind for draw in self.graph.draws()} - KINDS.keys()):
            raise NotInCoqError(f"it draws {real[0]} noise, and only {' and '.join(KINDS)} noise is in Coq")
        if len(self.graph.states) != 1:
            raise NotInCoqError(f"it has {len(self.graph.states)} loops, and one is in Coq")
        ((self.head, self.state),) = self.graph.states.items()
        self.counter = self.state.head.hidden("counter")
        self.variables = sorted(self.state.changing)
        self.budget = of_json(certificate["budget"])
        self.pieces: list[CoqPiece] = []
        for name in ("start", "pass", "last"):
            self.pieces.append(self._piece(name, sum(len(piece.leaves) for piece in self.pieces)))
        self.whole = self._whole()

    def _piece(self, name: str, first: int) -> CoqPiece:
        noise: list[tuple[str, Polynomial]] = []
        found = []
        for edge in self.graph.edges:
            path = edge.path
            decisions = self._own_decisions(edge, name)
            if decisions is None:
                continue
            if path.index not in (None, Polynomial.name(self.counter)) or path.end == "raise":
                raise NotInCoqError(f"line {self.head[0]}: a pass reads its own record alone, and raises nothing")
            if name == "start" and edge.target is None:
                raise NotInCoqError(f"line {self.head[0]}: this loop may not be reached")
            slots: list[int] = []
            for draw in path.draws:
                law = KINDS[draw.kind], draw.rate
                free = range(slots[-1] + 1 if slots else 0, len(noise))
                slots.append(next((k for k in free if noise[k] == law), len(noise)))
                noise += [law] if slots[-1] == len(noise) else []
            found.append((decisions, edge, tuple(slots)))
        found.sort(key=lambda leaf: [not one.outcome for one in leaf[0]])
        leaves = (CoqPath(edge, k, decisions, slots) for k, (decisions, edge, slots) in enumerate(found, first))
        return CoqPiece(name, tuple(noise), tuple(leaves))

    def _own_decisions(self, edge: Edge, name: str) -> tuple[PathDecision, ...] | None:
        """What is decided on a path of a piece beside whether there is a record; None of other pieces' paths."""
        decisions = tuple(edge.path.decisions)
        if edge.source is None:
            return decisions if name == "start" else None
        more = Polynomial.name(SIZE) - Polynomial.name(self.counter)
        if not decisions or (decisions[0].value, decisions[0].relation) != (more, ">"):
            raise NotInCoqError(f"line {self.head[0]}: this loop is not over the records, in order")
        return decisions[1:] if name == ("pass" if decisions[0].outcome else "last") else None

    def _whole(self) -> set[Symbol]:
        """The variables that hold integers, where records and noise are."""
        whole = set(self.variables)
        arrivals = [self.graph.into(leaf.edge) for piece in self.pieces[:2] for leaf in piece.leaves]
        while wrong := {
            name for name in whole for into in arrivals if name in into and not self.is_integral(into[name], whole)
        }:
            whole -= wrong
        return whole

    def is_integral(self, value: Polynomial, whole: set[Symbol]) -> bool:
        known = {*self.program.whole, *whole}
        return all(
            number.denominator == 1
            and all(power > 0 and (name in known or name.kind in ("draw", "record")) for name, power in monomial)
            for monomial, number in value.terms.items()
        )

    # terms

    def named(self, name: Symbol, leaf: CoqPath | None, prime: str = "") -> str:
        if name.kind == "parameter":
            return identifier("p", name.text)
        if name == RECORD:
            return f"q{prime}"
        if name.kind == "draw" and leaf is not None:
            return f"z{leaf.slots[int(name.text)]}"
        if name in self.variables:
            return identifier(name.kind[0], name.text.split()[0]) + prime
        what = "what it rounds" if name.kind == "opaque" else str(name)
        raise NotInCoqError(f"it computes with {what}, which is not in Coq")

    def term(self, value: Polynomial, leaf: CoqPath | None = None, prime: str = "", *, is_real: bool = True) -> str:
        """A polynomial as a term of R, or of Z."""
        texts = []
        for monomial, number in sorted(value.terms.items()):
            text = f"({number})" if number < 0 or number.denominator > 1 else str(number)
            factors = [] if number == 1 and monomial else [text]
            for name, power in monomial:
                if name.kind in ("ln", "exp"):
                    factor = f"{name.kind} {self._inside(ast.parse(name.text.replace('^', '**'), mode='eval').body)}"
                else:
                    factor = self.named(name, leaf, prime)
                    factor = f"IZR {factor}" if is_real and self._is_integer(name) else factor
                factors += [factor if power > 0 else f"/ ({factor})"] * abs(power)
            texts.append(" * ".join(factors))
        return f"({' + '.join(texts) or '0'})%{'R' if is_real else 'Z'}"

    def _is_integer(self, name: Symbol) -> bool:
        return self.is_integral(Polynomial.name(name), self.whole)

    def _inside(self, node: ast.expr) -> str:
        """What a logarithm or an exponential is of."""
        if isinstance(node, ast.Constant):
            return f"({ast.unparse(node)})"
        if isinstance(node, ast.Name):
            name = Symbol("parameter", node.id)
            return f"IZR {self.named(name, None)}" if name in self.program.whole else self.named(name, None)
        if isinstance(node, ast.UnaryOp):
            return f"(- {self._inside(node.operand)})"
        if isinstance(node, ast.Call):
            return f"({ast.unparse(node.func)} {self._inside(node.args[0])})"
        if isinstance(node, ast.BinOp):
            sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^"}[type(node.op)]
            return f"({self._inside(node.left)} {sign} {self._inside(node.right)})"
        raise NotInCoqError(f"it computes with {ast.unparse(node)}, which is not in Coq")

    def of_variable(self, name: Symbol, value: Polynomial, leaf: CoqPath | None = None) -> str:
        return self.term(value, leaf, is_real=name not in self.whole)

    def state_tuple(self, prime: str = "") -> str:
        """The variables in order, as a tuple or a pattern."""
        return _tuple([self.named(name, None, prime) for name in self.variables])

    # the program

    def _decided(self, one: PathDecision, leaf: CoqPath) -> str:
        """A decision: of what is above, and what is below 0 in the difference that is compared."""
        is_real = not self.is_integral(one.value, self.whole)
        sides = [
            self.term(
                Polynomial({m: sign * k for m, k in one.value.terms.items() if sign * k > 0}), leaf, is_real=is_real
            )
            for sign in (-1, 1)
        ]
        return f"{_DECIDED[one.relation][is_real]} {sides[0]} {sides[1]}"

    def _tree(self, leaves: Sequence[CoqPath], depth: int, indent: str = "  ") -> str:
        leaf = leaves[0]
        if len(leaves) == 1 and len(leaf.decisions) == depth:
            return f"{indent}({self._outcome(leaf)})"
        held = [one for one in leaves if one.decisions[depth].outcome]
        rest = leaves[len(held) :]
        if not held or not rest:
            raise NotInCoqError(f"line {leaf.decisions[depth].line}: a decision has one outcome only")
        decided = self._decided(leaf.decisions[depth], leaf)
        parts = (self._tree(one, depth + 1, indent + "  ") for one in (held, rest))
        return "\n".join([f"{indent}(on_test ({decided})", *parts]) + ")"

    def _outcome(self, leaf: CoqPath) -> str:
        """What a path shows, and where it leads."""
        numbers = "; ".join(self.term(value, leaf) for value, _ in leaf.edge.path.same)
        into = self.graph.into(leaf.edge)
        state = _tuple([self.of_variable(name, into[name], leaf) for name in self.variables if into])
        in_pass = leaf.edge.source is not None and bool(leaf.edge.path.decisions[0].outcome)
        to = "tt" if leaf.edge.target is None else state
        to = to if not in_pass else "inr tt" if leaf.edge.target is None else f"inl {state}"
        return f"[({leaf.number}%nat, [{numbers}])], {to}"

    def piece_text(self, piece: CoqPiece, known: str) -> Iterator[str]:
        """The noise and the steps of a piece; `known` shows that rates are above 0."""
        for place, (_, rate) in enumerate(piece.noise):
            yield f"Lemma {piece.name}_rate_{place} : 0 < {self.term(rate)}."
            yield f"Proof. {known}positive. Qed."
        laws = (f"{kind} (mkposreal _ {piece.name}_rate_{place})" for place, (kind, _) in enumerate(piece.noise))
        given = {"start": "", "pass": "(st : state) (q : Z) ", "last": "(st : state) "}[piece.name]
        taken = {"start": "", "pass": "st q ", "last": "st "}[piece.name]
        result = {"start": "state", "pass": "state + unit", "last": "unit"}[piece.name]
        yield f"Definition {piece.name}_noise : list integer_noise := [{'; '.join(laws)}]."
        yield f"Definition {piece.name}_step {given}(z : list Z) : list event * ({result}) :="
        if given:
            yield f"  let '{self.state_tuple()} := st in"
        yield "".join(f"  let z{place} := nth {place} z 0%Z in\n" for place in range(len(piece.noise))) + (
            self._tree(piece.leaves, 0) + "."
        )
        yield f"Definition {piece.name} {given}: program (list event * ({result})) :="
        yield f"  drawing {piece.name}_noise (fun z => Return ({piece.name}_step {taken}z)).\n"


def identifier(prefix: str, text: str) -> str:
    """The Coq name of a Python name."""
    if not text.isascii():
        raise NotInCoqError(f"the name {text} has letters beyond ASCII")
    return f"{prefix}_{text}"


def _tuple(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
