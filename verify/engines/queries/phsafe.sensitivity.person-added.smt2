; PHSafe, Algorithm 1, units that follow from persons: how far adding one person moves a level, for every tau.
; One household's counts in three cells before (v) and after (w): none negative, sums at most tau.
; "unsat": the squared L2 change is at most 2 tau^2.
(declare-const tau Int)
(declare-const v1 Int)
(declare-const v2 Int)
(declare-const v3 Int)
(declare-const w1 Int)
(declare-const w2 Int)
(declare-const w3 Int)
(define-fun square ((a Int)) Int (* a a))
(define-fun most () Int tau)
(define-fun bound () Int (* 2 (square tau)))
(assert (and (<= 1 tau) (<= 0 v1) (<= 0 v2) (<= 0 v3) (<= 0 w1) (<= 0 w2) (<= 0 w3)))
(assert (and (<= (+ v1 v2 v3) most) (<= (+ w1 w2 w3) most)))
; what these imply, written out for the solver: products of what is not negative
(assert (and (<= 0 (* v1 v2)) (<= 0 (* v1 v3)) (<= 0 (* v2 v3))))
(assert (and (<= 0 (* w1 w2)) (<= 0 (* w1 w3)) (<= 0 (* w2 w3))))
(assert (and (<= 0 (* v1 w1)) (<= 0 (* v2 w2)) (<= 0 (* v3 w3))))
(assert (and (<= 0 (* (- most v1 v2 v3) (+ most v1 v2 v3))) (<= 0 (* (- most w1 w2 w3) (+ most w1 w2 w3)))))
(assert (not (<= (+ (square (- w1 v1)) (square (- w2 v2)) (square (- w3 v3))) bound)))
