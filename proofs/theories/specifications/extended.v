From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat.

(******************************************************************************)
(* Extended non-negative values: the values of budgets and of premetrics.     *)
(*                                                                            *)
(*          nneg R == the non-negative elements of R : realFieldType          *)
(*           ext R == option (nneg R): a non-negative value or infinity       *)
(*              oo == infinity                                                *)
(*        fin x x0 == the finite value x : R, where x0 : 0 <= x               *)
(*        natx n, 0e, 1e == the finite values n%:R, 0, 1                      *)
(*        a <=e b == the order, with oo on top                                *)
(*   a +e b, a *e b == sum and product; oo absorbs in both, so 0 * oo = oo:   *)
(*                     the convention of dissertation Remark 2.4.6            *)
(*        inve a, dive a b == inverse (0 and oo are exchanged) and quotient   *)
(*        mine a b == minimum                                                 *)
(*      is_inf S m == m is the greatest lower bound of S : ext R -> Prop      *)
(*    premetric S == functions d : S -> S -> ext R with d x x = 0             *)
(*                   (dissertation Definition 2.4.14)                         *)
(*     symmetric_dist d, triangular d, separated d == the metric axioms       *)
(*       is_metric d == all three                                             *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section NonNegative.

Variable R : realFieldType.

Record nneg := NNeg {nneg_val :> R; _ : 0 <= nneg_val}.

Canonical nneg_subType := Eval hnf in
  sub_type_by (v := nneg_val) (c := NNeg)
    (fun K k x => let: NNeg y y0 as z := x return K z in k y y0)
    (fun y y0 => erefl).
Canonical nneg_eqType := Eval hnf in
  eq_type_by (sT := nneg) (@val_eqP _ _ nneg_subType).

Lemma nneg_ge0 (x : nneg) : 0 <= nneg_val x.
Proof. by case: x. Qed.

End NonNegative.

Definition ext (R : realFieldType) := option (nneg R).

Definition oo {R : realFieldType} : ext R := None.

Definition fin {R : realFieldType} (x : R) (x0 : 0 <= x) : ext R :=
  Some (NNeg x0).

Definition natx {R : realFieldType} (n : nat) : ext R := fin (ler0n R n).

Notation "0e" := (natx 0).
Notation "1e" := (natx 1).

Section Extended.

Variable R : realFieldType.
Implicit Types (a b c : ext R) (x y : nneg R).

Definition lee a b : bool :=
  match a, b with
  | _, None => true
  | None, Some _ => false
  | Some x, Some y => nneg_val x <= nneg_val y
  end.

Definition addx x y : nneg R := NNeg (addr_ge0 (nneg_ge0 x) (nneg_ge0 y)).

Definition mulx x y : nneg R := NNeg (mulr_ge0 (nneg_ge0 x) (nneg_ge0 y)).

Lemma invx_ge0 x : 0 <= (nneg_val x)^-1.
Proof. by rewrite invr_ge0 nneg_ge0. Qed.

Definition invx x : nneg R := NNeg (invx_ge0 x).

Definition adde a b : ext R :=
  if a is Some x then if b is Some y then Some (addx x y) else oo else oo.

Definition mule a b : ext R :=
  if a is Some x then if b is Some y then Some (mulx x y) else oo else oo.

Definition inve a : ext R :=
  if a is Some x then if nneg_val x == 0 then oo else Some (invx x) else natx 0.

Definition dive a b : ext R := mule a (inve b).

Definition mine a b : ext R := if lee a b then a else b.

End Extended.

Arguments lee {R} a b.
Arguments adde {R} a b.
Arguments mule {R} a b.
Arguments inve {R} a.
Arguments dive {R} a b.
Arguments mine {R} a b.

Notation "a <=e b" := (lee a b) (at level 70, no associativity).
Notation "a +e b" := (adde a b) (at level 50, left associativity).
Notation "a *e b" := (mule a b) (at level 40, left associativity).

Section Theory.

Variable R : realFieldType.
Implicit Types (a b c e : ext R) (x y : nneg R).

Lemma fin_inj x y : nneg_val x = nneg_val y -> Some x = Some y :> ext R.
Proof. by move=> eq_xy; congr Some; apply: val_inj. Qed.

Lemma leexx a : a <=e a.
Proof. by case: a => [x|] /=. Qed.

Lemma lee_trans b a c : a <=e b -> b <=e c -> a <=e c.
Proof.
case: a b c => [x|] [y|] [z|] //=; exact: le_trans.
Qed.

Lemma lee_anti a b : a <=e b -> b <=e a -> a = b.
Proof.
case: a b => [x|] [y|] //= le_xy le_yx; apply: fin_inj.
by apply/eqP; rewrite eq_le le_xy le_yx.
Qed.

Lemma lee_total a b : (a <=e b) || (b <=e a).
Proof. by case: a b => [x|] [y|] //=; rewrite le_total. Qed.

Lemma leNe a b : ~~ (a <=e b) -> b <=e a.
Proof. by have := lee_total a b; case: (a <=e b). Qed.

Lemma leoo a : a <=e oo.
Proof. by case: a. Qed.

Lemma oole a : oo <=e a -> a = oo.
Proof. by case: a. Qed.

Lemma le0e a : 0e <=e a.
Proof. by case: a => [x|] //=; apply: nneg_ge0. Qed.

Lemma lee0 a : a <=e 0e -> a = 0e.
Proof. by move=> a_le0; apply: lee_anti a_le0 (le0e a). Qed.

Lemma lee_stable a b : ~ ~ (a <=e b) -> a <=e b.
Proof. by case: (a <=e b) => // nn; case: nn. Qed.

Lemma mule_oo a : a *e oo = oo.
Proof. by case: a. Qed.

Lemma oo_mule a : oo *e a = oo.
Proof. by []. Qed.

Lemma muleC a b : a *e b = b *e a.
Proof. by case: a b => [x|] [y|] //; apply: fin_inj; rewrite /= mulrC. Qed.

Lemma muleA a b c : a *e (b *e c) = a *e b *e c.
Proof.
by case: a b c => [x|] [y|] [z|] //; apply: fin_inj; rewrite /= mulrA.
Qed.

Lemma mule1 a : a *e 1e = a.
Proof. by case: a => [x|] //; apply: fin_inj; rewrite /= mulr1. Qed.

Lemma mul1e a : 1e *e a = a.
Proof. by rewrite muleC mule1. Qed.

Lemma mul0e a : a != oo -> 0e *e a = 0e.
Proof. by case: a => [x|] // _; apply: fin_inj; rewrite /= mul0r. Qed.

Lemma mule0 a : a != oo -> a *e 0e = 0e.
Proof. by rewrite muleC; apply: mul0e. Qed.

Lemma mule_neqoo a b : a != oo -> b != oo -> a *e b != oo.
Proof. by case: a b => [x|] [y|]. Qed.

Lemma lee_mul2r c a b : a <=e b -> a *e c <=e b *e c.
Proof.
case: a b c => [x|] [y|] [z|] //= le_xy.
by rewrite ler_wpmul2r // nneg_ge0.
Qed.

Lemma lee_mul2l c a b : a <=e b -> c *e a <=e c *e b.
Proof. by rewrite !(muleC c); apply: lee_mul2r. Qed.

Lemma addeC a b : a +e b = b +e a.
Proof. by case: a b => [x|] [y|] //; apply: fin_inj; rewrite /= addrC. Qed.

Lemma add0e a : 0e +e a = a.
Proof. by case: a => [x|] //; apply: fin_inj; rewrite /= add0r. Qed.

Lemma adde0 a : a +e 0e = a.
Proof. by rewrite addeC add0e. Qed.

Lemma adde_oo a : a +e oo = oo.
Proof. by case: a. Qed.

Lemma lee_add a b c e : a <=e b -> c <=e e -> a +e c <=e b +e e.
Proof. by case: a b c e => [x|] [y|] [z|] [t|] //=; apply: ler_add. Qed.

Lemma mule_addl a b c : (a +e b) *e c = a *e c +e b *e c.
Proof.
by case: a b c => [x|] [y|] [z|] //; apply: fin_inj; rewrite /= mulrDl.
Qed.

Lemma mule_addr a b c : c *e (a +e b) = c *e a +e c *e b.
Proof. by rewrite !(muleC c) mule_addl. Qed.

Lemma natxD m n : natx (m + n) = natx m +e natx n :> ext R.
Proof. by apply: fin_inj; rewrite /= natrD. Qed.

Lemma lee_nat m n : (@natx R m <=e natx n) = (m <= n)%N.
Proof. by rewrite /= ler_nat. Qed.

Lemma muleVK a b : b != 0e -> b != oo -> dive a b *e b = a.
Proof.
case: b => [y|] // y_neq0 _; case: a => [x|]; last by [].
have y0 : nneg_val y != 0 by apply: contra y_neq0 => /eqP y0; apply/eqP/fin_inj.
by rewrite /dive /= (negbTE y0); apply: fin_inj; rewrite /= mulfVK.
Qed.

(* Minimum                                                                    *)

Lemma le_mine c a b : (c <=e mine a b) = (c <=e a) && (c <=e b).
Proof.
rewrite /mine; case: ifPn => [le_ab | /leNe le_ba].
  by case: (boolP (c <=e a)) => // le_ca; rewrite (lee_trans le_ca le_ab).
by rewrite andbC; case: (boolP (c <=e b)) => // /lee_trans/(_ le_ba)->.
Qed.

Lemma eqe_le a b : (forall c, (c <=e a) = (c <=e b)) -> a = b.
Proof.
move=> eq_ab; have le_ab : a <=e b by rewrite -eq_ab leexx.
by apply: lee_anti => //; rewrite eq_ab leexx.
Qed.

Lemma mineC a b : mine a b = mine b a.
Proof. by apply: eqe_le => c; rewrite !le_mine andbC. Qed.

Lemma mineA a b c : mine a (mine b c) = mine (mine a b) c.
Proof. by apply: eqe_le => e; rewrite !le_mine andbA. Qed.

Lemma mineoo a : mine a oo = a.
Proof. by apply: eqe_le => c; rewrite le_mine leoo andbT. Qed.

Lemma mine_oo a : mine oo a = a.
Proof. by rewrite mineC mineoo. Qed.

Canonical mine_monoid := Eval hnf in monoid_by mineA mine_oo mineoo.
Canonical mine_comoid := Eval hnf in
  com_monoid_by mineA mine_oo mineoo mineC.

Lemma le_bigmin (I : finType) (P : pred I) (F : I -> ext R) c :
  (c <=e \big[mine/oo]_(i | P i) F i)
     = [forall (i | P i), c <=e F i].
Proof.
rewrite -big_andE; apply: (big_morph (fun a => c <=e a)); last exact: leoo.
exact: le_mine.
Qed.

Lemma bigmin_attained (I : finType) (P : pred I) (F : I -> ext R) :
  \big[mine/oo]_(i | P i) F i = oo \/
  exists2 i, P i & \big[mine/oo]_(i | P i) F i = F i.
Proof.
apply: (big_ind (fun a => a = oo \/ exists2 i, P i & a = F i)).
- by left.
- by move=> a b ? ?; rewrite /mine; case: ifP.
- by move=> i Pi; right; exists i.
Qed.

(* Infimum                                                                    *)

Definition lower_bound (S : ext R -> Prop) (m : ext R) : Prop :=
  forall a, S a -> m <=e a.

Definition is_inf (S : ext R -> Prop) (m : ext R) : Prop :=
  lower_bound S m /\ forall b, lower_bound S b -> b <=e m.

Lemma is_inf_le (S S' : ext R -> Prop) m m' :
  (forall a, S' a -> S a) -> is_inf S m -> is_inf S' m' -> m <=e m'.
Proof. by move=> sub [low _] [_ great]; apply: great => a /sub/low. Qed.

Lemma is_inf_bigmin (I : finType) (P : pred I) (F : I -> ext R) :
  is_inf (fun a => exists2 i, P i & a = F i)
         (\big[mine/oo]_(i | P i) F i).
Proof.
have := le_bigmin P F => eq_le; split=> [a [i Pi ->] | b low].
  have := leexx (\big[mine/oo]_(i | P i) F i).
  by rewrite eq_le => /forallP/(_ i)/implyP/(_ Pi).
by rewrite eq_le; apply/forallP=> i; apply/implyP=> Pi; apply: low; exists i.
Qed.

(* A bound a <= e * b that holds for all e in S holds for their infimum.      *)
Lemma le_inf_mul S m a b :
  is_inf S m -> (forall e, S e -> a <=e e *e b) -> a <=e m *e b.
Proof.
case: b => [y|]; last by rewrite mule_oo leoo.
move=> [low great] le_a; case: (eqVneq (nneg_val y) 0) => [y0 | y_n0].
  case: m low great => [z|] low great; last exact: leoo.
  apply: lee_stable => not_le.
  have: oo <=e Some z; last by [].
  apply: great => -[w|] // Sw; case: not_le.
  by apply: lee_trans (le_a _ Sw) _; rewrite /= y0 !mulr0.
have y_gt0 : 0 < nneg_val y by rewrite lt_def y_n0 nneg_ge0.
have y_neq : Some y != 0e :> ext R by apply: contra y_n0 => /eqP[->].
suffices: dive a (Some y) <=e m.
  by move=> /(@lee_mul2r (Some y)); rewrite muleVK.
apply: great => e /le_a/(@lee_mul2r (inve (Some y))); rewrite -muleA.
suffices ->: Some y *e inve (Some y) = 1e by rewrite mule1.
by rewrite /= (negbTE y_n0); apply: fin_inj; rewrite /= divff.
Qed.

(* A bound a <= e * b that holds up to any positive slack holds.              *)
Lemma le_slack_mul a e b :
  (forall s : nneg R, 0 < nneg_val s -> a <=e (e +e Some s) *e b) ->
  a <=e e *e b.
Proof.
move=> le_a; apply: (@le_inf_mul (fun v => exists2 s : nneg R,
  0 < nneg_val s & v = e +e Some s)) => [|_ [s s_gt0 ->]]; last exact: le_a.
split=> [_ [s s_gt0 ->] | c low].
  by case: {le_a} e => [z|] //=; rewrite ler_addl ltW.
case: e low {le_a} => [z|] low; last exact: leoo.
case: c low => [w|] low; last first.
  by have /= := low _ (ex_intro2 _ _ (NNeg (ler0n R 1)) ltr01 erefl).
apply: lee_stable => /negP /=; rewrite -ltNge => lt_zw.
have half_gt0 : 0 < (nneg_val w - nneg_val z) / 2%:R.
  by rewrite divr_gt0 ?subr_gt0 ?ltr0n.
have /= := low _ (ex_intro2 _ _ (NNeg (ltW half_gt0)) half_gt0 erefl).
rewrite -ler_subl_addl leNgt => /negP; apply.
rewrite ltr_pdivr_mulr ?ltr0n // -[X in X < _]mulr1 ltr_pmul2l ?subr_gt0 //.
by rewrite ltr1n.
Qed.

End Theory.

Arguments is_inf {R} S m.
Arguments lower_bound {R} S m.

(* Premetrics                                                                 *)

Record premetric (R : realFieldType) (S : Type) := Premetric {
  dist :> S -> S -> ext R;
  dist_refl : forall x, dist x x = 0e
}.

Section Metric.

Variables (R : realFieldType) (S : Type) (d : premetric R S).

Definition symmetric_dist : Prop := forall x y, d x y = d y x.

Definition triangular : Prop := forall x y z, d x z <=e d x y +e d y z.

Definition separated : Prop := forall x y, d x y = 0e -> x = y.

Definition is_metric : Prop := [/\ symmetric_dist, separated & triangular].

End Metric.
