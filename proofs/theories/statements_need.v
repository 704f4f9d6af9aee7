From Stirred Require Export compat unordered_sum normalized_renyi nor_processing
  nor_metric nor_conversion gaussian_sum discrete_gaussian gaussian_instances
  two_step_zcdp two_step_zcdp_instances law extended specification pure
  invariants processing derangement swapping hamming psa_law psa_privacy
  psa_sharp disjoint_swaps optimality optimality_universes psa_remarks
  multiverse invariant_multiverse sharpening neighbors exchange
  two_category_budget insertion two_rows two_categories single_record
  table_circuits three_categories optimality_refuted moved_counts exchange_pairs
  instances two_step topdown_instances unit_data measure_intervals
  privatised_data prior_predictive power power_attained posterior
  posterior_attained inference_instances conjectures pufferfish_odds settings
  coupling amplification amplification_attained poisson shared_sample
  horvitz_thompson laplace_discrete posterior_to_posterior survey_instances
  exponential pufferfish_records pufferfish_instances taking_out descent
  concentration concentrated chains transfer home balanced foreign
  certificate_check budget_numbers checked_budget balanced_budget balanced_check
  balanced_limit balanced_attained balanced_instances psa_exponential stability
  joined changes sensitivity phsafe_instances release real_field choice_tree
  exponential_bound event_distance audited_claim audit_instances
  weighted_release output_distances output_distances_instances
  nearest_derangements unordered_distance household_records unit_mechanisms
  plausible_reach lower_halves lower_instances finite_change finite_laws
  fewer_totals closure_decides fibre_noise random_rounding mean_table
  mean_instances integer_noise noisy_programs aligned_loops pure_distance
  alignment_instances.

(******************************************************************************)
(* The theories that Statements.v names theorems and definitions of           *)
(******************************************************************************)
