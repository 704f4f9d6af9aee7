From Coq Require Import ZArith Reals Lra.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Checking Require Import restates.
From Stirred Require Import compat law extended specification swapping
  processing.
From Stirred Require Import psa_privacy exponential nor_conversion unit_data.
From Stirred Require Import checked_budget instances.
From Stirred Require Import real_field audit_instances audited_claim.

(******************************************************************************)
(* Values that fill the binders of our theorems: Booleans for sets, the       *)
(* rational numbers for fields, point masses for laws, tables of one value.   *)
(*                                                                            *)
(*   no_distance == the premetric in which all points lie together            *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
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

(* Conclusions about all rates, budgets, data sets or events. Universes of    *)
(* the sizes that has_sizes_budget asks for exist by sizes_are_met.           *)
Ltac says_itself T ::=
  lazymatch head T with
  | @has_budget => idtac | @has_sizes_budget => idtac
  | @approximate_exp_le => idtac | @exponential => idtac
  | @unbounded_dp => idtac | @audited => idtac
  end.
