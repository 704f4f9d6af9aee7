From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import law pure pufferfish pufferfish_odds.

(******************************************************************************)
(* Instances of Pufferfish's theorems with premises: one attacker, who takes  *)
(* a bit for a fair coin, and the conjectures that it is true and false.      *)
(*                                                                            *)
(*   coin == the fair coin on bool                                            *)
(*   attacker a == a is the coin                                              *)
(*   sides E E' == E is that the bit is true, E' that it is false             *)
(*   surely x == x is a point mass                                            *)
(*   coin_distance == 0 between equal laws, 1 between two point masses        *)
(*   silent == the mechanism that always says true                            *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Local Notation Q := rat_realFieldType.
Local Notation bit := [finType of bool].

Definition coin : law Q bit := uniform_on true setT.
Definition attacker (a : law Q bit) : Prop := a = coin.
Definition sides (E E' : {set bit}) : Prop := E = [set true] /\ E' = [set false].
Definition surely (x : law Q bit) : bool :=
  (x == dirac true) || (x == dirac false).
Definition coin_distance (x x' : law Q bit) : option nat :=
  if x == x' then Some 0%N
  else if surely x && surely x' then Some 1%N else None.

Lemma Pr_coin b : Pr coin [set b] = 2%:R^-1.
Proof. by rewrite Pr1 uniform_on_in ?inE // cardsT card_bool. Qed.

Lemma coin_gt0 b : 0 < Pr coin [set b].
Proof. by rewrite Pr_coin. Qed.

Lemma cond_coin b : condP coin [set b] = dirac b.
Proof.
apply: eq_law => t; rewrite condPE ?coin_gt0 // Pr_coin diracE inE.
rewrite uniform_on_in ?inE // cardsT card_bool.
by case: (t == b); rewrite ?mulr1 ?mulr0 ?mul0r // divff.
Qed.

Section Distance.

Variable S : {set bit} -> {set bit} -> Prop.
Hypothesis S_single : forall E E', S E E' ->
  (exists b, E = [set b]) /\ exists b, E' = [set b].
Hypothesis S_sides : S [set true] [set false].

Lemma competing_surely x x' :
  competing attacker S x x' -> surely x && surely x'.
Proof.
have single E : (exists b, E = [set b]) -> surely (condP coin E).
  by case=> -[] ->; rewrite cond_coin /surely eqxx ?orbT.
case=> a [E [E' [-> SE _ _ [-> ->]]]].
by case: SE => /S_single[/single-> /single->].
Qed.

Lemma walk_surely m x x' :
  walk (competing attacker S) m x x' -> x = x' \/ surely x && surely x'.
Proof.
elim: m x => [|m IHm] x /=; first by left.
case=> y /competing_surely/andP[sx sy] /IHm[<-|/andP[_ sx']]; right.
  by rewrite sx.
by rewrite sx.
Qed.

Lemma competing_dirac b : competing attacker S (dirac b) (dirac (~~ b)).
Proof.
exists coin, [set b], [set ~~ b]; rewrite !cond_coin !coin_gt0.
by split=> //; case: b; [left | right].
Qed.

Lemma coin_distance_steps :
  is_step_distance (competing attacker S) coin_distance.
Proof.
move=> x x'; rewrite /coin_distance; case: eqVneq => [->|x_x']; first by [].
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

Lemma levels_single E E' : levels (id : bit -> bit) E E' ->
  (exists b, E = [set b]) /\ exists b, E' = [set b].
Proof.
have level_id z : level id z = [set z] by apply/setP=> x; rewrite !inE.
by case=> z [z' [-> ->]]; rewrite !level_id; split; [exists z | exists z'].
Qed.

Lemma levels_sides : levels (id : bit -> bit) [set true] [set false].
Proof. by exists true, false; split; apply/setP=> x; rewrite !inE. Qed.

Definition sides_steps :=
  coin_distance_steps sides_single (conj (erefl _) (erefl _)).
Definition levels_steps := coin_distance_steps levels_single levels_sides.

Definition pufferfish_competing_instance (M : bit -> law Q bit) :=
  @pufferfish_competing Q bit bit attacker sides coin_distance 2%:R M
    sides_steps isT.
Definition pufferfish_interval_instance (M : bit -> law Q bit) :=
  @pufferfish_interval Q bit bit coin_distance 2%:R M isT.
Definition pufferfish_density_instance (M : bit -> law Q bit) :=
  @pufferfish_density Q bit bit coin_distance 2%:R M isT.
Definition pufferfish_tests_instance (M : bit -> law Q bit) :=
  @pufferfish_tests Q bit bit coin_distance 2%:R M isT.
Definition pufferfish_odds_instance (M : bit -> law Q bit) :=
  @pufferfish_odds Q bit bit attacker sides coin_distance 2%:R M
    sides_steps isT.
Definition pufferfish_density_ratio_instance (M : bit -> law Q bit) :=
  @pufferfish_density_ratio Q bit bit bit id attacker coin_distance 2%:R M
    levels_steps isT.

Definition silent (_ : bit) : law Q bit := dirac true.

Lemma provided_silent theta : provided silent theta = dirac true.
Proof.
apply: eq_law => t; rewrite bindE -mulr_suml law_sum1 mul1r.
by [].
Qed.

Lemma silent_pufferfish : pufferfish coin_distance 2%:R silent.
Proof.
move=> x x'; case: (coin_distance x x') => // n.
by rewrite !provided_silent; apply: mult_le_refl; rewrite exprn_ege1.
Qed.

Lemma silent_distance : coin_distance coin coin = Some 0%N.
Proof. by rewrite /coin_distance eqxx. Qed.

Lemma silent_gt0 : 0 < provided silent coin true.
Proof. by rewrite provided_silent diracEl. Qed.

Definition pufferfish_plausible_instance :=
  @pufferfish_plausible Q bit bit coin_distance 2%:R silent isT coin coin 0
    silent_pufferfish silent_distance true silent_gt0.
