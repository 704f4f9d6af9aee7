; Article, Appendix E, (17) and its simplification to (7), for any real b >= 2 and 0 < p < 1, o = p/(1-p).
; p <= 1/2 iff o <= 1; p <= sqrt(b+1)/(sqrt(b+1)+1) iff o^2 <= b+1.
; "unsat": the two forms agree.
(declare-const b Real)
(declare-const o Real)
(define-fun low () Real (/ (+ b 1) o))
(define-fun larger () Real (ite (>= o low) o low))
(define-fun seventeen () Real (ite (<= o 1) low larger))
(define-fun simplified () Real (ite (<= (* o o) (+ b 1)) low o))
(assert (>= b 2))
(assert (> o 0))
(assert (not (= seventeen simplified)))
