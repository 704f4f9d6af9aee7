"""A refused `stirred swap --memory` leaves nothing that its own advice trips over; one that is killed goes on."""

import pytest

from stirred.mechanisms.tables import streaming
from stirred.verify.cli import main

LINES = "id,size,tenure,county\n" + "".join(
    f"r{n},{n % 3},{'own' if n % 5 else 'rent'},{'ABC'[n % 7 % 3]}\n" for n in range(400)
)
PARTS = ("--memory", "1GB", "--buckets", "8", "--seed", "5")  # the strata lie in three of the buckets
SWAP = ("--match", "size", "--swap", "county", "--swap-rate", "1/2")


@pytest.fixture
def homes(tmp_path):
    path = tmp_path / "homes.csv"
    path.write_text(LINES)
    return path


@pytest.fixture
def run(capsys, tmp_path):
    def started(file, *arguments):
        status = main(["swap", str(file), *arguments, "--output", str(tmp_path / "out.csv")])
        return status, capsys.readouterr().err

    return started


def test_more_buckets_is_what_was_advised_and_what_works(run, homes, tmp_path):
    status, message = run(homes, *SWAP, "--memory", "64MB")
    assert status == 2
    assert "take more --buckets (now 1)" in message
    assert list(tmp_path.iterdir()) == [homes]
    assert run(homes, *SWAP, "--memory", "201MB", "--buckets", "8")[0] == 0


NULLS = LINES + "last,1,,A\n"
TWICE = LINES + "r1,1,own,A\n"
DETERMINED = "size,tenure,county\n" + "1,own,A\n" * 3 + "2,own,A\n2,own,B\n"


@pytest.mark.parametrize(
    ("lines", "refused", "advised"),
    [
        (LINES, ("--memory", "1GB", "--buckets", "1024"), ("--memory", "1GB", "--buckets", "512")),
        (LINES, ("--memory", "1GB", "--swap-rate", "1"), ("--memory", "1GB")),
        (NULLS, ("--memory", "1GB"), ("--memory", "1GB", "--nulls", "category")),
        (TWICE, ("--memory", "1GB", "--id", "id"), ("--memory", "1GB")),
        (DETERMINED, ("--memory", "1GB"), ("--memory", "1GB", "--allow-determined")),
        (DETERMINED, ("--memory", "1GB"), ("--memory", "1GB", "--match", "tenure")),
    ],
)
def test_whatever_is_refused_the_advice_works(run, tmp_path, lines, refused, advised):
    path = tmp_path / "in.csv"
    path.write_text(lines)
    assert run(path, *SWAP, *refused)[0] == 2
    assert list(tmp_path.iterdir()) == [path]
    status, message = run(path, *SWAP, *advised)
    assert status == (3 if "--allow-determined" in advised else 0), message  # it is vacuous
    assert not (tmp_path / "out.csv.parts").exists()


class TestAKilledRun:
    @pytest.fixture
    def killed(self, run, homes, monkeypatch):
        """Some of its buckets are swapped."""
        swapped = streaming.PartsRun._swap_bucket

        def dies(self, bucket, *arguments):
            if self.folder.has_swapped:
                raise KeyboardInterrupt
            swapped(self, bucket, *arguments)

        with monkeypatch.context() as patched:
            patched.setattr(streaming.PartsRun, "_swap_bucket", dies)
            patched.setattr(streaming.os, "cpu_count", lambda: 1)  # one after the other
            run(homes, *SWAP, *PARTS)
        return homes.with_name("out.csv.parts")

    def test_goes_on(self, run, homes, killed):
        assert len(list(killed.glob("bucket-*"))) == 1
        assert run(homes, *SWAP, *PARTS)[0] == 0
        assert not killed.exists()

    def test_keeps_what_it_swapped_where_less_memory_is_given(self, run, homes, killed):
        status, message = run(homes, *SWAP, *PARTS[2:], "--memory", "64MB")
        assert status == 2
        assert "take more --buckets" not in message
        assert f"{killed} has what an earlier run swapped, and the same command goes on with it" in message
        assert len(list(killed.glob("bucket-*"))) == 1
        assert run(homes, *SWAP, *PARTS)[0] == 0
