"""The site: the ledger, its proofs, the guide, the mechanisms and the reference as one folder of static pages.

Nothing on a page is fetched from elsewhere, and nothing needs a server: links are relative, the search and the filters
are one small script. A page is a template (Jinja2, every text escaped) with its parts; verdicts come from a finished
run of the ledger and are never computed for a page. Reading order: `kept_run`, `page`, `entry`, `source_pages`,
`ledger_pages`, `coq_files`, `proof_pages`, `guide_pages`, `reference_pages`, `mechanism_pages`, `losses`, `gallery`,
`build`.
"""
