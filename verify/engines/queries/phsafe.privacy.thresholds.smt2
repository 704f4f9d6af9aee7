; PHSafe, Theorems 1 to 4: whether the largest squared change of a level is within what Delta allows, for every tau.
; unbounded is the largest of the two unbounded relations, bounded that of the two bounded ones, MAFIDs being unique.
; "unsat": Delta^2 covers the one and 2 Delta^2 the other.
(declare-const tau Real)
(define-fun square ((a Real)) Real (* a a))
(define-fun delta () Real (+ (* 2 tau) 2))
(define-fun added () Real (* 2 (square tau)))
(define-fun freely () Real (+ (* 4 (square tau)) (* 4 tau) 2))
(define-fun replaced () Real (* 8 (square tau)))
(define-fun swapped () Real (* 8 (square (+ tau 1))))
(assert (<= 1 tau))
(assert (not (and
  (<= added (square delta)) (<= freely (square delta))
  (<= replaced (* 2 (square delta))) (<= swapped (* 2 (square delta))))))
