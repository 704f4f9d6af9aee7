From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended specification pure invariants.
From Stirred Require Import processing.

(******************************************************************************)
(* Article Theorem 2 for every output premetric on laws on finite sets.       *)
(*                                                                            *)
(* A release has two steps. The first draws the noisy measurements T_p and    *)
(* T_hh independently. The second, estimation, is a randomised map of them    *)
(* and of the invariants c alone; its output may repeat them.                 *)
(*                                                                            *)
(*   drawn T_p T_hh c x == the law of ((T_p(x), T_hh(x)), c(x))               *)
(*   keeps t c M == every possible output w of M(x) has t(w) = c(x)           *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   measured_satisfies == Appendix H: composition, with Proposition 1 for c  *)
(*   two_step_satisfies == the first half: eps_p + eps_hh in every flavor     *)
(*            whose universes agree on c                                      *)
(*   two_runs_satisfies == with what a run before released, which the second  *)
(*            step may use too: its budget is added                           *)
(*   kept_infinite == the second half: what keeps a total has budget oo on    *)
(*            every universe where data sets at finite distance differ in it  *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section TwoStep.

Variables (R : realFieldType) (D : output_premetric R).
Variables (X I : Type) (U : I -> X -> Prop) (d : premetric R X).

Definition drawn (Y Z C : finType) (T_p : X -> law R Y) (T_hh : X -> law R Z)
    (c : X -> C) (x : X) : law R [finType of Y * Z * C] :=
  prod_law (prod_law (T_p x) (T_hh x)) (dirac (c x)).

Definition keeps (W C : finType) (t : W -> C) (c : X -> C) (M : X -> law R W)
  : Prop := forall x w, M x w != 0 -> t w = c x.

Lemma satisfies_eq (Y : finType) (eps eps' : I -> ext R) (T : X -> law R Y) :
  (forall i, eps i = eps' i) ->
  satisfies U d (D Y) eps T -> satisfies U d (D Y) eps' T.
Proof. by move=> eqE sat i x x' xU x'U; rewrite -eqE; apply: sat. Qed.

Section Release.

Variables (Y Z C : finType) (T_p : X -> law R Y) (T_hh : X -> law R Z).
Variables (c : X -> C) (eps_p eps_hh : I -> ext R).
Hypothesis c_constant : forall i x x', U i x -> U i x' -> c x = c x'.
Hypothesis sat_p : satisfies U d (D Y) eps_p T_p.
Hypothesis sat_hh : satisfies U d (D Z) eps_hh T_hh.
Hypothesis subD : subadditive D.

Theorem measured_satisfies :
  satisfies U d (D _) (fun i => eps_p i +e eps_hh i) (drawn T_p T_hh c).
Proof.
have closed := (composition_iff_subadditive D).2 subD X I U d.
have free := invariants_free_within d (D C) dirac c_constant.
apply: satisfies_eq (closed _ _ _ _ _ _ (closed _ _ _ _ _ _ sat_p sat_hh) free).
by move=> i; rewrite adde0.
Qed.

Hypothesis procD : noise_processing D.

Theorem two_step_satisfies (W : finType) (K : Y * Z * C -> law R W) :
  satisfies U d (D W) (fun i => eps_p i +e eps_hh i)
    (fun x => bind (drawn T_p T_hh c x) K).
Proof.
apply: immune_kernel measured_satisfies.
exact: (randomised_iff_noise_processing D).2 procD X I U d.
Qed.

Theorem two_runs_satisfies (V W : finType) (M : X -> law R V)
    (eps : I -> ext R) (K : V * (Y * Z * C) -> law R W) :
  satisfies U d (D V) eps M ->
  satisfies U d (D W) (fun i => eps i +e (eps_p i +e eps_hh i))
    (fun x => bind (prod_law (M x) (drawn T_p T_hh c x)) K).
Proof.
move=> sat_M; apply: immune_kernel.
  exact: (randomised_iff_noise_processing D).2 procD X I U d.
have closed := (composition_iff_subadditive D).2 subD X I U d.
exact: closed sat_M measured_satisfies.
Qed.

End Release.

Theorem kept_infinite (W C : finType) (t : W -> C) (c : X -> C)
    (M : X -> law R W) (eps : I -> ext R) i x x' :
  data_processing D -> far (D C) -> keeps t c M ->
  U i x -> U i x' -> d x x' != oo -> c x <> c x' ->
  eps i != oo -> ~ satisfies U d (D W) eps M.
Proof.
move=> procD farD keepsM xU x'U d_fin c_x eps_fin sat.
apply: (invariants_cost farD xU x'U d_fin c_x eps_fin) => j y y' yU y'U.
have imageE z : map_law t (M z) = dirac (c z).
  apply: eq_law => k; rewrite bindE diracE.
  transitivity (\sum_w M z w * (k == c z)%:R).
    apply: eq_bigr => w _; rewrite diracE.
    by have [-> | /keepsM ->] := eqVneq (M z w) 0; rewrite ?mul0r.
  by rewrite -mulr_suml law_sum1 mul1r.
rewrite -!imageE.
have immune := (postprocessing_iff_data_processing D).2 procD X I U d.
exact: (immune _ _ t _ _ sat).
Qed.

End TwoStep.
