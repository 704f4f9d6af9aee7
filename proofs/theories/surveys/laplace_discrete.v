From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law pure specification.

(******************************************************************************)
(* The Laplace mechanism of dissertation Definition 6.4.2 in discrete form,   *)
(* the two-sided geometric mechanism, with gamma = e^epsilon. The scale       *)
(* Delta is the ratio a = e^(-1 / Delta) of neighbouring masses.              *)
(*                                                                            *)
(*   geometric a k z == the mass at the integer z around k:                   *)
(*            (1 - a) / (1 + a) * a ^+ |z - k|                                *)
(*   l1 q q' == the L1 distance of two integer vectors                        *)
(*   geometric_vector a q z == the mass at z of independent draws, one around *)
(*            each component of q                                             *)
(*   masses_near g f f' == f z <= g * f' z and f' z <= g * f z for every z    *)
(*   masses_dp U d gamma M == on each universe masses are near by the bound of*)
(*            pure_dp: pure_dp where the outputs need not be finite in number *)
(*   clamped a m k == the law on 0 .. m.+1 of the geometric around k, every   *)
(*            value outside being moved to the nearer end                     *)
(*   component U d x == the class [x] of Definition 6.4.2: the data sets that *)
(*            share a universe with x, at a finite distance                   *)
(*   bounds_within U d gamma q V a == the ratio a of neighbouring masses      *)
(*            bounds the loss by gamma ^+ d on every universe within V        *)
(*   is_scale U d gamma q x a == a is the least such ratio for V = [x]:       *)
(*            a = e^(-1 / Delta), with Delta the sensitivity of [x]           *)
(*   two_universes b, values, scales == a counterexample: three data sets,    *)
(*            None in both universes                                          *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   geometric_window == the masses around k add up to 1 - 2 a^n.+1 / (1 + a):*)
(*            they are the masses of a probability law                        *)
(*   laplace_discrete == Theorem 6.4.3, repaired: a scale that is one constant*)
(*            on each universe, and adjusted to the sensitivity there         *)
(*   clamped_geometric_dp == the same as pure_dp, for the clamped mechanism   *)
(*   scales_differ_refuted == with a scale that is not constant on a universe *)
(*            no budget bounds the ratio of the masses                        *)
(*   laplace_printed_refuted == so Theorem 6.4.3 fails as printed: where      *)
(*            universes overlap, the scale need not be constant on one        *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Geometric.

Variable R : realFieldType.
Implicit Types (a g : R) (k z : int).

Definition geometric a k z : R := (1 - a) / (1 + a) * a ^+ `|z - k|%N.

Lemma geometric_ge0 a k z : 0 <= a <= 1 -> 0 <= geometric a k z.
Proof.
case/andP=> a_ge0 a_le1; rewrite mulr_ge0 ?exprn_ge0 // divr_ge0 ?subr_ge0 //.
by rewrite addr_ge0 ?ler01.
Qed.

Theorem geometric_window a k n : 0 <= a ->
  geometric a k k +
    \sum_(j < n) (geometric a k (k + j.+1%:Z) + geometric a k (k - j.+1%:Z)) =
  1 - 2%:R * a ^+ n.+1 / (1 + a).
Proof.
move=> a_ge0; have a1_n0 : 1 + a != 0 by rewrite gt_eqF // ltr_paddr ?ltr01.
have atE j : geometric a k (k + j.+1%:Z) = (1 - a) / (1 + a) * a ^+ j.+1.
  by rewrite /geometric [k + _]addrC addrK.
have at'E j : geometric a k (k - j.+1%:Z) = (1 - a) / (1 + a) * a ^+ j.+1.
  by rewrite /geometric [k - _ - k]addrAC subrr add0r abszN.
elim: n => [|n IHn].
  by rewrite big_ord0 addr0 /geometric subrr expr0 expr1; field.
by rewrite big_ord_recr /= addrA IHn atE at'E !exprS; field.
Qed.

(* One step of the exponent: the triangle inequality.                         *)
Lemma geometric_power a k k' z : 0 <= a <= 1 ->
  a ^+ `|k - k'|%N * a ^+ `|z - k|%N <= a ^+ `|z - k'|%N.
Proof.
case/andP=> a_ge0 a_le1; rewrite -exprD addnC.
by apply: ler_wiexpn2l => //; lia.
Qed.

Definition masses_near (Z : Type) g (f f' : Z -> R) : Prop :=
  forall t, f t <= g * f' t /\ f' t <= g * f t.

Definition masses_dp (X I Z : Type) (U : I -> X -> Prop)
    (d : X -> X -> option nat) (gamma : I -> option R) (M : X -> Z -> R) :
  Prop :=
  forall i x x', U i x -> U i x' ->
    match gamma i, d x x' with
    | Some g, Some n => masses_near (g ^+ n) (M x) (M x')
    | _, _ => True
    end.

Section Vector.

Variable J : finType.
Implicit Types (q y : {ffun J -> int}).

Definition l1 q q' : nat := (\sum_j `|q j - q' j|)%N.

Definition geometric_vector a q y : R := \prod_j geometric a (q j) (y j).

Lemma l1C q q' : l1 q q' = l1 q' q.
Proof. by apply: eq_bigr => j _; rewrite distnC. Qed.

Lemma geometric_vector_ge0 a q y : 0 <= a <= 1 -> 0 <= geometric_vector a q y.
Proof. by move=> a01; apply: prodr_ge0 => j _; apply: geometric_ge0. Qed.

Lemma geometric_vector_le a q q' y : 0 <= a <= 1 ->
  a ^+ l1 q q' * geometric_vector a q y <= geometric_vector a q' y.
Proof.
move=> a01; rewrite /l1 expr_sum -big_split /=; apply: ler_prod => j _.
have /andP[a_ge0 a_le1] := a01.
rewrite mulr_ge0 ?exprn_ge0 ?geometric_ge0 //= mulrCA.
rewrite ler_wpmul2l ?geometric_power // divr_ge0 ?subr_ge0 //.
by rewrite addr_ge0 ?ler01.
Qed.

Variables (X I : Type) (U : I -> X -> Prop) (d : X -> X -> option nat).
Variables (gamma : I -> option R) (a : X -> R) (q : X -> {ffun J -> int}).

Theorem laplace_discrete :
  (forall x, 0 < a x < 1) ->
  (forall i x x', U i x -> U i x' -> a x = a x') ->
  (forall i x x' g n, U i x -> U i x' -> gamma i = Some g -> d x x' = Some n ->
     a x ^- l1 (q x) (q x') <= g ^+ n) ->
  masses_dp U d gamma (fun x => geometric_vector (a x) (q x)).
Proof.
move=> a01 a_constant adjusted i x x' xU x'U.
have := adjusted i x x' _ _ xU x'U.
case: (gamma i) (d x x') => [g|] [n|] // /(_ g n erefl erefl) le_g y.
move: le_g; rewrite -(a_constant i x x') //; have /andP[a_gt0 a_lt1] := a01 x.
have ax01 : 0 <= a x <= 1 by rewrite !ltW.
have pow_gt0 : 0 < a x ^+ l1 (q x) (q x') by rewrite exprn_gt0.
have near u u' : l1 u u' = l1 (q x) (q x') ->
    a x ^- l1 (q x) (q x') <= g ^+ n ->
    geometric_vector (a x) u y <= g ^+ n * geometric_vector (a x) u' y.
  move=> eq_l1 le_g.
  apply: le_trans (ler_wpmul2r (geometric_vector_ge0 u' y ax01) le_g).
  by rewrite ler_pdivl_mull // -eq_l1 geometric_vector_le.
by move=> le_g; split; apply: near => //; rewrite l1C.
Qed.

End Vector.

(* The clamped mechanism                                                      *)
Section Clamped.

Variables (a : R) (m : nat).
Hypothesis a01 : 0 < a < 1.

Let a_ge0 : 0 <= a. Proof. by case/andP: a01 => /ltW. Qed.
Let a_le1 : a <= 1. Proof. by case/andP: a01 => _ /ltW. Qed.
Let a1_gt0 : 0 < 1 + a. Proof. exact: ltr_paddr a_ge0 ltr01. Qed.

Implicit Types (i j : 'I_m.+2).

Definition clamped_weight j : R :=
  ((1 - a) + a * ((j == ord0)%:R + (j == ord_max)%:R)) / (1 + a).

Definition clamped_mass i j : R := clamped_weight j * a ^+ `|j - i|%N.

Lemma clamped_weight_ge0 j : 0 <= clamped_weight j.
Proof.
rewrite divr_ge0 ?(ltW a1_gt0) // addr_ge0 ?subr_ge0 // mulr_ge0 //.
by rewrite addr_ge0 ?ler0n.
Qed.

Lemma clamped_ge0 i j : 0 <= clamped_mass i j.
Proof. by rewrite mulr_ge0 ?clamped_weight_ge0 ?exprn_ge0. Qed.

Lemma power_sum (k e : nat) :
  (1 - a) * (\sum_(j < (k + e).+1) a ^+ `|j - k|%N) =
    1 + a - a ^+ k.+1 - a ^+ e.+1.
Proof.
elim: e => [|e IHe].
  rewrite addn0 (reindex_inj rev_ord_inj) /=.
  have powE (u : 'I_k.+1) : a ^+ `|(k.+1 - u.+1)%N - k|%N = a ^+ u.
    by rewrite subSS distnEr ?leq_subr // subKn // -ltnS.
  rewrite (eq_bigr (fun u : 'I_k.+1 => a ^+ u)) => [|u _]; last exact: powE.
  by rewrite -[1 - a]opprB mulNr -subrX1 expr1 opprB; ring.
rewrite addnS big_ord_recr /= mulrDr IHe -addnS distnEl ?leq_addr // addKn.
by rewrite !exprS; ring.
Qed.

Lemma clamped_sum1 i : \sum_j clamped_mass i j = 1.
Proof.
have le_i : (i <= m.+1)%N by rewrite -ltnS.
have at_ends (l : 'I_m.+2) :
    \sum_(j < m.+2) (j == l)%:R * a ^+ `|j - i|%N = a ^+ `|l - i|%N.
  rewrite (bigD1 l) //= eqxx mul1r big1 ?addr0 // => j /negbTE ->.
  by rewrite mul0r.
transitivity (((1 - a) * (\sum_(j < m.+2) a ^+ `|j - i|%N) +
    a * (a ^+ `|@ord0 m.+1 - i|%N + a ^+ `|@ord_max m.+1 - i|%N)) / (1 + a)).
  rewrite -!at_ends -big_split !mulr_sumr -big_split mulr_suml.
  by apply: eq_bigr => j _; rewrite /clamped_mass /clamped_weight /=; ring.
have := power_sum i (m.+1 - i); rewrite subnKC // => ->.
rewrite dist0n distnEl // mulrDr -!exprS.
have -> : forall u v : R, 1 + a - u - v + (u + v) = 1 + a by move=> u v; ring.
by rewrite divff // gt_eqF.
Qed.

Definition clamped i : law R [finType of 'I_m.+2] :=
  mk_law _ (clamped_ge0 i) (clamped_sum1 i).

Lemma clamped_near g i i' :
  a ^- `|i - i'|%N <= g -> mult_le g (clamped i) (clamped i').
Proof.
have /andP[a_gt0 _] := a01.
have near i1 i2 j :
    a ^- `|i1 - i2|%N <= g -> clamped i1 j <= g * clamped i2 j.
  move=> le_g; rewrite !mk_lawE /clamped_mass mulrCA.
  rewrite ler_wpmul2l ?clamped_weight_ge0 //.
  apply: le_trans (ler_wpmul2r _ le_g); last by rewrite exprn_ge0.
  rewrite ler_pdivl_mull ?exprn_gt0 //.
  by apply: geometric_power; rewrite a_ge0.
by move=> le_g; apply/mult_leP => j; split; apply: near => //; rewrite distnC.
Qed.

End Clamped.

Arguments clamped {a} m a01 i.

Theorem clamped_geometric_dp (X I : Type) (U : I -> X -> Prop)
    (d : X -> X -> option nat) (gamma : I -> option R) (m : nat) (a : X -> R)
    (q : X -> 'I_m.+2) (a01 : forall x, 0 < a x < 1) :
  (forall i x x', U i x -> U i x' -> a x = a x') ->
  (forall i x x' g n, U i x -> U i x' -> gamma i = Some g -> d x x' = Some n ->
     a x ^- `|q x - q x'|%N <= g ^+ n) ->
  pure_dp U d gamma (fun x => clamped m (a01 x) (q x)).
Proof.
move=> a_constant adjusted i x x' xU x'U.
have := adjusted i x x' _ _ xU x'U.
case: (gamma i) (d x x') => [g|] [n|] // /(_ g n erefl erefl) le_g.
have eq_a := a_constant i x x' xU x'U.
have -> : clamped m (a01 x') (q x') = clamped m (a01 x) (q x').
  by apply: eq_law => j; rewrite !mk_lawE /clamped_mass /clamped_weight eq_a.
exact: clamped_near.
Qed.

End Geometric.

Arguments geometric {R} a k z.
Arguments geometric_vector {R J} a q y.
Arguments masses_near {R Z} g f f'.
Arguments masses_dp {R X I Z} U d gamma M.
Arguments clamped {R a} m a01 i.

(* Where the scale differs, the tails differ without bound.                   *)
Theorem scales_differ_refuted (R : archiFieldType) (a b : R) (k k' : int) :
  0 < a -> a < b -> b < 1 ->
  ~ (exists g, masses_near g (geometric a k) (geometric b k')).
Proof.
move=> a_gt0 lt_ab b_lt1 [g near].
have b_gt0 : 0 < b := lt_trans a_gt0 lt_ab.
have a_lt1 : a < 1 := lt_trans lt_ab b_lt1.
have unit_gt0 (c : R) : 0 < c -> c < 1 -> 0 < (1 - c) / (1 + c).
  by move=> c_gt0 c_lt1; rewrite divr_gt0 ?subr_gt0 ?addr_gt0 ?ltr01.
pose t := b / a - 1; have t_gt0 : 0 < t.
  by rewrite subr_gt0 ltr_pdivl_mulr // mul1r.
pose cb := (1 - b) / (1 + b) * b ^+ `|k - k'|%N.
have cb_gt0 : 0 < cb by rewrite mulr_gt0 ?exprn_gt0 ?unit_gt0.
pose C := g * ((1 - a) / (1 + a)) / cb.
have bernoulli n : n%:R * t <= (b / a) ^+ n.
  have t1_ge1 : 1 <= b / a by rewrite -subr_ge0 ltW.
  elim: n => [|n IHn]; first by rewrite mul0r expr0 ler01.
  rewrite exprS -[b / a in X in _ <= X * _](subrK 1) -/t mulrDl mul1r.
  rewrite -addn1 natrD mulrDl mul1r addrC ler_add // ler_pmulr //.
  exact: exprn_ege1.
have bounded n : (b / a) ^+ n <= C.
  have [_] := near (k + n%:Z).
  rewrite /geometric [k + _ - k]addrAC subrr add0r absz_nat => le_g.
  rewrite /C ler_pdivl_mulr // expr_div_n mulrAC ler_pdivr_mulr ?exprn_gt0 //.
  rewrite -mulrA; apply: le_trans le_g.
  rewrite /cb mulrCA ler_pmul2l ?unit_gt0 // mulrC.
  have b01 : 0 <= b <= 1 by rewrite !ltW.
  have := geometric_power k k' (k + n%:Z) b01.
  by rewrite [k + _ - k]addrAC subrr add0r absz_nat.
have C_ge0 : 0 <= C / t.
  by rewrite divr_ge0 ?(ltW t_gt0) // (le_trans ler01) // -(expr0 (b / a)).
have := archi_boundP C_ge0; rewrite ltr_pdivr_mulr // ltNge.
by rewrite (le_trans (bernoulli _)).
Qed.

Section Scale.

Variables (R : realFieldType) (X I : Type) (U : I -> X -> Prop).
Variables (d : X -> X -> option nat) (gamma : I -> option R) (q : X -> int).

Definition component (x x' : X) : Prop :=
  (exists2 i, U i x & U i x') /\ d x x' <> None.

Definition bounds_within (V : X -> Prop) (a : R) : Prop :=
  forall i, subset (U i) V -> forall y y' g n, U i y -> U i y' ->
    gamma i = Some g -> d y y' = Some n -> a ^- `|q y - q y'|%N <= g ^+ n.

Definition is_scale (x : X) (a : R) : Prop :=
  [/\ 0 < a < 1, bounds_within (component x) a &
      forall b, 0 < b < 1 -> bounds_within (component x) b -> a <= b].

End Scale.

Local Notation Q := rat_realFieldType.

Definition two_universes (b : bool) (x : option bool) : Prop :=
  x = None \/ x = Some b.

Definition one_step (x x' : option bool) : option nat := Some (x != x' : nat).

Definition values (x : option bool) : int :=
  if x is Some b then if b then 2 else 1 else 0.

Definition scales (x : option bool) : Q :=
  if x is Some false then 4%:R^-1 else 2%:R^-1.

Definition four (b : bool) : option Q := Some 4%:R.

Lemma component_own b : subset (two_universes b)
  (component two_universes one_step (Some b)).
Proof. by move=> x xU; split=> //; exists b => //; right. Qed.

Lemma component_none b : subset (two_universes b)
  (component two_universes one_step None).
Proof. by move=> x xU; split=> //; exists b => //; left. Qed.

Lemma scales_scale x : is_scale two_universes one_step four values x (scales x).
Proof.
have root (b : Q) : 0 < b -> b ^- 2 <= 4%:R -> 2%:R^-1 <= b.
  move=> b_gt0; rewrite -[_^-1]mul1r ler_pdivr_mulr ?exprn_gt0 // => le1.
  rewrite leNgt; apply/negP=> b_lt; move: le1; rewrite leNgt.
  have -> : 1 = 4%:R * (2%:R^-1 ^+ 2) :> Q.
    by rewrite exprVn -natrX mulfV ?pnatr_eq0.
  by rewrite ltr_pmul2l // ltr_expn2r ?nnegrE ?(ltW b_gt0).
split; first by case: x => [[]|].
- move=> i sub y y' g n yU y'U [<-] [<-].
  have fits : x = Some false -> i = false.
    case: i sub {yU y'U} => // sub eq_x.
    have := sub (Some true) (or_intror erefl).
    by rewrite eq_x => -[[b [] // [<-] []]].
  have pair : scales x ^- `|values (Some i)|%N <= 4%:R.
    case: x fits {sub} => [[]|] fits; last by case: (i); vm_compute.
      by case: (i); vm_compute.
    by rewrite (fits erefl); vm_compute.
  case: yU y'U => -> [] ->; rewrite ?subrr ?subr0 ?sub0r ?abszN //.
  by rewrite eqxx.
move=> b /andP[b_gt0 _] bounds.
have at_pair c x' : x' = Some c -> subset (two_universes c)
    (component two_universes one_step x) ->
    b ^- `|values None - values x'|%N <= 4%:R.
  move=> -> sub; have := bounds c sub None (Some c) 4%:R 1%N.
  by rewrite expr1; apply=> //; [left | right].
case: x bounds at_pair => [[]|] _ at_pair.
- apply: root => //.
  exact: (at_pair true _ erefl (component_own (b := true))).
- have := at_pair false _ erefl (component_own (b := false)).
  have four_gt0 : 0 < (4%:R : Q) by vm_compute.
  rewrite /= expr1 -[_^-1]mul1r (ler_pdivr_mulr _ _ b_gt0).
  by rewrite -(ler_pdivr_mull _ _ four_gt0) mulr1 => le; exact: le.
apply: root => //.
exact: (at_pair true _ erefl (component_none (b := true))).
Qed.

Theorem laplace_printed_refuted :
  ~ (forall (X I : Type) (U : I -> X -> Prop) (d : X -> X -> option nat)
            (gamma : I -> option Q) (q : X -> int) (a : X -> Q),
       (forall x, is_scale U d gamma q x (a x)) ->
       masses_dp U d gamma (fun x => geometric (a x) (q x))).
Proof.
move=> printed.
have := printed _ _ _ _ _ _ _ scales_scale false (Some false) None.
move=> /(_ (or_intror erefl) (or_introl erefl)) near.
have quarter_half : 4%:R^-1 < 2%:R^-1 :> rat.
  by rewrite ltf_pinv ?posrE ?ltr0n ?ltr_nat.
apply: (@scales_differ_refuted _ _ _ 1 0 _ quarter_half).
- by vm_compute.
- by vm_compute.
by exists (4%:R ^+ 1); move: near; rewrite /scales /values.
Qed.
