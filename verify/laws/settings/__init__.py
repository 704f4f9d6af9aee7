"""What published settings of the Bureau's systems may say, as audits and runs of a file both read it."""
