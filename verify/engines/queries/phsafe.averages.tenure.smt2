; PHSafe, section 2.4: the total average of PH8 is not the sum of the averages by tenure.
; Persons (owners, renters) and units (owned, rented), all positive: both tenures occur.
; "unsat": the total average is less than the sum.
(declare-const owners Real)
(declare-const renters Real)
(declare-const owned Real)
(declare-const rented Real)
(assert (and (< 0 owners) (< 0 renters) (< 0 owned) (< 0 rented)))
(assert (not (< (/ (+ owners renters) (+ owned rented)) (+ (/ owners owned) (/ renters rented)))))
