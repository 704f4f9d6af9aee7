From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law pure.

(******************************************************************************)
(* Pufferfish on finite spaces (dissertation sections 5.7 and 5.8): privacy   *)
(* of the map from beliefs theta : law R X about the data to the law of the   *)
(* output, with gamma = e^epsilon.                                            *)
(*                                                                            *)
(*   provided M theta == P(T in . | theta), the mixture of the laws M x       *)
(*   competing D S theta theta' == theta and theta' are the conditionals of   *)
(*            one attacker a in D given the two conjectures of a pair in S,   *)
(*            both of positive probability, in one order or the other         *)
(*   pufferfish d g M == D_Mult(provided M theta, provided M theta') is at    *)
(*            most d theta theta' times ln g, where d : Theta -> Theta ->     *)
(*            option nat is a distance and None is infinity                   *)
(*   is_step_distance r d == d x x' is the fewest steps of the relation r     *)
(*            from x to x', None where none lead there; for r = competing D S *)
(*            it is the distance of the instantiation                         *)
(*   competing_within D S g M == each pair of competing conjectures, given    *)
(*            each attacker, is within g: the definition of Kifer and         *)
(*            Machanavajjhala                                                 *)
(*   near_belief g P Q == Q is in the interval of measures [P / g, g P]       *)
(*   has_density nu P p == p is a density of P with respect to nu             *)
(*   test_bounds g alpha b == the four bounds (5.22) on the power b of a      *)
(*            test of size alpha, with phi = g                                *)
(*   is_test phi == phi : T -> R is a randomised test, 0 <= phi t <= 1        *)
(*   rejects P phi == the probability that it rejects under P                 *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   pufferfish_competing == Theorem 5.8.1, I iff II                          *)
(*   pufferfish_interval == I iff III                                         *)
(*   pufferfish_density == I iff IV                                           *)
(*   pufferfish_plausible == Remark 5.8.2                                     *)
(*   pufferfish_tests == Theorem 5.8.6                                        *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition provided (R : realFieldType) (X T : finType) (M : X -> law R T)
    (theta : law R X) : law R T := bind theta M.

Definition competing (R : realFieldType) (X : finType) (D : law R X -> Prop)
    (S : {set X} -> {set X} -> Prop) (theta theta' : law R X) : Prop :=
  exists a E E', [/\ D a, S E E' \/ S E' E, 0 < Pr a E, 0 < Pr a E'
                   & theta = condP a E /\ theta' = condP a E'].

Definition is_step_distance (X : Type) (r : X -> X -> Prop)
    (d : X -> X -> option nat) : Prop :=
  forall x x',
    if d x x' is Some n then
      walk r n x x' /\ forall m, walk r m x x' -> (n <= m)%N
    else forall m, ~ walk r m x x'.

Definition competing_within (R : realFieldType) (X T : finType)
    (D : law R X -> Prop) (S : {set X} -> {set X} -> Prop) (g : R)
    (M : X -> law R T) : Prop :=
  forall a E E', D a -> S E E' -> 0 < Pr a E -> 0 < Pr a E' ->
    forall A : {set T},
      Pr (provided M (condP a E)) A <= g * Pr (provided M (condP a E')) A /\
      Pr (provided M (condP a E')) A <= g * Pr (provided M (condP a E)) A.

Definition pufferfish (R : realFieldType) (X T : finType)
    (d : law R X -> law R X -> option nat) (g : R) (M : X -> law R T) : Prop :=
  forall theta theta',
    if d theta theta' is Some n
    then mult_le (g ^+ n) (provided M theta) (provided M theta') else True.

Definition near_belief (R : realFieldType) (T : finType) (g : R)
    (P Q : law R T) : Prop :=
  forall A : {set T}, g^-1 * Pr P A <= Pr Q A /\ Pr Q A <= g * Pr P A.

Definition has_density (R : realFieldType) (T : finType) (nu : T -> R)
    (P : law R T) (p : T -> R) : Prop :=
  forall t, 0 <= p t /\ P t = p t * nu t.

Definition is_test (R : realFieldType) (T : finType) (phi : T -> R) : Prop :=
  forall t, 0 <= phi t <= 1.

Definition rejects (R : realFieldType) (T : finType) (P : law R T)
    (phi : T -> R) : R := \sum_t phi t * P t.

Definition test_bounds (R : realFieldType) (g alpha b : R) : Prop :=
  Num.max (alpha / g) (1 - (1 - alpha) * g) <= b /\
  b <= Num.min (alpha * g) (1 - (1 - alpha) / g).

Section Equivalence.

Variables (R : realFieldType) (X T : finType).
Variables (D : law R X -> Prop) (S : {set X} -> {set X} -> Prop).
Variables (d : law R X -> law R X -> option nat) (g : R) (M : X -> law R T).
Hypothesis d_path : is_step_distance (competing D S) d.
Hypothesis g_ge1 : 1 <= g.

Theorem pufferfish_competing :
  pufferfish d g M <-> competing_within D S g M.
Proof.
split=> [pufM a E E' Da SE E_gt0 E'_gt0 A | within theta theta'].
  have step : walk (competing D S) 1 (condP a E) (condP a E').
    by exists (condP a E') => //; exists a, E, E'; split=> //; left.
  have := pufM (condP a E) (condP a E').
  have := d_path (condP a E) (condP a E').
  case: (d _ _) => [n [_ /(_ _ step) n_le1] le_n | /(_ 1%N)//].
  have : mult_le g (provided M (condP a E)) (provided M (condP a E')).
    by apply: mult_le_weaken le_n; rewrite -[leRHS]expr1 ler_weexpn2l.
  exact.
have := d_path theta theta'; case: (d _ _) => [n [walk_n _] | //].
apply: pure_group_privacy walk_n => y y'.
case=> a [E [E' [Da SE E_gt0 E'_gt0 [-> ->]]]] A.
by case: SE => SE; have [] := within _ _ _ Da SE _ _ A.
Qed.

End Equivalence.

Section Intervals.

Variables (R : realFieldType) (X T : finType).
Variables (d : law R X -> law R X -> option nat) (g : R) (M : X -> law R T).
Hypothesis g_ge1 : 1 <= g.

Let g_gt0 : 0 < g. Proof. exact: lt_le_trans ltr01 g_ge1. Qed.
Let gX_gt0 n : 0 < g ^+ n. Proof. exact: exprn_gt0. Qed.

Lemma near_beliefP h (P Q : law R T) :
  0 < h -> near_belief h P Q <-> mult_le h P Q.
Proof.
move=> h_gt0; split=> inPQ A; have [low up] := inPQ A; split=> //.
  by rewrite -ler_pdivr_mull.
by rewrite ler_pdivr_mull.
Qed.

Theorem pufferfish_interval :
  pufferfish d g M <->
  forall theta theta' n, d theta theta' = Some n ->
    near_belief (g ^+ n) (provided M theta) (provided M theta').
Proof.
split=> [pufM theta theta' n dE | inM theta theta'].
  by apply/near_beliefP => //; have := pufM theta theta'; rewrite dE.
by case dE: (d _ _) => [n|] //; apply/near_beliefP => //; apply: inM.
Qed.

Theorem pufferfish_density :
  pufferfish d g M <->
  forall theta (nu : T -> R) p, (forall t, 0 <= nu t) ->
    has_density nu (provided M theta) p ->
    forall theta' n, d theta theta' = Some n ->
      exists2 q, has_density nu (provided M theta') q &
        forall t, (g ^+ n)^-1 * p t <= q t <= g ^+ n * p t.
Proof.
split=> [pufM theta nu p nu_ge0 dens theta' n dE | densM theta theta'].
  have := pufM theta theta'; rewrite dE => /mult_leP le_n.
  exists (fun t => if nu t == 0 then p t else provided M theta' t / nu t).
    move=> t; have [_ pE] := dens t; case: eqVneq => [nu0 | nu_n0].
      have [p_ge0 _] := dens t; split=> //; rewrite nu0 mulr0.
      have := (le_n t).2; rewrite pE nu0 !mulr0 => le0.
      by apply/eqP; rewrite eq_le le0 law_ge0.
    by split; [rewrite divr_ge0 ?law_ge0 | rewrite divfK].
  move=> t; have [p_ge0 pE] := dens t; have [up low] := le_n t.
  case: eqVneq => [nu0 | nu_n0].
    rewrite ler_pdivr_mull // andbb ler_pemull //.
    by rewrite exprn_ege1.
  have nu_gt0 : 0 < nu t by rewrite lt_neqAle eq_sym nu_n0 nu_ge0.
  apply/andP; split.
    by rewrite ler_pdivr_mull // mulrA ler_pdivl_mulr // -pE.
  by rewrite ler_pdivr_mulr // -mulrA -pE.
case dE: (d _ _) => [n|] //; apply/mult_leP => t.
have [] // := densM theta (provided M theta) (fun t =>
  if provided M theta t == 0 then 0 else 1) _ _ theta' n dE.
- by move=> u; apply: law_ge0.
- by move=> u; case: eqVneq => [->|_]; rewrite ?mulr0 ?mul1r ?ler01.
move=> q densq /(_ t); have [_ ->] := densq t.
have P_ge0 : 0 <= provided M theta t by apply: law_ge0.
case: eqVneq => [-> _ | P_n0 /andP[low up]].
  by rewrite !mulr0.
rewrite mulr1 in low up; split.
  by rewrite mulrA -[leLHS]mul1r ler_wpmul2r // -ler_pdivr_mull // mulr1.
by rewrite ler_wpmul2r.
Qed.

Theorem pufferfish_plausible theta theta' n :
  pufferfish d g M -> d theta theta' = Some n ->
  forall t, 0 < provided M theta t -> 0 < provided M theta' t.
Proof.
move=> pufM dE t p_gt0; have := pufM theta theta'; rewrite dE.
move=> /mult_leP/(_ t)[le_n _].
by rewrite -(pmulr_rgt0 _ (gX_gt0 n)); apply: lt_le_trans le_n.
Qed.

(* Tests                                                                      *)

Lemma rejects_event (P : law R T) (A : {set T}) :
  rejects P (fun t => (t \in A)%:R) = Pr P A.
Proof. by rewrite PrE; apply: eq_bigr => t _; rewrite mulrC. Qed.

Lemma rejects_compl (P : law R T) phi :
  rejects P (fun t => 1 - phi t) = 1 - rejects P phi.
Proof.
rewrite /rejects -[1 in RHS](law_sum1 P) -sumrB; apply: eq_bigr => t _.
by rewrite mulrBl mul1r.
Qed.

Lemma rejects_le h (P Q : law R T) phi :
  is_test phi -> mult_le h P Q -> rejects P phi <= h * rejects Q phi.
Proof.
move=> test /mult_leP le_h; rewrite mulr_sumr; apply: ler_sum => t _.
have /andP[phi_ge0 _] := test t; rewrite mulrCA.
by apply: ler_wpmul2l => //; have [] := le_h t.
Qed.

Lemma test_boundsP h (P Q : law R T) : 0 < h ->
  mult_le h P Q <->
  forall phi, is_test phi -> test_bounds h (rejects P phi) (rejects Q phi).
Proof.
move=> h_gt0; split=> [le_h phi test | bounds A].
  have compl : is_test (fun t => 1 - phi t).
    move=> t; have /andP[ge0 le1] := test t.
    by rewrite subr_ge0 le1 /= ler_subl_addl ler_addr.
  have le_h' := mult_le_sym le_h.
  have := rejects_le test le_h; have := rejects_le test le_h'.
  have := rejects_le compl le_h; have := rejects_le compl le_h'.
  rewrite !rejects_compl => c' c r' r.
  split; rewrite ?le_maxl ?le_minr; apply/andP; split.
  - by rewrite ler_pdivr_mulr // mulrC.
  - by rewrite ler_subl_addr addrC -ler_subl_addr mulrC.
  - by rewrite mulrC.
  by rewrite ler_subr_addr addrC -ler_subr_addr ler_pdivr_mulr // mulrC.
have /bounds[] : is_test (fun t => (t \in A)%:R : R).
  by move=> t; rewrite ler0n lern1 leq_b1.
rewrite !rejects_event le_maxl le_minr => /andP[low _] /andP[up _].
by split; rewrite mulrC // -ler_pdivr_mulr.
Qed.

Theorem pufferfish_tests :
  pufferfish d g M <->
  forall theta0 theta1 n, theta0 <> theta1 -> d theta0 theta1 = Some n ->
    forall phi, is_test phi ->
      test_bounds (g ^+ n) (rejects (provided M theta0) phi)
                            (rejects (provided M theta1) phi).
Proof.
split=> [pufM theta0 theta1 n _ dE | testM theta0 theta1].
  by apply/test_boundsP => //; have := pufM theta0 theta1; rewrite dE.
case dE: (d _ _) => [n|] //.
have [->|/eqP neq] := eqVneq theta0 theta1.
  by apply: mult_le_refl; rewrite exprn_ege1.
by apply/test_boundsP => // phi; apply: testM.
Qed.

End Intervals.
