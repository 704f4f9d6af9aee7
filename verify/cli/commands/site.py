"""`stirred site`: the ledger, its proofs, the guide, the mechanisms and the reference as a folder of static pages."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from stirred.spec.arguments import positive_integer
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.kept_records import LEDGER, kept_records
from stirred.verify.cli.commands.options import add_jobs
from stirred.verify.evidence.certificates.printable import json_text
from stirred.verify.evidence.reports.lines import HOLDS, counted, progress

_EPILOG = """\
examples:
  stirred site pages                        run the ledger, or reuse a kept run
  stirred verify --json > ledger.json       run the ledger, in minutes
  stirred site pages --records ledger.json  use that run, in less than a minute

DIR is new, empty, or an earlier site, which is replaced. Open DIR/index.html; no server or network is needed. A run \
is cached by the content of the sources. Exit status: 0 everything is written; 2 usage or engine failure.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "site",
        run,
        description="Write the ledger, its proofs, the guide, the mechanisms and the reference as static pages.",
        epilog=_EPILOG,
    )
    parser.add_argument("folder", metavar="DIR", help="folder to write")
    parser.add_argument("--records", metavar="FILE", help="a run of the ledger (stirred verify --json)")
    parser.add_argument("--no-pictures", action="store_true", help="leave out the pictures")
    add_jobs(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the site; returns the exit status."""
    jobs = positive_integer("--jobs", arguments.jobs)
    from stirred.verify.cli.site.build import build_site, checked_target  # noqa: PLC0415 the libraries of the group site

    checked_target(arguments.folder)
    records: Sequence[Mapping[str, Any]]
    if arguments.records is None:
        records, source = _own_run(jobs), "a run of the whole ledger"
    else:
        records = list(kept_records(arguments.records, LEDGER).values())
        digest = sha256(json.dumps(records, sort_keys=True).encode()).hexdigest()
        source = f"the records in {Path(arguments.records).name}, whose digest begins with {digest[:16]}"
    pictures: Sequence[Any] = ()
    if not arguments.no_pictures:
        from stirred.verify.cli.site.gallery import drawn_pictures  # noqa: PLC0415

        pictures = drawn_pictures()
    from stirred.verify.cli.site.losses import known_losses  # noqa: PLC0415

    built = build_site(arguments.folder, records, source=source, pictures=pictures, losses=known_losses())
    size = f"{built.size // 100_000 / 10} MB"
    sys.stdout.write(f"{arguments.folder}/index.html: {counted(built.claims, 'claim')}, {built.pages} pages, {size}\n")
    return HOLDS


def _own_run(jobs: int) -> Sequence[Mapping[str, Any]]:
    """The records of a run of the whole ledger with these sources."""
    from stirred.verify.cli.site.kept_run import kept_text  # noqa: PLC0415
    from stirred.verify.ledger.book import claim_ids  # noqa: PLC0415 loads the checks
    from stirred.verify.ledger.run import run as run_ledger  # noqa: PLC0415

    def made() -> str:
        found = []
        with progress(len(claim_ids())) as display:
            for record in run_ledger(jobs=jobs):
                found.append(record.as_json())
                display.advance(record.claim.id)
        return json_text(found)

    records: Sequence[Mapping[str, Any]] = json.loads(kept_text("ledger.json", made))
    return records
