From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import ring.
From Stirred Require Import compat law pure invariant_multiverse processing.
From Stirred Require Import unit_data coupling.
From Stirred Require Import amplification amplification_attained.

(******************************************************************************)
(* Two mechanisms on one sample (dissertation section 6.5.2).                 *)
(*                                                                            *)
(*   shared mu T1 T2 f == the law of the two outputs: one sample of the frame *)
(*            f is drawn by mu, and T1 and T2 draw from it independently      *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   shared_sampled == it is the law of the sampled composition of T1 and T2  *)
(*   shared_fst, shared_snd == its marginals are the laws of the two sampled  *)
(*            mechanisms                                                      *)
(*   shared_srswor == under simple random sampling without replacement the    *)
(*            two together lose 1 + n/N * (g1 * g2 - 1)                       *)
(*   shared_attained == which two mechanisms attain, for every design         *)
(*   amplified_product_lt == it exceeds the product of the two amplified      *)
(*            losses, the sum of the amplified budgets                        *)
(*   shared_composition_refuted == so that product is no bound on the loss of *)
(*            the two, for any design that may take the unit and may leave it *)
(*   fresh_composition == it is one where each mechanism draws its own sample *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Shared.

Variables (R : realFieldType) (I : finType) (V : Type) (Y Z : finType).
Implicit Types (mu : law R [finType of {set I}]) (f : data I V).
Variables (T1 : data I V -> law R Y) (T2 : data I V -> law R Z).

Definition shared mu f : law R [finType of Y * Z] :=
  bind mu (fun S => bind (T1 (sample_of f S)) (fun y =>
                    bind (T2 (sample_of f S)) (fun z => dirac (y, z)))).

Theorem shared_sampled mu f :
  shared mu f = sampled mu (fun z => prod_law (T1 z) (T2 z)) f.
Proof. by apply: eq_bind => S; rewrite prod_joint. Qed.

Theorem shared_fst mu f : map_law fst (shared mu f) = sampled mu T1 f.
Proof.
rewrite shared_sampled /sampled /map_law bindA; apply: eq_bind => S.
exact: map_prod_fst.
Qed.

Theorem shared_snd mu f : map_law snd (shared mu f) = sampled mu T2 f.
Proof.
rewrite /shared /map_law bindA; apply: eq_bind => S; rewrite bindA.
apply: eq_law => z; rewrite bindE -[RHS]mul1r.
rewrite -(law_sum1 (T1 (sample_of f S))) mulr_suml; apply: eq_bigr => y _.
rewrite bindA; congr (_ * pmf _ _); rewrite -[RHS]bind_dirac.
by apply: eq_bind => t; rewrite dirac_bind.
Qed.

Theorem shared_srswor (g1 g2 : R) i j v f f' n :
  1 <= g1 -> 1 <= g2 -> bounded_dp g1 0 T1 -> bounded_dp g2 0 T2 ->
  replaced i j v f f' -> (n <= #|recorded f|)%N ->
  mult_le (amplified (n%:R / #|recorded f|%:R) (g1 * g2))
    (shared (srswor f n) f) (shared (srswor f' n) f').
Proof.
move=> g1_ge1 g2_ge1 dp1 dp2 rep n_le; rewrite !shared_sampled.
apply: (srswor_pure _ _ rep) => //; first exact: mulr_ege1.
move=> k l w z z' step; apply: mult_product; apply/approximate_pure.
  exact: dp1 step.
exact: dp2 step.
Qed.

Theorem fresh_composition (p1 p2 g1 g2 : R) mu mu' nu nu' f f' :
  mult_le (amplified p1 g1) (sampled mu T1 f) (sampled mu' T1 f') ->
  mult_le (amplified p2 g2) (sampled nu T2 f) (sampled nu' T2 f') ->
  mult_le (amplified p1 g1 * amplified p2 g2)
    (prod_law (sampled mu T1 f) (sampled nu T2 f))
    (prod_law (sampled mu' T1 f') (sampled nu' T2 f')).
Proof. exact: mult_product. Qed.

End Shared.

Theorem amplified_product_lt (R : realFieldType) (p a b : R) :
  0 < p < 1 -> 1 < a -> 1 < b ->
  amplified p a * amplified p b < amplified p (a * b).
Proof.
move=> /andP[p_gt0 p_lt1] a_gt1 b_gt1; rewrite -subr_gt0.
have -> : amplified p (a * b) - amplified p a * amplified p b =
    p * (1 - p) * ((a - 1) * (b - 1)) by rewrite /amplified; ring.
by rewrite !mulr_gt0 ?subr_gt0.
Qed.

Section Attained.

Variables (R : realFieldType) (I : finType) (g1 g2 : R).
Variables (mu : law R [finType of {set I}]) (i : I).
Hypothesis g1_ge1 : 1 <= g1.
Hypothesis g2_ge1 : 1 <= g2.

Let p := Pr mu (having i).
Let bits : finType := [finType of bool].

Theorem shared_attained :
  exists (T1 T2 : data I bool -> law R bits) (f f' : data I bool),
    [/\ forall z z', mult_le g1 (T1 z) (T1 z') /\ mult_le g2 (T2 z) (T2 z'),
        recorded f = setT, replaced i i true f f' &
        forall g', mult_le g' (shared T1 T2 mu f) (shared T1 T2 mu f') ->
          amplified p (g1 * g2) <= g'].
Proof.
have g1_ge0 := le_trans ler01 g1_ge1; have g2_ge0 := le_trans ler01 g2_ge1.
exists (fun f => respond g1_ge0 (sees f)), (fun f => respond g2_ge0 (sees f)).
exists (all_false I), (one_true i).
split=> [z z'|||g' /mult_leP/(_ (true, true))[_]].
- by split; apply: respond_dp.
- exact: units_all_false.
- exact: one_true_replaced.
pose F b := prod_law (respond g1_ge0 b) (respond g2_ge0 b).
rewrite !shared_sampled (sampled_all_false mu F) (sampled_one_true mu i F).
rewrite !prod_lawE !respondE /= -/p !mulrA.
have w_gt0 : 0 < (1 + g1)^-1 * (1 + g2)^-1.
  by rewrite mulr_gt0 ?invr_gt0 ?ltr_paddr ?ltr01.
have -> : p * g1 / (1 + g1) * g2 / (1 + g2) +
    (1 - p) * 1 / (1 + g1) * 1 / (1 + g2) =
    amplified p (g1 * g2) * ((1 + g1)^-1 * (1 + g2)^-1).
  by rewrite /amplified; ring.
have -> : g' * 1 / (1 + g1) * 1 / (1 + g2) =
    g' * ((1 + g1)^-1 * (1 + g2)^-1) by ring.
by rewrite ler_pmul2r.
Qed.

End Attained.

Theorem shared_composition_refuted (R : realFieldType) (I : finType)
    (g1 g2 : R) (mu : law R [finType of {set I}]) (i : I) :
  0 < Pr mu (having i) < 1 -> 1 < g1 -> 1 < g2 ->
  ~ (forall (T1 T2 : data I bool -> law R [finType of bool]) f f',
       (forall z z', mult_le g1 (T1 z) (T1 z')) ->
       (forall z z', mult_le g2 (T2 z) (T2 z')) ->
       replaced i i true f f' ->
       mult_le (amplified (Pr mu (having i)) g1 *
                amplified (Pr mu (having i)) g2)
         (shared T1 T2 mu f) (shared T1 T2 mu f')).
Proof.
move=> p01 g1_gt1 g2_gt1 composed.
have [T1 [T2 [f [f' [dp _ rep least]]]]] :=
  shared_attained mu i (ltW g1_gt1) (ltW g2_gt1).
have /least := composed T1 T2 f f' (fun z z' => proj1 (dp z z'))
  (fun z z' => proj2 (dp z z')) rep.
by rewrite leNgt amplified_product_lt.
Qed.
