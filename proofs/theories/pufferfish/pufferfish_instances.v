From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law pure conjectures pufferfish_odds.
From Stirred Require Import pufferfish_records.

(******************************************************************************)
(* Instances of Pufferfish's theorems with premises: one attacker, who takes  *)
(* a bit for a fair coin, and the conjectures that it is true and false.      *)
(*                                                                            *)
(*   fair_bit == the fair coin on bool                                        *)
(*   attacker a == a is fair_bit                                              *)
(*   sides E E' == E is that the bit is true, E' that it is false             *)
(*   is_dirac x == x is a point mass                                          *)
(*   bit_distance == 0 between equal laws, 1 between two point masses         *)
(*   saying_true == the mechanism that always says true                       *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Notation Q := rat_realFieldType.
Local Notation bit := [finType of bool].

Definition fair_bit : law Q bit := uniform_on true setT.
Definition attacker (a : law Q bit) : Prop := a = fair_bit.
Definition sides (E E' : {set bit}) : Prop :=
  E = [set true] /\ E' = [set false].
Definition is_dirac (x : law Q bit) : bool :=
  (x == dirac true) || (x == dirac false).
Definition bit_distance (x x' : law Q bit) : option nat :=
  if x == x' then Some 0%N
  else if is_dirac x && is_dirac x' then Some 1%N else None.

Lemma Pr_fair_bit b : Pr fair_bit [set b] = 2%:R^-1.
Proof. by rewrite Pr1 uniform_on_in ?inE // cardsT card_bool. Qed.

Lemma fair_bit_gt0 b : 0 < Pr fair_bit [set b].
Proof. by rewrite Pr_fair_bit. Qed.

Lemma cond_fair_bit b : condP fair_bit [set b] = dirac b.
Proof.
apply: eq_law => t; rewrite condPE ?fair_bit_gt0 // Pr_fair_bit diracE inE.
rewrite uniform_on_in ?inE // cardsT card_bool.
by case: (t == b); rewrite ?mulr1 ?mulr0 ?mul0r // divff.
Qed.

Section Distance.

Variable S : {set bit} -> {set bit} -> Prop.
Hypothesis S_single : forall E E', S E E' ->
  (exists b, E = [set b]) /\ exists b, E' = [set b].
Hypothesis S_sides : S [set true] [set false].

Lemma competing_surely x x' :
  competing attacker S x x' -> is_dirac x && is_dirac x'.
Proof.
have single E : (exists b, E = [set b]) -> is_dirac (condP fair_bit E).
  by case=> -[] ->; rewrite cond_fair_bit /is_dirac eqxx ?orbT.
case=> a [E [E' [-> SE _ _ [-> ->]]]].
by case: SE => /S_single[/single-> /single->].
Qed.

Lemma walk_surely m x x' :
  walk (competing attacker S) m x x' -> x = x' \/ is_dirac x && is_dirac x'.
Proof.
elim: m x => [|m IHm] x /=; first by left.
case=> y /competing_surely/andP[sx sy] /IHm[<-|/andP[_ sx']]; right.
  by rewrite sx.
by rewrite sx.
Qed.

Lemma competing_dirac b : competing attacker S (dirac b) (dirac (~~ b)).
Proof.
exists fair_bit, [set b], [set ~~ b]; rewrite !cond_fair_bit !fair_bit_gt0.
by split=> //; case: b; [left | right].
Qed.

Lemma bit_distance_steps :
  is_step_distance (competing attacker S) bit_distance.
Proof.
move=> x x'; rewrite /bit_distance; case: eqVneq => [->|x_x']; first by [].
have no_walk0 : ~ walk (competing attacker S) 0 x x'.
  by move=> /= eq_x; rewrite eq_x eqxx in x_x'.
case: ifP => [/andP[sx sx']|not_surely m /walk_surely[eq_x|]].
- split; last by case=> // /no_walk0.
  exists x' => //; case/orP: sx sx' => /eqP eq_x /orP[]/eqP eq_x'.
  + by rewrite eq_x eq_x' eqxx in x_x'.
  + by rewrite eq_x eq_x'; apply: (competing_dirac true).
  + by rewrite eq_x eq_x'; apply: (competing_dirac false).
  by rewrite eq_x eq_x' eqxx in x_x'.
- by rewrite eq_x eqxx in x_x'.
by rewrite not_surely.
Qed.

End Distance.

Lemma sides_single E E' : sides E E' ->
  (exists b, E = [set b]) /\ exists b, E' = [set b].
Proof. by case=> -> ->; split; [exists true | exists false]. Qed.

Lemma level_pairs_single E E' : level_pairs (id : bit -> bit) E E' ->
  (exists b, E = [set b]) /\ exists b, E' = [set b].
Proof.
have level_id z : level_of id z = [set z] by apply/setP=> x; rewrite !inE.
by case=> z [z' [-> ->]]; rewrite !level_id; split; [exists z | exists z'].
Qed.

Lemma level_pairs_sides : level_pairs (id : bit -> bit) [set true] [set false].
Proof. by exists true, false; split; apply/setP=> x; rewrite !inE. Qed.

Definition sides_steps :=
  bit_distance_steps sides_single (conj (erefl _) (erefl _)).
Definition levels_steps :=
  bit_distance_steps level_pairs_single level_pairs_sides.

Definition pufferfish_competing_instance (M : bit -> law Q bit) :=
  @pufferfish_competing Q bit bit attacker sides bit_distance 2%:R M
    sides_steps isT.
Definition pufferfish_interval_instance (M : bit -> law Q bit) :=
  @pufferfish_interval Q bit bit bit_distance 2%:R M isT.
Definition pufferfish_density_instance (M : bit -> law Q bit) :=
  @pufferfish_density Q bit bit bit_distance 2%:R M isT.
Definition pufferfish_tests_instance (M : bit -> law Q bit) :=
  @pufferfish_tests Q bit bit bit_distance 2%:R M isT.
Definition pufferfish_odds_instance (M : bit -> law Q bit) :=
  @pufferfish_odds Q bit bit attacker sides bit_distance 2%:R M
    sides_steps isT.
Definition pufferfish_density_ratio_instance (M : bit -> law Q bit) :=
  @pufferfish_density_ratio Q bit bit bit id attacker bit_distance 2%:R M
    levels_steps isT.

Definition saying_true (_ : bit) : law Q bit := dirac true.

Lemma provided_silent theta : provided saying_true theta = dirac true.
Proof.
apply: eq_law => t; rewrite bindE -mulr_suml law_sum1 mul1r.
by [].
Qed.

Lemma silent_pufferfish : pufferfish bit_distance 2%:R saying_true.
Proof.
move=> x x'; case: (bit_distance x x') => // n.
by rewrite !provided_silent; apply: mult_le_refl; rewrite exprn_ege1.
Qed.

Lemma silent_distance : bit_distance fair_bit fair_bit = Some 0%N.
Proof. by rewrite /bit_distance eqxx. Qed.

Lemma silent_gt0 : 0 < provided saying_true fair_bit true.
Proof. by rewrite provided_silent diracEl. Qed.

Definition pufferfish_plausible_instance :=
  @pufferfish_plausible Q bit bit bit_distance 2%:R saying_true isT
    fair_bit fair_bit 0
    silent_pufferfish silent_distance true silent_gt0.

Definition pufferfish_independent_records_instance
    (M : {ffun bit -> bit} -> law Q bit) :=
  @pufferfish_independent_records Q bit bit bit 2%:R M isT.
