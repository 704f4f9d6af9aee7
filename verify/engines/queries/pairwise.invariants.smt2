; 2010-style swapping keeps n_mh. and n_m.s: the step of the induction over the pairs, whatever drew them.
; M, H, S are any sets of keys, contents and blocks. A tally of a data set is a sum of one term for each household, so an
; exchange changes it by what it changes in the terms of the two households; moves is 1: both change their blocks.
; row_done and column_done are the changes of the tallies over all pairs before this one: 0, by the induction hypothesis.
; The pair respects the guard that the two keys are equal. "unsat": the changes are 0 after it too.
(declare-sort M 0)
(declare-sort H 0)
(declare-sort S 0)
(declare-const m M)
(declare-const m2 M)
(declare-const h H)
(declare-const h2 H)
(declare-const s S)
(declare-const s2 S)
(define-fun guard () Bool (= m m2))
(define-fun moves () Int 1)
(declare-const m_any M)
(declare-const h_any H)
(declare-const s_any S)
(define-fun in_row ((key M) (content H)) Int (ite (and (= key m_any) (= content h_any)) 1 0))
(define-fun in_column ((key M) (block S)) Int (ite (and (= key m_any) (= block s_any)) 1 0))
(declare-const row_done Int)
(declare-const column_done Int)
(assert (= row_done 0))
(assert (= column_done 0))
(assert guard)
(declare-const row_change Int)
(declare-const column_change Int)
(assert (= row_change (+ row_done (in_row m h) (in_row m2 h2) (- (in_row m h)) (- (in_row m2 h2)))))
(assert (= column_change
  (+ column_done (in_column m s2) (- (in_column m s)) (* moves (- (in_column m2 s) (in_column m2 s2))))))
(assert (not (and (= row_change 0) (= column_change 0))))
