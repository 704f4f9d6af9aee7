; PHSafe, Algorithm 1, free tables: how far one row of persons and two of units move a level, for every tau.
; In three cells: the joined rows that come (v) and that go (w), 1 of the persons each and 2 tau of the units in all: at
; most `come` and `go`, whose sum is at most 2 tau + 2 (most).
; "unsat": the squared L2 change is at most (most - 1)^2 + 1, that is 4 tau^2 + 4 tau + 2.
(declare-const most Int)
(declare-const come Int)
(declare-const go Int)
(declare-const v1 Int)
(declare-const v2 Int)
(declare-const v3 Int)
(declare-const w1 Int)
(declare-const w2 Int)
(declare-const w3 Int)
(define-fun square ((a Int)) Int (* a a))
(define-fun bound () Int (+ (square (- most 1)) 1))
(assert (and (<= 4 most) (<= 0 v1) (<= 0 v2) (<= 0 v3) (<= 0 w1) (<= 0 w2) (<= 0 w3)))
(assert (and (<= 1 come) (<= 1 go) (<= (+ come go) most)))
(assert (and (<= (+ v1 v2 v3) come) (<= (+ w1 w2 w3) go)))
; what these imply, written out for the solver: products of what is not negative
(assert (and (<= 0 (* v1 v2)) (<= 0 (* v1 v3)) (<= 0 (* v2 v3))))
(assert (and (<= 0 (* w1 w2)) (<= 0 (* w1 w3)) (<= 0 (* w2 w3))))
(assert (and (<= 0 (* v1 w1)) (<= 0 (* v2 w2)) (<= 0 (* v3 w3))))
(assert (<= 0 (* (- come v1 v2 v3) (+ come v1 v2 v3))))
(assert (<= 0 (* (- go w1 w2 w3) (+ go w1 w2 w3))))
(assert (and (<= 0 (* (- come 1) (- go 1))) (<= 0 (* (- most come go) (- (+ most come go) 2)))))
(assert (not (<= (+ (square (- w1 v1)) (square (- w2 v2)) (square (- w3 v3))) bound)))
