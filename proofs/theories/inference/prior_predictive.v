From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended specification pure
  privatised_data.

(******************************************************************************)
(* What pure differential privacy says of the prior predictive probability    *)
(* P(T in B) of a Bayesian with a prior pi over the models M theta: it is the *)
(* privatised data probability of the mixture of the models by the prior.     *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   prior_predictive_support == supp(x | t) is that of the mixture           *)
(*   prior_predictive_interval == the sharper form of both bounds of          *)
(*            dissertation Theorem 5.6.2                                      *)
(*   prior_predictive_upper == its printed upper bound                        *)
(*   prior_predictive_lower == its printed lower bound, for connected models  *)
(*   prior_predictive_lower_refuted == and false where they are not connected *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PriorPredictive.

Variables (R : realFieldType) (X Y Theta : finType) (I : Type).
Variables (U : I -> X -> Prop) (d : X -> X -> option nat).
Variables (gamma : I -> option R) (T : X -> law R Y) (i : I) (g : R).
Variables (pi : law R Theta) (M : Theta -> law R X).
Implicit Types (S : {set X}) (B : {set Y}).

Lemma supp_bind x :
  (x \in supp (bind pi M)) =
  [exists theta, (theta \in supp pi) && (x \in supp (M theta))].
Proof.
rewrite inE bindE psumr_eq0 => [|theta _]; last by rewrite mulr_ge0 ?law_ge0.
apply/allPn/existsP=> [[theta _] | [theta]].
  by rewrite mulf_eq0 negb_or => Mx; exists theta; rewrite !inE.
rewrite !inE => /andP[pi_n0 Mx]; exists theta; first exact: mem_index_enum.
by rewrite mulf_neq0.
Qed.

(* Before dissertation Theorem 5.6.2: supp(x | t), the data sets that a       *)
(* parameter of positive prior mass can give and that can give the output t,  *)
(* are those of the mixture.                                                  *)
Theorem prior_predictive_support t :
  supp_given (bind pi M) T t =
  \bigcup_(theta in supp pi) supp_given (M theta) T t.
Proof.
apply/setP=> x; rewrite inE supp_bind.
apply/andP/bigcupP => [[/existsP[theta /andP[pi_n0 Mx]] Tx] | [theta pi_n0]].
  by exists theta; rewrite // inE Mx.
rewrite inE => /andP[Mx ->]; split=> //.
by apply/existsP; exists theta; rewrite pi_n0.
Qed.

(* Dissertation Theorem 5.6.2, sharper: the prior predictive probability lies *)
(* between P(S) gamma^-e(x* ) p_x*(t) and P(S) gamma^e(x* ) p_x*(t), summed   *)
(* over the outputs of the event; P(S) is the prior predictive probability of *)
(* the data sets S. The lower bound holds on every event.                     *)
Theorem prior_predictive_interval S (e : X -> nat) (xs : Y -> X) B :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  (forall x, x \in S -> within (U i) d (e x) S [set x]) ->
  (forall t, xs t \in S) ->
  let predictive := bind pi (fun theta => bind (M theta) T) in
  let T0 := covered (bind pi M) T S in
  Pr (bind pi M) S * (\sum_(t in B) (g ^+ e (xs t))^-1 * T (xs t) t)
    <= Pr predictive B
  /\
  Pr predictive (B :&: T0) <=
    Pr (bind pi M) S * \sum_(t in B :&: T0) g ^+ e (xs t) * T (xs t) t.
Proof. by rewrite -bindA; apply: privatised_interval. Qed.

(* Dissertation Theorem 5.6.2, the printed upper bound.                       *)
Theorem prior_predictive_upper S (e : X -> nat) (xs : Y -> X) B :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  (forall x, x \in S -> within (U i) d (e x) S [set x]) ->
  (forall t, xs t \in S) ->
  let T0 := covered (bind pi M) T S in
  Pr (bind pi (fun theta => bind (M theta) T)) (B :&: T0) <=
    \sum_(t in B :&: T0) g ^+ e (xs t) * T (xs t) t.
Proof. by rewrite -bindA; apply: privatised_upper. Qed.

(* Dissertation Theorem 5.6.2, repaired: the printed lower bound holds where  *)
(* the data sets of all models are connected and t0 has a positive            *)
(* probability.                                                               *)
Theorem prior_predictive_lower n t0 (e : X -> nat) (xs : Y -> X) B :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp (bind pi M)) (supp (bind pi M)) ->
  let predictive := bind pi (fun theta => bind (M theta) T) in
  predictive t0 != 0 ->
  let S := supp_given (bind pi M) T t0 in
  (forall x, x \in S -> within (U i) d (e x) S [set x]) ->
  (forall t, xs t \in S) ->
  \sum_(t in B) (g ^+ e (xs t))^-1 * T (xs t) t <= Pr predictive B.
Proof.
rewrite -bindA => dpT eq_g g_ge1 near predictive t0P S nearS xsS.
exact: privatised_lower dpT eq_g g_ge1 near t0P nearS xsS.
Qed.

End PriorPredictive.

(* Dissertation Theorem 5.6.2, the printed lower bound: a prior that is sure  *)
(* of a model of two sizes.                                                   *)
Theorem prior_predictive_lower_refuted (R : realFieldType) (g : R) :
  1 < g ->
  ~ (forall (X Y Theta : finType) (r : rel X) (d : X -> X -> option nat)
        (T : X -> law R Y) (pi : law R Theta) (M : Theta -> law R X) (t0 : Y)
        (e : X -> nat) (xs : Y -> X) (B : {set Y}),
       symmetric r -> is_shortest_walk r d ->
       pure_dp (everything X) d (fun _ => Some g) T ->
       let S := supp_given (bind pi M) T t0 in
       let T0 := covered (bind pi M) T S in
       (forall x, x \in S -> within (everything X tt) d (e x) S [set x]) ->
       (forall t, xs t \in S) ->
       \sum_(t in B :&: T0) (g ^+ e (xs t))^-1 * T (xs t) t
         <= Pr (bind pi (fun theta => bind (M theta) T)) (B :&: T0)).
Proof.
move=> g_gt1 lower; apply: (privatised_lower_refuted g_gt1).
move=> X Y r d T P t0 e xs B sym_r short dpT.
have := lower X Y unit_finType r d T (dirac tt) (fun _ => P) t0 e xs B.
by rewrite !dirac_bind; apply.
Qed.
