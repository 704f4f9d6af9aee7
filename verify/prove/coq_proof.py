"""A certificate of alignment as a Coq file: the program with its noise, the claim in five blocks, and its proof.

The statement is over `satisfies` of the theory `specification`; the proof calls `certified_dp` of
`proofs/theories/alignment/pure_distance.v` with the certificate's invariant and shifts, which Coq checks for itself:
multipliers are left out. What a program shows is the path of each pass with every number that has to be equal in both
runs (`Path.same`); all that it returns is computed from that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from stirred.verify.evidence.certificates.alignment import VERTICES, of_json, read_program
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.program_graph import Edge, Graph
from stirred.verify.evidence.certificates.read_values import RECORD, SIZE, Place, PathDecision

KINDS = {"discrete laplace": "Laplace", "geometric": "Geometric"}
"""The noise that the theory has."""
_CORNERS = (-1, 0, 1)
PRIME = "'"
_DECIDED = {
    ">=": ("Z_le_gt_dec", "Rle_lt_dec"),
    ">": ("Z_lt_le_dec", "Rlt_le_dec"),
    "==": ("Z.eq_dec", "Req_EM_T"),
}
"""What compares two integers, or two real numbers."""
_MARKS = {"tt": "unit", "true": "bool"}
_NEIGHBORS = {
    "each by 1": ("each_changes", "tt", "each_pairs"),
    "all up or all down": ("each_changes", "tt", "each_pairs"),
    "one by 1": ("one_changes", "true", "one_pairs"),
    "sum of changes 1": ("one_changes", "true", "one_pairs"),
}
"""How lists are paired, where the pairs begin, and the lemma; integers whose changes are 1 together change in one."""
_ALIGNED = """\
Lemma {d}_start_aligned : aligns (showing ({d}_inv {start})) budget start start.
Proof.
{numbers}{start_proof}
Qed.

