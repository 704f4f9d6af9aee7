"""Engines that only claims use: sweeps over small domains, and what single chapters of the sources ask for."""
