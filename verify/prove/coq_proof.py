"""A certificate of alignment as a Coq file: the claim in five blocks, and its proof.

The statement is over `satisfies` of the theory `specification`; the proof calls `certified_dp` of
`proofs/theories/alignment/pure_distance.v` with the certificate's invariant and shifts, which Coq checks for itself:
multipliers are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from stirred.verify.evidence.certificates.alignment import of_json
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.evidence.certificates.read_values import SIZE
from stirred.verify.prove.coq_program import PRIME, CoqPath, CoqPiece, CoqProgram, NotInCoqError, identifier
from stirred.verify.prove.coq_text import ALIGNED, HEAD, THEOREM

_CORNERS = (-1, 0, 1)
_ANY = {"any": _CORNERS}
_DIRECTIONS = {"all up or all down": {"up": (0, 1), "down": (-1, 0)}}
_MARKS = {"tt": "unit", "true": "bool"}
_NEIGHBORS = {
    "each by 1": ("each_changes", "tt", "each_pairs"),
    "all up or all down": ("each_changes", "tt", "each_pairs"),
    "one by 1": ("one_changes", "true", "one_pairs"),
    "sum of changes 1": ("one_changes", "true", "one_pairs"),
}
"""How lists are paired, where the pairs begin, and the lemma; integers whose changes are 1 together change in one."""


def coq_file(modules: Sequence[str]) -> str:
    """The whole file."""
    parts = [f"Module Claim{number}.\n\n{text}\n\nEnd Claim{number}.\n" for number, text in enumerate(modules, 1)]
    asked = [f"Print Assumptions Claim{number}.claim_is_met.\n" for number in range(1, len(modules) + 1)]
    return "\n".join([HEAD, *parts, "".join(asked)])


class CoqProof(CoqProgram):
    """The Coq module of a certificate."""

    def module(self) -> str:
        """The definitions and the theorem."""
        if self.certificate["neighbors"] not in _NEIGHBORS:
            raise NotInCoqError(f"neighbors {self.certificate['neighbors']} are not in Coq")
        directions = _DIRECTIONS.get(self.certificate["neighbors"], _ANY)
        near, start, pairs = _NEIGHBORS[self.certificate["neighbors"]]
        said = [f"claim: {one_line(self.certificate['claim'])}", *self.program.source.splitlines()]
        parts = [*map(_comment, said), "", "Section Mechanism.", *self._declared(), ""]
        kinds = " * ".join("Z" if name in self.whole else "R" for name in self.variables)
        parts.append(f"Definition state : Type := ({kinds})%type.")
        parts.append(f"Definition budget : R := {self.term(self.budget)}.\n")
        for piece in self.pieces:
            parts += self.piece_text(piece, self._known)
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
            THEOREM.format(
                one=one,
                other=other,
                relation=relation,
                back=back,
                start=start,
                mark=_MARKS[start],
                pairs=pairs,
                listed=f"{'Forall2' if near == 'each_changes' else 'changed_record'} (changes_by ({low}) {high})",
            )
        )
        return "\n".join([*parts, "End Mechanism."])

    def _direction(self, direction: str, relation: str, start: str, vertices: Sequence[int]) -> Iterator[str]:
        """The invariant, the shifts and the three alignments of a direction."""
        said = self.certificate["alignments"][direction]
        states = f"let '{self.state_tuple()} := st in let '{self.state_tuple(PRIME)} := st{PRIME} in\n  "
        yield f"Definition {direction}_inv (m : {_MARKS[start]}) (c : R) (st st{PRIME} : state) : Prop :="
        yield f"  {states}{self._invariant(said)}.\n"
        for piece in self.pieces:
            given = "" if piece.name == "start" else f"(st st{PRIME} : state) (dq : Z) "
            yield f"Definition {direction}_{piece.name}_shift {given}(path : nat) : list Z :="
            yield f"  {states if given else ''}{self._shifts(said, piece)}.\n"
        first, middle, last = self.pieces
        rates = {rate: f"{piece.name}_rate_{k}" for piece in self.pieces for k, (_, rate) in enumerate(piece.noise)}
        known = self._known + "".join(f"pose proof {name}.\n" for name in rates.values())
        corners = "\n".join(f"{{ {self._proof(middle, direction, corner)} }}" for corner in vertices)
        equal = f"destruct near_q as [[-> ->] | [near_q [-> ->]]].\n{{ {self._proof(middle, direction, 0)} }}"
        cases = " \\/ ".join(f"q{PRIME} = q + ({corner})" for corner in vertices)
        yield ALIGNED.format(
            d=direction,
            start=start,
            relation=relation,
            numbers=known,
            known=f"{known}{self._held(said)}split_facts.",
            states=f"{_intro(self.state_tuple())} {_intro(self.state_tuple(PRIME))}",
            split=equal if start == "true" else "",
            cases=f"{' | '.join(['[->'] * (len(vertices) - 1))} | ->{']' * (len(vertices) - 1)} : ({cases})%Z",
            start_proof=self._proof(first, direction, 0),
            corners=corners,
            last_proof=self._proof(last, direction, 0),
        )

    def _held(self, said: Mapping[str, Any]) -> str:
        """Parts of a potential that facts show to be at least 0, and what records may still change."""
        ((_, head),) = said["heads"].items()
        texts = []
        if head["potential"]["records"]:
            records = self.term(of_json(head["potential"]["records"]))
            texts.append(f"assert (0 <= (if m then {records} else 0)) by (destruct m; nonnegative).\n")
        for one, fact in ((of_json(one), of_json(fact)) for one, fact in head["potential"]["facts"]):
            parts, whole = f"{self.term(one)} * {self.term(fact)}", self.term(one * fact)
            texts.append(
                f"assert (0 <= {whole}) by (replace {whole} with ({parts}) by (field; nonzero);\n"
                "  apply Rmult_le_pos; nonnegative).\n"
            )
        return "".join(texts)

    def _proof(self, piece: CoqPiece, direction: str, corner: int) -> str:
        """Path by path: the second run takes it too, and what it costs is paid."""
        name = piece.name
        states = "" if name == "start" else f" {self.state_tuple()} {self.state_tuple(PRIME)} ({corner})"
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

    def _invariant(self, said: Mapping[str, Any]) -> str:
        """What is apart, what holds in the first run, and what may still be spent, which is at most c."""
        ((_, head),) = said["heads"].items()
        texts = []
        for key, distance in head["distances"].items():
            name = Symbol.of_key(key)
            if distance != "free":
                own = self.of_variable(name, Polynomial.name(name) + of_json([[distance, {}]]))
                texts.append(f"{self.named(name, None, PRIME)} = {own}")
        facts = [of_json(one) for one in head["facts"]]
        texts += [self._fact(fact) for fact in facts if SIZE not in fact.names]
        spent = self._potential(head["potential"])
        return " /\\\n  ".join([*texts, f"({' + '.join(spent)} <= c)%R"])

    def _fact(self, fact: Polynomial) -> str:
        is_real = not self.is_integral(fact, self.whole)
        return f"(0 <= {self.term(fact, is_real=is_real)})%{'R' if is_real else 'Z'}"

    def _potential(self, potential: Mapping[str, Any]) -> list[str]:
        spent = [self.term(of_json(potential["once"]))]
        if potential["records"]:
            spent.append(f"(if m then {self.term(of_json(potential['records']))} else 0)")
        for key, coefficient in potential["distances"].items():
            name = Symbol.of_key(key)
            if name not in self.whole:
                raise NotInCoqError(f"{name} may be any real number, and is apart by what is not fixed")
            apart = f"IZR (Z.abs ({self.named(name, None, PRIME)} - {self.named(name, None)}))"
            spent.append(f"{self.term(of_json(coefficient))} * {apart}")
        spent += [self.term(of_json(coefficient) * of_json(fact)) for coefficient, fact in potential["facts"]]
        return spent

    def _shift(self, said: Mapping[str, Any], leaf: CoqPath, place: int) -> str:
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
            if key in map(str, _CORNERS):
                continue
            if key[0] not in "+-" or not key[1:2].isalpha():
                raise NotInCoqError(f"its shifts depend on {key}, which is not in Coq")
            if Fraction(number):
                name = Symbol.of_key(key[1:])
                ahead = f"{self.named(name, None, PRIME)} - {self.named(name, None)}"
                texts.append(f"({number}) * Z.max 0 ({ahead if key[0] == '+' else f'- ({ahead})'})")
        return f"({' + '.join(texts)})%Z"

    def _shifts(self, said: Mapping[str, Any], piece: CoqPiece) -> str:
        """The shifts of a piece, by the number of the path."""
        *others, final = [
            f"[{'; '.join(self._shift(said, leaf, place) for place in range(len(piece.noise)))}]"
            for leaf in piece.leaves
        ]
        cases = [f"  | {leaf.number}%nat => {text}\n" for leaf, text in zip(piece.leaves, others, strict=False)]
        return f"match path with\n{''.join(cases)}  | _ => {final}\n  end"

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
                yield f"Variables ({' '.join(identifier('p', name) for name in names)} : {kind})."
        for name, least in sorted(self.program.whole.items()):
            if name != SIZE:
                yield f"Hypothesis {self.named(name, None)}_least : ({least} <= {self.named(name, None)})%Z."
        for name in self.program.positive:
            yield f"Hypothesis {self.named(name, None)}_gt0 : 0 < {self.named(name, None)}."
        for place, name in enumerate(self._symbols):
            if name.kind == "ln" and not _number(name.text):
                yield f"Hypothesis ln_{place}_gt0 : 0 < {self.term(Polynomial.name(name))}."

    @cached_property
    def _known(self) -> str:
        """What is known of numbers beside the hypotheses, for a proof."""
        texts = []
        for name in self._symbols:
            term = self.term(Polynomial.name(name))
            if name.kind == "exp":
                texts.append(f"assert (0 < {term}) by apply exp_pos.")
            elif (_number(name.text) or 0) > 1:
                texts.append(f"assert (0 < {term}) by (rewrite <- ln_1; apply ln_increasing; lra).")
        return "".join(f"{text}\n" for text in texts)


def _intro(state: str) -> str:
    """The pattern that takes a tuple apart: [[a b] c]."""
    first, *others = state.strip("()").split(", ")
    for one in others:
        first = f"[{first} {one}]"
    return first


def _number(text: str) -> Fraction | None:
    return Fraction(text) if text.replace("/", "").isdecimal() else None


def _comment(text: str) -> str:
    """A text that no comment ends early and no string begins in."""
    safe = "".join(one if one.isascii() else ascii(one)[1:-1] for one in text.rstrip())
    return f"(* {safe.replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39) * 2)} *)"
