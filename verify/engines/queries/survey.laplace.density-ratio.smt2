; Dissertation, proof of Theorem 6.4.3: b |ln f(t)/f'(t)| <= ||q - q'||_1 in R^2, where q = (q1, q2) and q' = (r1, r2).
; As b eps d(d, d') >= ||q - q'||_1 by the definition of b, the loss is at most eps d(d, d').
; "unsat": the difference of the two norms at every t is at most ||q - q'||_1, in absolute value.
(declare-const t1 Real)
(declare-const t2 Real)
(declare-const q1 Real)
(declare-const q2 Real)
(declare-const r1 Real)
(declare-const r2 Real)
(define-fun size ((x Real)) Real (ite (>= x 0) x (- x)))
(define-fun norm ((a Real) (b Real) (c Real) (d Real)) Real (+ (size (- a c)) (size (- b d))))
(assert (not (<= (size (- (norm t1 t2 r1 r2) (norm t1 t2 q1 q2))) (norm q1 q2 r1 r2))))
