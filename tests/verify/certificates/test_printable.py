"""No control character of any file reaches a terminal raw, whatever the command."""

import contextlib
import json
from pathlib import Path

from claim_texts import SCHEMA, SOUND, replaced
from hypothesis import given
from hypothesis import strategies as st

from stirred.verify import cli
from stirred.verify.certificates.printable import json_text, one_line, printable
from stirred.verify.certificates.replay import main as replay_main
from stirred.verify.commands.kept_records import LEDGER

HOSTILE = "a\x1b[2J\x07\x7f\x9b31m\u202e\u2066\u2028\u2029\u200b\r\x00b"
IN_TOML = json.dumps(HOSTILE.replace("\x7f", "\x85"))  # an escape for each, as TOML has them too


@given(st.text())
def test_what_is_printed_prints_as_itself(text):
    assert printable(text).isprintable()
    assert one_line(text).isprintable()
    assert printable(printable(text)) == printable(text)


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_prints_as_itself_and_reads_back(value):
    text = json_text(value)
    assert all(line.isprintable() for line in text.split("\n"))
    assert json.loads(text) == value


def file(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


NUMBERS = f"""\
id = "own"
statement = "a number"
[[numbers]]
what = "share"
printed = {IN_TOML}
formula = "1/2"
"""

RECORD = {
    "privacy_budget": HOSTILE,
    HOSTILE: {"privacy_budget": "3", "state_filter": [HOSTILE]},
}


def commands(folder: Path) -> dict[str, list[str]]:
    """Each command on files whose every text, and whose name, is hostile."""
    odd = "n\x1b[31m\u202ename"
    described = replaced(SCHEMA, ('schema = { vote = ["no", "yes"] }\nrecords = 2', f"description = {IN_TOML}"))
    claim = file(folder, f"{odd}.toml", replaced(SCHEMA, ('["no", "yes"]', f"[{IN_TOML}, 0]")))
    resolution = replaced(SOUND, ('"household"', IN_TOML))
    listed = replaced(SCHEMA, ('schema = { vote = ["no", "yes"] }\nrecords = 2', f"data_sets = [[{IN_TOML}], [0]]"))
    table = file(folder, f"{odd}.csv", f'county,"size\x1b[2J\u202e"\n"{odd}",1\nb,2\n')
    witness = {"kind": "formula", "claimed": f"1 < x{HOSTILE}", "values": {"x": "1"}}
    named = {"kind": "formula", "claimed": "1 == 2", "values": {}, "note": HOSTILE}
    law = [[HOSTILE, "1"]]
    events = {"law": law, "law_prime": [["b", "1"]], "event": [HOSTILE], "probability": "1", "probability_prime": "0"}
    stated = {
        "input_premetric": {"name": "hamming_ordered", "data": "records"},
        "output_premetric": {"name": "multiplicative"},
        "budget": {"epsilon": "1"},
    }
    loss = {"kind": "loss", "x": [HOSTILE], "x_prime": [0], **events, "claim": {"id": HOSTILE, **stated}}
    kept = [dict.fromkeys(LEDGER.fields, HOSTILE)]
    replays = [witness, named, loss, {"id": HOSTILE, "witness": loss}, {"kind": HOSTILE}, {HOSTILE: 1, "kind": "loss"}]
    return {
        "audit": ["audit", claim],
        "audit json": ["audit", claim, "--json"],
        "audit listed": ["audit", file(folder, "listed.toml", listed)],
        "audit numbers": ["audit", file(folder, "numbers.toml", NUMBERS)],
        "audit resolution": ["audit", file(folder, "resolution.toml", resolution)],
        "audit not written": ["audit", file(folder, "sound.toml", SOUND), "--witness", str(folder / f"{odd}.json")],
        "audit record": ["audit", file(folder, f"{odd}.json", json.dumps(RECORD))],
        "audit yaml": ["audit", file(folder, f"{odd}.yaml", f"status: {json.dumps(HOSTILE)}\n")],
        "audit ini": ["audit", file(folder, f"{odd}.ini", f"[budget]\n{odd} = {odd}\n")],
        "audit missing": ["audit", str(folder / f"{odd}.none.toml")],
        "show": ["show", claim],
        "show described": ["show", file(folder, f"{odd}2.toml", described)],
        "show described json": ["show", str(folder / f"{odd}2.toml"), "--json"],
        "compare": ["compare", claim, claim],
        "compare json": ["compare", claim, claim, "--json"],
        "swap": ["swap", table, "--swap", "county", "--swap-rate", "1/2", "--resolution", odd],
        "swap output": [
            "swap",
            table,
            "--swap",
            "county",
            "--swap-rate",
            "1/2",
            "--output",
            str(folder / f"{odd}.out"),
        ],
        "swap missing": ["swap", table, "--swap", odd, "--swap-rate", "1/2"],
        "swap rate": ["swap", table, "--swap", "county", "--swap-rate", odd],
        "plot": ["derive", "psa", "--plot", str(folder / f"{odd}.svg")],
        "verify": ["verify", odd],
        "against": ["verify", "psa.swap-probability.printed", "--against", file(folder, "kept.json", json.dumps(kept))],
        "unknown command": [odd],
        "unknown option": ["verify", f"--{odd}"],
        **{
            f"replay {index}": ["replay", file(folder, f"{odd}{index}.w.json", json.dumps(one))]
            for index, one in enumerate(replays)
        },
        "replay beside a claim": ["replay", str(folder / f"{odd}2.w.json"), "--claim", claim],
    }


def test_no_command_prints_what_does_not_print(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(
        "stirred.verify.commands.plot.plot_psa", lambda path: None
    )  # the name of the picture is what matters
    seen = 0
    for label, arguments in commands(tmp_path).items():
        with contextlib.suppress(SystemExit):  # of argparse
            cli.main(arguments)
        out, err = capsys.readouterr()
        assert out + err, label
        assert all(line.isprintable() for line in (out + err).split("\n")), (label, out, err)
        seen += "\\x1b" in out + err or "\\u001b" in out + err
    assert seen >= 20


def test_replaying_alone_prints_as_itself_too(tmp_path, capsys):
    path = commands(tmp_path)["replay 2"][1]
    assert replay_main([path]) == 1
    assert capsys.readouterr().out.replace("\n", "").isprintable()
