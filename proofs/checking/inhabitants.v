From Coq Require Import ZArith Reals Lra.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Checking Require Import restates.
From Stirred Require Import statements_need.

(******************************************************************************)
(* Values that fill the binders of our theorems: Booleans for sets, the       *)
(* rational numbers for fields, point masses for laws, tables of one value.   *)
(*                                                                            *)
(*   no_distance == the premetric in which all points lie together            *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory.

Definition no_distance (R : realFieldType) (S : Type) : premetric R S :=
  @Premetric R S (fun _ _ => natx 0) (fun _ => erefl).

Ltac fill ::= first
  [ exact bool | exact [finType of bool] | exact bool_choiceType
  | exact bool_eqType | exact rat_realFieldType | exact rat_numFieldType
  | exact rat_realDomainType | exact rat_numDomainType | exact rat_fieldType
  | exact [archiFieldType of rat] | exact true | exact tt | exact I | exact 2
  | exact (1, 1) | exact 0%R | exact (0%:Q)%R | exact (IZR 2) | exact 2%Z
  | exact N0 | exact nil | exact None
  | exact set0 | exact 1%g | exact ord0 | exact epsilon_choice
  | exact (dirac true) | exact (dirac (true, true)) | exact (dirac set0)
  | exact (dirac (set0, true)) | exact (@no_distance _ _)
  | (intro; exact (@no_distance _ _)) | exact records
  | exact [ffun=> 0] | exact [ffun=> true] | exact [ffun=> (true, true, true)]
  | exact [ffun=> (tt, true, true)] | exact [ffun=> Some true]
  | exact [ffun=> (tt, ord0, ord0)]
  | exact (existT _ ord0 [ffun=> (tt, true, true)])
  | exact (exist _ (tt, true) I) | exact (NNeg (lexx 0%R))
  | apply: same_invariants_refl
  | reflexivity | lra | (split; fill) | (exists true; fill) | done
  | (intro; fill) ].

(* The field of the real algebraic numbers, in mathcomp-real-closed.          *)
Ltac inhabited_elsewhere A ::= lazymatch A with rcfType => idtac end.

(* Notions of both sides of an equivalence, each with a theorem or a lemma    *)
(* that something has it.                                                     *)
Ltac shown_elsewhere A ::=
  lazymatch head A with
  | @satisfies => idtac | @pure_dp => idtac | @epsilon_dp => idtac
  | @zcdp => idtac | @pufferfish => idtac | @mult_le => idtac
  | @approximate_le => idtac | @below => idtac | @satisfies_in => idtac
  | @immune => idtac | @refines => idtac | @component_function => idtac
  | @equivalent => idtac | @in_interval => idtac | @is_nor => idtac
  | @nor_le => idtac
  end.

(* Conclusions about all rates, budgets, data sets or events. Universes of    *)
(* the sizes that has_sizes_budget asks for exist by sizes_are_met.           *)
Ltac says_itself T ::=
  lazymatch head T with
  | @has_budget => idtac | @has_sizes_budget => idtac
  | @approximate_exp_le => idtac | @exponential => idtac
  | @unbounded_dp => idtac | @audited => idtac
  end.

(* Theorems with premises in their conclusion that no value of the list meets *)
(* or of which an exists hides the domain: a reader meets them.               *)
Ltac reads_inside t ::=
  lazymatch t with
  | @amplification_attained => idtac | @approximate_smaller => idtac
  | @balances_large => idtac | @budgets_at_iff => idtac
  | @budgets_disjoint => idtac | @circuits_decide => idtac
  | @clamped_geometric => idtac | @density_bounded => idtac
  | @disjoint_swap_iff => idtac | @finite_budget_iff_component => idtac
  | @finite_budget_iff_component_points => idtac | @finite_change_iff => idtac
  | @finite_together => idtac | @group_privacy => idtac
  | @household_distances => idtac | @inequality_invariant => idtac
  | @invariance_iff_compares => idtac | @labelled_not_amplified => idtac
  | @loss_smallest => idtac | @lower_bound_distinct => idtac
  | @lower_bound_every_size => idtac | @lower_bounds_universe => idtac
  | @many_categories => idtac | @mult_metric => idtac
  | @multiplicative_le => idtac | @multiplicative_log => idtac
  | @neighbor_sharpening_iff => idtac | @plausible => idtac
  | @posterior_printed_approached => idtac
  | @printed_budget_not_smallest => idtac
  | @privatised_bounds_approached => idtac | @psa_budget_sharp_iff => idtac
  | @psa_fewer => idtac | @psa_sharp => idtac
  | @pure_distance_le => idtac | @reach_hamming => idtac
  | @reselect_loop => idtac | @settings_are_patterns => idtac
  | @shared_attained => idtac | @sharpened_attained => idtac
  | @sharpening_iff_triangular => idtac | @sharpening_triangle_refuted => idtac
  | @smaller_matrix_iff_stronger => idtac | @total_variation_le => idtac
  | @two_encodings_differ => idtac | @unbiased_iff => idtac
  | @unbiased_weights => idtac
  end.
