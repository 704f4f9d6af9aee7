"""What privacy is worth to those who answer: expected utilities under DP, the scale of epsilon, a game of answers."""
