From mathcomp Require Import all_ssreflect fingroup perm all_algebra.
From Stirred Require Import compat derangement law extended specification
  swapping.
From Stirred Require Import psa_law psa_privacy psa_sharp optimality pure.
From Stirred Require Import optimality_universes psa_remarks invariants.
From Stirred Require Import invariant_multiverse multiverse sharpening.
From Stirred Require Import processing exchange two_category_budget.
From Stirred Require Import two_categories single_record table_circuits.
From Stirred Require Import hamming disjoint_swaps three_categories neighbors.
From Stirred Require Import optimality_refuted moved_counts.
From Stirred Require Import exchange_pairs.

(******************************************************************************)
(* Instances of theorems with premises: each applies one to arguments for     *)
(* which all its premises are proved, so that it says something.              *)
(*                                                                            *)
(*   constant_dist X == every distance is 0                                   *)
(*   apart X == different points are at distance oo                           *)
(*   records == two records that differ in both variables                     *)
(*   own, one_budget == universes of one point each, and their budgets        *)
(*   differ == the points of bool as neighbours                               *)
(*   own_size b == b, and 1 for b = 0                                         *)
(*   equal_laws == the output premetric that tells whether two laws are equal *)
(*   [archiFieldType of T] == the instance on T, as compat.v has it for less  *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Notation Q := rat_realFieldType.

Definition archi_field_of (T : Type) (s : archiFieldType)
  of phant_id (s : Type) T := s.
Notation "[ 'archiFieldType' 'of' T ]" := (@archi_field_of T%type _ id)
  (at level 0, format "[ 'archiFieldType'  'of'  T ]") : form_scope.

(* Counts and budgets *)
Definition leq_der_instance := @leq_der 2 3 isT isT isT.
Definition der_ratio_instance := @der_ratio 4 2 isT isT.
Definition der_ratio_refuted_instance := @der_ratio_refuted 4 isT.

Definition half : Q := 2%:R^-1.
Lemma half_ends : 0 <= half <= 1.
Proof. by []. Qed.
Lemma half_in : 0 < half < 1. Proof. by []. Qed.

Definition psa_budget_max_instance :=
  @psa_budget_max _ 3 half isT half_in.
Definition budget_forms_instance := @budget_forms _ 3 half isT half_in.
Definition psa_budget_mono_instance :=
  @psa_budget_mono _ 2 3 half isT isT half_ends.
Lemma budget3 : psa_budget 3 half = Some 4%:R.
Proof. exact/eqP. Qed.
Definition psa_budget_min_instance :=
  @psa_budget_min _ 3 half 4%:R isT half_ends budget3.
Definition psa_budget_two_rates_instance :=
  @psa_budget_two_rates _ 3 half 4%:R isT half_ends isT isT.
Definition psa_budget_meet_instance :=
  @psa_budget_meet Q 3 (2%:R / 3%:R) isT isT ltac:(exact/eqP).
Definition psa_budget_threshold_instance :=
  @psa_budget_threshold Q 3 half 2%:R isT isT ltac:(exact/eqP).
Definition psa_budget_two_rates_refuted_instance :=
  @psa_budget_two_rates_refuted Q half 2%:R isT.
Definition larger_stratum_instance :=
  @larger_stratum Q 2 3 1 isT isT.
Definition mass_ratio_maximum_instance :=
  @mass_ratio_maximum Q 6 2 4 2 half isT isT isT isT isT isT isT isT isT.
Lemma sharp4 : sharp_budget 4 (1 : Q) 3%:R.
Proof. by rewrite /sharp_budget !derE. Qed.
Definition sharp_budget_mono_instance :=
  @sharp_budget_mono Q 2 4 1 3%:R isT isT isT isT sharp4.
Definition sharp_budget_min_instance :=
  @sharp_budget_min Q 4 1 3%:R isT isT sharp4.
Definition sharp_budget_bounds_instance :=
  @sharp_budget_bounds Q 4 1 3%:R isT isT sharp4.
Lemma dual2 : (2%:R * half) ^+ 2 * (der (2 - 2))%:R = (der 2)%:R :> Q.
Proof. by rewrite !derE; apply/eqP. Qed.
Definition sharp_budget_dual_instance :=
  @sharp_budget_dual Q 2 2%:R half 1 isT isT isT isT isT dual2.
Definition sharp_le_psa_budget_instance :=
  @sharp_le_psa_budget _ 3 half 4%:R isT half_ends budget3.
Definition psa_budget_sharp_iff_instance :=
  @psa_budget_sharp_iff _ 3 half 4%:R isT half_ends budget3.
Definition two_category_le_psa_budget_instance :=
  @two_category_le_psa_budget _ 3 half 4%:R isT half_ends budget3.

(* Premetrics *)
Section Distances.

Variable X : eqType.

Definition constant_dist : premetric Q X :=
  @Premetric Q X (fun _ _ => 0e) (fun _ => erefl).

Definition apart : premetric Q X := of_matrix (fun _ _ => oo).

Lemma apart_oo (x y : X) : x != y -> apart x y = oo.
Proof. by move=> xy; rewrite /= /off_diagonal (negbTE xy). Qed.

Lemma apart_metric : is_metric apart.
Proof.
split=> [x y|x y|x y z]; rewrite /= /off_diagonal.
- by rewrite eq_sym.
- by case: eqP.
have [-> | xy] := eqVneq x y; first by case: eqP.
by case: (x == z).
Qed.

End Distances.

(* What can be released *)
Definition own (i x : bool) : Prop := i = x.
Definition one_budget (i : bool) : ext Q := if i then 1e else 0e.

Lemma own_disjoint (i j x : bool) : own i x -> own j x -> i = j.
Proof. by move=> -> ->. Qed.

Lemma apart_far : far_points (apart bool_eqType) (fun b => b).
Proof. by move=> y z; apply: apart_oo. Qed.

Lemma one_budgets (x x' : bool) : x = x' <->
  (forall a, budgets_at own one_budget x a <-> budgets_at own one_budget x' a).
Proof.
split=> [-> // | /(_ (one_budget x)) [at_x _]].
have [i xi ix'] : budgets_at own one_budget x' (one_budget x).
  by apply: at_x; exists x.
move: xi; rewrite ix' {at_x i ix'}.
by case: x x' => [] [] // /eqP.
Qed.

Definition budgets_at_iff_instance :=
  @budgets_at_iff Q _ _ own (constant_dist bool_eqType) one_budget _ _
    (apart bool_eqType) (fun b => b) id apart_far one_budgets.
Definition budgets_at_free_instance :=
  @budgets_at_free Q _ _ own (constant_dist bool_eqType) one_budget _ _
    (apart bool_eqType) (fun b => b) id
    (fun x x' => (one_budgets x x').2) own_disjoint.
Definition budgets_disjoint_instance :=
  @budgets_disjoint Q _ _ own (constant_dist bool_eqType) one_budget true
    own_disjoint.

Lemma unlimited : satisfies (everything bool) (constant_dist bool_eqType)
  (apart bool_eqType) (fun _ => oo) id.
Proof.
move=> i x x' _ _.
exact: (@infinite_asks_nothing Q _ _ _ _ _ _ id i x x' (or_intror erefl)).
Qed.

Definition invariants_free_within_instance :=
  @invariants_free_within Q _ _ (constant_dist bool_eqType) (apart bool_eqType)
    _ _ own id id (fun i x x' ix ix' => etrans (esym ix) ix').
Definition varying_costs_instance :=
  @varying_costs Q _ _ (constant_dist bool_eqType) (apart bool_eqType)
    _ (everything bool) (fun _ => oo) id tt true false
    (apart_metric bool_eqType) I I isT ltac:(by [])
    unlimited.
Definition invariants_cost_points_instance :=
  @invariants_cost_points Q _ _ (constant_dist bool_eqType) _ _
    (apart bool_eqType) (fun b => b) id (everything bool) (fun _ => 1e) tt
    true false apart_far I I isT ltac:(by []) isT.
Definition finite_budget_iff_component_points_instance :=
  @finite_budget_iff_component_points Q _ _ (everything bool)
    (constant_dist bool_eqType) _ _ (apart bool_eqType) (fun b => b) id
    apart_far.
Definition budgets_of_free_instance :=
  @budgets_of_free Q _ _ own (constant_dist bool_eqType) one_budget _ _
    (apart bool_eqType) (fun b => b) (fun _ => true) (fun _ _ _ => erefl).
Definition injective_free_instance :=
  @injective_free Q _ _ _ id (constant_dist bool_eqType) (apart bool_eqType)
    id (fun x x' e => e).
Definition infinite_asks_nothing_instance :=
  @infinite_asks_nothing Q _ _ _ (constant_dist bool_eqType)
    (apart bool_eqType) (fun _ : unit => oo) id tt true false
    (or_intror erefl).
Definition size_invariant_instance :=
  @size_invariant Q _ bool _ id (apart bool_eqType) (apart bool_eqType)
    (fun x x' ne => apart_oo (introN eqP ne)).
Definition equivalent_iff_instance :=
  @equivalent_iff Q _ _ _ id (constant_dist bool_eqType) (apart bool_eqType)
    true false ltac:(by []).
Definition zero_budget_iff_instance :=
  @zero_budget_iff Q _ _ _ own (constant_dist bool_eqType) (apart bool_eqType) id
    ltac:(by case: (apart_metric bool_eqType)).
Definition implicit_condition_instance :=
  @implicit_condition Q _ _ _ (everything bool) (constant_dist bool_eqType)
    (apart bool_eqType) id (fun _ => oo) tt tt true false true
    ltac:(by case: (apart_metric bool_eqType)) ltac:(exact/eqP) I I I I
    unlimited oo isT isT.

(* Swapping: two records that differ in both variables                        *)
Definition records := pair_data tt true false true false.

Lemma true_false : true != false. Proof. by []. Qed.

Lemma records_largest : largest_stratum records = 2%N.
Proof. by have [] := two_records_universe tt true_false true_false. Qed.

Lemma pair_budget : psa_budget (largest_stratum records) half = Some 3%:R.
Proof. by rewrite records_largest; apply/eqP. Qed.

Lemma pair_satisfies : satisfies_in half_ends records 3%:R.
Proof.
move=> x x' pair_x pair_x'; apply: psa_privacy.
  by rewrite -(largest_stratum_universe pair_x) pair_budget.
by apply: same_invariants_trans pair_x'; rewrite same_invariants_sym.
Qed.

Definition unit_margins_bound_instance :=
  @unit_margins_bound Q _ _ _ half half_ends 2 records tt 3%:R half_in
    ltac:(by case: (unit_margins_universe tt true_false true_false))
    ltac:(by case: (unit_margins_universe tt true_false true_false))
    ltac:(by case: (unit_margins_universe tt true_false true_false))
    isT pair_satisfies.
Definition psa_privacy_instance :=
  @psa_privacy Q _ _ _ 2 half half_ends records records 3%:R pair_budget
    (same_invariants_refl records).
Definition psa_support_instance :=
  @psa_support Q unit_finType bool_finType bool_finType 2 half half_ends isT
    isT.
Definition psa_pure_dp_instance :=
  @psa_pure_dp Q unit_finType bool_finType bool_finType 2 half half_ends.
Definition psa_pure_dp_sizes_instance :=
  @psa_pure_dp_sizes Q unit_finType bool_finType bool_finType 2 half half_ends.
Definition same_invariants_size_instance :=
  @same_invariants_size _ _ _ 2 2 records records
    (same_invariants_refl records).
Definition largest_stratum_universe_instance :=
  @largest_stratum_universe _ _ _ 2 2 records records
    (same_invariants_refl records).
Definition swap_path_instance :=
  @swap_path _ _ _ 2 records records (same_invariants_refl records).
Definition no_neighbors_instance :=
  @no_neighbors _ _ _ 2 records records (same_invariants_refl records).
Definition circuit_chains_instance :=
  @circuit_chains _ _ _ 2 records records (same_invariants_refl records).
Definition psa_eq_table_instance :=
  @psa_eq_table Q _ _ _ 2 half half_ends records records erefl.

Section Root.

Variable R : rcfType.

Lemma root_half01 : 0 <= (2%:R^-1 : R) <= 1.
Proof. by rewrite invr_ge0 ler0n invf_le1 ?ltr0n // ler1n. Qed.

End Root.

Definition psa_budget_printed_instance (R : rcfType) :=
  @psa_budget_printed R 3 2%:R^-1 (root_half01 R).
Definition psa_pure_dp_printed_instance (R : rcfType) :=
  @psa_pure_dp_printed R unit_finType bool_finType bool_finType 2 2%:R^-1
    (root_half01 R) _ id.

(* The laws of the algorithm *)
Lemma some : true \in [set: bool]. Proof. by rewrite inE. Qed.
Lemma two : (1 < #|[set: bool]|)%N. Proof. by rewrite cardsT card_bool. Qed.
Lemma on_all (g : {perm bool}) : perm_on [set: bool] g.
Proof. by apply/subsetP=> i _; rewrite inE. Qed.

Definition Pr_swapped_instance :=
  @Pr_swapped Q _ half half_ends [set: bool] true two some.
Definition Pr_swapped_repaired_instance :=
  @Pr_swapped_repaired Q _ half half_ends [set: bool] true two some.
Definition Pr_swapped_gt_printed_instance :=
  @Pr_swapped_gt_printed Q _ half half_ends [set: bool] true half_in two some.
Definition Pr_swapped_error_instance :=
  @Pr_swapped_error Q _ half half_ends [set: bool] true two some.
Definition stratum_perm_mass_instance :=
  @stratum_perm_mass Q _ half half_ends [set: bool] _ two (on_all 1%g).
Definition psa_moved_counts_instance (h c : nat)
    (x z : dataset [finType of unit] [finType of 'I_h] [finType of 'I_c] 2) :=
  psa_moved_counts half_ends x z isT.
Definition permutation_ratio_instance :=
  @permutation_ratio Q _ [set: bool] half half_ends _ _ half_in two (on_all 1%g)
    (on_all (tperm true false)).
Definition reselect_loop_instance :=
  @reselect_loop Q _ half half_ends [set: bool] (dirac [set: bool]) two.
Definition selected_at_least_instance :=
  @selected_at_least _ _ _ 2 records (apply_perm 1%g records) 1%g erefl.
Definition selected_records_refuted_instance :=
  @selected_records_refuted Q half half_ends half_in.
Definition mass_ratio_maximum_refuted_instance :=
  @mass_ratio_maximum_refuted 3 isT.
Definition coarser_budget_instance :=
  @coarser_budget unit_finType _ _ _ 2 id Q records half half_ends.
Definition distance_ratio_instance :=
  @distance_ratio _ _ _ 2 records records records (same_invariants_refl records)
    (same_invariants_refl records) records_largest.

(* Lower bounds *)
Lemma zero01 : 0 <= (0 : Q) <= 1. Proof. by []. Qed.
Lemma one01 : 0 <= (1 : Q) <= 1. Proof. by []. Qed.

Lemma pair_margins_all :
  [/\ n_mh records tt true = 1%N, n_mh records tt false = 1%N,
      n_ms records tt true = 1%N & n_ms records tt false = 1%N].
Proof. exact: (@pair_margins _ _ _ tt _ _ _ _ true_false true_false). Qed.

Definition swap_rate1_no_budget_instance :=
  @swap_rate1_no_budget Q _ _ _ 1 one01 2 records tt true false true false 3%:R
    erefl true_false true_false
    ltac:(by case: pair_margins_all) ltac:(by case: pair_margins_all)
    ltac:(by case: pair_margins_all) ltac:(by case: pair_margins_all).
Definition two_records_bound_instance :=
  @two_records_bound Q _ _ _ half half_ends 2 records tt true false true false
    3%:R half_in (pair_n_m tt true false true false) true_false true_false
    ltac:(by case: pair_margins_all) ltac:(by case: pair_margins_all)
    ltac:(by case: pair_margins_all) ltac:(by case: pair_margins_all)
    isT pair_satisfies.
Definition swap_rate0_universe_instance :=
  @swap_rate0_universe _ _ _ tt true false true false true_false true_false.
Definition swap_rate1_universe_instance :=
  @swap_rate1_universe _ _ _ tt true false true false true_false true_false.
Definition unit_margins_universe_instance :=
  @unit_margins_universe _ _ _ tt true false true false true_false true_false.
Definition two_records_universe_instance :=
  @two_records_universe _ _ _ tt true false true false true_false true_false.
Definition unit_pair_universe_instance :=
  @unit_pair_universe _ [finType of 'I_4] [finType of 'I_4] tt
    ltac:(by rewrite card_ord) ltac:(by rewrite card_ord).
Definition lower_bounds_universe_instance :=
  @lower_bounds_universe Q half half_ends _ _ _ tt true false true false
    true_false true_false.
Definition sharpened_attained_instance :=
  @sharpened_attained _ [finType of 'I_5] [finType of 'I_5] tt 5 isT
    ltac:(by rewrite card_ord) ltac:(by rewrite card_ord).
Definition lower_bound_every_size_instance :=
  @lower_bound_every_size _ [finType of 'I_5] [finType of 'I_5] tt 5 isT
    ltac:(by rewrite card_ord) ltac:(by rewrite card_ord).
Definition lower_bound_distinct_instance :=
  @lower_bound_distinct _ [finType of 'I_5] [finType of 'I_5] tt 5 isT
    ltac:(by rewrite card_ord) ltac:(by rewrite card_ord).
Definition three_categories_universe_instance :=
  @three_categories_universe _ [finType of 'I_3] [finType of 'I_3] tt 4 isT
    ltac:(by rewrite card_ord) ltac:(by rewrite card_ord).

(* Pure differential privacy *)
Lemma dirac_le : mult_le 1 (dirac true : law Q _) (dirac true).
Proof. by move=> t; rewrite mul1r. Qed.

Lemma pair_pure : pure_dp
  (fun x0 x : dataset unit bool bool 2 => same_invariants x0 x)
  (fun x x' => Some (hamming x x'))
  (fun x0 => psa_budget (largest_stratum x0) half) (psa half half_ends).
Proof. exact: psa_pure_dp. Qed.

Definition mult_postprocessing_instance :=
  @mult_postprocessing Q _ _ _ _ _ (@dirac Q bool_finType) dirac_le.
Definition mult_product_instance :=
  @mult_product Q _ _ _ _ _ _ _ _ dirac_le dirac_le.
Definition pure_postprocessing_instance :=
  @pure_postprocessing Q _ _ _ _ _ _ _ _ (fun z => dirac z) pair_pure.
Definition pure_composition_instance :=
  @pure_composition Q _ _ _ _ _ _ _ _ _ _ pair_pure pair_pure.

(* Specifications *)
Definition releases :=
  @invariants_free Q _ _ (constant_dist bool_eqType) (apart bool_eqType) _ id
    id.
Definition normal_form_instance :=
  @normal_form Q _ bool _ _ _ (constant_dist bool_eqType) (apart bool_eqType) _
    id (constraint_matrixP (fun _ : bool => xpredT)
          (constant_dist bool_eqType) one_budget).
Definition finer_premetric_stronger_instance :=
  @finer_premetric_stronger Q _ _ _ (invariant_universe id)
    (apart bool_eqType) (fun _ => 0e) id (constant_dist bool_eqType)
    (apart bool_eqType) ltac:(by move=> x x'; exact: le0e) releases.

(* The sharp budget and two categories *)
Lemma pair_large : (1 < largest_stratum records)%N.
Proof. by rewrite records_largest. Qed.

Definition psa_privacy_improved_instance :=
  @psa_privacy_improved Q _ _ _ 2 half half_ends records records half_in
    pair_large (same_invariants_refl records).
Definition psa_sharp_instance :=
  @psa_sharp Q 2 half 3%:R half_ends isT half_in isT.
Definition two_category_sqrt_instance (R : rcfType) :=
  @two_category_sqrt R unit_finType bool_finType bool_finType 2 2%:R^-1
    (root_half01 R) ltac:(by rewrite invr_gt0 ltr0n invf_lt1 ?ltr0n // ltr1n)
    ltac:(by rewrite card_bool).

(* Records, budgets and distances on two points                               *)
Definition swap_preserves_invariants_instance :=
  @swap_preserves_invariants _ _ _ 2 records 1%g (preserves_strata1 records).
Definition exchange_pairs_invariants_instance :=
  @exchange_pairs_invariants unit_finType bool_finType bool_finType 2 records [:: (ord0, ord_max)]
    ltac:(by apply/allP => p _; apply/eqP; do 2!case: (matching _)).
Definition one_tract_released_instance :=
  @one_tract_released _ _ _ 2 _ (fun=> tt) records [::] tt true true isT
    ltac:(by []).
Lemma records_differ :
  table records (tt, true, true)
  != table (pair_data tt true false false true) (tt, true, true).
Proof.
apply/eqP; rewrite !ffunE => eq_counts.
have one := card_dataset_of [:: (tt, true, true); (tt, false, false)]
  (fun r => r == (tt, true, true)).
have none := card_dataset_of [:: (tt, true, false); (tt, false, true)]
  (fun r => r == (tt, true, true)).
by have := etrans (esym one) (etrans eq_counts none).
Qed.
Lemma unswapped (y : dataset unit_finType bool_finType bool_finType 2) z :
  @dirac Q _ (table_ord y) z != 0 ->
  exists2 s, across (fun=> tt) y s & z = table_ord (exchange_pairs y s).
Proof. by rewrite diracE pnatr_eq0 eqb0 negbK => /eqP->; exists [::]. Qed.
Definition one_tract_no_budget_instance :=
  @one_tract_no_budget Q _ _ _ 2 _ (fun=> tt) (fun y => @dirac Q _ (table_ord y))
    records _ tt true true 3%:R unswapped ltac:(by []) ltac:(by [])
    records_differ.
Definition one_dimensional_margins_instance :=
  @one_dimensional_margins _ _ _ 2 2 records records
    (same_invariants_refl records).
Definition psa_perm_independent_instance :=
  @psa_perm_independent Q _ _ _ 2 half half_ends records 1%g
    (preserves_strata1 records).
Definition psa_perm_mass_instance :=
  @psa_perm_mass Q _ _ _ 2 half half_ends records 1%g
    (preserves_strata1 records).
Definition disjoint_swap_iff_instance :=
  @disjoint_swap_iff _ _ _ 2 records tt
    ltac:(by case: (unit_margins_universe tt true_false true_false)).
Definition finite_budget_iff_instance :=
  @finite_budget_iff Q _ _ _ bool_eqType own id (constant_dist bool_eqType)
    (apart bool_eqType) id apart_far ltac:(by []) (fun i => ex_intro _ i erefl).
Lemma apart_dirac :
  tv (dirac true) (dirac false : law Q bool_finType) = 1.
Proof. exact: tv_dirac. Qed.
Definition mult_far_instance := @mult_far Q _ 2%:R _ _ apart_dirac.
Definition approximate_far_instance :=
  @approximate_far Q _ 2%:R half _ _ isT apart_dirac.
Lemma apart_laws (Y : finType) : far (apart (law_eqType Q Y)).
Proof.
move=> P S tv1; apply: apart_oo; apply: contra_eq_neq tv1 => ->.
by rewrite /tv big1 ?mul0r 1?eq_sym ?oner_eq0 // => y _; rewrite subrr normr0.
Qed.
Definition invariants_cost_instance :=
  @invariants_cost Q _ _ (constant_dist bool_eqType) _ _ id (everything bool)
    (fun _ => 1e) tt true false (@apart_laws bool_finType) I I isT ltac:(by [])
    isT.
Definition finite_budget_iff_component_instance :=
  @finite_budget_iff_component Q _ _ (everything bool)
    (constant_dist bool_eqType) _ _ id (@apart_laws bool_finType).
Definition vacuous_multiverse_instance :=
  @vacuous_multiverse Q _ _ _ (everything bool) (constant_dist bool_eqType)
    (apart bool_eqType) id 1e (fun x x' _ _ => ex_intro2 _ _ tt I I).
Lemma own_apart (x x' : bool) : x <> x' -> ~ together own x x'.
Proof. by move=> ne [i -> /ne]. Qed.
Definition multiverse_in_premetric_instance :=
  @multiverse_in_premetric Q _ _ _ own (constant_dist bool_eqType)
    (apart bool_eqType) id (apart bool_eqType) 1e
    (fun x x' ne t => False_rect _ (own_apart ne t))
    (fun x x' ne _ => apart_oo (introN eqP ne)).
Definition disjoint_no_implicit_instance :=
  @disjoint_no_implicit Q _ _ (fun i x : bool => i == x) (apart bool_eqType)
    one_budget _ (fun i j x ix jx => etrans (eqP ix) (esym (eqP jx)))
    ltac:(by case: (apart_metric bool_eqType))
    (constraint_matrixP (fun i : bool => eq_op i) (apart bool_eqType)
       one_budget).
Definition symmetric_neighbors_instance :=
  @symmetric_neighbors Q bool_eqType (fun x _ => x) _ (apart bool_eqType) 1e id
    ltac:(by case: (apart_metric bool_eqType)).
Definition group_privacy_instance :=
  @group_privacy Q bool_eqType (fun x _ => x) _ (apart bool_eqType) 1e id
    ltac:(by case: (apart_metric bool_eqType)).
Definition mult_adaptive_instance :=
  @mult_adaptive Q _ _ _ _ _ _ _ _ dirac_le (fun _ => dirac_le).
Definition pure_adaptive_instance :=
  @pure_adaptive Q _ _ _ _ _ _ _ _ _ _ pair_pure (fun _ => pair_pure).
Definition pure_composition_multiverses_instance :=
  @pure_composition_multiverses Q _ _ _ _ _ _ _ _ _ _ _ _ pair_pure pair_pure.
Definition pure_composition_different_instance :=
  @pure_composition_different Q _ _ _ _ _ _ _ _ _ _ _ _ _ pair_pure pair_pure
    records records records records 3%:R 3%:R _ _
    (same_invariants_refl records) (same_invariants_refl records)
    (same_invariants_refl records) (same_invariants_refl records)
    pair_budget pair_budget erefl erefl.
Definition pure_below_composition_instance :=
  @pure_below_composition Q _ _ _ (fun _ _ => Some 1) (fun _ _ => Some 1)
    (fun _ : bool => dirac true) (fun _ => dirac true)
    (fun _ _ => dirac_le) (fun _ _ => dirac_le).
Definition pure_group_privacy_instance :=
  @pure_group_privacy Q _ _ (fun _ _ : bool => True) 1 (fun _ => dirac true)
    (fun _ _ _ => dirac_le) 2 true false
    (ex_intro2 _ _ true I (ex_intro2 _ _ false I erefl)).
(* The rationals have no exponential function: e is 1, and D tells whether    *)
(* two laws are equal.                                                        *)
Section Equal.

Variables (Y : finType) (T : bool -> law Q Y).

Lemma equal_mult (P S : law Q Y) (e : nneg Q) :
  apart (law_eqType Q Y) P S <=e Some e <-> mult_le 1 P S.
Proof.
rewrite mult_le1 /= /off_diagonal.
by case: eqP => ne; split=> // _; apply: le0e.
Qed.

Definition pure_dp_satisfies_instance :=
  @pure_dp_satisfies Q _ _ Y (everything bool) (fun _ _ => Some 0%N)
    (constant_dist bool_eqType) (apart (law_eqType Q Y)) (fun _ => 1)
    (fun _ => 1e) T equal_mult (fun _ n => esym (expr1n _ n))
    (fun _ _ => erefl).

End Equal.

Lemma one_matrix : is_pure_matrix (everything bool) (fun _ _ => Some 1%N)
  (fun _ => Some (1 : Q)) (fun _ _ => Some 1).
Proof.
move=> x x'; split=> [|b [_ [g [n [_ _ [<-] [<-] ->]]]]]; last by rewrite expr1.
by exists tt, 1, 1%N; rewrite expr1.
Qed.
Definition pure_normal_form_instance :=
  @pure_normal_form Q _ _ _ _ _ _ _ (fun _ => dirac true) one_matrix.

(* Neighbours: any two points of bool                                         *)
Definition differ (x x' : bool) : bool := x != x'.

Lemma differ_walks :
  is_shortest_walk differ (fun x x' => Some (differ x x' : nat)).
Proof.
move=> x x'; rewrite /differ; split; last first.
  by case=> [/= -> | m _]; [rewrite eqxx | case: (x != x')].
by case: eqP => /= [// | /eqP ne]; exists x'.
Qed.

Definition shortest_walk_sharpening_instance :=
  @shortest_walk_sharpening Q _ _ _
    (of_matrix (fun x x' => natx (differ x x' : nat))) differ_walks
    ltac:(by case; case).
Definition pure_sharpening_instance :=
  @pure_sharpening Q _ _ _ _ 2%:R (fun b => dirac b) isT differ_walks.
Definition sharpening_stronger_instance :=
  @sharpening_stronger Q _ _ _ _ (apart bool_eqType) 1e (fun _ => true)
    shortest_walk_sharpening_instance
    ltac:(by move=> i x x' _ _; rewrite dist_refl le0e).

Definition nearest_integer_refuted_instance :=
  @nearest_integer_refuted Q 3%:R isT.
Definition trivial_universe_budget_instance :=
  @trivial_universe_budget Q unit_finType unit_finType unit_finType
    (tt, tt, tt) half half_ends.
Definition psa_degenerate_infinite_instance :=
  @psa_degenerate_infinite Q 2 0 1 zero01 isT isT isT.
Definition psa_circuits_instance :=
  @psa_circuits Q _ _ _ 2 records half 3%:R half_ends.

(* With odds 1, b and b + 1 suffice                                           *)
Lemma odds_half : half / (1 - half) = 1. Proof. exact/eqP. Qed.
Definition own_size (b : nat) : Q := if b == 0%N then 1 else b%:R.
Lemma own_size_sharp b : (1 < b)%N ->
  sharp_budget b (half / (1 - half)) (own_size b).
Proof.
move=> b1; rewrite odds_half /own_size gtn_eqF ?(ltnW b1) //.
by apply: sharp_budget_simple; rewrite ?mulr1 ?ler1n ?(ltnW b1).
Qed.
Definition psa_sharp_pure_dp_instance :=
  @psa_sharp_pure_dp Q unit_finType bool_finType bool_finType 2 half half_ends
    own_size half_in erefl own_size_sharp.
Lemma two_category_size b : (1 < b)%N ->
  two_category_budget b (half / (1 - half)) (b.+1%:R : Q).
Proof.
move=> b1; apply: two_category_le_psa_budget half_ends _; first exact: ltnW.
by rewrite /psa_budget odds_half gtn_eqF ?(ltnW b1) //= expr1n ler1n divr1.
Qed.
Definition two_category_pure_dp_instance :=
  @two_category_pure_dp Q unit_finType bool_finType bool_finType 2 half
    half_ends (fun b => b.+1%:R) half_in two_category_size.
Definition two_category_type_privacy_instance :=
  @two_category_type_privacy Q _ _ _ 2 half half_ends 2 3%:R records records
    half_in ltac:(by rewrite card_bool) ltac:(by rewrite records_largest)
    (same_invariants_refl records) isT isT.
Definition sharp_budget_sqrt_instance (R : rcfType) :=
  @sharp_budget_sqrt R 2 1 1 ltr01 ler01 isT isT.
Lemma pair_above (gamma : Q) : 3%:R < gamma ->
  satisfies_in half_ends records gamma.
Proof.
move=> lt3 x x' pair_x pair_x'.
apply: mult_le_weaken (pair_satisfies pair_x pair_x').
by rewrite ler_expn2r ?nnegrE ?ler0n // ltW // (lt_trans _ lt3).
Qed.
Definition least_budget_attained_instance :=
  @least_budget_attained Q _ _ _ half half_ends 2 records 3%:R isT pair_above.

(* One holding category with a single record                                  *)
Lemma records_row : single_row records tt true false.
Proof. by case: pair_margins_all; rewrite /single_row => -> -> _ _. Qed.
Lemma records_columns : exists s s', [/\ s != s',
  (0 < n_ms records tt s)%N & (0 < n_ms records tt s')%N].
Proof.
by exists true, false; case: pair_margins_all => _ _ -> ->.
Qed.
Definition single_record_budgets_instance :=
  @single_record_budgets Q _ _ _ 2 half half_ends isT records tt true false
    records_row records_columns 3%:R.
Definition single_record_loss_instance :=
  @single_record_loss Q _ _ _ 2 half half_ends isT records tt true false
    records_row records_columns 3%:R half_in.
Lemma records_holding : holding (records ord0) = true.
Proof. by rewrite /records /pair_data /dataset_of ffunE. Qed.
Definition single_record_law_instance :=
  @single_record_law _ _ _ 2 records tt true false ord0 1%g Q half half_ends isT
    records_row records_holding.

(* Refinements of the universes of one point each                             *)
Lemma own_within i : is_inf (budgets_within own own one_budget i)
  (one_budget i).
Proof.
split=> [a [i' sub ->] | b]; last by apply; exists i.
by rewrite (_ : i = i') ?leexx //; apply: sub.
Qed.
Lemma own_around i : is_inf (budgets_above own own one_budget i)
  (one_budget i).
Proof.
split=> [a [i' sub ->] | b]; last by apply; exists i.
by rewrite (sub i erefl) leexx.
Qed.
Lemma own_refines : refines own own.
Proof. by move=> i; exists i. Qed.
Lemma own_satisfies eps : satisfies own (constant_dist bool_eqType)
  (apart bool_eqType) eps id.
Proof. by move=> i x x' <- <-; rewrite dist_refl le0e. Qed.
Lemma own_above (J : Type) (V : J -> bool -> Prop) (p : meets_index own V) :
  is_inf (budgets_above own (meets own V) one_budget p)
    (one_budget (sval p).1).
Proof.
case: p => -[i j] /= [x [ix jx]]; split=> [a [i' sub ->] | b]; last first.
  by apply; exists i => // y [].
by rewrite ix -(sub x (conj ix jx)) leexx.
Qed.
Lemma own_loss i : is_inf (losses (constant_dist bool_eqType)
  (apart bool_eqType) id own i) 0e.
Proof.
split=> [a _ | b]; first exact: le0e.
by apply; exists (fun _ => 0e) => //; apply: own_satisfies.
Qed.
Definition refinement_inf_within_instance :=
  @refinement_inf_within Q _ _ _ _ own own _ _ one_budget one_budget id
    own_refines own_within (own_satisfies one_budget).
Definition refinement_inf_above_instance :=
  @refinement_inf_above Q _ _ _ _ own own _ _ one_budget one_budget id
    own_refines own_around (own_satisfies one_budget).
Definition refinement_within_instance :=
  @refinement_within Q _ _ _ _ own own _ _ one_budget one_budget id
    own_refines (fun i => ex_intro2 _ _ _ (own_within i) (leexx _))
    (own_satisfies one_budget).
Definition refinement_above_instance :=
  @refinement_above Q _ _ _ _ own own _ _ one_budget one_budget id
    own_refines (fun i => ex_intro2 _ _ _ (own_around i) (leexx _))
    (own_satisfies one_budget).
Definition meets_self_instance :=
  @meets_self Q _ _ _ own (constant_dist bool_eqType) (apart bool_eqType) id
    one_budget _ (@own_above _ own).
Definition meets_near_pairs_instance :=
  @meets_near_pairs Q _ _ _ own (constant_dist bool_eqType) (apart bool_eqType)
    id one_budget _ (@own_above _ _).
Definition meets_linked_instance :=
  @meets_linked Q _ _ _ own (constant_dist bool_eqType) (apart bool_eqType) id
    one_budget _ (@own_above _ _).
Definition loss_smallest_instance :=
  @loss_smallest Q _ _ _ _ id _ own _ own_loss.
Definition loss_refinement_instance :=
  @loss_refinement Q _ _ _ _ id _ _ own own true true _ _ own_refines
    (own_loss true) (own_loss true) (fun _ => id).
Definition rescale_lower_instance :=
  @rescale_lower Q _ _ _ own (apart bool_eqType) one_budget id
    (constant_dist bool_eqType) (constant_dist bool_eqType) 1e 1e isT
    (leexx _) ltac:(by move=> x x'; rewrite mul1e leexx)
    (own_satisfies one_budget).
Definition rescale_upper_instance :=
  @rescale_upper Q _ _ _ own (apart bool_eqType) one_budget id
    (constant_dist bool_eqType) (constant_dist bool_eqType) 1e 1e isT
    (leexx _) ltac:(by move=> x x'; rewrite mul1e leexx)
    (own_satisfies one_budget).
Definition tight_matrix_iff_stronger_instance :=
  @tight_matrix_iff_stronger Q bool bool (fun _ _ => 0e) (fun _ _ => 1e)
    (apart bool_eqType)
    (fun _ _ => ex_intro2 _ _ (fun _ => true) (fun _ _ => leexx _) erefl).
Definition sharpening_triangular_instance :=
  @sharpening_triangular Q _ _ _ _ (apart bool_eqType) 1e id
    ltac:(by case: (apart_metric bool_eqType))
    shortest_walk_sharpening_instance.
Definition matrix_closure_instance :=
  @matrix_closure Q _ _ (fun x x' => if differ x x' then 1e else oo) _
    (apart bool_eqType) id ltac:(by case: (apart_metric bool_eqType))
    shortest_walk_sharpening_instance.

(* The output premetric that tells whether two laws are equal                 *)
Definition equal_laws (Y : finType) : premetric Q (law Q Y) :=
  apart (law_eqType Q Y).
Lemma equal_laws_noise : noise_invariant equal_laws.
Proof.
move=> Y V P P' S; rewrite /= /off_diagonal; congr (if _ then _ else _).
apply/eqP/eqP => [e | -> //]; apply/law_eqP => y.
have := congr1 (fun W : law Q _ => \sum_v W (y, v)) e.
under eq_bigr do rewrite prod_lawE; under [RHS]eq_bigr do rewrite prod_lawE.
by rewrite -!mulr_sumr !law_sum1 !mulr1.
Qed.
Lemma equal_laws_subadditive : subadditive equal_laws.
Proof.
move=> Y Z P S P' S'; rewrite /= /off_diagonal.
case: (P =P S) => [->|_] /=; last by case: ifP.
by case: (P' =P S') => [->|_]; rewrite ?eqxx //=; case: ifP.
Qed.
Lemma equal_laws_immune (X I : Type) (U : I -> X -> Prop) (d : premetric Q X) :
  immune_randomised equal_laws U d.
Proof.
apply/(randomised_iff_immune _ _ equal_laws_noise).
move=> Y Z f eps T sat i x x' ix ix'; apply: lee_trans (sat i x x' ix ix').
rewrite /= /off_diagonal; case: (T x =P T x') => [->|_]; first by rewrite eqxx.
by case: ifP.
Qed.
Definition randomised_iff_immune_instance :=
  @randomised_iff_immune Q _ _ _ (everything bool) (constant_dist bool_eqType)
    equal_laws_noise.
Definition randomised_noise_invariant_instance :=
  @randomised_noise_invariant Q _ equal_laws_immune.
Definition composition_different_instance :=
  @composition_different Q _ _ bool_finType bool_finType (fun _ _ => 0e)
    (fun _ _ => 0e) (fun _ : bool => dirac true) (fun _ => dirac true)
    equal_laws_subadditive ltac:(by move=> x x'; rewrite dist_refl)
    ltac:(by move=> x x'; rewrite dist_refl).
Lemma dirac_equal : satisfies (everything bool) (constant_dist bool_eqType)
  (equal_laws bool_finType) (fun _ => 1e) (fun _ => dirac true).
Proof. by move=> i x x' _ _; rewrite dist_refl. Qed.
Definition immune_kernel_instance :=
  @immune_kernel Q equal_laws _ _ (@dirac Q bool_finType) _ _ _ _ _ _
    (@equal_laws_immune _ _ _ _) dirac_equal.

(* Multiverses and budgets on two points                                      *)
Lemma always_more (i : bool) (s : nneg Q) : 0 < nneg_val s -> exists2 j : bool,
  subset (invariant_universe id i) (invariant_universe id j) &
  0e <=e 0e +e Some s.
Proof. by move=> _; exists i => //; exact: le0e. Qed.
Definition fewer_constraints_instance :=
  @fewer_constraints Q _ _ _ _ (invariant_universe id) (invariant_universe id)
    (constant_dist bool_eqType) (apart bool_eqType) (fun _ => 0e) (fun _ => 0e)
    id always_more releases.
Definition rescale_lower_usual_instance :=
  @rescale_lower_usual Q _ _ _ (invariant_universe id) (apart bool_eqType)
    (fun _ => 0e) id (constant_dist bool_eqType) (constant_dist bool_eqType)
    1e 1e isT isT ltac:(by []) releases.
Definition rescale_upper_usual_instance :=
  @rescale_upper_usual Q _ _ _ (invariant_universe id) (apart bool_eqType)
    (fun _ => 0e) id (constant_dist bool_eqType) (constant_dist bool_eqType)
    1e 1e isT isT ltac:(by []) releases.

Definition unit_law (x : bool) : law Q bool_finType := dirac true.
Lemma unit_law_pure : pure_dp (fun _ _ : bool => True) (fun _ _ => Some 0%N)
  (fun _ => Some 1) unit_law.
Proof. by move=> i x x' _ _ t; rewrite expr0 mul1r. Qed.
Definition plausible_instance :=
  @plausible Q _ _ (fun _ _ : bool => True) (fun _ _ => Some 0%N)
    (fun _ => Some 1) unit_law (fun _ => I) ltac:(by []) ltac:(by [])
    unit_law_pure true false true I.

Lemma linked_apart (x y : bool) : linked (apart bool_eqType) x y -> x = y.
Proof.
by elim=> // [y' z _ <- | y' z _ <-]; case: (x == z) / eqP => // /eqP ne;
  rewrite apart_oo // eq_sym.
Qed.
Lemma meets_apart : exists (i : unit) (x : bool), everything bool i x /\
  (forall j : unit, ~ same (everything bool j)
     (meet (everything bool i) (linked (apart bool_eqType) x))).
Proof.
by exists tt, true; split=> // j /(_ false) [/(_ I) [_ /linked_apart]].
Qed.
Definition meets_linked_changes_instance :=
  @meets_linked_changes Q _ _ _ _ meets_apart.

Lemma zero_inf (T : Type) (P : T -> Prop) (i : T) : P i ->
  is_inf (fun a : ext Q => exists2 j, P j & a = 0e) 0e.
Proof.
by move=> Pi; split=> [a [j _ ->] | b]; [exact: le0e | apply; exists i].
Qed.
Definition component_meets_inf_instance :=
  @component_meets_inf Q _ _ _ (everything bool) (constant_dist bool_eqType)
    (apart bool_eqType) id (fun _ => 0e) (fun _ => 0e)
    (fun p => zero_inf (i := tt) (fun x _ => I)).
Definition connected_pairs_inf_instance :=
  @connected_pairs_inf Q _ _ _ (everything bool) (constant_dist bool_eqType)
    (apart bool_eqType) id (fun _ => 0e) (fun _ => 0e)
    (fun p => zero_inf (i := tt) (fun x _ => I)).

(* No records, two exchanged records, four records                            *)
Definition no_records : dataset unit bool bool 0 :=
  [ffun _ => (tt, true, true)].
Lemma no_records_largest : largest_stratum no_records = 0%N.
Proof.
rewrite /largest_stratum big1 // => m _; apply/eqP.
by rewrite n_mE -leqn0 (leq_trans (max_card _)) ?card_ord.
Qed.
Definition psa_no_mixed_stratum_instance :=
  @psa_no_mixed_stratum Q _ _ _ 0 half half_ends no_records no_records
    no_records_largest (same_invariants_refl no_records).
Definition exchange : {perm 'I_2} := tperm ord0 ord_max.
Lemma exchange_strata : preserves_strata records exchange.
Proof. by apply/preserves_strataP => i; do 2!case: (matching _). Qed.
Definition exchanged := apply_perm exchange records.
Lemma exchanged_invariants : same_invariants records exchanged.
Proof. exact: same_invariants_apply exchange_strata. Qed.
Lemma unique_records i : unique_in records i.
Proof.
have [_ mh ms] := unit_margins_universe tt true_false true_false.
rewrite /unique_in !eqn_leq n_mh_gt0 n_ms_gt0 !andbT.
by case: (matching _); rewrite mh ms.
Qed.
Lemma exchanged_table : table records <> table exchanged.
Proof.
move=> eq_t; have := unique_fixed exchange_strata (unique_records ord0).
rewrite -eq_t => /(_ (table_gt0 _ _)).
by rewrite /exchange tpermL => /(congr1 val).
Qed.
Definition swap_rate0_no_budget_instance :=
  @swap_rate0_no_budget Q _ _ _ 0 zero01 2 records records exchanged 3%:R erefl
    (same_invariants_refl records) exchanged_invariants exchanged_table.
Lemma records_size : (1 < n_m records (matching (records ord0)))%N.
Proof. by case: (matching _); rewrite pair_n_m. Qed.
Definition swap_rate1_leaves_table_instance :=
  @swap_rate1_leaves_table Q _ _ _ 1 one01 2 records ord0 erefl
    (unique_records ord0) records_size.
Lemma records_determine : determines_on records (stratum records tt).
Proof.
apply: unique_determines.
by have [] := unit_margins_universe tt true_false true_false.
Qed.
Lemma records_half h : (2 * n_mh records tt h <= n_m records tt)%N.
Proof.
have [_ mh _] := unit_margins_universe tt true_false true_false.
by rewrite pair_n_m (@leq_mul2l 2 _ 1) mh.
Qed.
Definition disjoint_swap_sufficient_instance :=
  @disjoint_swap_sufficient _ _ _ 2 records tt records_determine records_half.
Definition swap_rate1_leaves_table_refuted_instance :=
  @swap_rate1_leaves_table_refuted Q one01.
Lemma exchanged_apart : hamming_in records exchanged tt = n_m records tt.
Proof.
apply/eqP; rewrite disjoint_hamming_in.
apply/forall_inP => i _.
rewrite -leqn0 leqNgt; apply/negP=> /(unique_fixed exchange_strata).
move=> /(_ (unique_records i)); rewrite /exchange; case: tpermP => [->|->|].
- by move/(congr1 val).
- by move/(congr1 val).
by case: i => [[|[|k]] lt_k2] // i0 i1 _; [case: i0 | case: i1]; apply: val_inj.
Qed.
Definition disjoint_swap_necessary_instance :=
  @disjoint_swap_necessary _ _ _ 2 records exchanged tt exchanged_invariants
    exchanged_apart.
Lemma two_categories_records : two_categories records.
Proof.
by apply/forallP => m; rewrite /rows (leq_trans (max_card _)) ?card_bool.
Qed.
Definition two_category_privacy_instance :=
  @two_category_privacy Q _ _ _ 2 half half_ends 2 2%:R records records half_in
    two_categories_records ltac:(by rewrite records_largest) isT
    (same_invariants_refl records).
Lemma pair_circuit : circuit records [:: ord0; ord_max].
Proof.
have in_tt i : matching (records i) = tt by case: (matching _).
have [/andP[/eqP mh /eqP ms]] := unique_records ord0.
apply/and4P; split=> //.
  rewrite /= inE andbT; apply/negP => /eqP e.
  have := unique_holding mh (etrans (in_tt ord_max) (esym (in_tt _))) (esym e).
  by move/(congr1 val).
rewrite /= inE andbT; apply/negP => /eqP e.
have := unique_swapping ms (etrans (in_tt ord_max) (esym (in_tt _))) (esym e).
by move/(congr1 val).
Qed.
Definition circuit_changes_instance :=
  @circuit_changes _ _ _ 2 records _ pair_circuit.
Lemma records_near (x x' : dataset unit bool bool 2) :
  same_invariants records x -> same_invariants records x' ->
  (hamming x x' <= 2)%N.
Proof. by move=> _ _; exact: hamming.hamming_le_n. Qed.
Definition small_odds_budget_instance :=
  @small_odds_budget Q _ _ 2 half half_ends half_in isT 2 4%:R isT isT isT
    records records_near.

Lemma nothing_rests : rest_table records tt true false true false
  (fun _ _ => 0%N).
Proof. by split=> k; rewrite big1; case: k. Qed.
Definition unit_pair_bound_instance :=
  @unit_pair_bound Q _ _ _ half half_ends 2 records tt true false true false
    true_false true_false
    ltac:(by case: pair_margins_all) ltac:(by case: pair_margins_all)
    ltac:(by case: pair_margins_all) ltac:(by case: pair_margins_all)
    _ _ 3%:R half_in nothing_rests nothing_rests (fun _ _ => or_introl erefl)
    isT pair_satisfies.

Definition ord (n k : nat) (kn : (k < n)%N) : 'I_n := Ordinal kn.

Lemma class_satisfies n (k : 'I_n -> 'I_n) (c : seq 'I_n) (gamma : Q) :
  injective k -> (1 < size (undup c))%N ->
  psa_budget (size c) half = Some gamma ->
  satisfies_in half_ends (class_data tt k k c) gamma.
Proof.
move=> k_inj two budget x x' cx cx'; apply: psa_privacy.
  by rewrite -(largest_stratum_universe cx) class_largest.
by apply: same_invariants_trans cx'; rewrite same_invariants_sym.
Qed.

Definition units := [:: @ord 4 0 isT; @ord 4 1 isT; @ord 4 2 isT; @ord 4 3 isT].
Definition four_units := class_data tt id id units.
Lemma units_once k : count_mem k units = 1%N.
Proof. by case: k => [[|[|[|[|]]]]]. Qed.
Lemma units_mh h : n_mh four_units tt h = 1%N.
Proof. by rewrite (class_n_mh _ _ (fun i j e => e)) units_once. Qed.
Lemma units_ms s : n_ms four_units tt s = 1%N.
Proof. by rewrite (class_n_ms _ _ (fun i j e => e)) units_once. Qed.
Lemma units_bounded_18 : bounded_18 four_units tt.
Proof.
by rewrite /bounded_18 class_n_m; apply/andP; split; apply/forallP=> k;
  rewrite ?units_mh ?units_ms.
Qed.
Definition unit_pair_bound_distinct_instance :=
  @unit_pair_bound_distinct Q _ _ _ half half_ends 4 four_units tt
    (@ord 4 0 isT) (@ord 4 1 isT) (@ord 4 0 isT) (@ord 4 1 isT) 5%:R half_in
    units_bounded_18 isT isT (units_mh _) (units_mh _) (units_ms _) (units_ms _)
    (fun s => eq_leq (units_ms s)) isT
    (@class_satisfies 4 id units 5%:R (fun i j e => e) isT ltac:(exact/eqP)).

Definition singles := [:: @ord 3 1 isT; @ord 3 2 isT; ord0; ord0].
Definition two_singles := class_data tt id id singles.
Lemma two_singles_margins : margins_n11 two_singles tt ord0 (@ord 3 1 isT)
  (@ord 3 2 isT) ord0 (@ord 3 1 isT) (@ord 3 2 isT).
Proof.
by split=> //; split; rewrite ?(class_n_mh _ _ (fun i j e => e))
  ?(class_n_ms _ _ (fun i j e => e)).
Qed.
Definition three_categories_instance :=
  @three_categories Q _ _ _ 4 two_singles tt _ _ _ _ _ _ half 5%:R half_ends
    isT half_in two_singles_margins
    (@class_satisfies 3 id singles 5%:R (fun i j e => e) isT ltac:(exact/eqP)).
