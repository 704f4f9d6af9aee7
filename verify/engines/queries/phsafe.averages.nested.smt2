; PHSafe, section 2.4: the nested averages of PH1 (and of PH5) add up to the total average.
; Persons by age over households; others is another denominator, for the mutant alone.
; "unsat": (children + adults)/households is always the sum of the two.
(declare-const children Real)
(declare-const adults Real)
(declare-const households Real)
(declare-const others Real)
(assert (and (<= 0 children) (<= 0 adults) (< 0 households) (< 0 others)))
(assert (not (= (+ (/ children households) (/ adults households)) (/ (+ children adults) households))))
