"""The auditor: claim files from text to blocks, the mechanism that they name, and what is found of them."""
