"""Laws of released real numbers: mixtures of products of independent densities, compared exactly."""
