"""What is said of a swap, by a claim or by the manifest beside a file, compared with the records themselves."""
