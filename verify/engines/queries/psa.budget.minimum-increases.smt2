; Article, section 3.6: the larger the b, the larger the minimum possible budget.
; gamma = e^epsilon; the minimum at b is sqrt(b+1) (psa.budget.minimum). "unsat": it increases with b.
(declare-const b Real)
(declare-const c Real)
(declare-const least_b Real)
(declare-const least_c Real)
(assert (>= b 2))
(assert (< b c))
(assert (> least_b 0))
(assert (> least_c 0))
(assert (= (* least_b least_b) (+ b 1)))
(assert (= (* least_c least_c) (+ c 1)))
(assert (not (< least_b least_c)))
