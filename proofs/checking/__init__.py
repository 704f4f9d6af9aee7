"""The check of the Coq proofs against `Statements.v`, the page of theorems that a person reads."""
