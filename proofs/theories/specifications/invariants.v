From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import law extended specification.

(******************************************************************************)
(* What can be released without loss: invariants, and functions of the        *)
(* component of comparable data sets.                                         *)
(*                                                                            *)
(*   invariant_universe c x == the universe {x' : c x' = c x} of (2); the     *)
(*            invariant-induced multiverse is this family                     *)
(*   tv P Q == the total variation distance of two laws                       *)
(*   far D == D P Q = oo whenever tv P Q = 1                                  *)
(*   far_points D point == D is oo between point masses at distinct points    *)
(*   comparable U d x x' == x and x' differ, share a universe, and are at a   *)
(*            finite distance in one direction (Definition A.1.1)             *)
(*   connected U d x x' == x' lies in the component [x]                       *)
(*   budgets_of U d eps x == the set of the budgets of the universes that     *)
(*            meet [x] (the function b of Corollary A.2.2)                    *)
(*   budgets_at U eps x == that of the universes that contain x (b' there)    *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   invariants_free, invariants_free_within == article Proposition 1, first  *)
(*            half (dissertation Proposition 2.4.11)                          *)
(*   invariants_cost == article Proposition 1, second half; and               *)
(*   invariants_cost_points == over any type of laws                          *)
(*   varying_costs == article Proposition 2 (dissertation 2.4.12)             *)
(*   finite_budget_iff_component == dissertation Proposition A.2.1; and       *)
(*   finite_budget_iff_component_points == over any type of laws              *)
(*   budgets_of_free == dissertation Corollary A.2.2                          *)
(*   budgets_at_iff == after it: b' has a finite budget exactly if b' is b    *)
(*   budgets_at_free == after it: disjoint universes tell their budget free   *)
(*   budgets_disjoint == condition I there: universes that are disjoint       *)
(*   budgets_pairs_refuted == condition II there does not do: universes with  *)
(*            no two comparable data sets in common                           *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition invariant_universe (X Y : Type) (c : X -> Y) (x : X) : X -> Prop :=
  fun x' => c x' = c x.

Section TotalVariation.

Variables (R : realFieldType) (Y : finType).

Definition tv (P Q : law R Y) : R := (\sum_y `|P y - Q y|) / 2%:R.

Definition far (D : premetric R (law R Y)) : Prop :=
  forall P Q, tv P Q = 1 -> D P Q = oo.

Lemma tv_dirac (y z : Y) : y != z -> tv (dirac y) (dirac z) = 1.
Proof.
move=> y_z; have z_y : z != y by rewrite eq_sym.
rewrite /tv (bigD1 y) //= (bigD1 z) //= big1 => [|t].
  rewrite !diracE !eqxx (negbTE y_z) (negbTE z_y) subr0 sub0r.
  by rewrite normrN normr1 addr0 -[1 + 1]/(2%:R) divff // pnatr_eq0.
by case/andP=> /negbTE t_y /negbTE t_z; rewrite !diracE t_y t_z subrr normr0.
Qed.

End TotalVariation.

Definition far_points (R : realFieldType) (L : Type) (Y : eqType)
    (D : premetric R L) (point : Y -> L) : Prop :=
  forall y z, y != z -> D (point y) (point z) = oo.

Lemma far_far_points (R : realFieldType) (Y : finType)
    (D : premetric R (law R Y)) : far D -> far_points D dirac.
Proof. by move=> farD y z y_z; apply: farD; apply: tv_dirac. Qed.

Section Invariants.

Variables (R : realFieldType) (X L : Type).
Variables (d : premetric R X) (D : premetric R L).

Theorem invariants_free (Y : Type) (c : X -> Y) (point : Y -> L) :
  satisfies (invariant_universe c) d D (fun _ => 0e) (fun x => point (c x)).
Proof. by move=> i x x' -> ->; rewrite dist_refl le0e. Qed.

(* The same for any multiverse whose universes do not vary in c.              *)
Theorem invariants_free_within (I Y : Type) (U : I -> X -> Prop) (c : X -> Y)
    (point : Y -> L) :
  (forall i x x', U i x -> U i x' -> c x = c x') ->
  satisfies U d D (fun _ => 0e) (fun x => point (c x)).
Proof.
by move=> constant i x x' xU x'U; rewrite (constant i x x') // dist_refl le0e.
Qed.

Theorem varying_costs (I : Type) (U : I -> X -> Prop) (eps : I -> ext R)
    (T : X -> L) (i : I) (x x' : X) :
  is_metric D -> U i x -> U i x' -> d x x' != oo -> T x <> T x' ->
  satisfies U d D eps T -> eps i != 0e.
Proof.
case=> _ sepD _ xU x'U d_fin varies sat; apply/eqP=> eps0; case: varies.
have := sat i x x' xU x'U; rewrite eps0 mul0e // => /lee0; exact: sepD.
Qed.

End Invariants.

Section InvariantsCost.

Variables (R : realFieldType) (X I : Type) (d : premetric R X).

(* Over any type of laws: point masses at distinct points are at distance oo. *)
Theorem invariants_cost_points (L : Type) (Y : eqType) (D : premetric R L)
    (point : Y -> L) (c : X -> Y) (U : I -> X -> Prop) (eps : I -> ext R)
    (i : I) (x x' : X) :
  far_points D point -> U i x -> U i x' -> d x x' != oo -> c x <> c x' ->
  eps i != oo -> ~ satisfies U d D eps (fun x => point (c x)).
Proof.
move=> farD xU x'U d_fin /eqP c_x eps_fin sat.
have := sat i x x' xU x'U; rewrite farD // => /oole/eqP.
by rewrite (negbTE (mule_neqoo eps_fin d_fin)).
Qed.

Variables (Y : finType) (D : premetric R (law R Y)) (c : X -> Y).

Theorem invariants_cost (U : I -> X -> Prop) (eps : I -> ext R)
    (i : I) (x x' : X) :
  far D -> U i x -> U i x' -> d x x' != oo -> c x <> c x' ->
  eps i != oo -> ~ satisfies U d D eps (fun x => dirac (c x)).
Proof.
by move=> /far_far_points; apply: invariants_cost_points.
Qed.

End InvariantsCost.

(* Components                                                                 *)
Section Components.

Variables (R : realFieldType) (X I : Type).
Variables (U : I -> X -> Prop) (d : premetric R X).

Definition comparable (x x' : X) : Prop :=
  [/\ x <> x', d x x' <> oo \/ d x' x <> oo & exists2 i, U i x & U i x'].

Inductive connected (x : X) : X -> Prop :=
  | connected_refl : connected x x
  | connected_step y z : connected x y -> comparable y z -> connected x z.

Lemma comparable_sym x x' : comparable x x' -> comparable x' x.
Proof.
case=> x_x' d_fin [i xU x'U]; split; last by exists i.
  by move=> /esym.
by case: d_fin; [right | left].
Qed.

Lemma connected_trans y x z : connected x y -> connected y z -> connected x z.
Proof.
by move=> xy; elim=> [//|v w _ xv vw]; apply: connected_step xv vw.
Qed.

Lemma connected_sym x x' : connected x x' -> connected x' x.
Proof.
elim=> [|y z _ yx /comparable_sym zy]; first exact: connected_refl.
exact: connected_trans (connected_step (connected_refl _) zy) yx.
Qed.

(* Two data sets of one universe at a finite distance are connected, as far   *)
(* as anything decidable goes.                                                *)
Lemma universe_connected i x x' :
  U i x -> U i x' -> d x x' != oo -> ~ ~ connected x x'.
Proof.
move=> xU x'U /eqP d_fin not_conn; apply: (not_conn).
apply: connected_step (connected_refl x) _.
split; [move=> eq_x | by left | by exists i].
by apply: not_conn; rewrite -eq_x; apply: connected_refl.
Qed.

Definition component_function (Y : Type) (f : X -> Y) : Prop :=
  forall x x', connected x x' -> f x = f x'.

Lemma component_function_free (L Y : Type) (D : premetric R L) (point : Y -> L)
    (f : X -> Y) :
  component_function f ->
  satisfies U d D (fun _ => 0e) (fun x => point (f x)).
Proof.
move=> f_comp i x x' xU x'U; have [-> | d_fin] := eqVneq (d x x') oo.
  by rewrite mule_oo leoo.
apply: lee_stable => not_le; apply: (universe_connected xU x'U d_fin) => conn.
by apply: not_le; rewrite (f_comp _ _ conn) dist_refl le0e.
Qed.

Theorem finite_budget_iff_component_points (L : Type) (Y : eqType)
    (D : premetric R L) (point : Y -> L) (f : X -> Y) :
  far_points D point ->
  ((exists2 eps : I -> ext R, forall i, eps i <> oo &
      satisfies U d D eps (fun x => point (f x)))
   <-> component_function f) /\
  (component_function f ->
     satisfies U d D (fun _ => 0e) (fun x => point (f x))).
Proof.
move=> farD; split; last exact: component_function_free.
split=> [[eps eps_fin sat] x x' | f_comp]; last first.
  by exists (fun _ => 0e) => //; apply: component_function_free.
elim=> // y z _ -> [_ d_fin [i yU zU]]; apply/eqP/negPn/negP=> f_yz.
have contra (v w : X) : U i v -> U i w -> f v != f w -> d v w <> oo -> False.
  move=> vU wU f_vw /eqP d_vw; have := sat i v w vU wU.
  rewrite farD // => /oole/eqP.
  by rewrite (negbTE (mule_neqoo (introN eqP (eps_fin i)) d_vw)).
case: d_fin; first exact: contra.
by apply: contra => //; rewrite eq_sym.
Qed.

Theorem finite_budget_iff_component (Y : finType) (D : premetric R (law R Y))
    (f : X -> Y) :
  far D ->
  ((exists2 eps : I -> ext R, forall i, eps i <> oo &
      satisfies U d D eps (fun x => dirac (f x)))
   <-> component_function f) /\
  (component_function f ->
     satisfies U d D (fun _ => 0e) (fun x => dirac (f x))).
Proof.
by move=> /far_far_points; apply: finite_budget_iff_component_points.
Qed.

(* Sets of budgets: told is a function of the data set that is equal where    *)
(* the sets are; in the last theorem, equal only there.                       *)
Variable eps : I -> ext R.

Definition budgets_of (x : X) : ext R -> Prop :=
  fun a => exists2 i, a = eps i & exists2 x', connected x x' & U i x'.

Definition budgets_at (x : X) : ext R -> Prop :=
  fun a => exists2 i, a = eps i & U i x.

Theorem budgets_of_free (L Y : Type) (D : premetric R L) (point : Y -> L)
    (told : X -> Y) :
  (forall x x', (forall a, budgets_of x a <-> budgets_of x' a) ->
     told x = told x') ->
  satisfies U d D (fun _ => 0e) (fun x => point (told x)).
Proof.
move=> toldP; apply: component_function_free => x x' conn; apply: toldP => a.
split=> [] [i -> [y xy yU]]; exists i => //; exists y => //.
  exact: connected_trans (connected_sym conn) xy.
exact: connected_trans conn xy.
Qed.

Theorem budgets_at_free (L Y : Type) (D : premetric R L) (point : Y -> L)
    (told : X -> Y) :
  (forall x x', (forall a, budgets_at x a <-> budgets_at x' a) ->
     told x = told x') ->
  (forall i j x, U i x -> U j x -> i = j) ->
  satisfies U d D (fun _ => 0e) (fun x => point (told x)).
Proof.
move=> toldP disjoint; apply: invariants_free_within => i x x' xU x'U.
apply: toldP => a; split=> [] [j -> jU]; exists j => //.
  by rewrite (disjoint j i x).
by rewrite (disjoint j i x').
Qed.

Theorem budgets_at_iff (L : Type) (Y : eqType) (D : premetric R L)
    (point : Y -> L) (told : X -> Y) :
  far_points D point ->
  (forall x x', told x = told x' <->
     (forall a, budgets_at x a <-> budgets_at x' a)) ->
  (exists2 eps' : I -> ext R, forall i, eps' i <> oo &
     satisfies U d D eps' (fun x => point (told x))) <->
  (forall x a, budgets_of x a <-> budgets_at x a).
Proof.
move=> farD toldP; have [finite_iff _] := finite_budget_iff_component_points
  told farD.
apply: iff_trans finite_iff _; split=> [at_comp x a | of_at x x' xx'].
  split=> [[i -> [y xy yU]] | [i -> xU]].
    have /toldP/(_ (eps i)) := at_comp _ _ xy.
    by case=> _; apply; exists i.
  by exists i => //; exists x => //; apply: connected_refl.
apply/toldP=> a; apply: iff_trans (iff_sym (of_at x a)) _.
apply: iff_trans (of_at x' a); split=> [] [i -> [y xy yU]]; exists i => //.
  by exists y => //; apply: connected_trans (connected_sym xx') xy.
by exists y => //; apply: connected_trans xx' xy.
Qed.

Lemma connected_universe i x x' :
  (forall i j x, U i x -> U j x -> i = j) ->
  connected x x' -> U i x -> U i x'.
Proof.
move=> disjoint; elim=> // y z _ IHy [_ _ [j yU zU]] /IHy yUi.
by rewrite (disjoint i j y).
Qed.

Theorem budgets_disjoint (x : X) :
  (forall i j x, U i x -> U j x -> i = j) ->
  (forall a, budgets_of x a <-> budgets_at x a) /\
  (forall a b, budgets_of x a -> budgets_of x b -> a = b).
Proof.
move=> disjoint; have at_of a : budgets_of x a <-> budgets_at x a.
  split=> [[i -> [x' xx' x'U]] | [i -> xU]]; exists i => //.
    exact: connected_universe (connected_sym xx') x'U.
  by exists x => //; apply: connected_refl.
split=> // a b /at_of[i -> xU] /at_of[j -> xU'].
by rewrite (disjoint i j x).
Qed.

End Components.

Arguments budgets_at {R X I} U eps x a.

Section Chain.

Variable R : realFieldType.

(* Two universes, {0, 1} and {1, 2}, with the budgets 0 and 1.                *)
Definition chain_universe (i : bool) (x : 'I_3) : Prop :=
  nat_of_ord x <> (if i then 2 else 0)%N.

Definition chain_distance : premetric R 'I_3 :=
  of_matrix (fun _ _ => 1e).

Definition chain_budget (i : bool) : ext R := if i then 0e else 1e.

Theorem budgets_pairs_refuted :
  ~ (forall (X I : Type) (U : I -> X -> Prop) (d : premetric R X)
            (eps : I -> ext R),
       (forall x x', x <> x' -> d x x' <> oo \/ d x' x <> oo ->
          forall i j, U i x -> U i x' -> U j x -> U j x' -> i = j) ->
       forall x a b, budgets_of U d eps x a -> budgets_of U d eps x b -> a = b).
Proof.
move=> /(_ _ _ chain_universe chain_distance chain_budget) one_budget.
pose mid : 'I_3 := inord 1.
have midE : nat_of_ord mid = 1%N by rewrite inordK.
have mid_at i : budgets_of chain_universe chain_distance chain_budget mid
    (chain_budget i).
  exists i => //; exists mid; first exact: connected_refl.
  by rewrite /chain_universe midE; case: i.
suffices: 0e = 1e :> ext R by case=> /eqP; rewrite eqr_nat.
apply: one_budget (mid_at true) (mid_at false).
move=> x x' x_x' _ i j xUi x'Ui xUj x'Uj; case: (eqVneq i j) => // i_j.
case: x_x'; apply: val_inj.
have mid_of (y : 'I_3) : chain_universe i y -> chain_universe j y ->
    val y = 1%N.
  rewrite /chain_universe; case: i j i_j {xUi x'Ui xUj x'Uj} => [] [] // _;
    by case: y => [[|[|[|//]]] ?] /=.
by rewrite !mid_of.
Qed.

End Chain.
