"""zCDP and its neighbours: D_NoR, the Rényi divergences, approximate DP, and the discrete Gaussian."""
