From Stirred Require Export compat normalized_renyi nor_processing nor_metric
  nor_conversion gaussian_sum discrete_gaussian gaussian_instances two_step_zcdp
  two_step_zcdp_instances law extended specification pure invariants processing
  derangement swapping hamming psa_law swap_path psa_privacy psa_sharp
  disjoint_swaps optimality optimality_universes psa_remarks multiverse
  invariant_multiverse sharpening symmetric_closure exchange two_category_budget
  two_rows two_categories single_record table_circuits three_categories
  neighbors optimality_refuted moved_counts exchange_pairs instances two_step
  two_step_instances unit_data measure_intervals privatised_data
  prior_predictive power power_attained plausible_reach posterior
  posterior_unique posterior_connected posterior_attained privatised_attained
  inference_instances conjectures pufferfish_odds settings coupling
  amplification amplification_attained poisson shared_sample horvitz_thompson
  laplace_discrete posterior_to_posterior survey_instances laplace_refuted
  exponential pufferfish_records pufferfish_instances balanced certificate_check
  budget_numbers checked_budget balanced_budget balanced_check checked_sizes
  balanced_limit balanced_attained limit_attained lower_halves
  balanced_instances lower_instances psa_exponential stability joined changes
  sensitivity phsafe_instances release release_instances model_power
  power_instances real_field choice_tree exponential_bound event_distance
  audited_claim audit_instances weighted_release output_distances
  output_distances_instances nearest_derangements unordered_distance
  household_records bounded_chains donor_records unit_mechanisms unit_instances.

(******************************************************************************)
(* The theories that Statements.v names theorems and definitions of           *)
(******************************************************************************)
