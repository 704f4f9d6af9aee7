"""A release of the example of TopDown, and the same with something changed."""

import json
from hashlib import sha256
from zlib import crc32

import pyarrow as pa
import pyarrow.parquet as pq

from stirred.verify.cli.main import main
from stirred.verify.products.topdown.examples import EXAMPLES

__all__ = ["changed", "changed_manifest", "part", "release", "rewritten", "sealed", "unseeded"]
__all__ += ["with_column", "written_town"]


def written_town(folder, changes=()):
    """The files of the example in a folder, with some texts replaced."""
    texts = dict(EXAMPLES["town"]())
    for name, old, new in changes:
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new)
    for name, text in texts.items():
        path = folder / "town" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "town"


def release(town, *more, output="released", seed=1):
    """The folder that a run on the example releases; its seed, for a test alone, is not told."""
    target = town.parent / output
    given = ["--settings", town / "settings.ini", "--schema", town / "schema.toml", "--data", town / "data"]
    options = ["--output", target, "--seed", seed, "--workers", 1, *more]
    assert main(["run", "topdown", *map(str, given), *map(str, options)]) == 0
    unseeded(target)
    return target


def unseeded(folder):
    """Let the manifest say that the noise came from the operating system."""
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace("seed, not for a release", "operating system"))


def changed(path, *changes):
    """Replace the first of each of some texts in a file."""
    text = path.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text)


def changed_manifest(folder, **keys):
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **keys}))


def part(folder, level, kind="DPQuery"):
    """The file of a level."""
    return folder / "measurements" / f"{level}.parquet" / kind / "part-0.parquet"


def rewritten(path, change):
    """Write the rows of a file again after `change` has had them; what it returns takes their place."""
    table = pq.read_table(path, partitioning=None)
    rows = change(table.to_pylist())
    names = [name for name in table.schema.names if not rows or name in rows[0]]
    schema = pa.schema([table.schema.field(name) for name in names])
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)


def with_column(path, name, value):
    """Give a file another column, of one value."""
    table = pq.read_table(path, partitioning=None)
    pq.write_table(table.append_column(name, pa.array([value] * table.num_rows)), path)


def sealed(folder):
    """Make the manifest that of the files as they are."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for name, one in manifest["measurements"].items():
        if (path := folder / name).exists():
            one |= {"rows": pq.read_metadata(path).num_rows, "sha256": sha256(path.read_bytes()).hexdigest()}
    for one in (manifest[key] for key in ("file", "units") if key in manifest):
        path = folder / one["name"]
        content = path.read_bytes()
        one |= {"bytes": len(content), "crc32": f"{crc32(content):08x}", "rows": pq.read_metadata(path).num_rows}
    (folder / "manifest.json").write_text(json.dumps(manifest))
