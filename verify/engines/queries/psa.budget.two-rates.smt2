; Article, section 3.6: every budget above ln(b+1)/2 is attained at exactly two swap rates in (0, 1).
; gamma = e^epsilon; in odds o = p/(1-p), which increase with p, the two are o = (b+1)/gamma and o = gamma.
; "unsat": both attain gamma, they differ, and no other odds attain it.
(declare-const b Real)
(declare-const gamma Real)
(declare-const o Real)
(define-fun budget ((odds Real)) Real (ite (<= (* odds odds) (+ b 1)) (/ (+ b 1) odds) odds))
(assert (>= b 2))
(assert (> gamma 0))
(assert (> (* gamma gamma) (+ b 1)))
(assert (> o 0))
(declare-const low Real)
(declare-const high Real)
(assert (= (* low gamma) (+ b 1)))
(assert (= high gamma))
(assert (not (and (= (budget low) gamma) (= (budget high) gamma) (< low high)
                  (= (= (budget o) gamma) (or (= o low) (= o high))))))
