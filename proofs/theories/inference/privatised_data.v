From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended specification pure.

(******************************************************************************)
(* What pure differential privacy says of the privatised data probability     *)
(* P(T in B | theta) = \sum_x P_theta(x) P_x(B), the law bind P T of the      *)
(* output when the data set is drawn from P, and of the prior predictive      *)
(* probability, which is the same for the mixture of a model by a prior.      *)
(*                                                                            *)
(*   supp P == the data sets that P gives a positive mass                     *)
(*   supp_given P T t == supp(x | t, theta): those that can give the output t *)
(*   covered P T S == the outputs that no data set outside S can give; for    *)
(*            S = supp_given P T t0 this is T_0                               *)
(*   within u d n S S' == a data set of S and one of S' lie in the universe u *)
(*            at a distance of at most n                                      *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   privatised_interval == the sharper form of both bounds of dissertation   *)
(*            Theorem 5.4.1                                                   *)
(*   privatised_upper == its printed upper bound                              *)
(*   privatised_lower_refuted == its printed lower bound is false where the   *)
(*            model is not connected                                          *)
(*   privatised_lower == the printed lower bound, for a connected model       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition within (X : finType) (u : X -> Prop) (d : X -> X -> option nat)
    (n : nat) (S S' : {set X}) : Prop :=
  forall x x', x \in S -> x' \in S' ->
    [/\ u x, u x' & if d x x' is Some m then (m <= n)%N else False].

Section Supports.

Variables (R : realFieldType) (X Y : finType).
Implicit Types (P : law R X) (T : X -> law R Y) (S : {set X}) (t : Y).

Definition supp P : {set X} := [set x | P x != 0].

Definition supp_given P T t : {set X} := [set x in supp P | T x t != 0].

Definition covered P T S : {set Y} := [set t | supp_given P T t \subset S].

Lemma Pr_supp P S : supp P \subset S -> Pr P S = 1.
Proof.
move=> /subsetP subS; rewrite -(law_sum1 P) /Pr [RHS](bigID (mem S)) /=.
rewrite [X in _ + X]big1 ?addr0 // => x xS; apply/eqP.
by apply: contraNT xS => Px; apply: subS; rewrite inE.
Qed.

Lemma bind_covered P T S t :
  t \in covered P T S -> bind P T t = \sum_(x in S) P x * T x t.
Proof.
rewrite inE => /subsetP subS; rewrite bindE [LHS](bigID (mem S)) /=.
rewrite [X in _ + X]big1 ?addr0 // => x xS; apply/eqP.
rewrite mulf_eq0; apply: contraNT xS; rewrite negb_or => /andP[Px Tx].
by apply: subS; rewrite !inE Px.
Qed.

Lemma le_bind_part P T S t : \sum_(x in S) P x * T x t <= bind P T t.
Proof.
rewrite bindE [X in _ <= X](bigID (mem S)) /= ler_addl.
by apply: sumr_ge0 => x _; rewrite mulr_ge0 ?law_ge0.
Qed.

End Supports.

Section PrivatisedData.

Variables (R : realFieldType) (X Y : finType) (I : Type).
Variables (U : I -> X -> Prop) (d : X -> X -> option nat).
Variables (gamma : I -> option R) (T : X -> law R Y) (i : I) (g : R).
Implicit Types (P : law R X) (S : {set X}) (B : {set Y}).

Lemma within_near n S S' x x' :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n S S' -> x \in S -> x' \in S' ->
  mult_le (g ^+ n) (T x) (T x').
Proof.
move=> dpT eq_g g_ge1 near xS x'S; have [xU x'U] := near _ _ xS x'S.
have := dpT i x x' xU x'U; rewrite eq_g; case: (d x x') => [m|] //.
by move=> le_m mn; apply: mult_le_weaken le_m; rewrite ler_weexpn2l.
Qed.

Lemma within_supp n S x x' t :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n S S -> x \in S -> x' \in S -> T x t != 0 -> T x' t != 0.
Proof.
move=> dpT eq_g g_ge1 near xS x'S; apply: contra_neq => x'0.
have /mult_leP/(_ t)[+ _] := within_near dpT eq_g g_ge1 near xS x'S.
by rewrite x'0 mulr0 => x_le0; apply/eqP; rewrite eq_le x_le0 law_ge0.
Qed.

(* Dissertation Theorem 5.4.1, sharper: let S hold the data sets of the model *)
(* that can give t0, or more of their component, let every data set of S be   *)
(* within e x of x in S, and choose an x* = xs t of S for each output t. On   *)
(* the outputs that S covers the privatised data probability lies between     *)
(* P(S) gamma^-e(x* ) p_x*(t) and P(S) gamma^e(x* ) p_x*(t), summed over the  *)
(* outputs of the event. The lower bound holds on every event.                *)
Theorem privatised_interval P S (e : X -> nat) (xs : Y -> X) B :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  (forall x, x \in S -> within (U i) d (e x) S [set x]) ->
  (forall t, xs t \in S) ->
  Pr P S * (\sum_(t in B) (g ^+ e (xs t))^-1 * T (xs t) t)
    <= Pr (bind P T) B
  /\
  Pr (bind P T) (B :&: covered P T S) <=
    Pr P S * \sum_(t in B :&: covered P T S) g ^+ e (xs t) * T (xs t) t.
Proof.
move=> dpT eq_g g_ge1 near xsS; have g_gt0 : 0 < g by apply: lt_le_trans g_ge1.
have close t x : x \in S -> mult_le (g ^+ e (xs t)) (T x) (T (xs t)).
  move=> xS; apply: within_near dpT eq_g g_ge1 (near _ (xsS t)) xS _.
  by rewrite inE.
split; rewrite mulr_sumr; apply: ler_sum => t.
  move=> _; apply: le_trans (le_bind_part P T S t).
  rewrite mulr_suml; apply: ler_sum => x xS.
  rewrite ler_wpmul2l ?law_ge0 //.
  rewrite ler_pdivr_mull ?exprn_gt0 //.
  by have /mult_leP/(_ t)[] := close t x xS.
rewrite inE => /andP[_ /bind_covered->].
rewrite mulr_suml; apply: ler_sum => x xS.
rewrite ler_wpmul2l ?law_ge0 //.
by have /mult_leP/(_ t)[] := close t x xS.
Qed.

(* Dissertation Theorem 5.4.1, the printed upper bound, and the remark after  *)
(* it on larger S.                                                            *)
Theorem privatised_upper P S (e : X -> nat) (xs : Y -> X) B :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  (forall x, x \in S -> within (U i) d (e x) S [set x]) ->
  (forall t, xs t \in S) ->
  Pr (bind P T) (B :&: covered P T S) <=
    \sum_(t in B :&: covered P T S) g ^+ e (xs t) * T (xs t) t.
Proof.
move=> dpT eq_g g_ge1 near xsS; have g_ge0 : 0 <= g by apply: le_trans g_ge1.
have [_] := privatised_interval P B dpT eq_g g_ge1 near xsS.
move/le_trans; apply; apply: ler_pimull; last exact: Pr_le1.
by apply: sumr_ge0 => t _; rewrite mulr_ge0 ?exprn_ge0 ?law_ge0.
Qed.

Lemma supp_given_connected P n t0 :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp P) (supp P) -> bind P T t0 != 0 ->
  supp_given P T t0 = supp P.
Proof.
move=> dpT eq_g g_ge1 near t0P.
have [x xP Tx] : exists2 x, x \in supp P & T x t0 != 0.
  apply/exists_inP; apply: contraR t0P => /exists_inPn none.
  rewrite bindE big1 // => x _; have [->|Px] := eqVneq (P x) 0.
    by rewrite mul0r.
  by have := none x; rewrite inE Px => /(_ isT)/negbNE/eqP->; rewrite mulr0.
apply/setP => x'; rewrite inE; have [x'P|//] := boolP (x' \in supp P).
by rewrite (within_supp dpT eq_g g_ge1 near xP).
Qed.

(* Dissertation Theorem 5.4.1, repaired: the printed lower bound holds where  *)
(* the data sets of the model are connected and t0 has a positive probability.*)
Theorem privatised_lower P n t0 (e : X -> nat) (xs : Y -> X) B :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp P) (supp P) -> bind P T t0 != 0 ->
  let S := supp_given P T t0 in
  (forall x, x \in S -> within (U i) d (e x) S [set x]) ->
  (forall t, xs t \in S) ->
  \sum_(t in B) (g ^+ e (xs t))^-1 * T (xs t) t <= Pr (bind P T) B.
Proof.
move=> dpT eq_g g_ge1 near t0P S nearS xsS.
have [+ _] := privatised_interval P B dpT eq_g g_ge1 nearS xsS.
rewrite Pr_supp ?mul1r //.
by rewrite /S (supp_given_connected dpT eq_g g_ge1 near t0P).
Qed.

End PrivatisedData.

(* Data sets of different sizes, at no finite distance.                       *)
Section LowerRefuted.

Variable R : realFieldType.

Definition unconnected (x x' : bool) : option nat :=
  if x == x' then Some 0%N else None.

Lemma unconnected_shortest :
  is_shortest_walk (fun _ _ : bool => false) unconnected.
Proof.
move=> x x'; rewrite /unconnected; case: eqP => [-> | x_x'] //.
by case=> [|m] //= [].
Qed.

Lemma unconnected_pure g :
  pure_dp (everything bool) unconnected (fun _ => Some g) (@dirac R _).
Proof.
move=> i x x' _ _; rewrite /unconnected; case: eqP => [->|//].
by rewrite expr0; apply: mult_le_refl.
Qed.

(* Dissertation Theorem 5.4.1, the printed lower bound: two data sets of      *)
(* different size, of which the output tells the size, and a model that gives *)
(* one half to each. Given the output only one of the two is possible, so its *)
(* d_* is 0 and its l is 1, but the output has probability 1/2.               *)
Theorem privatised_lower_refuted (g : R) :
  1 < g ->
  ~ (forall (X Y : finType) (r : rel X) (d : X -> X -> option nat)
        (T : X -> law R Y) (P : law R X) (t0 : Y) (e : X -> nat) (xs : Y -> X)
        (B : {set Y}),
       symmetric r -> is_shortest_walk r d ->
       pure_dp (everything X) d (fun _ => Some g) T ->
       let S := supp_given P T t0 in
       (forall x, x \in S -> within (everything X tt) d (e x) S [set x]) ->
       (forall t, xs t \in S) ->
       \sum_(t in B :&: covered P T S) (g ^+ e (xs t))^-1 * T (xs t) t
         <= Pr (bind P T) (B :&: covered P T S)).
Proof.
move=> g_gt1 lower.
have SE : supp_given (fair R) (@dirac R _) true = [set true].
  by apply/setP=> -[]; rewrite !inE fairE diracE invr_eq0 !pnatr_eq0.
have coverE : [set true] :&: covered (fair R) (@dirac R _)
    (supp_given (fair R) (@dirac R _) true) = [set true].
  by apply/setIidPl; rewrite sub1set inE.
have := lower bool_finType bool_finType (fun _ _ => false) unconnected
  (@dirac R _) (fair R) true (fun _ => 0%N) (fun _ => true) [set true]
  (fun _ _ => erefl) unconnected_shortest (@unconnected_pure g).
rewrite /= coverE SE big_set1 Pr1 bind_dirac fairE expr0 invr1 mul1r diracEl.
rewrite invf_ge1 ?ltr0n // lern1 => le_half; apply: notF; apply: le_half.
- by move=> x; rewrite inE => /eqP-> x1 x2; rewrite !inE => /eqP-> /eqP->.
- by move=> t; rewrite inE.
Qed.

End LowerRefuted.
