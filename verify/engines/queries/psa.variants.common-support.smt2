; Article, Appendix C.2: pure DP with a finite budget at a finite distance needs common support.
; p and q are the probabilities of one event from x and from x'; g = e^(eps*d), finite. slack is 0: pure DP.
; "unsat": no event is possible from x and impossible from x'; the other direction is the same with x and x' exchanged.
(declare-const p Real)
(declare-const q Real)
(declare-const g Real)
(define-fun slack () Real 0.0)
(assert (and (<= 0 p) (<= p 1) (<= 0 q) (<= q 1) (<= 1 g)))
(assert (<= p (+ (* g q) slack)))
(assert (not (=> (> p 0) (> q 0))))
