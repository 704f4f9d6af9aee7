From Coq Require Import Reals ZArith List Lra Lia.
From Coq Require Import ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum normalized_renyi nor_conversion.
From Stirred Require Import integer_noise noisy_programs.

(******************************************************************************)
(* Programs that loop over a list of records, and certificates of alignment   *)
(* that hold for lists of every length: an invariant, and what one pass does. *)
(*                                                                            *)
(*   event == what a pass shows: the number of its path, and numbers          *)
(*   on_test d a b == a if the decision d holds, else b                       *)
(*   changes_by lo hi q q' == q' - q is from lo to hi                         *)
(*   by_change d down same up == one of three, by the sign of d               *)
(*   loop pass last s past rs == the loop over rs from the state s: a pass    *)
(*            shows events and goes on in a state (inl) or leaves (inr); last *)
(*            follows the last record; the events go before past              *)
(*   on_list start pass last rs == start and then the loop: returns all events*)
(*   visit pass s o == the pass of o, or nothing where there is no record     *)
(*   path_of t == the path of the first event of t                            *)
(*   kept inv out == the same events, and inv or out of where it leads to     *)
(*   aligned_certificate near start pass last inv m eps == three alignments,  *)
(*            none of which speaks of a length: inv holds at the start where  *)
(*            eps may be spent, each pass keeps it, nothing is owed at the end*)
(*   paired near m rs rs' == rs and rs' are read in pairs of two records, or  *)
(*            of one and none; near m o o' m' says which pair may come where  *)
(*            m is allowed, and leaves m' allowed                             *)
(*   each_changes near, one_changes near == each pair of records is near; one *)
(*            is, the others are the same                                     *)
(*   one_more, one_fewer == rs' has one more record, or one less              *)
(*   changed_record near rs rs' == one record differs, by near                *)
(*   added_record rs rs' == rs' is rs with one more record                    *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   aligns_loop == the rule of the loop                                      *)
(*   certified_le == a certificate bounds ratios on all lists, in a direction *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Import ListNotations.

Local Open Scope R_scope.

Definition event : Type := (nat * list R)%type.

Definition on_test (A B : Prop) (T : Type) (test : {A} + {B}) (a b : T) : T :=
  match test with left _ => a | right _ => b end.

Definition changes_by (lo hi q q' : Z) : Prop := (lo <= q' - q <= hi)%Z.

Definition by_change (d down same up : Z) : Z :=
  match d with Z0 => same | Zpos _ => up | Zneg _ => down end.

Lemma event_dec (a b : event) : {a = b} + {a <> b}.
Proof.
by decide equality; [apply: (list_eq_dec Req_EM_T) | apply: Nat.eq_dec].
Qed.

Definition events_dec := list_eq_dec event_dec.

Definition adjoin (D : Type) (o : option D) (rs : list D) : list D :=
  if o is Some r then r :: rs else rs.

Section Lists.

Variable D : Type.
Implicit Types (near : D -> D -> Prop) (rs : list D).

Inductive paired (M : Type) (near : M -> option D -> option D -> M -> Prop) :
    M -> list D -> list D -> Prop :=
  | PairedEnd m : paired near m [] []
  | PairedNext m o o' m' rs rs' : near m o o' m' -> paired near m' rs rs' ->
      paired near m (adjoin o rs) (adjoin o' rs').

Definition each_changes near (m : unit) (o o' : option D) (m' : unit) : Prop :=
  if (o, o') is (Some r, Some r') then near r r' else False.

Definition one_changes near (m : bool) (o o' : option D) (m' : bool) : Prop :=
  if (o, o') is (Some r, Some r')
  then (r' = r /\ m' = m) \/ (near r r' /\ m = true /\ m' = false) else False.

Definition one_more (m : bool) (o o' : option D) (m' : bool) : Prop :=
  match o, o' with
  | Some r, Some r' => r' = r /\ m' = m
  | None, Some _ => m = true /\ m' = false
  | _, None => False
  end.

Definition one_fewer m o o' (m' : bool) : Prop := one_more m o' o m'.

Definition changed_record near rs rs' : Prop :=
  exists a r r' b, [/\ near r r', rs = a ++ r :: b & rs' = a ++ r' :: b].

Definition added_record rs rs' : Prop :=
  exists a r b, rs = a ++ b /\ rs' = a ++ r :: b.

Lemma paired_same M (near : M -> option D -> option D -> M -> Prop) m rs :
  (forall r, near m (Some r) (Some r) m) -> paired near m rs rs.
Proof.
move=> near_r; elim: rs => [|r rs IHrs]; first exact: PairedEnd.
exact: (PairedNext (o := Some r) (o' := Some r) (m' := m)).
Qed.

Lemma paired_after M (near : M -> option D -> option D -> M -> Prop) m a rs
    rs' :
  (forall r, near m (Some r) (Some r) m) -> paired near m rs rs' ->
  paired near m (a ++ rs) (a ++ rs').
Proof.
move=> near_r rs_rs'; elim: a => //= r a IHa.
exact: (PairedNext (o := Some r) (o' := Some r) (m' := m)).
Qed.

Lemma each_pairs near near' rs rs' : (forall r r', near r r' -> near' r' r) ->
  Forall2 near rs rs' -> paired (each_changes near) tt rs rs' /\
                         paired (each_changes near') tt rs' rs.
Proof.
move=> back; elim=> {rs rs'} [|r r' rs rs' rr' _ [IHrs IHrs']].
  by split; apply: PairedEnd.
split; first exact: (PairedNext (o := Some r) (o' := Some r') (m' := tt)).
apply: (PairedNext (o := Some r') (o' := Some r) (m' := tt)) => //.
exact: back.
Qed.

Lemma one_pairs near near' rs rs' : (forall r r', near r r' -> near' r' r) ->
  changed_record near rs rs' -> paired (one_changes near) true rs rs' /\
                                paired (one_changes near') true rs' rs.
Proof.
move=> back [a [r [r' [b [rr' -> ->]]]]].
by split; apply: paired_after => [t|]; (try by left);
  [apply: (PairedNext (o := Some r) (o' := Some r') (m' := false)) |
   apply: (PairedNext (o := Some r') (o' := Some r) (m' := false))];
  (try by right; split; auto); apply: paired_same => t; left.
Qed.

Lemma more_pairs rs rs' : added_record rs rs' ->
  paired one_more true rs rs' /\ paired one_fewer true rs' rs.
Proof.
case=> a [r [b [-> ->]]]; split; apply: paired_after => //.
  apply: (PairedNext (o := None) (o' := Some r) (m' := false)) => //.
  exact: paired_same.
apply: (PairedNext (o := Some r) (o' := None) (m' := false)) => //.
exact: paired_same.
Qed.

End Lists.

(* Loops                                                                      *)

Section Loop.

Variables (S D B : Type) (pass : S -> D -> program (list event * (S + B))).
Variable last : S -> program (list event * B).

Fixpoint loop (s : S) (past : list event) (rs : list D) :
    program (list event * B) :=
  match rs with
  | [] => and_then (last s) (fun t => Return (fst t ++ past, snd t))
  | r :: rs' => and_then (pass s r) (fun t =>
      match snd t with
      | inl s' => loop s' (fst t ++ past) rs'
      | inr b => Return (fst t ++ past, b)
      end)
  end.

Definition visit (s : S) (o : option D) : program (list event * (S + B)) :=
  if o is Some r then pass s r else Return ([], inl s).

Lemma loop_adjoin s past o rs : loop s past (adjoin o rs) =
  and_then (visit s o) (fun t =>
    match snd t with
    | inl s' => loop s' (fst t ++ past) rs
    | inr b => Return (fst t ++ past, b)
    end).
Proof. by case: o. Qed.

End Loop.

Definition on_list (S D : Type) (start : program (list event * S))
    (pass : S -> D -> program (list event * (S + unit)))
    (last : S -> program (list event * unit)) (rs : list D) :
    program (list event) :=
  and_then start (fun t =>
    and_then (loop pass last (snd t) (fst t) rs) (fun u => Return (fst u))).

(* Certificates                                                               *)

Definition kept (S B : Type) (inv : R -> S -> S -> Prop)
    (out : R -> B -> B -> Prop) (c : R) (t t' : list event * (S + B)) : Prop :=
  fst t = fst t' /\
  match snd t, snd t' with
  | inl s, inl s' => inv c s s'
  | inr b, inr b' => out c b b'
  | _, _ => False
  end.

Definition path_of (A : Type) (t : list event * A) : nat :=
  if fst t is e :: _ then fst e else 0%nat.

Definition showing (B : Type) (out : R -> B -> B -> Prop) (c : R)
    (t t' : list event * B) : Prop := fst t = fst t' /\ out c (snd t) (snd t').

Definition paid (c : R) (b b' : unit) : Prop := 0 <= c.

Section Rule.

Variables (S D B M : Type) (near : M -> option D -> option D -> M -> Prop).
Variables (pass : S -> D -> program (list event * (S + B))).
Variables (last : S -> program (list event * B)).
Variables (inv : M -> R -> S -> S -> Prop) (out : R -> B -> B -> Prop).

Lemma aligns_loop :
  (forall m o o' m' c s s', near m o o' m' -> inv m c s s' ->
     aligns (kept (inv m') out) c (visit pass s o) (visit pass s' o')) ->
  (forall m c s s', inv m c s s' ->
     aligns (showing out) c (last s) (last s')) ->
  forall m rs rs', paired near m rs rs' -> forall c s s' past, inv m c s s' ->
  aligns (showing out) c
    (loop pass last s past rs) (loop pass last s' past rs').
Proof.
move=> step finish m rs rs'.
elim=> {m rs rs'} [m|m o o' m' rs rs' oo' _ IHrs] c s s' past inv_s.
  apply: (aligns_and_then (finish _ _ _ _ inv_s)) => d [e b] [e' b'] [/= -> ?].
  exact: ReturnAligns.
rewrite !loop_adjoin.
apply: (aligns_and_then (step _ _ _ _ _ _ _ oo' inv_s)).
move=> d [e t] [e' t'] [/= ->].
by case: t t' => [s1|b] [s1'|b'] // ?; [apply: IHrs | apply: ReturnAligns].
Qed.

End Rule.

Section Certified.

Variables (S D M : Type) (near : M -> option D -> option D -> M -> Prop).
Variables (start : program (list event * S)).
Variables (pass : S -> D -> program (list event * (S + unit))).
Variables (last : S -> program (list event * unit)).
Variables (inv : M -> R -> S -> S -> Prop) (m : M) (eps : R).

Definition aligned_certificate : Prop :=
  [/\ aligns (showing (inv m)) eps start start,
      forall m o o' m' c s s', near m o o' m' -> inv m c s s' ->
        aligns (kept (inv m') paid) c (visit pass s o) (visit pass s' o') &
      forall m c s s', inv m c s s' ->
        aligns (showing paid) c (last s) (last s')].

Lemma certified_le rs rs' y : aligned_certificate -> paired near m rs rs' ->
  mass events_dec (on_list start pass last rs) y <=
  exp eps * mass events_dec (on_list start pass last rs') y.
Proof.
case=> begin step finish rs_rs'; apply: aligns_mass.
apply: (aligns_and_then begin) => c [e s] [e' s'] [/= -> inv_s].
apply: (aligns_and_then (aligns_loop step finish rs_rs' e' inv_s)).
by move=> d [past b] [past' b'] [/= -> d_ge0]; apply: ReturnAligns.
Qed.

End Certified.
