"""The blocks of a specification: domain, multiverse, input premetric, and the specification itself."""
