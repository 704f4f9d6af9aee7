"""Commands on files of real size, beside what reading and writing them alone costs: whole processes.

    python tests/benchmarks/bench_files.py swap [RECORDS]          from Parquet, CSV and parts; target of 10^6 records
                                                                   from Parquet to Parquet: 1.5 s, 400 MB; by fibre
                                                                   noise twice that; in parts 3 million records a second
    python tests/benchmarks/bench_files.py paths RECORDS…          in memory and in parts, beside a floor in NumPy
    python tests/benchmarks/bench_files.py survey [RECORDS]        target of 10^6 records: 3 s, 350 MB
    python tests/benchmarks/bench_files.py phsafe [--spark] PERSONS…
    python tests/benchmarks/bench_files.py pairs HOUSEHOLDS…       2010-style; target of 2 million: 60 s, 2 GB
    python tests/benchmarks/bench_files.py targeted [PERSONS]      in households of 5,000 areas, with their persons;
                                                                   target of 10^6 persons: 3 times the PSA
    python tests/benchmarks/bench_files.py cell_keys [RECORDS]     three tables of Parquet; target of 10^7 records:
                                                                   1.5 times a floor in NumPy

prints one line for each: processor seconds, seconds by the clock, megabytes at most. The floor of `paths` swaps in
doubles, without its fibre's exact law. PHSafe runs the published settings: nine tables, 46 levels, 51 states.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.measuring import ROOT, cost
from synthetic_households import households, write_tables

from stirred.mechanisms.fast.phsafe_settings import LEVELS, STATES

READ = """
import sys, numpy as np, pyarrow as pa, pyarrow.csv as csv, pyarrow.parquet as pq
source, target = sys.argv[1:]
def read():
    if source.endswith(".parquet"):
        return pq.read_table(source)
    return csv.read_csv(source, convert_options=csv.ConvertOptions(auto_dict_encode=True))
def write(table):
    pq.write_table(table, target) if source.endswith(".parquet") else csv.write_csv(table, target)
"""
COPY = READ + "write(read())\n"
FLOOR = (
    READ
    + """
table = read()
random = np.random.default_rng()
strata = np.zeros(len(table), dtype=np.int64)
for name in ("block", "size", "age"):
    strata = strata * 1001 + table[name].to_numpy()
chosen = np.flatnonzero(random.random(len(table)) < 0.1)
order = chosen[np.lexsort((random.random(len(chosen)), strata[chosen]))]
home = chosen[np.argsort(strata[chosen], kind="stable")]
county = table["county"].combine_chunks()
county = county if pa.types.is_dictionary(county.type) else county.dictionary_encode()
codes = county.indices.to_numpy().copy()
codes[home] = codes[order]
swapped = pa.DictionaryArray.from_arrays(pa.array(codes), county.dictionary)
write(table.set_column(table.schema.get_field_index("county"), "county", swapped))
"""
)
PAIRS = """
import sys
from fractions import Fraction
from stirred.mechanisms.fast.pairwise_swapping import draw_pairs, swapped_blocks
from stirred.verify.products.studies.swapping.synthetic_state import synthetic_state
state = synthetic_state(int(sys.argv[1]), 1).codes()
pairs = draw_pairs(state, swap_rate=Fraction(1, 10)).pairs if sys.argv[2] == "swap" else ()
if len(pairs) and (swapped_blocks(state.block, pairs) != state.block).sum() != 2 * len(pairs):
    sys.exit("not every household of a pair moved")
"""
KEYED_FLOOR = """
import sys, numpy as np, pyarrow as pa, pyarrow.parquet as pq
source, target = sys.argv[1:]
table = pq.read_table(source, columns=["county", "size", "key"], read_dictionary=["county"])
county = table["county"].unify_dictionaries().combine_chunks()
county = pa.concat_arrays(county.chunks) if isinstance(county, pa.ChunkedArray) else county
place = county.indices.to_numpy().astype(np.int64) * 11 + table["size"].to_numpy()
added = np.repeat([-2, -1, 0, 1, 2], [13, 62, 106, 62, 13])
counts = np.bincount(place, minlength=550).reshape(50, 11)
keys = np.bincount(place, weights=table["key"].to_numpy(), minlength=550).astype(np.int64).reshape(50, 11)
with open(target, "w") as file:
    for n, k in ((counts, keys), (counts.sum(1), keys.sum(1)), (counts.sum(), keys.sum())):
        print(*np.ravel(n + added[k % 256]), sep="\\n", file=file)
