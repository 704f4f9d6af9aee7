; 2010-style swapping moves no household of a key that stands in one tract, whatever the matching, as long as it respects
; the guards: the two households of a pair have one key, and they are in two tracts.
; Household, Key and Tract are any sets, pair is any relation, i and j are any two households; apart is true.
; "unsat": no pair has i in it.
(declare-sort Household 0)
(declare-sort Key 0)
(declare-sort Tract 0)
(declare-fun key (Household) Key)
(declare-fun tract (Household) Tract)
(declare-fun pair (Household Household) Bool)
(define-fun apart ((a Household) (b Household)) Bool (not (= (tract a) (tract b))))
(assert (forall ((a Household) (b Household)) (=> (pair a b) (and (= (key a) (key b)) (apart a b)))))
(declare-const i Household)
(assert (forall ((a Household)) (=> (= (key a) (key i)) (= (tract a) (tract i)))))
(declare-const j Household)
(declare-const as_first Int)
(declare-const as_second Int)
(assert (= as_first (ite (pair i j) 1 0)))
(assert (= as_second (ite (pair j i) 1 0)))
(assert (not (= (+ as_first as_second) 0)))
