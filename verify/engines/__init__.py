"""How statements are decided: one module for each kind of question, exact or with proved ends."""
