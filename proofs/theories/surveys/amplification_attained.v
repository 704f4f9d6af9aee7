From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import ring.
From Stirred Require Import compat law pure invariant_multiverse unit_data
  coupling.
From Stirred Require Import amplification.

(******************************************************************************)
(* No design amplifies better than by its inclusion probability, and none     *)
(* amplifies where the mechanism may tell which units are in the sample.      *)
(*                                                                            *)
(*   respond g b == randomised response to the bit b: the law on bool whose   *)
(*            odds for b are g                                                *)
(*   all_false, one_true i == the frames of all units with the records false, *)
(*            and with the record true for the unit i alone                   *)
(*   sees f == whether some unit has the record true                          *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   amplification_attained == 1 + p * (g - 1) is the loss of a mechanism that*)
(*            is g-DP for all pairs of data sets, for every design            *)
(*   labelled_not_amplified == for neighbours whose units are the same, a     *)
(*            g-DP mechanism keeps the loss g on the sample of every design   *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Respond.

Variables (R : realFieldType) (g : R).
Hypothesis g_ge0 : 0 <= g.

Let g1_gt0 : 0 < 1 + g. Proof. exact: ltr_paddr g_ge0 ltr01. Qed.

Lemma respond_ge0 (b t : bool) : 0 <= (if t == b then g else 1) / (1 + g).
Proof.
by apply: divr_ge0; [case: ifP; rewrite ?ler01 | apply: ltW].
Qed.

Lemma respond_sum1 (b : bool) : \sum_t (if t == b then g else 1) / (1 + g) = 1.
Proof.
rewrite big_bool; case: b; rewrite /= -mulrDl; first rewrite addrC.
  by rewrite divff // gt_eqF.
by rewrite divff // gt_eqF.
Qed.

Definition respond (b : bool) : law R [finType of bool] :=
  mk_law _ (respond_ge0 b) (respond_sum1 b).

Lemma respondE b t : respond b t = (if t == b then g else 1) / (1 + g).
Proof. exact: mk_lawE. Qed.

Lemma respond_dp b b' : 1 <= g -> mult_le g (respond b) (respond b').
Proof.
move=> g_ge1; apply/mult_leP => t; rewrite !respondE !mulrA.
have gg : 1 <= g * g by rewrite mulr_ege1.
by split; rewrite ler_pmul2r ?invr_gt0 //; do 2!case: ifP => _ //;
  rewrite ?mulr1 // ler_pmulr ?(lt_le_trans ltr01).
Qed.

End Respond.

Section Frames.

Variable I : finType.
Implicit Types (i : I) (f : data I bool) (S : {set I}).

Definition all_false : data I bool := [ffun=> Some false].

Definition one_true i : data I bool := [ffun k => Some (k == i)].

Definition sees f : bool := [exists k, f k == Some true].

Lemma sees_all_false S : sees (sample_of all_false S) = false.
Proof.
by apply/existsP=> -[k]; rewrite !ffunE; case: ifP.
Qed.

Lemma sees_one_true i S : sees (sample_of (one_true i) S) = (i \in S).
Proof.
apply/existsP/idP => [[k]|iS]; last by exists i; rewrite !ffunE iS eqxx.
by rewrite !ffunE; case: ifP => // kS /eqP[/eqP <-].
Qed.

Lemma one_true_replaced i : replaced i i true all_false (one_true i).
Proof.
split; rewrite ?eqxx // ?inE ?ffunE //; apply/ffunP=> k; rewrite !ffunE.
by case: eqP.
Qed.

Lemma units_all_false : recorded all_false = setT.
Proof. by apply/setP=> k; rewrite !inE ffunE. Qed.

End Frames.

Arguments all_false : clear implicits.

Section Attained.

Variables (R : realFieldType) (I : finType) (g : R).
Variables (mu : law R [finType of {set I}]) (i : I).
Hypothesis g_ge1 : 1 <= g.

Let g_ge0 : 0 <= g := le_trans ler01 g_ge1.
Let g_gt0 : 0 < g := lt_le_trans ltr01 g_ge1.
Let g1_gt0 : 0 < 1 + g. Proof. exact: addr_gt0 ltr01 g_gt0. Qed.
Let p := Pr mu (having i).

