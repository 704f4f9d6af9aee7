"""The check of the Coq proofs against what is committed beside them."""
