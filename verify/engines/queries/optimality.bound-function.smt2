; Article, Theorem 4: f(b) = ln(g(b))/2 is positive and decreasing in the integers b >= 2.
; z = e/(2 (b-2)!) lies in (0, 1.4), and at b + 1 it is z/(b-1); e/(2 b!) = z/(b (b-1)), so that
; g(b) = (b+1)^2/(b (b-1)) (1 + z)/(1 - z/(b (b-1))) = (b+1)^2 (1 + z)/(b (b-1) - z).
; "unsat": g(b) > 1 and g(b+1) < g(b).
(declare-const b Real)
(declare-const z Real)
(define-fun ratio ((x Real) (y Real)) Real (/ (* (+ x 1) (+ x 1) (+ 1 y)) (- (* x (- x 1)) y)))
(assert (>= b 2))
(assert (and (< 0 z) (< z 1.4)))
(declare-const g Real)
(declare-const g_next Real)
(assert (= g (ratio b z)))
(assert (= g_next (ratio (+ b 1) (/ z (- b 1)))))
(assert (not (and (> g 1) (< g_next g))))
