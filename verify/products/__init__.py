"""The released systems that a person runs: settings, files, specification and examples of each."""
