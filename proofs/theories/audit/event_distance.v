From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended exponential real_numbers
  real_field.

(******************************************************************************)
(* Output premetrics on laws with rational probabilities, with values in the  *)
(* real numbers: the smallest bound that every event meets, in both           *)
(* directions.                                                                *)
(*                                                                            *)
(*   worst_event need P Q == the largest need (P A) (Q A), need (Q A) (P A)   *)
(*            over all events A                                               *)
(*   multiplicative choice delta == D_Mult^delta: D_Mult for delta = 0; the   *)
(*            smallest e with P A <= exp e * Q A + delta and                  *)
(*            Q A <= exp e * P A + delta for every event A, or oo             *)
(*   total_variation choice == D_TV, the largest |P A - Q A|                  *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   multiplicative_le == what a bound on D_Mult^delta says of every event    *)
(*   multiplicative_log == for delta = 0 it is the bound on log-ratios that   *)
(*            the article prints as (2.9)                                     *)
(*   total_variation_le == what a bound on D_TV says of every event           *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope R_scope.

Section EventDistance.

Variable choice : choice_of_reals.

Definition maxe (a b : ext (reals choice)) : ext (reals choice) :=
  if a <=e b then b else a.

Lemma maxe_le a b c : maxe a b <=e c = (a <=e c) && (b <=e c).
Proof.
rewrite /maxe; case: ifPn => [le_ab | /leNe le_ba].
  by case: (boolP (b <=e c)) => [/(lee_trans le_ab)-> | _]; rewrite ?andbF.
by case: (boolP (a <=e c)) => [/(lee_trans le_ba)-> | _].
Qed.

Lemma foldr_maxe_le (T : Type) (F : T -> ext (reals choice)) s a :
  (foldr (fun t => maxe (F t)) 0e s <=e a) = all (fun t => F t <=e a) s.
Proof.
elim: s => [|t s IHs]; first by rewrite le0e.
by rewrite -[foldr _ _ _]/(maxe (F t) (foldr _ _ s)) maxe_le IHs.
Qed.

Lemma positive_part_ge0 (x : R) : (0 <= (Rmax 0 x : reals choice))%R.
Proof. by apply/realsP; apply: Rmax_l. Qed.

Definition positive_part (x : R) : ext (reals choice) :=
  fin (positive_part_ge0 x).

Lemma positive_part_le x (e : nneg (reals choice)) :
  positive_part x <=e Some e <-> x <= (nneg_val e : R).
Proof.
have /realsP e_ge0 := nneg_ge0 e.
have -> : (positive_part x <=e Some e) = real_leb (Rmax 0 x) (nneg_val e : R).
  by [].
split=> [/real_lebP | le_x]; first by have := Rmax_r 0 x; lra.
by apply/real_lebP; apply: Rmax_lub.
Qed.

Lemma positive_part0 x : x <= 0 -> positive_part x = 0e.
Proof.
by move=> x_le0; apply: fin_inj; rewrite /= Rmax_left.
Qed.

Section Laws.

Variable Y : finType.
Implicit Types (P Q : law rat_realFieldType Y).
Implicit Types (need : R -> R -> ext (reals choice)).

Definition event_mass P (A : {set Y}) : R := of_rat (Pr P A).

Lemma event_mass_ge0 P A : 0 <= event_mass P A.
Proof.
by rewrite -(embed0 of_rat_embedding); apply/(embed_le of_rat_embedding)/Pr_ge0.
Qed.

Definition worst_event need P Q : ext (reals choice) :=
  foldr (fun A => maxe (maxe (need (event_mass P A) (event_mass Q A))
                             (need (event_mass Q A) (event_mass P A))))
        0e (enum {set Y}).

Lemma worst_eventP need P Q a :
  worst_event need P Q <=e a <->
  forall A, need (event_mass P A) (event_mass Q A) <=e a /\
            need (event_mass Q A) (event_mass P A) <=e a.
Proof.
rewrite /worst_event foldr_maxe_le.
split=> [/allP le_a A | le_a].
  by apply/andP; rewrite -maxe_le; apply: le_a; rewrite mem_enum.
by apply/allP => A _; rewrite maxe_le; apply/andP.
Qed.

Lemma worst_event_refl need P :
  (forall p, 0 <= p -> need p p = 0e) -> worst_event need P P = 0e.
Proof.
move=> need0; apply: lee0; apply/worst_eventP => A.
by rewrite need0 ?leexx //; apply: event_mass_ge0.
Qed.

(* The multiplicative distance, with a failure probability.                   *)

Definition log_needed (d p q : R) : ext (reals choice) :=
  if real_leb p d then 0e
  else if real_leb q 0 then oo else positive_part (ln ((p - d) / q)).

Lemma log_neededP d p q (e : nneg (reals choice)) : 0 <= q ->
  log_needed d p q <=e Some e <-> p <= exp (nneg_val e : R) * q + d.
Proof.
move=> q_ge0; have e_gt0 := exp_pos (nneg_val e : R); rewrite /log_needed.
case: real_lebP => [le_pd | lt_dp].
  rewrite le0e; split=> // _.
  have := Rmult_le_pos _ _ (Rlt_le _ _ e_gt0) q_ge0; lra.
case: real_lebP => [q_le0 | q_gt0]; last rewrite positive_part_le.
  split=> // le_p; have q0 : q = 0 by lra.
  by move: le_p; rewrite q0 Rmult_0_r; lra.
have pd_gt0 : 0 < (p - d) / q by apply: Rdiv_lt_0_compat; lra.
have -> : ln ((p - d) / q) <= (nneg_val e : R) <->
    (p - d) / q <= exp (nneg_val e : R).
  rewrite -{1}[(nneg_val e : R)]ln_exp; split=> [[lt|eq] | [lt|->]].
  - by left; apply: ln_lt_inv.
  - by right; apply: ln_inv.
  - by left; apply: ln_increasing.
  - by right.
split=> [le_e | le_p].
  have := Rmult_le_compat_r q _ _ q_ge0 le_e.
  by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
apply: (Rmult_le_reg_r q); first lra.
by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
Qed.

Lemma log_needed_refl d p : 0 <= d -> 0 <= p -> log_needed d p p = 0e.
Proof.
move=> d_ge0 p_ge0; apply: lee0; apply/log_neededP => //.
have -> : (nneg_val (NNeg (ler0n (reals choice) 0)) : R) = 0 by [].
by rewrite exp_0; lra.
Qed.

Lemma of_delta_ge0 (delta : nneg rat_realFieldType) :
  0 <= of_rat (nneg_val delta).
Proof.
rewrite -(embed0 of_rat_embedding); apply/(embed_le of_rat_embedding).
exact: nneg_ge0.
Qed.

Lemma multiplicative_refl (delta : nneg rat_realFieldType) P :
  worst_event (log_needed (of_rat (nneg_val delta))) P P = 0e.
Proof.
by apply: worst_event_refl => p; apply: log_needed_refl; apply: of_delta_ge0.
Qed.

Definition multiplicative (delta : nneg rat_realFieldType) :
  premetric (reals choice) (law rat_realFieldType Y) :=
  Premetric (multiplicative_refl delta).

Theorem multiplicative_le (delta : nneg rat_realFieldType) P Q
    (e : nneg (reals choice)) :
  multiplicative delta P Q <=e Some e <->
  forall A : {set Y},
    of_rat (Pr P A) <= exp (nneg_val e : R) * of_rat (Pr Q A)
                       + of_rat (nneg_val delta) /\
    of_rat (Pr Q A) <= exp (nneg_val e : R) * of_rat (Pr P A)
                       + of_rat (nneg_val delta).
Proof.
have ge0 := event_mass_ge0.
have -> : multiplicative delta P Q <=e Some e <-> _ := worst_eventP _ P Q _.
by split=> le_e A; have [PQ QP] := le_e A; split; apply/log_neededP;
  try exact: ge0; move: PQ QP; rewrite ?log_neededP; try exact: ge0.
Qed.

Theorem multiplicative_log P Q (e : nneg (reals choice)) :
  multiplicative (NNeg (lexx 0%R)) P Q <=e Some e <->
  log_ratio_le of_rat (nneg_val e : R) P Q.
Proof.
have e_gt0 := exp_pos (nneg_val e : R).
rewrite multiplicative_le /= (embed0 of_rat_embedding) /log_ratio_le.
split=> le_e A; have := le_e A; have p_ge0 := event_mass_ge0 P A;
    have q_ge0 := event_mass_ge0 Q A; rewrite -/(event_mass P A)
    -/(event_mass Q A) !Rplus_0_r; last first.
  case=> [[-> ->] | [p_n0 q_n0]]; first by rewrite Rmult_0_r; lra.
  by move/abs_ln_ratio; apply; lra.
move=> [le_pq le_qp]; have [p0 | p_n0] := Req_dec (event_mass P A) 0.
  by left; split=> //; move: le_qp; rewrite p0 Rmult_0_r; lra.
right; have q_n0 : event_mass Q A <> 0.
  by move=> q0; move: le_pq; rewrite q0 Rmult_0_r; lra.
by split=> //; apply/abs_ln_ratio; lra.
Qed.

(* Total variation                                                            *)

Definition difference (p q : R) : ext (reals choice) := positive_part (p - q).

Lemma total_variation_refl P : worst_event difference P P = 0e.
Proof. by apply: worst_event_refl => p _; apply: positive_part0; lra. Qed.

Definition total_variation :
  premetric (reals choice) (law rat_realFieldType Y) :=
  Premetric total_variation_refl.

Theorem total_variation_le P Q (e : nneg (reals choice)) :
  total_variation P Q <=e Some e <->
  forall A : {set Y}, of_rat (Pr P A) - of_rat (Pr Q A) <= (nneg_val e : R) /\
                      of_rat (Pr Q A) - of_rat (Pr P A) <= (nneg_val e : R).
Proof.
have -> : total_variation P Q <=e Some e <-> _ := worst_eventP _ P Q _.
by split=> le_e A; have [PQ QP] := le_e A; split; apply/positive_part_le;
  move: PQ QP; rewrite ?positive_part_le.
Qed.

End Laws.

End EventDistance.

Arguments multiplicative choice {Y} delta.
Arguments total_variation choice {Y}.
