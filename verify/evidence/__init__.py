"""What was found: verdicts, witnesses, certificates, reports; and the files and processes under them."""
