"""Weighted estimates: their sensitivities, the Laplace mechanism, adjusted weights and imputation."""
