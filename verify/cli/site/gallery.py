"""The gallery: figures, each with the command that draws it."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stirred.verify.cli.site.kept_run import kept_text
from stirred.verify.cli.site.page import Hit, SitePage
from stirred.verify.evidence.finding import EngineError


@dataclass(frozen=True)
class GalleryPicture:
    """A figure with its caption and the command that draws it."""

    name: str
    caption: str
    command: str
    content: bytes

    @property
    def file(self) -> str:
        """Where it lies on the site."""
        return f"pictures/{self.name}.svg"


def gallery(pictures: Sequence[GalleryPicture]) -> SitePage:
    """The page of all pictures."""
    hits = [Hit("Pictures", "section", " ".join(f"{one.caption} {one.command}" for one in pictures))]
    return SitePage("gallery.html", "Pictures", "gallery.html", {"pictures": pictures}, hits)


_PRICE = "study price --runs 2 --households 2000 --largest 16 --seed 7 --output price"
_DRAWN: Sequence[tuple[str, Mapping[str, str]]] = (
    (
        "derive psa --plot psa.svg",
        {
            "psa.svg": "The budget of the Permutation Swapping Algorithm by its swap rate, as printed for several "
            "sizes of the largest stratum (article, Figure 2), and what is exact or certified beside it"
        },
    ),
    (
        "infer majority.toml --plot learned.svg",
        {"learned.svg": "What the claim that stirred init writes lets someone learn: tests, and posteriors by priors"},
    ),
    (
        "study budgets --largest 64 --output budgets",
        {"budgets/budgets.svg": "Printed, sharp, certified and exact budgets of swapping as a universe grows"},
    ),
    (
        "study psa --1940 --runs 20 --seed 7 --output figure1",
        {"figure1/psa.svg": "The error of a two-way table of the 1940 demonstration by swap rate (article, Figure 1)"},
    ),
    (
        _PRICE,
        {
            "price/state.svg": "What swapping and fibre noise of one specification change in a synthetic state",
            "price/lines.svg": "What swapping and fibre noise of one specification change in a cell, by size",
        },
    ),
)
"""Commands that take seconds, with the figures that they write."""


def drawn_pictures() -> Sequence[GalleryPicture]:
    """The figures, redrawn if the sources have changed."""
    kept = json.loads(kept_text("pictures.json", lambda: json.dumps(_draw())))
    return tuple(
        GalleryPicture(
            Path(file).with_suffix("").as_posix().replace("/", "-"), caption, f"stirred {command}", drawn.encode()
        )
        for command, files in _DRAWN
        for file, caption in files.items()
        for drawn in [kept[file]]
    )


def _draw() -> dict[str, str]:
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        _ran("init", folder)
        for command, files in _DRAWN:
            said = _ran(command, folder)
            for file in files:
                path = Path(folder) / file
                if not path.is_file():
                    raise EngineError(f"stirred {command} must write {file}: {said[:200]}")
                found[file] = path.read_text(encoding="utf-8")
    return found


def _ran(command: str, folder: str) -> str:
    """The stderr of a command run in a folder."""
    words = [sys.executable, "-P", "-m", "stirred.verify.cli.main", *command.split()]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 words of this module
    return done.stderr.strip()
