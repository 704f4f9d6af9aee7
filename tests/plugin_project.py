"""A project of a user's own, in which pytest runs with the plugin."""

import os
import subprocess
import sys

COINS = """
import stirred

ANSWERS = stirred.ordered_data_sets((0, 1), [3])

@stirred.satisfies(data_sets=ANSWERS, distance="hamming_ordered", epsilon="0.8", flip="1/4")
@stirred.satisfies(data_sets=ANSWERS, distance="hamming_ordered", epsilon="0.7", flip="1/4")
def majority(answers, source, *, flip):
    votes = sum(1 - answer if source.bernoulli(flip) else answer for answer in answers)
    return 2 * votes > len(answers)
"""


def run(project, tests, *options):
    (project / "test_coins.py").write_text(tests)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "stirred.verify.api.pytest_plugin",
        "-p",
        "no:cacheprovider",
        "-W",
        "error",
    ]
    return subprocess.run(
        [*command, *options],
        cwd=project,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
