"""From a claim file and a user's function to blocks and laws: readers, the sandbox, what its processes agree on."""
