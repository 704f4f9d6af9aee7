(******************************************************************************)
(* How a theorem of Statements.v is closed.                                   *)
(*                                                                            *)
(*   restates t == the statement is that of t, and whatever t asks can be met *)
(*   restates t by i == the same, where i is t applied to arguments           *)
(*   restates by i == the same for the t that i applies, which the scan of    *)
(*            the page holds to be the theorem of that name                   *)
(*                                                                            *)
(* What a theorem asks is every binder of its statement, of a proposition or  *)
(* of a type, also behind definitions; each must be filled with a value, or   *)
(* the theorem could say nothing. Instances fill those that need a thought,   *)
(* the tactic fill the others; a conclusion that something is false is not    *)
(* asked for. Nothing here is trusted to prove: Coq checks each value.        *)
(*                                                                            *)
(*   fill == solves the type of a binder from a list                          *)
(*   inhabited_elsewhere A == succeeds on types with a known value elsewhere  *)
(*   says_itself T == succeeds on conclusions that are read as they stand     *)
(******************************************************************************)

Ltac head t := lazymatch t with ?f _ => head f | _ => t end.

Ltac fill := fail.
Ltac inhabited_elsewhere A := fail.
Ltac says_itself T := fail.

Ltac met t :=
  let T := type of t in
  tryif says_itself T then pose t else
  let T := lazymatch T with ?A <-> ?B => T | _ => eval hnf in T end in
  lazymatch T with
  | ?A <-> ?B => pose t
  | ?A /\ ?B => met (proj1 t); met (proj2 t)
  | and3 ?A ?B ?C =>
      met (let: And3 a _ _ := t in a); met (let: And3 _ b _ := t in b);
      met (let: And3 _ _ c := t in c)
  | ?A -> False => pose t
  | forall x : ?A, _ =>
      tryif inhabited_elsewhere A then
        (let under := constr:(fun x : A =>
           ltac:(let u := constr:(t x) in met u; exact I) : True) in pose under)
      else tryif (let a := constr:(ltac:(fill) : A) in idtac) then
        (let a := constr:(ltac:(fill) : A) in
         let u := constr:(t a) in met u)
      else fail "nothing is known to meet" A "which" t "asks for"
  | _ => pose t
  end.

Ltac applied_in t i :=
  lazymatch i with
  | fun x : ?A => _ =>
      let under := constr:(fun x : A =>
        ltac:(let u := eval cbv beta in (i x) in applied_in t u; exact I)
        : True) in idtac
  | _ => let h := head i in
      lazymatch h with t => idtac | _ => fail "the instance is one of" h end
  end.

Ltac instance_of t i :=
  let h := head i in
  let body := eval unfold h in i in
  let body := eval cbv beta in body in applied_in t body.

Tactic Notation "restates" constr(t) := met t; exact t.
Tactic Notation "restates" constr(t) "by" constr(i) :=
  instance_of t i; met i; exact t.
Tactic Notation "restates" "by" constr(i) :=
  let body := eval unfold i in i in
  let t := head body in
  instance_of t i; met i; exact t.
