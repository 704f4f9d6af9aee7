"""What users import and start as `stirred`: installed under that name, see `package-dir` in pyproject.toml."""