"""
ROLES = ("--match", "block", "size", "age", "--swap", "county", "--hold", "tenure")
TAU = {"PH1_num": 10, "PH2": 10, "PH3": 6, "PH4": 10, "PH6": 6, "PH7": 10}


def line(what, found, beside=None):
    ratio = f", {found.processor / beside.processor:.2f} times as long" if beside else ""
    print(f"{what}: {found}{ratio}", flush=True)
    return found


def written(path, records, seed):
    """Records with 100,000 strata by block, size and age."""
    random = np.random.default_rng(seed)
    tenure, county = np.array(["own", "rent", "free"]), np.array([f"{code:05d}" for code in range(50)])
    table = pa.table(
        {
            "id": np.arange(records),
            "block": random.integers(0, 1000, records),
            "size": random.integers(1, 11, records),
            "age": random.integers(0, 10, records),
            "tenure": pa.DictionaryArray.from_arrays(random.integers(0, 3, records), tenure).cast(pa.string()),
            "county": pa.DictionaryArray.from_arrays(random.integers(0, 50, records), county).cast(pa.string()),
        }
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    (pq.write_table if path.suffix == ".parquet" else arrow_csv.write_csv)(table, path)
    return path


def swap_cost(source, *options, method=("--swap-rate", "1/10")):
    return cost("-m", "stirred", "swap", source, *ROLES, *method, *options)


def swap(folder, words):
    records = int(words[0]) if words else 10**7
    small = written(folder / "small.parquet", min(records, 10**6), 1)
    large = written(folder / "large.csv", records, 2)
    for part in range(10):
        written(folder / "parts" / f"state={part}" / "part.parquet", records // 10, part)
    library = line(f"{records} CSV to CSV, pyarrow alone", cost("-c", COPY, large, folder / "copy.csv"))
    noise = ("--method", "fibre-noise", "--epsilon", "2")
    for option in ("--microdata", "--output"):
        target = folder / "out.parquet"
        psa = line(f"Parquet to Parquet, {option}", swap_cost(small, option, target))
        line(f"the same by fibre noise, {option}", swap_cost(small, option, target, method=noise), psa)
        line(f"{records} CSV to CSV, {option}", swap_cost(large, option, folder / "out.csv"), library)
        found = line(f"{records} in parts, {option}", swap_cost(folder / "parts", option, target, "--memory", "2GB"))
        print(f"    {records / found.clock / 1e6:.2f} million records a second", flush=True)


def paths(folder, words):
    for records in map(int, words):
        for kind in ("parquet", "csv"):
            source, target = written(folder / f"in.{kind}", records, 1), folder / f"out.{kind}"
            floor = line(f"{records} {kind}, NumPy", cost("-c", FLOOR, source, target))
            line(f"{records} {kind}, read and written", cost("-c", COPY, source, target), floor)
            for where, memory in {"in memory": "all", "in parts": "1GB"}.items():
                found = swap_cost(source, "--memory", memory, "--microdata", target)
                line(f"{records} {kind}, {where}", found, floor)


def survey(folder, words):
    """Weighted records in cells; records that are alike are merged, in exact numbers."""
    records = int(words[0]) if words else 10**6
    random = np.random.default_rng(1)
    table = pa.table(
        {
            "region": np.where(random.random(records) < 0.55, "north", "south"),
            "sex": np.where(random.random(records) < 0.5, "f", "m"),
            "weight": random.uniform(5, 15, records),
            "employed": pa.array((random.random(records) < 0.6).astype(float), mask=random.random(records) < 0.1),
        }
    )
    pq.write_table(table, folder / "sample.parquet")
    arrow_csv.write_csv(table, folder / "sample.csv")
    command = ("-m", "stirred", "run", "survey")
    example = subprocess.run([sys.executable, *command, "--example"], capture_output=True, text=True, check=True)
    (folder / "settings.toml").write_text(example.stdout)
    for name in ("sample.parquet", "sample.csv"):
        files = ("--settings", folder / "settings.toml", "--data", folder / name, "--output", folder / "out.csv")
        line(f"{records} records from {name}", cost(*command, *files))


def phsafe(folder, words):
    engines = {"duckdb": ("--seed", "1"), "exact": ("--non-private",)}
    if "--spark" in words:
        engines["spark"] = ("--seed", "1", "--engine", "spark", "--master", "local[2]")
    budgets = {table: dict.fromkeys(levels, 0.01) for table, levels in LEVELS.items()}
    settings = {"privacy_budget": budgets, "tau": TAU, "state_filter": STATES[:-1], "privacy_defn": "zcdp"}
    (folder / "settings.json").write_text(json.dumps(settings))
    for persons in (int(word) for word in words if word.isdecimal()):
        place = folder / str(persons)
        (place / "data").mkdir(parents=True)
        write_tables(households(persons * 2 // 5, persons), place / "data")
        for engine, options in engines.items():
            files = ("--settings", folder / "settings.json", "--data", place / "data", "--output", place / engine)
            found = cost("-m", "stirred.verify.cli.main", "run", "phsafe", *files, *options, cwd=ROOT)
            line(f"{persons} persons, {engine}", found)
        if "--spark" in words:
            made = [
                {path.name: path.read_bytes() for path in (place / engine).glob("*/*.csv")}
                for engine in ("duckdb", "spark")
            ]
            print(f"{persons} persons: the tables of both are equal: {made[0] == made[1]}", flush=True)


def pairs(_, words):
    for households_ in words or ("200000", "2000000"):
        state = line(f"{households_} households, made", cost("-c", PAIRS, households_, "make"))
        line(f"{households_} households, made and swapped", cost("-c", PAIRS, households_, "swap"), state)


def targeted(folder, words):
    """Households with persons by the PSA and by targeted swapping, beside the PSA on as many records."""
    persons = int(words[0]) if words else 10**6
    random = np.random.default_rng(1)
    count = persons * 2 // 5
    home = np.sort(np.concatenate((np.arange(count), random.integers(0, count, persons - count))))
    area = random.integers(0, 5_000, count)
    size = np.bincount(home, minlength=count)
    table = {"hid": np.arange(count), "region": area // 250, "county": area // 25, "area": area, "size": size}
    pq.write_table(pa.table({**table, "tenure": random.integers(0, 3, count)}), folder / "homes.parquet")
    race = random.choice(7, persons, p=[0.7, 0.12, 0.01, 0.08, 0.01, 0.05, 0.03])
    person = {"hid": home, "area": area[home], "age": random.integers(0, 18, persons), "race": race}
    pq.write_table(pa.table(person), folder / "persons.parquet")
    records = line(
        f"{persons} records, PSA",
        swap_cost(written(folder / "in.parquet", persons, 1), "--microdata", folder / "out.parquet"),
    )
    files = ("--persons", folder / "persons.parquet", "--by", "hid", "--persons-output", folder / "people.parquet")
    common = (
        "-m",
        "stirred",
        "swap",
        folder / "homes.parquet",
        "--match",
        "size",
        "--swap",
        "region",
        "county",
        "area",
    )
    out = (*files, "--swap-rate", "1/20", "--microdata", folder / "out.parquet")
    psa = line(f"{persons} persons in households, PSA", cost(*common, "--hold", "tenure", *out), records)
    for k in ("0", "2", "3"):
        risk = ("--method", "targeted", "--similar", "tenure", "--similar", "size", "--k-anonymity", k)
        found = cost(*common, *out, *risk, "--risk", "age", "race")
        line(f"{persons} persons in households, targeted, K = {k}", found, psa)


def cell_keys(folder, words):
    """A table with its margins, by the cell key method, beside the same counts in NumPy."""
    records = int(words[0]) if words else 10**7
    source, keyed = written(folder / "in.parquet", records, 1), folder / "keyed.parquet"
    table = pq.read_table(source)
    keys = pa.array(np.random.default_rng(2).integers(0, 256, records))
    pq.write_table(table.append_column("key", keys), keyed)
    made = ("derive", "cell-key", "--deviation", "2", "--variance", "0.9", "--keys", "256")
    cost("-m", "stirred", *made, "--output", folder / "p.csv")
    queries = {"both": ["county", "size"], "county": ["county"], "all": []}
    (folder / "t.toml").write_text("".join(f'[[table]]\nname = "{name}"\nby = {by}\n' for name, by in queries.items()))
    floor = line(f"{records} records, NumPy", cost("-c", KEYED_FLOOR, keyed, folder / "floor.csv"))
    files = ("--tables", folder / "t.toml", "--ptable", folder / "p.csv", "--output", folder / "out.csv")
    line(
        f"{records} records, three tables",
        cost("-m", "stirred", "run", "cell-key", keyed, "--keys", "key", *files),
        floor,
    )


COMMANDS = {one.__name__: one for one in (swap, paths, survey, phsafe, pairs, targeted, cell_keys)}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        COMMANDS[sys.argv[1]](Path(name), sys.argv[2:])
