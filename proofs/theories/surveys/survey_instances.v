From mathcomp Require Import all_ssreflect fingroup perm all_algebra.
From Stirred Require Import compat law extended specification pure invariants.
From Stirred Require Import invariant_multiverse processing instances.
From Stirred Require Import inference_instances pufferfish_odds settings.
From Stirred Require Import unit_data coupling amplification.
From Stirred Require Import amplification_attained poisson shared_sample.
From Stirred Require Import horvitz_thompson laplace_discrete.
From Stirred Require Import posterior_to_posterior.

(******************************************************************************)
(* Instances of the theorems on surveys: two units, each with one bit, of     *)
(* which one is sampled, and randomised response with gamma = 2.              *)
(*                                                                            *)
(*   one_frame x f == the frame f from which every sample x can come          *)
(*   taken == the design that takes one of the two units                      *)
(*   answered z == randomised response to whether a record in z is true       *)
(*   without_true == the frame that lacks the unit true                       *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Notation Q := rat_realFieldType.
Local Notation bit := [finType of bool].

(* Settings                                                                   *)
Definition one_frame (f : unit) (x : bool) : Prop := True.
Definition bit_steps : premetric Q bool := unit_distance Q bool_eqType.
Lemma one_frame_invariant :
  invariant_at (everything bool) bit_steps one_frame.
Proof. by move=> p; exists tt. Qed.
Lemma whole_refines : refines (everything bool) (everything bool).
Proof. exact: coarsening_refl. Qed.
Lemma bit_symmetric : symmetric_dist bit_steps.
Proof. by case: (unit_distance_metric Q bool_eqType). Qed.
Lemma bit_triangular : triangular bit_steps.
Proof. by case: (unit_distance_metric Q bool_eqType). Qed.
Lemma true_false_comparable :
  comparable (everything bool) bit_steps true false.
Proof. by split=> //; [left | exists tt]. Qed.
Lemma budget_around (p : completion_index (everything bool)) :
  is_inf (budgets_above (everything bool) (completion _ bit_steps)
            (fun _ => 1e : ext Q) p) 1e.
Proof.
split=> [_ [i _ ->] | b low]; first exact: leexx.
by apply: low; exists tt.
Qed.
Definition coarsening_trans_instance :=
  @coarsening_trans _ _ _ _ _ _ _ whole_refines whole_refines.
Definition completion_complete_instance :=
  @completion_complete Q _ _ (everything bool) _ bit_symmetric bit_triangular.
Definition completion_inf_instance :=
  @completion_inf Q _ _ _ _ _ bit_steps id _ _ budget_around.
Definition earlier_invariance_instance :=
  @earlier_invariance Q unit _ _ _ _ _ (fun _ _ => True) _
    (fun f => ex_intro _ f I) one_frame_invariant.
Definition invariance_compares_instance :=
  @invariance_compares Q _ bool_eqType _ _ _ _ _ _ one_frame_invariant
    true_false_comparable.
Definition invariance_iff_compares_instance :=
  @invariance_iff_compares Q unit bool_eqType _ (everything bool) bit_steps
    one_frame (fun x => ex_intro _ tt I)
    ltac:(by case=> -[]).
Lemma answer_satisfies : satisfies (everything bool) bit_steps
  (equal_laws bit) (fun _ => oo) answer.
Proof. by move=> i x x' _ _; rewrite oo_mule leoo. Qed.
Definition design_free_instance :=
  @design_free Q unit equal_laws _ _ _ [finType of unit] _ _ _ _ _
    (fun _ => tt) equal_laws_subadditive (fun _ _ _ _ _ => erefl)
    one_frame_invariant answer_satisfies.

(* One of two units                                                           *)
Definition gamma2 : Q := 2%:R.
Lemma gamma_ge0 : 0 <= gamma2. Proof. by []. Qed.
Lemma gamma_ge1 : 1 <= gamma2. Proof. by []. Qed.
Lemma gamma_gt1 : 1 < gamma2. Proof. by []. Qed.
Definition answered (z : data bit bool) : law Q bit :=
  respond gamma_ge0 (sees z).
Lemma answered_near z z' : mult_le gamma2 (answered z) (answered z').
Proof. exact: respond_dp. Qed.
Lemma answered_bounded : bounded_dp gamma2 0 answered.
Proof. by move=> i j v f f' _; apply/approximate_pure/answered_near. Qed.
Lemma answered_unbounded : unbounded_dp gamma2 0 answered.
Proof. by move=> i v f f' _; apply/approximate_pure/answered_near. Qed.
Lemma answered_pure i j v f f' :
  replaced i j v f f' -> mult_le gamma2 (answered f) (answered f').
