; Random rounding to base b: n = q b + r and n' = q b + s in one interval, or n' = (q + 1) b + s in the next, for any q.
; n has the mass (b - r)/b on q b and r/b on (q + 1) b; m = (q + 1) b is the multiple between n and n'.
; "unsat": total variation is |n - n'|/b in one interval, and max(m - n, n' - m)/b across m.
(declare-const b Real)
(declare-const r Real)
(declare-const s Real)
(define-fun size ((x Real)) Real (ite (>= x 0) x (- x)))
(define-fun larger ((x Real) (y Real)) Real (ite (>= x y) x y))
(define-fun in-one () Real (/ (+ (size (- (- b r) (- b s))) (size (- r s))) 2))
(define-fun across () Real (/ (+ (- b r) (size (- r (- b s))) s) 2))
(assert (and (> b 0) (<= 0 r b) (<= 0 s b)))
(assert (not (and (= in-one (size (- r s))) (= across (larger (- b r) s)))))
