; Article, section 3.6: the smallest budget over all swap rates is ln(b+1)/2, attained at the odds sqrt(b+1) alone.
; gamma = e^epsilon of (7) at odds o = p/(1-p), for any real b >= 2 and 0 < p < 1.
; "unsat": gamma^2 >= b + 1, with equality iff o^2 = b + 1.
(declare-const b Real)
(declare-const o Real)
(declare-const gamma Real)
(assert (>= b 2))
(assert (> o 0))
(assert (= gamma (ite (<= (* o o) (+ b 1)) (/ (+ b 1) o) o)))
(assert (not (and (>= (* gamma gamma) (+ b 1)) (= (= (* gamma gamma) (+ b 1)) (= (* o o) (+ b 1))))))
