; Article, Proposition 4 and its proof: n_mhs and n_.hs change whenever h and h2 differ and s and s2 differ.
; over_m is any functional on lines of counts, indexed by m, that changes with one entry as a sum does.
; line0 holds the counts n_mhs of one pair (h, s) over all m, before the swap of (m, h, s) with (m, h2, s2).
; The pair (h, s) is none of the other three pairs that a swap touches, so exactly one record leaves it.
; "unsat": both the cell and the margin change.
(declare-sort M 0)
(declare-sort H 0)
(declare-sort S 0)
(declare-fun over_m ((Array M Int)) Int)
(declare-fun line (H S) (Array M Int))
(declare-const m M)
(declare-const h H)
(declare-const h2 H)
(declare-const s S)
(declare-const s2 S)
(assert (not (= h h2)))
(assert (not (= s s2)))
(define-fun moved ((a H) (c S)) Int
  (+ (ite (and (= a h) (= c s)) (- 1) 0) (ite (and (= a h2) (= c s2)) (- 1) 0)
     (ite (and (= a h) (= c s2)) 1 0) (ite (and (= a h2) (= c s)) 1 0)))
(define-fun after ((a H) (c S)) (Array M Int)
  (store (line a c) m (+ (select (line a c) m) (moved a c))))
(assert (= (over_m (after h s)) (+ (over_m (line h s)) (moved h s))))
(declare-const cell_change Int)
(declare-const margin_change Int)
(assert (= cell_change (- (select (after h s) m) (select (line h s) m))))
(assert (= margin_change (- (over_m (after h s)) (over_m (line h s)))))
(assert (not (and (not (= cell_change 0)) (not (= margin_change 0)))))
