"""Commands as black boxes: one program that answers requests line by line, JSON in and JSON out.

    a request   {"data": …, "seed": 8156…, "parameters": {…}}      one line on its standard input
    an answer   {"output": …}, or {"error": "why not"}              one line on its standard output, flushed

The program ends when its input does. `seed` is another number below 2^63 for each request: a program that draws from
it alone is reproducible; it may be ignored. Lines are answered in order, and several may be waiting.
"""

import json
import random
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError, shown
from stirred.verify.audit.black_box.black_boxes import BlackBox, Opened
from stirred.verify.audit.black_box.outputs import plain_output
from stirred.verify.evidence.witness import jsonable

_LONGEST = 10**7
"""Bytes of an answer."""


@dataclass(frozen=True)
class Command(BlackBox):
    """A program that reads requests and prints outputs."""

    where: str
    words: tuple[str, ...]
    directory: Path
    parameters: Mapping[str, Any]

    @property
    def name(self) -> str:
        return " ".join(self.words)

    def opened(self) -> Opened:
        try:
            program = subprocess.Popen(  # noqa: S603 the claim names it, and --sampled says that it may run
                self.words, cwd=self.directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise InputError(f"{self.where}: cannot be started: {error.strerror}: {self.words[0]}") from None
        parameters = {name: jsonable(value) for name, value in self.parameters.items()}

        def draw(data: Any, seed: int, count: int) -> list[Any]:
            seeds = random.Random(seed)  # noqa: S311 seeded on purpose
            asked = {"data": jsonable(data), "parameters": parameters}
            lines = [json.dumps({**asked, "seed": seeds.getrandbits(63)}) + "\n" for _ in range(count)]
            return self._answers(program, lines)

        return Opened(draw, is_seeded=False)

    def _answers(self, program: subprocess.Popen[bytes], lines: Sequence[str]) -> list[Any]:
        """One output for each request; they are written beside the reading, as a pipe holds few."""
        if program.stdin is None or program.stdout is None:
            raise InputError(f"{self.where}: has no pipes")
        writing = threading.Thread(target=_write, args=(program.stdin, "".join(lines).encode()), daemon=True)
        writing.start()
        found = [self._output(program.stdout.readline(_LONGEST), program) for _ in lines]
        writing.join()
        return found

    def _output(self, line: bytes, program: subprocess.Popen[bytes]) -> Any:
        if not line:
            raise InputError(f"{self.where}: the program ended before it had answered, with status {program.wait()}")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if isinstance(answer, dict) and isinstance(answer.get("error"), str):
            raise InputError(f"{self.where}: the program answers: {answer['error']}")
        if not isinstance(answer, dict) or "output" not in answer:
            text = shown(line[:100].decode(errors="replace"))
            raise InputError(f'{self.where}: an answer must be one line {{"output": …}}; got {text}')
        return plain_output(answer["output"])


def _write(stream: Any, data: bytes) -> None:
    try:
        stream.write(data)
        stream.flush()
    except OSError:  # it has ended: whoever reads its answers says so
        return