Proof. by move=> _; apply: answered_near. Qed.
Definition step := one_true_replaced (true : bit).
Lemma one_le : (1 <= #|recorded (all_false bit)|)%N.
Proof. by rewrite units_all_false cardsT card_bool. Qed.
Definition srswor_amplified_instance :=
  @srswor_amplified Q bit bool bit answered gamma2 0 true true true
    (all_false bit) (one_true (true : bit)) gamma_ge1 answered_bounded step 1
    one_le.
Definition srswor_pure_instance :=
  @srswor_pure Q bit bool bit answered gamma2 gamma_ge1 answered_pure true true
    true _ _ 1 step one_le.

Definition counts_answered (m : {ffun bit -> nat}) : law Q bit :=
  respond gamma_ge0 (0 < m true)%N.
Lemma counts_answered_near v w m m' : one_moved v w m m' ->
  approximate_le gamma2 0 (counts_answered m) (counts_answered m').
Proof. by move=> _; apply/approximate_pure/respond_dp. Qed.
Definition srswor_multiset_amplified_instance :=
  @srswor_multiset_amplified Q bit bit bit counts_answered gamma2 0 gamma_ge1
    counts_answered_near true true true _ _ 1 step
    one_le.
Lemma stratum_sample :
  [exists S, in_strata (fun _ : bit => tt) (fun _ => 1%N) (all_false bit) S].
Proof.
apply/existsP; exists [set true]; rewrite /in_strata units_all_false subsetT.
apply/forallP=> -[]; have -> : stratum_units (fun _ : bit => tt) tt = setT.
  by apply/setP=> i; rewrite !inE.
by rewrite setIT cards1.
Qed.
Definition stratified_amplified_instance :=
  @stratified_amplified Q bit bool bit answered gamma2 0 true true true
    (all_false bit) (one_true (true : bit)) gamma_ge1 answered_bounded step
    _ (fun _ => tt) (fun _ => 1%N) erefl stratum_sample.

Definition single_units : {set {set bit}} := [set S : {set bit} | #|S| == 1%N].
Definition taken : law Q [finType of {set bit}] := uniform_on set0 single_units.
Lemma single_units_neq0 : single_units != set0.
Proof. by apply/set0Pn; exists [set true]; rewrite inE cards1. Qed.
Lemma taken_size S : taken S != 0 -> #|S :&: setT| = 1%N.
Proof.
rewrite setIT; apply: contraNeq => S1.
by rewrite uniform_on_out ?single_units_neq0 // inE.
Qed.
Lemma taken_exchange i k S : k \in [set: bit] ->
  taken (swap_units i k S) = taken S.
Proof.
by move=> _; rewrite !uniform_onE ?single_units_neq0 // !inE card_exchange.
Qed.
Lemma taken_in S : taken S != 0 -> S \subset recorded (all_false bit).
Proof. by rewrite units_all_false subsetT. Qed.
Lemma units_in : [set: bit] \subset recorded (all_false bit).
Proof. by rewrite units_all_false. Qed.
Definition exchange_inclusion_instance :=
  @exchange_inclusion Q bit taken setT true 1 (in_setT _) taken_size
    (@taken_exchange true).
Definition exchange_amplified_instance :=
  @exchange_amplified Q bit taken setT true 1 (in_setT _) taken_size
    (@taken_exchange true) bool bit answered gamma2 0 (all_false bit)
    (one_true (true : bit)) true true gamma_ge1 answered_bounded step units_in
    taken_in.

Definition pair_mass (s t : bool) : Q := if s && ~~ t then 4%:R^-1 else 0.
Definition first_kernel (s : bool) : law Q bit := respond gamma_ge0 s.
Definition second_kernel (s : bool) : law Q bit := respond gamma_ge0 false.
Lemma fair_at_true : Pr (fair Q) [set true] = 2%:R^-1.
Proof. by rewrite Pr1 fairE. Qed.
Lemma pair_coupling : is_coupling (fair Q) [set true] pair_mass.
Proof.
rewrite /is_coupling fair_at_true; split=> [[] [] //|s|t].
  rewrite inE fairE => /eqP->.
  by rewrite (big_pred1 false) // => -[]; rewrite !inE.
rewrite inE fairE => /negbTE t_false; rewrite (big_pred1 true) => [|[]].
- by case: t t_false.
- by rewrite inE.
by rewrite inE.
Qed.
Lemma first_second s : s \notin [set true] -> first_kernel s = second_kernel s.
Proof. by rewrite inE; case: s. Qed.
Lemma responses_near b b' : approximate_le gamma2 0
  (respond gamma_ge0 b) (respond gamma_ge0 b').
Proof. exact/approximate_pure/respond_dp. Qed.
Definition coupled_amplified_instance :=
  @coupled_amplified Q bit bit (fair Q) [set true] first_kernel second_kernel
    gamma2 0 pair_mass gamma_ge1 pair_coupling first_second
    (fun _ _ => responses_near _ _)
    (fun _ _ _ _ _ => conj (responses_near _ _) (responses_near _ _)).

(* What is attained                                                           *)
Lemma taken_true : Pr taken (having true) = 2%:R^-1.
Proof. by rewrite exchange_inclusion_instance cardsT card_bool. Qed.
Lemma taken_gt0 : 0 < Pr taken (having true). Proof. by rewrite taken_true. Qed.
Lemma taken_between : 0 < Pr taken (having true) < 1.
Proof. by rewrite taken_true. Qed.
Definition amplification_attained_instance :=
  @amplification_attained Q bit gamma2 taken true gamma_ge1.
Definition labelled_not_amplified_instance :=
  @labelled_not_amplified Q bit gamma2 taken true gamma_ge1 taken_gt0.

(* One sample                                                                 *)
Definition shared_srswor_instance :=
  @shared_srswor Q bit bool bit bit answered answered gamma2 gamma2 true true
    true _ _ 1 gamma_ge1 gamma_ge1 answered_bounded answered_bounded step
    one_le.
Definition fresh_composition_instance :=
  @fresh_composition Q bit bool bit bit answered answered _ _ gamma2 gamma2 _ _
    _ _ (all_false bit) (one_true (true : bit))
    srswor_pure_instance srswor_pure_instance.
Lemma half_between : 0 < (2%:R^-1 : Q) < 1. Proof. by []. Qed.
Definition amplified_product_lt_instance :=
  @amplified_product_lt Q _ gamma2 gamma2 half_between gamma_gt1 gamma_gt1.
Definition shared_attained_instance :=
  @shared_attained Q bit gamma2 gamma2 taken true gamma_ge1 gamma_ge1.
Definition shared_composition_refuted_instance :=
  @shared_composition_refuted Q bit gamma2 gamma2 taken true taken_between
    gamma_gt1 gamma_gt1.

(* Poisson sampling                                                           *)
Definition rates (i : bit) (v : bool) : Q := 2%:R^-1.
Lemma rates01 i v : 0 <= rates i v <= 1. Proof. by []. Qed.
Definition without_true : data bit bool :=
  set_record (all_false bit) (true : bit) None.
Lemma true_added :
  added (true : bit) false without_true (all_false bit).
Proof.
split; first by rewrite inE ffunE.
by apply/ffunP=> k; rewrite !ffunE; case: eqP.
Qed.
Lemma false_record : all_false bit true = Some false.
Proof. by rewrite ffunE. Qed.
Definition poisson_inclusion_instance :=
  @poisson_inclusion Q bit bool rates rates01 _ true false false_record.
Definition poisson_added_instance :=
  @poisson_added Q bit bool rates rates01 true false _ _ true_added.
Definition poisson_amplified_instance :=
  @poisson_amplified Q bit bool rates rates01 true false _ _ true_added bit
    answered gamma2 0 gamma_ge1 answered_unbounded.
Definition poisson_unbounded_dp_instance :=
  @poisson_unbounded_dp Q bit bool rates rates01 bit answered gamma2 0 2%:R^-1
    gamma_ge1 (fun _ _ => lexx _) answered_unbounded.

(* Horvitz-Thompson                                                           *)
Lemma taken_inclusion (x : bit -> Q) i : x i != 0 -> inclusion taken i != 0.
Proof.
move=> _; rewrite /inclusion.
rewrite (exchange_inclusion _ taken_size (@taken_exchange i)) ?inE //.
by rewrite cardsT card_bool.
Qed.
Definition horvitz_thompson_unbiased_instance :=
  @horvitz_thompson_unbiased Q bit taken (fun _ => gamma2)
    (taken_inclusion (x := fun _ => gamma2)).
Lemma all_answer (S : {set bit}) :
  true \in S -> inclusion (dirac S : law Q _) true = 1.
Proof. by move=> iS; rewrite /inclusion Pr_dirac inE iS. Qed.
Lemma none_answers (S : {set bit}) :
  true \notin S -> inclusion (dirac S : law Q _) true = 0.
Proof. by move=> iS; rewrite /inclusion Pr_dirac inE (negbTE iS). Qed.
Definition two_phase_inclusion_instance :=
  @two_phase_inclusion Q bit taken dirac true 1 all_answer none_answers.

(* Laplace                                                                    *)
Definition geometric_window_instance :=
  @geometric_window Q 2%:R^-1 0 3 isT.
Definition bits_differ (x x' : bool) : option nat := Some (x != x' : nat).
Definition bit_value (x : bool) : {ffun unit_finType -> int} :=
  [ffun _ => (x : nat)%:Z].
Definition halves (x : bool) : Q := 2%:R^-1.
Lemma halves_in x : 0 < halves x < 1. Proof. by []. Qed.
Lemma halves_adjusted (i : unit) x x' g n : everything bool i x ->
  everything bool i x' -> Some gamma2 = Some g -> bits_differ x x' = Some n ->
  halves x ^- l1 (bit_value x) (bit_value x') <= g ^+ n.
Proof.
move=> _ _ [<-] [<-]; rewrite /l1 (big_pred1 tt) => [|[]//].
by rewrite !ffunE; case: x x' => [] []; vm_compute.
Qed.
Definition laplace_discrete_instance :=
  @laplace_discrete Q unit_finType bool unit (everything bool) bits_differ
    (fun _ => Some gamma2) halves bit_value halves_in
    (fun _ _ _ _ _ => erefl) halves_adjusted.
Definition bit_end (x : bool) : 'I_2 := if x then ord_max else ord0.
Lemma ends_adjusted (i : unit) x x' g n : everything bool i x ->
  everything bool i x' -> Some gamma2 = Some g -> bits_differ x x' = Some n ->
  halves x ^- `|bit_end x - bit_end x'|%N <= g ^+ n.
Proof. by move=> _ _ [<-] [<-]; case: x x' => [] []; vm_compute. Qed.
Definition clamped_geometric_dp_instance :=
  @clamped_geometric_dp Q bool unit (everything bool) bits_differ
    (fun _ => Some gamma2) 0 halves bit_end halves_in
    (fun _ _ _ _ _ => erefl) ends_adjusted.
Definition scales_differ_refuted_instance :=
  @scales_differ_refuted [archiFieldType of rat] (3%:R^-1) (2%:R^-1) 0 0 isT
    isT isT.

(* Posteriors                                                                 *)
Definition prior : law Q [finType of bit * bit] :=
  uniform_on (true, true) setT.
Definition first_answer (d : bit * bit) : law Q bit := respond gamma_ge0 d.1.
Lemma prior_neq0 d : prior d != 0.
Proof. by rewrite uniform_on_in ?inE // cardsT card_prod card_bool. Qed.
Lemma first_answer_neq0 d : first_answer d true != 0.
Proof. by case: d => -[] w; rewrite respondE. Qed.
Lemma seen_first_neq0 (L : bit * bit -> law Q bit) :
  (forall d, L d true != 0) ->
  event_posterior L prior true (record_is bit (true : bit)) != 0.
Proof.
move=> L_n0; rewrite mulf_neq0 ?invr_eq0 ?seen_neq0 //.
rewrite psumr_eq0 => [|d _]; last by rewrite mulr_ge0 ?law_ge0.
apply/allPn; exists (true, true); first exact: mem_index_enum.
by rewrite inE eqxx /= mulf_neq0 ?prior_neq0.
Qed.
Lemma counterfactual_neq0 d : counterfactual prior first_answer d true != 0.
Proof. exact: seen_neq0 first_answer_neq0. Qed.
Lemma first_answer_near r r' w :
  mult_le gamma2 (first_answer (r, w)) (first_answer (r', w)).
Proof. exact: respond_dp. Qed.
Definition posterior_ratio_instance :=
  @posterior_ratio Q bit bit bit prior first_answer setT true
    (seen_neq0 prior first_answer_neq0).
Definition posterior_to_posterior_instance :=
  @posterior_to_posterior Q bit bit bit prior first_answer gamma2 gamma_ge1
    first_answer_near _ true (seen_first_neq0 counterfactual_neq0).
Definition posterior_to_posterior_record_instance :=
  @posterior_to_posterior_record Q bit bit bit prior first_answer gamma2
    gamma_ge1 first_answer_near true true (seen_first_neq0 counterfactual_neq0).
