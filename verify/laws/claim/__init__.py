"""The core claim: five blocks as objects, mechanism, budget and provenance, and its reader of TOML."""
