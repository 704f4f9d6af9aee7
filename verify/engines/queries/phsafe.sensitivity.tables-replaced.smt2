; PHSafe, Algorithm 1, free tables: how far a replaced row of persons and two replaced ones of units move a level.
; In three cells: the joined rows that come (v) and that go (w), at most 2 tau + 2 each (most): 2 of the persons, 2 tau
; of the units, whose MAFIDs are unique.
; "unsat": the squared L2 change is at most 2 most^2, that is 8 (tau + 1)^2.
(declare-const most Int)
(declare-const v1 Int)
(declare-const v2 Int)
(declare-const v3 Int)
(declare-const w1 Int)
(declare-const w2 Int)
(declare-const w3 Int)
(define-fun square ((a Int)) Int (* a a))
(define-fun bound () Int (* 2 (square most)))
(assert (and (<= 4 most) (<= 0 v1) (<= 0 v2) (<= 0 v3) (<= 0 w1) (<= 0 w2) (<= 0 w3)))
(assert (and (<= (+ v1 v2 v3) most) (<= (+ w1 w2 w3) most)))
; what these imply, written out for the solver: products of what is not negative
(assert (and (<= 0 (* v1 v2)) (<= 0 (* v1 v3)) (<= 0 (* v2 v3))))
(assert (and (<= 0 (* w1 w2)) (<= 0 (* w1 w3)) (<= 0 (* w2 w3))))
(assert (and (<= 0 (* v1 w1)) (<= 0 (* v2 w2)) (<= 0 (* v3 w3))))
(assert (and (<= 0 (* (- most v1 v2 v3) (+ most v1 v2 v3))) (<= 0 (* (- most w1 w2 w3) (+ most w1 w2 w3)))))
(assert (not (<= (+ (square (- w1 v1)) (square (- w2 v2)) (square (- w3 v3))) bound)))
