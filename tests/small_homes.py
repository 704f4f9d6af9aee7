"""A small table of units that are measured, those that somebody lives in with a record each, and an earlier release."""

from released_town import unseeded

from stirred.verify.cli.main import main

__all__ = ["BLOCKS", "HOMES", "UNITS", "earlier_release", "homes_release", "written_homes"]
BLOCKS = ("n1", "n2", "s1")
_TREE = "node,parent\nnation,\nnorth,nation\nsouth,nation\nn1,north\nn2,north\ns1,south\n"
HOMES = (
    ("n1", "owned", "one"),
    ("n1", "owned", "more"),
    ("n1", "rented", "more"),
    ("n2", "rented", "one"),
    ("n2", "rented", "more"),
    ("s1", "owned", "more"),
)
UNITS = (
    *(("n1", kind) for kind in ("owned", "owned", "free", "empty", "prison")),
    *(("n2", kind) for kind in ("paid", "free", "empty", "sold")),
    *(("s1", kind) for kind in ("owned", "sold")),
)
_OCCUPIED = ("owned", "paid", "free")

_SCHEMA = """\
record = "housing unit"
table = "homes"
geography = "block"

[attributes]
tenure = ["owned", "rented"]
size = ["one", "more"]

[units]
attribute = "kind"
values = ["owned", "paid", "free", "empty", "sold", "prison"]
of = "tenure"
same = { owned = ["owned"], rented = ["paid", "free"] }

[recodes.h1]
of = "kind"
groups = { occupied = ["owned", "paid", "free"], vacant = ["empty", "sold"] }

[recodes.tot_hu]
of = "kind"
groups = { housing = ["owned", "paid", "free", "empty", "sold"] }

[recodes.gqhh_vect]
of = "kind"
groups = { housing = ["owned", "paid", "free", "empty", "sold"], prison = ["prison"] }
"""
_SETTINGS = """\
[geodict]
geolevel_names = Block,County,US

[budget]
dp_mechanism = discrete_gaussian_mechanism
global_scale = 1/3
geolevel_budget_prop = 1/4, 1/4, 1/2

[queries]
US = kind: 1/2, tenure: 1/4, detailed: 1/4
County = kind: 1/2, tenure: 1/4, detailed: 1/4
Block = kind: 1/4, detailed: 3/4

[constraints]
theInvariants.Block = tot, tot_hu, gqhh_vect
theConstraints.Block = h1, gq_vect, owned
"""
_H1_SCHEMA = (
    'record = "housing unit"\ntable = "units"\ngeography = "block"\n\n[attributes]\nh1 = ["occupied", "vacant"]\n'
)
_H1_SETTINGS = """\
[geodict]
geolevel_names = Block,County,US

[budget]
dp_mechanism = discrete_gaussian_mechanism
global_scale = 1
geolevel_budget_prop = 1/4, 1/4, 1/2

[queries]
US = h1: 1
County = h1: 1
Block = h1: 1

[constraints]
theInvariants.Block = tot
"""


def _table(*rows):
    return "\n".join(map(",".join, rows)) + "\n"


def written_homes(folder, changes=()):
    """The files of both runs, with some texts replaced."""
    h1 = [(block, "occupied" if kind in _OCCUPIED else "vacant") for block, kind in UNITS if kind != "prison"]
    texts = {
        "schema.toml": _SCHEMA,
        "settings.ini": _SETTINGS,
        "data/geography.csv": _TREE,
        "data/homes.csv": _table(("block", "tenure", "size"), *HOMES),
        "data/units.csv": _table(("block", "kind"), *UNITS),
        "h1/schema.toml": _H1_SCHEMA,
        "h1/settings.ini": _H1_SETTINGS,
        "h1/data/geography.csv": _TREE,
        "h1/data/units.csv": _table(("block", "h1"), *h1),
    }
    for name, old, new in changes:
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new)
    for name, text in texts.items():
        path = folder / "homes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "homes"


def _command(folder, output, *more):
    given = ["--settings", folder / "settings.ini", "--schema", folder / "schema.toml", "--data", folder / "data"]
    return ["run", "topdown", *map(str, given), "--output", str(output), "--workers", "1", *map(str, more)]


def earlier_release(homes, seed=1):
    """The folder that the earlier run releases."""
    target = homes.parent / f"h1-{seed}"
    assert main(_command(homes / "h1", target, "--seed", seed)) == 0
    return target


def homes_release(homes, earlier, *more, seed=1, output="released"):
    """The exit status of the run of units, and the folder that it releases."""
    target = homes.parent / output
    options = ["--earlier", earlier, "--reproduce", "Block=h1", "--seed", seed, *more]
    status = main(_command(homes, target, *options))
    if status == 0:
        unseeded(target)
    return status, target
