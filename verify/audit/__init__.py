"""The auditor: what is asked of a claim and its laws, and what is found; black boxes, libraries, records."""