Lemma {d}_pass_aligned : forall m o o' m' c st st', {relation} m o o' m' -> {d}_inv m c st st' ->
  aligns (kept ({d}_inv m') paid) c (visit pass st o) (visit pass st' o').
Proof.
intros m [q|] [q'|] m' c {states} near_q inv_st; cbn [each_changes one_changes] in near_q; try contradiction.
unfold {d}_inv in inv_st; split_facts.
{known}
unfold visit, pass.
{split}
assert {cases} by (unfold changes_by in near_q; lia).
{corners}
Qed.

Lemma {d}_last_aligned : forall m c st st', {d}_inv m c st st' -> aligns (showing paid) c (last st) (last st').
Proof.
intros m c {states} inv_st; unfold {d}_inv in inv_st; split_facts.
{known}
unfold last.
{last_proof}
Qed.
"""
_THEOREM = """\
Theorem claim_is_met (choice : choice_of_reals) :
  satisfies (everything (list Z)) (neighbors_apart choice ({listed}))
    (pure_distance choice (list event)) (fun _ => positive_part choice budget)
    (fun rs => output_law events_dec (mechanism rs)).
Proof.
apply: (@certified_dp choice state Z {mark} {mark} ({relation}) ({back})
  start pass last {one}_inv {other}_inv {start} {start}).
- split; [exact: {one}_start_aligned | exact: {one}_pass_aligned | exact: {one}_last_aligned].
- split; [exact: {other}_start_aligned | exact: {other}_pass_aligned | exact: {other}_last_aligned].
by move=> rs rs'; apply: {pairs} => ? ?; unfold changes_by; lia.
Qed.
"""


class NotInCoqError(Exception):
    """Why a certificate has no Coq file."""


@dataclass(frozen=True)
class _Leaf:
    """A path with its number, what is true on it in order, and the place of each of its draws in the piece's noise."""

    edge: Edge
    number: int
    decisions: tuple[PathDecision, ...]
    slots: tuple[int, ...]


@dataclass(frozen=True)
class _Piece:
    """The start, a pass or the end of a program: its noise, and its paths as a tree of decisions in order.

    Attributes:
        name: "start", "pass" or "last".
        noise: kinds and rates; a path leaves alone what it does not draw.
        leaves: the paths; those on which a decision holds come first.
    """

    name: str
    noise: tuple[tuple[str, Polynomial], ...]
    leaves: tuple[_Leaf, ...]


class CoqProof:
    """The Coq module of a certificate.

    Raises:
        NotInCoqError: the theory has no such program.
    """

    def __init__(self, certificate: Mapping[str, Any]) -> None:
        if certificate["rule"] != "alignment":
            raise NotInCoqError("the rule of the released index is not in Coq")
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
        self.pieces: list[_Piece] = []
        for name in ("start", "pass", "last"):
            self.pieces.append(self._piece(name, sum(len(piece.leaves) for piece in self.pieces)))
        self.whole = self._whole()

    def _piece(self, name: str, first: int) -> _Piece:
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
        leaves = (_Leaf(edge, k, decisions, slots) for k, (decisions, edge, slots) in enumerate(found, first))
        return _Piece(name, tuple(noise), tuple(leaves))

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
            name for name in whole for into in arrivals if name in into and not self._is_whole(into[name], whole)
        }:
            whole -= wrong
        return whole

    def _is_whole(self, value: Polynomial, whole: set[Symbol]) -> bool:
        known = {*self.program.whole, *whole}
        return all(
            number.denominator == 1
            and all(power > 0 and (name in known or name.kind in ("draw", "record")) for name, power in monomial)
            for monomial, number in value.terms.items()
        )

    # terms

    def _named(self, name: Symbol, leaf: _Leaf | None, prime: str = "") -> str:
        if name.kind == "parameter":
            return _identifier("p", name.text)
        if name == RECORD:
            return f"q{prime}"
        if name.kind == "draw" and leaf is not None:
            return f"z{leaf.slots[int(name.text)]}"
        if name in self.variables:
            return _identifier(name.kind[0], name.text.split()[0]) + prime
        raise NotInCoqError(f"it computes with {name}, which is not in Coq")

    def _term(self, value: Polynomial, leaf: _Leaf | None = None, prime: str = "", *, is_real: bool = True) -> str:
        """A polynomial as a term of R, or of Z."""
        texts = []
        for monomial, number in sorted(value.terms.items()):
            text = f"({number})" if number < 0 or number.denominator > 1 else str(number)
            factors = [] if number == 1 and monomial else [text]
            for name, power in monomial:
                if name.kind in ("ln", "exp"):
                    factor = f"{name.kind} {self._inside(ast.parse(name.text.replace('^', '**'), mode='eval').body)}"
                else:
                    factor = self._named(name, leaf, prime)
                    factor = f"IZR {factor}" if is_real and self._is_integer(name) else factor
                factors += [factor if power > 0 else f"/ ({factor})"] * abs(power)
            texts.append(" * ".join(factors))
        return f"({' + '.join(texts) or '0'})%{'R' if is_real else 'Z'}"

    def _is_integer(self, name: Symbol) -> bool:
        return self._is_whole(Polynomial.name(name), self.whole)

    def _inside(self, node: ast.expr) -> str:
        """What a logarithm or an exponential is of."""
        if isinstance(node, ast.Constant):
            return f"({node.value})"
        if isinstance(node, ast.Name):
            name = Symbol("parameter", node.id)
            return f"IZR {self._named(name, None)}" if name in self.program.whole else self._named(name, None)
        if isinstance(node, ast.UnaryOp):
            return f"(- {self._inside(node.operand)})"
        if isinstance(node, ast.Call):
            return f"({ast.unparse(node.func)} {self._inside(node.args[0])})"
        if isinstance(node, ast.BinOp):
            sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^"}[type(node.op)]
            return f"({self._inside(node.left)} {sign} {self._inside(node.right)})"
        raise NotInCoqError(f"it computes with {ast.unparse(node)}, which is not in Coq")

    def _of_variable(self, name: Symbol, value: Polynomial, leaf: _Leaf | None = None) -> str:
        return self._term(value, leaf, is_real=name not in self.whole)

    def _state(self, prime: str = "") -> str:
        """The variables in order, as a tuple or a pattern."""
        return _tuple([self._named(name, None, prime) for name in self.variables])

    # the program

    def _decided(self, one: PathDecision, leaf: _Leaf) -> str:
        """A decision: of what is above, and what is below 0 in the difference that is compared."""
        is_real = not self._is_whole(one.value, self.whole)
        sides = [
            self._term(Polynomial({m: sign * k for m, k in one.value.terms.items() if sign * k > 0}), leaf, is_real=is_real)
            for sign in (-1, 1)
        ]
        return f"{_DECIDED[one.relation][is_real]} {sides[0]} {sides[1]}"

    def _tree(self, leaves: Sequence[_Leaf], depth: int, indent: str = "  ") -> str:
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

    def _outcome(self, leaf: _Leaf) -> str:
        """What a path shows, and where it leads."""
        numbers = "; ".join(self._term(value, leaf) for value, _ in leaf.edge.path.same)
        into = self.graph.into(leaf.edge)
        state = _tuple([self._of_variable(name, into[name], leaf) for name in self.variables if into])
        in_pass = leaf.edge.source is not None and bool(leaf.edge.path.decisions[0].outcome)
        to = "tt" if leaf.edge.target is None else state
        to = to if not in_pass else "inr tt" if leaf.edge.target is None else f"inl {state}"
        return f"[({leaf.number}%nat, [{numbers}])], {to}"

    # the certificate

    def _invariant(self, said: Mapping[str, Any]) -> str:
        """What is apart, what holds in the first run, and what may still be spent, which is at most c."""
        ((_, head),) = said["heads"].items()
        texts = []
        for key, distance in head["distances"].items():
            name = Symbol.of_key(key)
            if distance != "free":
                own = self._of_variable(name, Polynomial.name(name) + of_json([[distance, {}]]))
                texts.append(f"{self._named(name, None, PRIME)} = {own}")
        facts = [of_json(one) for one in head["facts"]]
        texts += [self._fact(fact) for fact in facts if SIZE not in fact.names]
        spent = self._potential(head["potential"])
        return " /\\\n  ".join([*texts, f"({' + '.join(spent)} <= c)%R"])

    def _fact(self, fact: Polynomial) -> str:
        is_real = not self._is_whole(fact, self.whole)
        return f"(0 <= {self._term(fact, is_real=is_real)})%{'R' if is_real else 'Z'}"

    def _potential(self, potential: Mapping[str, Any]) -> list[str]:
        spent = [self._term(of_json(potential["once"]))]
        if potential["records"]:
            spent.append(f"(if m then {self._term(of_json(potential['records']))} else 0)")
        for key, coefficient in potential["distances"].items():
            name = Symbol.of_key(key)
            if name not in self.whole:
                raise NotInCoqError(f"{name} may be any real number, and is apart by what is not fixed")
            apart = f"IZR (Z.abs ({self._named(name, None, PRIME)} - {self._named(name, None)}))"
            spent.append(f"{self._term(of_json(coefficient))} * {apart}")
        spent += [self._term(of_json(coefficient) * of_json(fact)) for coefficient, fact in potential["facts"]]
        return spent

    def _shift(self, said: Mapping[str, Any], leaf: _Leaf, place: int) -> str:
        """By how much the draw at a place moves on a path."""
        draws = [draw for draw, slot in zip(leaf.edge.path.draws, leaf.slots, strict=True) if slot == place]
        if not draws:
            return "0%Z"
        shifts = said["edges"][leaf.edge.key]["shifts"][draws[0].symbol.key]
        if leaf.edge.path.index is None:
            texts = [shifts["0"]]
        else:
            texts = [f"by_change dq {' '.join(f'({shifts.get(str(corner), 0)})' for corner in _CORNERS)}"]
        for key, number in shifts.items():
            if key[0] in "+-" and key[1:2].isalpha() and Fraction(number):
                name = Symbol.of_key(key[1:])
                ahead = f"{self._named(name, None, PRIME)} - {self._named(name, None)}"
                texts.append(f"({number}) * Z.max 0 ({ahead if key[0] == '+' else f'- ({ahead})'})")
        return f"({' + '.join(texts)})%Z"

    def _shifts(self, said: Mapping[str, Any], piece: _Piece) -> str:
        """The shifts of a piece, by the number of the path."""
        *others, final = [
            f"[{'; '.join(self._shift(said, leaf, place) for place in range(len(piece.noise)))}]"
            for leaf in piece.leaves
        ]
        cases = [f"  | {leaf.number}%nat => {text}\n" for leaf, text in zip(piece.leaves, others, strict=False)]
        return f"match path with\n{''.join(cases)}  | _ => {final}\n  end"

    # proofs

    @cached_property
    def _symbols(self) -> list[Symbol]:
        """The logarithms and exponentials in it, in order."""
        values = [self.budget, *(rate for piece in self.pieces for _, rate in piece.noise)]
        for said in self.certificate["alignments"].values():
            for head in said["heads"].values():
                potential = head["potential"]
                values += [of_json(potential["once"]), of_json(potential["records"])]
                values += [of_json(one) for one in potential["distances"].values()]
                values += [of_json(one) for one, _ in potential["facts"]]
        return sorted({name for value in values for name in value.names if name.kind in ("ln", "exp")})

    def _declared(self) -> Iterator[str]:
        """The parameters, and what is asked of them."""
        whole = [name.text for name in self.program.whole if name != SIZE]
        fixed = [name for name in self.program.ranges if self.program.fixed(name) is not None]
        real = [name for name in self.program.ranges if name not in (*whole, *fixed)]
        for kind, names in (("Z", sorted(whole)), ("R", sorted(real))):
            if names:
                yield f"Variables ({' '.join(_identifier('p', name) for name in names)} : {kind})."
        for name, least in sorted(self.program.whole.items()):
            if name != SIZE:
                yield f"Hypothesis {self._named(name, None)}_least : ({least} <= {self._named(name, None)})%Z."
        for name in self.program.positive:
            yield f"Hypothesis {self._named(name, None)}_gt0 : 0 < {self._named(name, None)}."
        for place, name in enumerate(self._symbols):
            if name.kind == "ln" and not _is_number(name.text):
                yield f"Hypothesis ln_{place}_gt0 : 0 < {self._term(Polynomial.name(name))}."

    @cached_property
    def _known(self) -> str:
        """What is known of numbers beside the hypotheses, for a proof."""
        texts = []
        for name in self._symbols:
            term = self._term(Polynomial.name(name))
            if name.kind == "exp":
                texts.append(f"assert (0 < {term}) by apply exp_pos.")
            elif _is_number(name.text):
                texts.append(f"assert (0 < {term}) by (rewrite <- ln_1; apply ln_increasing; lra).")
        return "".join(f"{text}\n" for text in texts)

    def module(self) -> str:
        """The definitions and the theorem."""
        directions = VERTICES[self.certificate["neighbors"]]
        near, start, pairs = _NEIGHBORS[self.certificate["neighbors"]]
        parts = ["Section Mechanism.\n", *self._declared(), ""]
        kinds = " * ".join("Z" if name in self.whole else "R" for name in self.variables)
        parts.append(f"Definition state : Type := ({kinds})%type.")
        parts.append(f"Definition budget : R := {self._term(self.budget)}.\n")
        for piece in self.pieces:
            parts += self._piece_text(piece)
        parts.append("Definition mechanism : list Z -> program (list event) := on_list start pass last.\n")
        used = []
        for direction, vertices in directions.items():
            low, high = min(vertices), max(vertices)
            relation = f"{near} (changes_by ({low}) {high})"
            used.append((direction, relation))
            parts += self._direction(direction, relation, start, vertices)
        (one, relation), (other, back) = used[0], used[-1]
        low, high = min(directions[one]), max(directions[one])
        parts.append(
            _THEOREM.format(
                one=one, other=other, relation=relation, back=back, start=start, mark=_MARKS[start], pairs=pairs,
                listed=f"{'Forall2' if near == 'each_changes' else 'changed_record'} (changes_by ({low}) {high})",
            )
        )
        return "\n".join([*parts, "End Mechanism."])

    def _piece_text(self, piece: _Piece) -> Iterator[str]:
        """The noise and the steps of a piece."""
        for place, (_, rate) in enumerate(piece.noise):
            yield f"Lemma {piece.name}_rate_{place} : 0 < {self._term(rate)}."
            yield f"Proof. {self._known}positive. Qed."
        laws = (f"{kind} (mkposreal _ {piece.name}_rate_{place})" for place, (kind, _) in enumerate(piece.noise))
        given = {"start": "", "pass": "(st : state) (q : Z) ", "last": "(st : state) "}[piece.name]
        taken = {"start": "", "pass": "st q ", "last": "st "}[piece.name]
        result = {"start": "state", "pass": "state + unit", "last": "unit"}[piece.name]
        yield f"Definition {piece.name}_noise : list integer_noise := [{'; '.join(laws)}]."
        yield f"Definition {piece.name}_step {given}(z : list Z) : list event * ({result}) :="
        if given:
            yield f"  let '{self._state()} := st in"
        yield "".join(f"  let z{place} := nth {place} z 0%Z in\n" for place in range(len(piece.noise))) + (
            self._tree(piece.leaves, 0) + "."
        )
        yield f"Definition {piece.name} {given}: program (list event * ({result})) :="
        yield f"  drawing {piece.name}_noise (fun z => Return ({piece.name}_step {taken}z)).\n"

    def _direction(self, direction: str, relation: str, start: str, vertices: Sequence[int]) -> Iterator[str]:
        """The invariant, the shifts and the three alignments of a direction."""
        said = self.certificate["alignments"][direction]
        states = f"let '{self._state()} := st in let '{self._state(PRIME)} := st{PRIME} in\n  "
        yield f"Definition {direction}_inv (m : {_MARKS[start]}) (c : R) (st st{PRIME} : state) : Prop :="
        yield f"  {states}{self._invariant(said)}.\n"
        for piece in self.pieces:
            given = "" if piece.name == "start" else f"(st st{PRIME} : state) (dq : Z) "
            yield f"Definition {direction}_{piece.name}_shift {given}(path : nat) : list Z :="
            yield f"  {states if given else ''}{self._shifts(said, piece)}.\n"
        first, middle, last = self.pieces
        corners = "\n".join(f"{{ {self._proof(middle, direction, corner)} }}" for corner in vertices)
        equal = f"destruct near_q as [[-> ->] | [near_q [-> ->]]].\n{{ {self._proof(middle, direction, 0)} }}"
        cases = " \\/ ".join(f"q{PRIME} = q + ({corner})" for corner in vertices)
        yield _ALIGNED.format(
            d=direction,
            start=start,
            relation=relation,
            numbers=self._known,
            known=f"{self._known}{self._held(said)}split_facts.",
            states=f"{_intro(self._state())} {_intro(self._state(PRIME))}",
            split=equal if start == "true" else "",
            cases=f"({cases})%Z as {' | '.join(['[->'] * (len(vertices) - 1))} | ->{']' * (len(vertices) - 1)}",
            start_proof=self._proof(first, direction, 0),
            corners=corners,
            last_proof=self._proof(last, direction, 0),
        )

    def _held(self, said: Mapping[str, Any]) -> str:
        """Parts of a potential that facts show to be at least 0, and what records may still change."""
        ((_, head),) = said["heads"].items()
        texts = []
        if head["potential"]["records"]:
            records = self._term(of_json(head["potential"]["records"]))
            texts.append(f"assert (0 <= (if m then {records} else 0)) by (destruct m; nonnegative).\n")
        for one, fact in ((of_json(one), of_json(fact)) for one, fact in head["potential"]["facts"]):
            parts, whole = f"{self._term(one)} * {self._term(fact)}", self._term(one * fact)
            texts.append(
                f"assert (0 <= {whole}) by (replace {whole} with ({parts}) by (field; nonzero);\n"
                "  apply Rmult_le_pos; nonnegative).\n"
            )
        return "".join(texts)

    def _proof(self, piece: _Piece, direction: str, corner: int) -> str:
        """Path by path: the second run takes it too, and what it costs is paid."""
        name = piece.name
        states = "" if name == "start" else f" {self._state()} {self._state(PRIME)} ({corner})"
        pattern = "[|? ?]"
        for place in reversed(range(len(piece.noise))):
            pattern = f"[|z{place} {pattern}]"
        lines = [
            f"apply: (aligns_paths (path := @path_of _) (shift := {direction}_{name}_shift{states})).",
            f"intros z len_z; destruct z as {pattern}; try discriminate len_z; clear len_z.",
            f"first_run {name}_step.",
        ]
        for leaf in piece.leaves:
            taken = "".join(f"take_{'left' if one.outcome else 'right'}; " for one in leaf.decisions)
            lines.append(
                f"{{ second_run {name}_step {direction}_{name}_shift.\n"
                f"  {taken}subst; unfold {name}_noise, {direction}_inv, budget; close_path. }}"
            )
        return "\n".join(lines)


def _identifier(prefix: str, text: str) -> str:
    if not text.isascii():
        raise NotInCoqError(f"the name {text} has letters beyond ASCII")
    return f"{prefix}_{text}"


def _tuple(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _intro(state: str) -> str:
    """The pattern that takes a tuple apart: [[a b] c]."""
    first, *others = state.strip("()").split(", ")
    for one in others:
        first = f"[{first} {one}]"
    return first


def _is_number(text: str) -> bool:
    return text.replace("/", "").isdecimal()


_HEAD = """\
(* What stirred prove --coq has proved: a budget for lists of any length, by
   alignment of noise, stated over satisfies. After make -C proofs,

     stirred check FILE.v --claim CLAIM.toml --coqc

   says whether it holds: that the file is what the claim leaves, that coqc
   accepts it, and that it rests on the axioms of Coq's real numbers alone.
   On trust is the translation: that the program below is the Python function,
   where data are integers. It shows the number of the path of each pass, and
   each number that is released, or compared with what is; what the function
   returns is computed from that. Names of parameters begin with p, those of
   variables with h. The theorem holds for every choice function on the real
   numbers, which a field of Mathematical Components comes with. *)

From Coq Require Import Reals ZArith List Lra Lia.
From Coq Require Import ssreflect ssrfun ssrbool.
From Stirred Require Import specification real_field event_distance.
From Stirred Require Import integer_noise noisy_programs aligned_loops.
From Stirred Require Import pure_distance.
Import ListNotations.
Local Open Scope R_scope.

Ltac split_facts := repeat match goal with H : _ /\\ _ |- _ => destruct H end.
Ltac split_signs := repeat match goal with
  | |- context [Z.abs ?k] => let E := fresh in
      destruct (Zabs_spec k) as [[? E] | [? E]]; rewrite -> E; clear E
  | H : context [Z.abs ?k] |- _ => let E := fresh in
      destruct (Zabs_spec k) as [[? E] | [? E]]; rewrite -> E in H; clear E
  | |- context [Z.max ?k ?l] => let E := fresh in
      destruct (Zmax_spec k l) as [[? E] | [? E]]; rewrite -> E; clear E
  | H : context [Z.max ?k ?l] |- _ => let E := fresh in
      destruct (Zmax_spec k l) as [[? E] | [? E]]; rewrite -> E in H; clear E
  end; try (exfalso; lia).
Ltac to_reals := repeat match goal with
  | H : @eq Z _ _ |- _ => apply (f_equal IZR) in H
  | H : (_ <= _)%Z |- _ => apply IZR_le in H
  | H : (_ >= _)%Z |- _ => apply Z.ge_le in H
  | H : (_ > _)%Z |- _ => apply Z.gt_lt in H
  | H : (_ < _)%Z |- _ => apply Zlt_le_succ in H; unfold Z.succ in H; apply IZR_le in H
  end; repeat progress (rewrite -> ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR in * ).
Ltac linear := first [lia | lra | split_signs; first [lia | to_reals; first [lra | nra]]].
Ltac impossible := exfalso; first [lia | split_signs; to_reals; lra].
Ltac positive := repeat first [assumption | lra | apply Rmult_lt_0_compat
  | apply Rinv_0_lt_compat | apply Rplus_lt_0_compat | apply exp_pos | apply IZR_lt; lia].
Ltac nonnegative := first [linear | apply Rlt_le; positive].
Ltac nonzero := repeat split; apply Rgt_not_eq; positive.
Ltac each_path := repeat match goal with H : _ = on_test ?d _ _ |- _ =>
  destruct d; cbn [on_test] in H end.
Ltac first_run step := cbv beta zeta; match goal with |- and3 _ (_ = path_of ?t) _ =>
  let one := fresh in let run := fresh in remember t as one eqn:run;
  unfold step in run; cbn [nth] in run; each_path; subst one end.
Ltac second_run step shift := match goal with |- and3 _ (path_of ?t = _) _ =>
  let run := fresh in remember t as other eqn:run; unfold shift, step in run |- *;
  cbv beta iota zeta delta [fst snd path_of by_change shifted nth] in run |- * end.
Ltac take_left := match goal with H : _ = on_test ?d _ _ |- _ =>
  destruct d; cbn [on_test] in H; [ | impossible] end.
Ltac take_right := match goal with H : _ = on_test ?d _ _ |- _ =>
  destruct d; cbn [on_test] in H; [impossible | ] end.
Ltac close_path :=
  cbv beta iota zeta delta [kept showing paid path_of may_shift shift_cost noise_rate pos fst snd];
  repeat match goal with
  | |- and3 _ _ _ => constructor
  | |- _ /\\ _ => split
  | |- True => exact I
  | |- @eq nat _ _ => reflexivity
  | |- @eq (list _) _ _ => f_equal
  | |- @eq (_ * _)%type _ _ => f_equal
  end; linear.
"""
