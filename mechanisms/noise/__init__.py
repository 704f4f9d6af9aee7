"""Mechanisms that add noise to counts or flip answers, and the draws that they are made of."""
