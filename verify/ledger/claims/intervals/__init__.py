"""Pure DP as an interval of measures: D_Mult and the density-ratio metric on measures, their balls, what they imply."""
