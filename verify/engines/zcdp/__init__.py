"""Zero-concentrated differential privacy: certified enclosures of the normalized Rényi metric, and what they decide."""
