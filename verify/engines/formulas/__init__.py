"""Formulas for every size: guessed from small sizes, tested beyond them; inequalities of formulas, settled for all."""
