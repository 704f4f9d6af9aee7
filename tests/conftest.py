"""What holds for every test: Hypothesis is derandomised in CI, and a benchmark runs only when its file is named."""

import os

from hypothesis import HealthCheck, settings

collect_ignore = ["benchmarks"]  # they need the group `bench`, and --doctest-modules would import them

common = {"deadline": None, "max_examples": 40, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", derandomize=True, **common)
settings.register_profile("local", **common)
settings.load_profile("ci" if os.environ.get("CI") else "local")