(* A law that depends on whether the unit i is in the sample.                 *)
Lemma bind_having (Y : finType) (P Q : law R Y) y :
  bind mu (fun S => if i \in S then P else Q) y = p * P y + (1 - p) * Q y.
Proof.
rewrite bindE (bigID (fun S : {set I} => i \in S)) /= /p -PrC /Pr !mulr_suml.
congr (_ + _); apply: eq_big => S; rewrite ?inE //; first by move=> ->.
by move=> /negbTE ->.
Qed.

Lemma sampled_all_false (Y : finType) (F : bool -> law R Y) :
  sampled mu (fun f => F (sees f)) (all_false I) = F false.
Proof.
apply: eq_law => y; rewrite bindE -[RHS]mul1r -{1}(law_sum1 mu) mulr_suml.
by apply: eq_bigr => S _; rewrite sees_all_false.
Qed.

Lemma sampled_one_true (Y : finType) (F : bool -> law R Y) y :
  sampled mu (fun f => F (sees f)) (one_true i) y =
    p * F true y + (1 - p) * F false y.
Proof.
rewrite -bind_having; congr (pmf _ _); apply: eq_bind => S.
by rewrite sees_one_true; case: ifP.
Qed.

Theorem amplification_attained :
  exists (T : data I bool -> law R [finType of bool]) (f f' : data I bool),
    [/\ forall z z', mult_le g (T z) (T z'),
        recorded f = setT, replaced i i true f f' &
        forall g', mult_le g' (sampled mu T f) (sampled mu T f') ->
          amplified p g <= g'].
Proof.
exists (fun f => respond g_ge0 (sees f)), (all_false I), (one_true i).
split=> [z z'|||g' /mult_leP/(_ true)[_]].
- exact: respond_dp.
- exact: units_all_false.
- exact: one_true_replaced.
rewrite sampled_all_false sampled_one_true !respondE /= !mulrA -mulrDl.
rewrite ler_pmul2r ?invr_gt0 // !mulr1 => le_g'.
by apply: le_trans le_g'; rewrite /amplified le_eqVlt; apply/orP; left;
  apply/eqP; ring.
Qed.

Theorem labelled_not_amplified : 0 < p ->
  exists (T : data I bool -> law R [finType of option bool])
         (f f' : data I bool),
    [/\ labelled_dp g 0 T, recorded f = setT, replaced i i true f f' &
        forall g', mult_le g' (sampled mu T f) (sampled mu T f') -> g <= g'].
Proof.
move=> p_gt0.
pose F (r : option bool) : law R [finType of option bool] :=
  if r is Some b then map_law Some (respond g_ge0 b) else dirac None.
exists (fun f => F (f i)), (all_false I), (one_true i).
have sampledE (f : data I bool) b : f i = Some b ->
    sampled mu (fun f => F (f i)) f (Some true) = p * respond g_ge0 b true.
  move=> fi; transitivity
    (bind mu (fun S => if i \in S then F (Some b) else F None) (Some true)).
    congr (pmf _ _); apply: eq_bind => S; rewrite ffunE.
    by case: ifP; rewrite ?fi.
  rewrite bind_having diracE mulr0 addr0 map_law_inj //.
  by move=> b1 b2 [].
split=> [k v z z' rep|||g' /mult_leP/(_ (Some true))[_]].
- apply/approximate_pure; have [eq_k|k_i] := eqVneq i k.
    case: (rep) => zk _ _; rewrite (replacedE i rep) eq_k eqxx.
    move: zk; rewrite inE; case: (z k) => // b _.
    by apply: mult_map; apply: respond_dp.
  by rewrite (replacedE i rep) (negbTE k_i); apply: mult_le_refl.
- exact: units_all_false.
- exact: one_true_replaced.
have [true_i false_i] : one_true i i = Some true /\ all_false I i = Some false.
  by rewrite !ffunE eqxx.
rewrite (sampledE _ _ true_i) (sampledE _ _ false_i).
rewrite !respondE /= [X in _ <= X]mulrCA ler_pmul2l //.
by rewrite [X in _ <= X]mulrA ler_pmul2r ?invr_gt0 // mulr1.
Qed.

End Attained.
