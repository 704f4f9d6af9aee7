"""The claims, by concept: each module states claims with their words, properties, cases, mutants and theorems."""
