; Article, Theorem 4: f(b) = ln(g(b))/2 converges to zero, since 0 < f(b) <= (g(b) - 1)/2 <= 4/b for b >= 7.
; u = (b-2)!; u >= b^2 at b = 7 (120 >= 49) and, if at b, then at b + 1, where it is (b-1) u.
; "unsat": the step of the induction and the bound hold.
(declare-const b Real)
(declare-const u Real)
(declare-const e Real)
(assert (>= b 7))
(assert (>= u (* b b)))
(assert (and (< 2.7 e) (< e 2.8)))
(declare-const g Real)
(assert (= g (* (/ (* (+ b 1) (+ b 1)) (* b (- b 1))) (/ (+ 1 (/ e (* 2 u))) (- 1 (/ e (* 2 b (- b 1) u)))))))
(assert (not (and (>= (* (- b 1) u) (* (+ b 1) (+ b 1))) (>= 120 (* 7 7)) (> g 1) (<= (* b (- g 1)) 8))))
