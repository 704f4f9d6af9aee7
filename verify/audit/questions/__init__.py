"""What the auditor asks of a claim, one module for each question; `verify.audit.audit` has their order."""
