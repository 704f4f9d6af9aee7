; Article, Theorem 4: f(b) = ln(g(b))/2 is positive and decreasing in the integers b >= 2.
; u = (b-2)!, so that u >= 1, (b-1)! = (b-1) u, b! = b (b-1) u and (b+1)! = (b+1) b (b-1) u; e is any number in (2.7, 2.8).
; "unsat": g(b) > 1 and g(b+1) < g(b).
(declare-const b Real)
(declare-const u Real)
(declare-const e Real)
(define-fun first ((x Real)) Real (/ (* (+ x 1) (+ x 1)) (* x (- x 1))))
(define-fun second ((v Real) (w Real)) Real (/ (+ 1 (/ e (* 2 v))) (- 1 (/ e (* 2 w)))))
(assert (>= b 2))
(assert (>= u 1))
(assert (and (< 2.7 e) (< e 2.8)))
(declare-const g Real)
(declare-const g_next Real)
(assert (= g (* (first b) (second u (* b (- b 1) u)))))
(assert (= g_next (* (first (+ b 1)) (second (* (- b 1) u) (* (+ b 1) b (- b 1) u)))))
(assert (not (and (> g 1) (< g_next g))))
