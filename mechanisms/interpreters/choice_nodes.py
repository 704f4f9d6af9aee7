"""The kinds of nodes of a choice tree (`interpreters.choice_tree`): each node is one integer KINDS·value + kind."""

CHOICE, RESULT, RESTART, ATTEMPT = range(4)
KINDS = 4

NO_TREE = "the nodes of a choice tree must name weights and outputs that it has"
NEVER_FINISHES = "the mechanism restarts with probability 1, so it never finishes"
