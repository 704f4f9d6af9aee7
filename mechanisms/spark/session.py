"""A Spark session with this program's own code on every worker, and Spark's failures in one line.

The modules of `spec` and `mechanisms` go to the workers as one archive, so that what runs there is what runs here,
whatever is installed there; they need NumPy, pyarrow, pandas and python-flint. A session that stands is taken as it is
(in `spark-submit`, the one that the cluster's settings describe). One that is started here is quiet, opens no web page,
and encrypts what it spills and sends, since these are confidential records.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from stirred.spec.arguments import InputError

if TYPE_CHECKING:
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

_SHIPPED = ("stirred", "stirred.spec", "stirred.mechanisms")
_NEEDED = "--engine spark needs pyspark, pyarrow and pandas: pip install pyspark pyarrow 'pandas<3'"
_JAVA = "Spark needs Java 17 or later: apt-get install openjdk-17-jre-headless, or set JAVA_HOME"
_SETTINGS = {
    "spark.app.name": "stirred",
    "spark.io.encryption.enabled": "true",
    "spark.network.crypto.enabled": "true",
    "spark.authenticate": "true",
    "spark.executorEnv.PYTHONSAFEPATH": "1",  # not the modules of whatever folder a worker stands in
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
_HERE = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
_ARCHIVE = "stirred_workers.zip"
_LONGEST = 300


class ClusterError(RuntimeError):
    """Spark could not do what was asked, for a reason that is not in the input."""


def spark_session(master: str | None = None, settings: Mapping[str, str] | None = None) -> SparkSession:
    """The session that stands, or one that is started: on the cores of this machine unless told otherwise.

    Args:
        master: the address of the cluster, such as "yarn", or "local[2]".
        settings: Spark's, for a session that is started; stronger than ours.
    """
    try:
        import pandas as pd  # noqa: F401, PLC0415 an optional dependency
        import pyarrow as pa  # noqa: F401, PLC0415
        from pyspark.sql import SparkSession  # noqa: PLC0415
    except ImportError:
        raise InputError(_NEEDED) from None
    session = SparkSession.getActiveSession() or _started(master, settings or {})
    _ship_modules(session)
    return session


def end_session(session: SparkSession) -> None:
    """Stop the session, and the Java process that was started for it."""
    from pyspark import SparkContext  # noqa: PLC0415

    session.stop()
    gateway, SparkContext._gateway, SparkContext._jvm = SparkContext._gateway, None, None
    gateway.shutdown()
    if gateway.proc is not None:
        gateway.proc.stdin.close()
        gateway.proc.wait()


def _started(master: str | None, settings: Mapping[str, str]) -> SparkSession:
    from pyspark import SparkConf, SparkContext  # noqa: PLC0415
    from pyspark.java_gateway import launch_gateway  # noqa: PLC0415
    from pyspark.sql import SparkSession  # noqa: PLC0415

    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    if not submitted and not _java():
        raise InputError(_JAVA)
    ours = {} if submitted else {**_SETTINGS, **(_HERE if (master or "local").startswith("local") else {})}
    chosen = {**ours, **({"spark.master": master} if master else {}), **settings}
    if chosen.get("spark.master", "local").startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = _conf(SparkConf(loadDefaults=False), chosen)
    with tempfile.TemporaryFile() as said, one_line_failures("Spark does not start", lambda: _first_error(said)):
        gateway = SparkContext._gateway or launch_gateway(conf, {"stdout": said, "stderr": said})
        SparkContext._ensure_initialized(gateway=gateway)
        known = _conf(SparkConf(), chosen)
        known.setIfMissing("spark.master", "local[*]")
        context = SparkContext(conf=known)
        context.setLogLevel("OFF" if not submitted else "ERROR")
        return SparkSession(context)


def _conf(conf: SparkConf, settings: Mapping[str, str]) -> SparkConf:
    for name, value in settings.items():
        conf.set(name, value)
    return conf


def _java() -> bool:
    home = os.environ.get("JAVA_HOME")
    return shutil.which("java", path=str(Path(home) / "bin") if home else None) is not None


def _first_error(said: IO[bytes]) -> str:
    said.seek(0)
    lines = said.read().decode(errors="replace").splitlines()
    return next((line.strip() for line in lines if line.strip() and not line.startswith(("WARNING", "NOTE"))), "")


def _ship_modules(session: SparkSession) -> None:
    from pyspark import SparkFiles  # noqa: PLC0415

    context = session.sparkContext
    if _ARCHIVE in context._python_includes:
        return
    first, *rooms = (Path(str(sys.modules[name].__file__)) for name in _SHIPPED)  # wherever each is installed
    archive = Path(SparkFiles.getRootDirectory()) / _ARCHIVE  # it goes when the session ends
    with zipfile.ZipFile(archive, "w") as file:
        file.write(first, "stirred/__init__.py")
        for name, init in zip(_SHIPPED[1:], rooms, strict=True):
            for module in sorted(init.parent.rglob("*.py")):
                file.write(module, Path(*name.split("."), module.relative_to(init.parent)))
    context.addPyFile(str(archive))


@contextmanager
def one_line_failures(what: str, more: object = None) -> Iterator[None]:
    """What a worker finds wrong in the input as `InputError`, every other failure of Spark as `ClusterError`."""
    from py4j.protocol import Py4JError  # noqa: PLC0415
    from pyspark.errors import PySparkException  # noqa: PLC0415

    try:
        yield
    except (PySparkException, Py4JError) as error:
        text = str(error)
        found = re.findall(r"^(?:.*\.)?InputError: (.+)$", text, flags=re.MULTILINE)
        if found:
            raise InputError(found[-1]) from None
        raise ClusterError(f"{what}: {(more() if callable(more) else '') or _first_line(text)}") from None


def _first_line(text: str) -> str:
    r"""The line of a failure's text that says most: its innermost cause where one is named, shortened.

    >>> _first_line("Job aborted.\n\tat X\nCaused by: java.io.IOException: No space left on device\n\tat Y")
    'No space left on device'
    >>> _first_line("From a worker:\nTraceback (most recent call last):\n  File 1\nOSError: no disk\n\tat X\n")
    'OSError: no disk'
    """
    causes = re.findall(r"Traceback \(most recent call last\):\n(?:[ \t].*\n)*(\S.*)$", text, flags=re.MULTILINE)
    causes = causes or re.findall(r"^(?:Caused by)?: (?:[\w.$]+: )?(.+)$", text, flags=re.MULTILINE)
    line = next((line.strip() for line in (causes[-1:] or text.splitlines()) if line.strip()), "no reason given")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
