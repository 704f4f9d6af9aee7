; Article, section 3.3: the budget (7) increases with b (it never decreases), at every swap rate in (0, 1).
; gamma = e^epsilon of (7); b < c are two sizes of the largest stratum, 0 or at least 2, taken as reals.
; "unsat": the budget of c is at least the budget of b.
(declare-const b Real)
(declare-const c Real)
(declare-const o Real)
(define-fun budget ((size Real)) Real
  (ite (= size 0) 1.0 (ite (<= (* o o) (+ size 1)) (/ (+ size 1) o) o)))
(assert (> o 0))
(assert (or (= b 0) (>= b 2)))
(assert (>= c 2))
(assert (< b c))
(declare-const budget_b Real)
(declare-const budget_c Real)
(assert (and (= budget_b (budget b)) (= budget_c (budget c))))
(assert (not (<= budget_b budget_c)))
