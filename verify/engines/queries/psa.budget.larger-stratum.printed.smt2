; Article, section 3.6: for a larger b a higher swap rate is needed to achieve the same budget.
; The smallest odds with the budget ln(gamma) are (b+1)/gamma; gamma is attainable at both sizes b < c.
; "unsat": the smallest odds that achieve gamma at c are higher than at b.
(declare-const b Real)
(declare-const c Real)
(declare-const gamma Real)
(declare-const o Real)
(declare-const q Real)
(define-fun budget ((size Real) (odds Real)) Real (ite (<= (* odds odds) (+ size 1)) (/ (+ size 1) odds) odds))
(assert (>= b 2))
(assert (< b c))
(assert (> gamma 0))
(assert (>= (* gamma gamma) (+ c 1)))
(assert (= (* o gamma) (+ b 1)))
(assert (> q 0))
(assert (<= (budget c q) gamma))
(assert (not (and (= (budget b o) gamma) (< o q))))
