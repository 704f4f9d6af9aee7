"""The page of one claim, as `stirred verify --open` shows it."""

from __future__ import annotations

import json
import tempfile
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.certificates.standard_streams import say
from stirred.verify.reports.lines import counted

__all__ = ["open_page", "opened_claim"]


def opened_claim(chosen: Sequence[str], asked: Sequence[str]) -> str:
    """The claim whose page is to be opened: the one that is asked for by its whole id, or the only one chosen.

    Raises:
        InputError: there are several.

    >>> opened_claim(["a.b", "a.b.c"], ["a.b"])
    'a.b'
    """
    whole = [name for name in asked if name in chosen]
    named = whole if len(whole) == 1 else list(chosen)
    if len(named) != 1:
        raise InputError(f"--open must come with one claim; got {counted(len(named), 'claim')}")
    return named[0]


def open_page(claim_id: str, records: Sequence[Mapping[str, Any]]) -> None:
    """Write the pages of these claims into a folder of their own, say where that of one claim is, and open it.

    Without a browser it is only said.

    Raises:
        InputError: the pages cannot be written.
    """
    from stirred.verify.site.build import build_site  # noqa: PLC0415 the libraries of the group site

    folder = Path(tempfile.mkdtemp(prefix="stirred-")) / "pages"
    as_printed = json.loads(json.dumps(list(records)))
    build_site(str(folder), as_printed, source="the run before it was opened", whole=False)
    page = folder / "ledger" / f"{claim_id}.html"
    say(str(page))
    webbrowser.open(page.as_uri())
