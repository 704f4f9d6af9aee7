(******************************************************************************)
(* How a theorem of Statements.v is closed.                                   *)
(*                                                                            *)
(*   restates t == the statement is that of t, and whatever t asks can be met *)
(*   restates t by i == the same, where i is t applied to arguments           *)
(*   restates by i == the same for the t that i applies, which the scan of    *)
(*            the page holds to be the theorem of that name                   *)
(*                                                                            *)
(* What a theorem asks is every binder of its statement, of a proposition or  *)
(* of a type, also behind definitions, and every premise that its conclusion  *)
(* states, under /\, \/, exists or the constructors of a type; each must be   *)
(* filled, by an instance or by fill, or the theorem could say nothing. Of    *)
(* A <-> B one side must be met, or be a notion that something has. A premise *)
(* in a branch or a Boolean is refused; that something is false asks nothing. *)
(* Nothing here is trusted to prove: Coq checks each value.                   *)
(*                                                                            *)
(*   fill == solves the type of a binder from a list                          *)
(*   inhabited_elsewhere A == succeeds on types with a known value elsewhere  *)
(*   shown_elsewhere A == succeeds on notions that something is shown to have *)
(*   says_itself T == succeeds on conclusions that are read as they stand     *)
(*   reads_inside t == the same, of theorems                                  *)
(******************************************************************************)

Ltac head t := lazymatch t with ?f _ => head f | _ => t end.
Ltac fill := fail. Ltac says_itself T := fail. Ltac reads_inside t := fail.
Ltac inhabited_elsewhere A := fail. Ltac shown_elsewhere A := fail.

Inductive unknown : Prop := Unknown.
Ltac value A :=
  match goal with
  | |- _ => constr:(ltac:(solve [assumption | fill]) : A)
  | |- _ => Unknown
  end.

(* Premises that the conclusion t states, as it is written. *)
Ltac inside t :=
  let T := type of t in
  let T := eval cbv beta zeta in T in
  lazymatch T with
  | ~ _ => pose t
  | ?A -> False => pose t
  | ?A <-> ?B =>
      tryif first [shown_elsewhere A | shown_elsewhere B] then pose t else
      let a := value A in
      lazymatch a with
      | Unknown => let b := value B in
          lazymatch b with
          | Unknown => fail "nothing is known to meet" A "or" B
          | _ => let u := constr:(proj2 t b) in inside u
          end
      | _ => let u := constr:(proj1 t a) in inside u
      end
  | forall x : ?A, _ =>
      let a := value A in
      lazymatch a with
      | Unknown => fail "nothing is known to meet" A "in a conclusion"
      | _ => let u := constr:(t a) in inside u
      end
  | _ => pose t; let h := head T in
      tryif (is_ind h; tryif constr_eq h @eq then fail else idtac)
      then (assert True by (case t; parts; exact I)) else idtac
  end
with parts :=
  lazymatch goal with
  | |- True => idtac
  | |- forall x : ?A, _ => let y := fresh in intro y;
      (let S := type of A in
       lazymatch constr:((S, A)) with
       | (Prop, _) => inside y
       | (_, sig _) => inside y | (_, sigT _) => inside y
       | (_, prod _ _) => inside y | (_, sum _ _) => inside y
       | _ => idtac
       end); parts
  end.

Ltac met r t :=
  let T := type of t in
  tryif says_itself T then pose t else
  let T := eval hnf in T in
  lazymatch T with
  | ?A -> False => pose t
  | forall x : ?A, _ =>
      tryif inhabited_elsewhere A then
        (let under := constr:(fun x : A =>
           ltac:(let u := constr:(t x) in met r u; exact I) : True) in
         pose under)
      else
      let a := value A in
      lazymatch a with
      | Unknown => fail "nothing is known to meet" A "which" t "asks for"
      | _ => let u := constr:(t a) in met r u
      end
  | _ => tryif reads_inside r then pose t else inside t
  end.

Ltac unbranched T :=
  lazymatch T with
  | ?A -> ?B => unbranched B
  | forall x : ?A, @?B x => under A B unbranched
  | fun x : ?A => @?B x => under A B unbranched
  | if _ then ?A else ?B => unasked A; unasked B
  | match _ with _ => _ end =>
      let S := type of T in
      lazymatch S with
      | Prop => fail "a premise could stand in a branch of" T
      | _ => idtac
      end
  | ?f ?a => unbranched f; unbranched a
  | _ => idtac
  end
with unasked T :=
  lazymatch T with
  | ?A -> ?B =>
      let S := type of A in
      lazymatch S with
      | Prop => fail "a premise stands in a branch:" T
      | _ => unasked B
      end
  | forall x : ?A, @?B x => under A B unasked
  | fun x : ?A => @?B x => under A B unasked
  | ?f ?a => unasked f; unasked a
  | _ => unbranched T
  end
with under A B check :=
  assert (A -> True) by
    (let x := fresh in intro x;
     let T := eval cbv beta in (B x) in check T; exact I).

Ltac all_met t i :=
  let T := type of t in
  lazymatch T with
  | context [implb _ _] => fail "a premise stands in a Boolean of" t
  | _ => unbranched T
  end;
  assert True by (met t i; exact I).

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

Tactic Notation "restates" constr(t) := all_met t t; exact t.
Tactic Notation "restates" constr(t) "by" constr(i) :=
  instance_of t i; all_met t i; exact t.
Tactic Notation "restates" "by" constr(i) :=
  let body := eval unfold i in i in
  let t := head body in
  instance_of t i; all_met t i; exact t.
