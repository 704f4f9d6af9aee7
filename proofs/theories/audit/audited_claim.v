From Coq Require Import Reals Lra BinNat.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat ring.
From Stirred Require Import compat law extended specification exponential
  real_field.
From Stirred Require Import event_distance choice_tree exponential_bound.

(******************************************************************************)
(* Claims of differential privacy on a finite domain, as data, and a checker  *)
(* of them in binary numbers that is proved sound: what                       *)
(* stirred audit --coq writes is stated and proved with what stands here.     *)
(*                                                                            *)
(* Data sets and outputs go by their places in lists, from 0. The five        *)
(* blocks, as data and as blocks of a specification:                          *)
(*   universes us == the multiverse whose universe i is the i-th list of us   *)
(*   distance choice d == the input premetric with d x x' between different   *)
(*            data sets, a fraction or None, which is infinity; 0 from each   *)
(*            to itself                                                       *)
(*   changed_places xs, changed_members xs, added_or_removed xs == d for data *)
(*            sets xs that are lists of records: unit distances               *)
(*   listed rows == d as a table                                              *)
(*   measure == Multiplicative delta or TotalVariation                        *)
(*   output_distance choice m == the output premetric                         *)
(*   budget_value choice b == the budget, in every universe                   *)
(*   mechanism n ts == from data sets to laws on 0, ..., n: those of trees ts *)
(*   audited choice n ts us d m b == the mechanism satisfies the specification*)
(*                                                                            *)
(*   met k n ts us d m b bounds == it is shown that it does: bounds has a     *)
(*            rational g with g <= e^(epsilon * c) for every finite distance c*)
(*   exceeded k n ts us d m b i x x' event g == it is shown that it does not, *)
(*            by an event in universe i, with e^(epsilon * d x x') <= g       *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   met_sound, exceeded_sound == what is shown is so                         *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The blocks                                                                 *)

Inductive measure : Type := Multiplicative of fraction | TotalVariation.

Definition universes (us : seq (seq nat)) (i x : nat) : Prop :=
  x \in nth [::] us i.

Definition input_distance : Type := nat -> nat -> option fraction.

Definition listed (rows : seq (seq (option fraction))) : input_distance :=
  fun x x' => nth None (nth [::] rows x) x'.

Definition whole (n : nat) : fraction := (bin_of_nat n, 1%num).

Definition changed_places (xs : seq (seq N)) : input_distance := fun x x' =>
  let r := nth [::] xs x in
  let s := nth [::] xs x' in
  if size r == size s
  then Some (whole (count (fun p => p.1 != p.2) (zip r s))) else None.

Definition missing (r s : seq N) : nat :=
  size (foldr (fun a t => rem a t) r s).

Definition changed_members (xs : seq (seq N)) : input_distance := fun x x' =>
  let r := nth [::] xs x in
  let s := nth [::] xs x' in
  if size r == size s then Some (whole (missing r s)) else None.

Definition added_or_removed (xs : seq (seq N)) : input_distance := fun x x' =>
  let r := nth [::] xs x in
  let s := nth [::] xs x' in
  Some (whole (missing r s + missing s r)).

Definition mechanism (n : nat) (ts : seq tree) (x : nat) :
  law rat_realFieldType [finType of 'I_n.+1] := tree_law n (nth Restart ts x).

Section Blocks.

Variable choice : choice_of_reals.

Lemma realF_nneg q : 0 <= (realF q : reals choice).
Proof. by apply/realsP; apply: realF_ge0. Qed.

Definition distance (d : input_distance) : premetric (reals choice) nat :=
  of_matrix (fun x x' => if d x x' is Some q then fin (realF_nneg q) else oo).

Definition output_distance (Y : finType) (m : measure) :
  premetric (reals choice) (law rat_realFieldType Y) :=
  match m with
  | Multiplicative delta =>
      event_distance.multiplicative choice (NNeg (ratF_ge0 delta))
  | TotalVariation => total_variation choice
  end.

Definition budget_value (b : budget) : ext (reals choice) :=
  positive_part choice (epsilon b).

Definition audited (n : nat) (ts : seq tree) (us : seq (seq nat))
    (d : input_distance) (m : measure) (b : budget) : Prop :=
  satisfies (universes us) (distance d)
    (@output_distance [finType of 'I_n.+1] m) (fun _ => budget_value b)
    (mechanism n ts).

End Blocks.

Arguments output_distance choice {Y} m.

(* The checker                                                                *)

Definition row_of (n : nat) (T : tree) : weights :=
  let w := weighed T in
  let v := mkseq (nth 0%num w.2) n.+1 in
  (if N.eqb w.1 0 then 0%num else total v, v).

Definition excess (g : fraction) (p q : weights) : N :=
  total [seq (st.1 * q.1 * g.2 - g.1 * st.2 * p.1)%num | st <- zip p.2 q.2].

Definition close (g delta : fraction) (p q : weights) : bool :=
  N.leb (excess g p q * delta.2) (delta.1 * (p.1 * q.1 * g.2)).

Definition product (q r : fraction) : fraction := (q.1 * r.1, q.2 * r.2)%num.

Definition same_fraction (q r : fraction) : bool :=
  N.eqb q.1 r.1 && N.eqb q.2 r.2.

Definition bound_at (bounds : seq (fraction * fraction)) (c : fraction) :
  option fraction :=
  omap snd (ohead [seq cg <- bounds | same_fraction cg.1 c]).

(* What P A <= g * Q A + delta has to hold with, at a distance.               *)
Definition needed (m : measure) (b : budget)
    (bounds : seq (fraction * fraction)) (c : fraction) :
  option (fraction * fraction) :=
  match m, b with
  | Multiplicative delta, _ => omap (fun g => (g, delta)) (bound_at bounds c)
  | TotalVariation, Exact e => Some ((1%num, 1%num), product e c)
  | TotalVariation, Log _ _ => None
  end.

Definition pair_met (m : measure) (b : budget)
    (bounds : seq (fraction * fraction)) (c : option fraction) (p q : weights) :
  bool :=
  if c is Some c then
    if needed m b bounds c is Some (g, delta) then
      [&& N.ltb 0 g.2, N.ltb 0 delta.2, close g delta p q & close g delta q p]
    else false
  else true.

Definition met (k n : nat) (ts : seq tree) (us : seq (seq nat))
    (d : input_distance) (m : measure) (b : budget)
    (bounds : seq (fraction * fraction)) : bool :=
  let rows := map (row_of n) ts in
  [&& all (well_formed n) ts, all (fun p => N.ltb 0 p.1) rows,
      all (fun cg => at_least k b cg.1 cg.2) bounds,
      is_budget b,
      all (all (fun x => x < size ts)%N) us &
      all (fun u => all (fun x => let p := nth (0%num, [::]) rows x in
        all (fun x' => (x == x') ||
          pair_met m b bounds (d x x') p (nth (0%num, [::]) rows x')) u) u) us].

Definition weight_of (event : seq nat) (p : weights) : N :=
  total (mkseq (fun t => if t \in event then nth 0%num p.2 t else 0%num)
               (size p.2)).

Definition beyond (g delta : fraction) (event : seq nat) (p q : weights) :
  bool :=
  N.ltb (g.1 * weight_of event q * p.1 * delta.2
         + delta.1 * (p.1 * q.1 * g.2))
        (weight_of event p * q.1 * g.2 * delta.2).

Definition too_far (g delta : fraction) (event : seq nat) (p q : weights) :
  bool :=
  beyond g delta event p q || beyond g delta event q p.

Definition exceeded (k n : nat) (ts : seq tree) (us : seq (seq nat))
    (d : input_distance) (m : measure) (b : budget) (i x x' : nat)
    (event : seq nat) (g : fraction) : bool :=
  let p := row_of n (nth Restart ts x) in
  let q := row_of n (nth Restart ts x') in
  [&& all (well_formed n) ts, x \in nth [::] us i, x' \in nth [::] us i,
      x != x',
      N.ltb 0 p.1, N.ltb 0 q.1, is_budget b &
      if d x x' is Some c then
        match m, b with
        | Multiplicative delta, _ =>
            [&& N.ltb 0 delta.2, at_most k b c g &
                too_far g delta event p q]
        | TotalVariation, Exact e =>
            let c := product e c in
            N.ltb 0 c.2 && too_far (1%num, 1%num) c event p q
        | TotalVariation, Log _ _ => false
        end
      else false].

(* What the checker computes, as rational numbers                             *)

Section Rows.

Variable n : nat.
Implicit Types (T : tree) (p q : weights) (P Q : law rat_realFieldType
  [finType of 'I_n.+1]) (A : {set 'I_n.+1}) (t : 'I_n.+1).

Definition is_row P p : Prop :=
  [/\ N.ltb 0 p.1, size p.2 = n.+1 &
      forall t, P t = ratN (nth 0%num p.2 t) / ratN p.1].

Lemma row_ofP T : N.ltb 0 (row_of n T).1 -> is_row (tree_law n T) (row_of n T).
Proof.
move=> gt0; split=> //; first by rewrite size_mkseq.
move: gt0; rewrite /row_of; case: N.eqb_spec => [_ //|w_n0 gt0 t].
have {}gt0 : N.ltb 0 (total (masses n T)) := gt0.
by apply: tree_lawE => // s0; rewrite s0 in gt0.
Qed.

Lemma closeP g delta P Q p q :
  is_row P p -> is_row Q q -> N.ltb 0 g.2 -> N.ltb 0 delta.2 ->
  close g delta p q -> forall A, Pr P A <= ratF g * Pr Q A + ratF delta.
Proof.
move=> [/ratN_gt0 p_gt0 size_p PE] [/ratN_gt0 q_gt0 size_q QE].
move=> /ratN_gt0 g_gt0 /ratN_gt0 d_gt0 /ratN_le; rewrite !ratNM => le_excess A.
set D := ratN p.1 * ratN q.1 * ratN g.2 in le_excess *.
have D_gt0 : 0 < D by rewrite !mulr_gt0.
pose e t := (nth 0 p.2 t * q.1 * g.2 - g.1 * nth 0 q.2 t * p.1)%num.
have sub_le a b : ratN a - ratN b <= ratN (a - b).
  rewrite ler_subl_addr; case: (N.leb_spec b a) => [le_ba | lt_ab].
    by rewrite -ratND N.sub_add.
  apply: le_trans (ratN_le _) _; first exact/N.leb_le/N.lt_le_incl/lt_ab.
  by rewrite ler_addr ratN_ge0.
have excessE : ratN (excess g p q) = \sum_t ratN (e t).
  rewrite /excess totalE big_map (big_nth (0%num, 0%num)) size_zip size_p.
  rewrite size_q minnn big_mkord; apply: eq_bigr => t _.
  by rewrite nth_zip ?size_p ?size_q.
have le_e t : P t - ratF g * Q t <= ratN (e t) / D.
  rewrite PE QE ler_pdivl_mulr //; apply: le_trans (sub_le _ _).
  rewrite !ratNM /ratF /D le_eqVlt; apply/orP; left; apply/eqP; field.
  by rewrite !gt_eqF.
rewrite -ler_subl_addl; apply: (@le_trans _ _ (\sum_(t in A) ratN (e t) / D)).
  rewrite /Pr mulr_sumr -sumrB; apply: ler_sum => t _; exact: le_e.
apply: (@le_trans _ _ (\sum_t ratN (e t) / D)).
  rewrite [X in _ <= X](bigID (mem A)) /= ler_addl; apply: sumr_ge0 => t _.
  by rewrite divr_ge0 ?ratN_ge0 // ltW.
rewrite -mulr_suml -excessE ler_pdivr_mulr // /ratF mulrAC.
by rewrite ler_pdivl_mulr.
Qed.

Lemma beyondP g delta event P Q p q :
  is_row P p -> is_row Q q -> N.ltb 0 g.2 -> N.ltb 0 delta.2 ->
  beyond g delta event p q ->
  exists A, ratF g * Pr Q A + ratF delta < Pr P A.
Proof.
move=> rowP rowQ /ratN_gt0 g_gt0 /ratN_gt0 d_gt0 /ratN_lt.
rewrite ratND !ratNM => lt_beyond.
exists [set t | val t \in event].
have weightE S s : is_row S s ->
    Pr S [set t | val t \in event] = ratN (weight_of event s) / ratN s.1.
  move=> [_ size_s SE]; rewrite /weight_of totalE big_map size_s.
  rewrite -[iota 0 n.+1]/(index_iota 0 n.+1) big_mkord mulr_suml /Pr big_mkcond.
  by apply: eq_bigr => t _; rewrite inE SE; case: ifP; rewrite ?mul0r.
have [/ratN_gt0 p_gt0 _ _] := rowP; have [/ratN_gt0 q_gt0 _ _] := rowQ.
rewrite (weightE _ _ rowP) (weightE _ _ rowQ) ltr_pdivl_mulr // /ratF.
have D_gt0 : 0 < ratN q.1 * ratN g.2 * ratN delta.2 by rewrite !mulr_gt0.
rewrite -(ltr_pmul2r D_gt0).
rewrite [X in _ < X]mulrA [X in _ < X * _]mulrA.
apply: le_lt_trans lt_beyond; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by field; rewrite !gt_eqF.
Qed.

End Rows.

(* Soundness                                                                  *)

Local Open Scope R_scope.

Section Soundness.

Variables (choice : choice_of_reals) (n : nat) (ts : seq tree).
Variables (us : seq (seq nat)) (d : input_distance) (m : measure) (b : budget).
Hypothesis b_ok : is_budget b.
Implicit Types (P Q : law rat_realFieldType [finType of 'I_n.+1]).

(* A bound between two laws at a finite distance c.                           *)
Definition bounded (c : fraction) P Q : Prop :=
  match m with
  | Multiplicative delta => forall A,
      of_rat (Pr P A) <= exp (epsilon b * realF c) * of_rat (Pr Q A)
                         + realF delta
  | TotalVariation => forall A,
      of_rat (Pr P A) <= of_rat (Pr Q A) + epsilon b * realF c
  end.

Lemma output_distance_le c P Q :
  output_distance choice m P Q
    <=e budget_value choice b *e fin (realF_nneg choice c) <->
  bounded c P Q /\ bounded c Q P.
Proof.
have -> : budget_value choice b *e fin (realF_nneg choice c) =
    Some (mulx (NNeg (positive_part_ge0 choice (epsilon b)))
               (NNeg (realF_nneg choice c))) by [].
set e := mulx _ _.
have eE : (nneg_val e : R) = epsilon b * realF c.
  by rewrite /e /= Rmax_right //; apply: epsilon_ge0.
rewrite /bounded /output_distance; case: m => [delta|].
  rewrite multiplicative_le eE; split=> [le_e | [PQ QP] A]; last by split.
  by split=> A; have [] := le_e A.
rewrite total_variation_le eE; split=> [le_e | [PQ QP] A].
  by split=> A; have [] := le_e A; lra.
by have := PQ A; have := QP A; lra.
Qed.

Lemma satisfiesP :
  audited choice n ts us d m b <->
  forall i x x', universes us i x -> universes us i x' -> x != x' ->
  forall c, d x x' = Some c ->
  bounded c (mechanism n ts x) (mechanism n ts x') /\
  bounded c (mechanism n ts x') (mechanism n ts x).
Proof.
split=> [sat i x x' xU x'U x_x' c dE | le i x x' xU x'U].
  apply/output_distance_le; have := sat i x x' xU x'U.
  by rewrite /= /off_diagonal (negbTE x_x') dE.
rewrite /= /off_diagonal; have [-> | x_x'] := eqVneq x x'.
  by rewrite dist_refl le0e.
case dE: (d x x') => [c|]; last exact: leoo.
by apply/output_distance_le; apply: le xU x'U x_x' c dE.
Qed.

End Soundness.

Lemma bound_at_least k b (bounds : seq (fraction * fraction)) c g :
  all (fun cg => at_least k b cg.1 cg.2) bounds -> bound_at bounds c = Some g ->
  realF g <= exp (epsilon b * realF c).
Proof.
move=> /allP all_least; rewrite /bound_at.
case E: [seq cg <- bounds | same_fraction cg.1 c] => [|[c' g'] s] //= [<-].
have : (c', g') \in [seq cg <- bounds | same_fraction cg.1 c].
  by rewrite E mem_head.
rewrite mem_filter => /andP[/andP[/N.eqb_eq c1 /N.eqb_eq c2] /all_least].
by move/at_least_sound; case: c c1 c2 {E} => ? ? /= <- <-; case: c'.
Qed.

Lemma real_bound (g delta p q : rat) : (p <= g * q + delta)%R ->
  of_rat p <= of_rat g * of_rat q + of_rat delta.
Proof.
by move/(embed_le of_rat_embedding);
  rewrite (embedD of_rat_embedding) (embedM of_rat_embedding).
Qed.

Lemma exactE e c : realF (product e c) = realF e * realF c.
Proof.
rewrite /realF -(embedM of_rat_embedding) /ratF !ratNM; congr of_rat.
by rewrite mulf_div.
Qed.

Lemma pair_metP k n m b bounds c P Q p q :
  all (fun cg => at_least k b cg.1 cg.2) bounds ->
  @is_row n P p -> is_row Q q -> pair_met m b bounds (Some c) p q ->
  bounded m b c P Q /\ bounded m b c Q P.
Proof.
move=> all_least rowP rowQ; rewrite /pair_met /needed /bounded.
case: m => [delta|].
  case boundE: (bound_at bounds c) => [g|] //= /and4P[g_gt0 d_gt0 PQ QP].
  have le_g := bound_at_least all_least boundE.
  have weaken (S U : law rat_realFieldType _) A :
      (Pr S A <= ratF g * Pr U A + ratF delta)%R ->
      of_rat (Pr S A) <= exp (epsilon b * realF c) * of_rat (Pr U A)
                         + realF delta.
    move/real_bound => le_S; apply: Rle_trans le_S _.
    apply: Rplus_le_compat_r; apply: Rmult_le_compat_r le_g.
    exact: event_mass_ge0.
  by split=> A; apply: weaken; [apply: closeP PQ A | apply: closeP QP A].
case: b all_least => [//|e] _ /and4P[g_gt0 d_gt0 PQ QP].
have tv (S U : law rat_realFieldType _) A :
    (Pr S A <= ratF (1%num, 1%num) * Pr U A + ratF (product e c))%R ->
    of_rat (Pr S A) <= of_rat (Pr U A) + epsilon (Exact e) * realF c.
  move/real_bound; rewrite -/(realF (product e c)) exactE.
  by rewrite (_ : of_rat (ratF _) = 1) ?Rmult_1_l // -(embed1 of_rat_embedding).
by split=> A; apply: tv; [apply: closeP PQ A | apply: closeP QP A].
Qed.

Theorem met_sound (choice : choice_of_reals) k n ts us d m b bounds :
  met k n ts us d m b bounds -> audited choice n ts us d m b.
Proof.
case/andP=> _ /and5P[rows_ok all_least b_ok /allP us_in /allP us_met].
apply/satisfiesP => // i x x' xU x'U x_x' c dE.
have in_us : nth [::] us i \in us.
  by apply: mem_nth; rewrite ltnNge; apply/negP => le_i;
    move: xU; rewrite /universes nth_default.
have lt_ts y : y \in nth [::] us i -> (y < size ts)%N.
  by move/(allP (us_in _ in_us)).
have row_y y : y \in nth [::] us i ->
    is_row (mechanism n ts y) (nth (0%num, [::]) (map (row_of n) ts) y).
  move/lt_ts => y_lt; rewrite (nth_map Restart) //; apply: row_ofP.
  rewrite -(nth_map Restart (0%num, [::])) //; apply: (allP rows_ok).
  by apply: mem_nth; rewrite size_map.
have /allP/(_ _ x'U) := allP (us_met _ in_us) _ xU.
rewrite (negbTE x_x') dE orFb.
exact: (pair_metP all_least (row_y _ xU) (row_y _ x'U)).
Qed.

Theorem exceeded_sound (choice : choice_of_reals) k n ts us d m b i x x' event
    g :
  exceeded k n ts us d m b i x x' event g -> ~ audited choice n ts us d m b.
Proof.
case/andP=> _ /and5P[xU x'U x_x' p_gt0 /and3P[q_gt0 b_ok]].
case dE: (d x x') => [c|] // far sat.
have near :=
  (satisfiesP choice n ts us d m b_ok).1 sat i x x' xU x'U x_x' c dE.
have rowP := row_ofP p_gt0; have rowQ := row_ofP q_gt0.
move: far near; rewrite /bounded; case: m sat => [delta|] sat.
  case/and3P=> d_gt0 least is_far.
  have g_gt0 : N.ltb 0 g.2 by case/and5P: least.
  have le_g := at_most_sound least.
  have contradicted (P Q : law rat_realFieldType _) A :
      (ratF g * Pr Q A + ratF delta < Pr P A)%R ->
      ~ of_rat (Pr P A) <= exp (epsilon b * realF c) * of_rat (Pr Q A)
                           + realF delta.
    move/(embed_lt of_rat_embedding).
    rewrite (embedD of_rat_embedding) (embedM of_rat_embedding) => lt_A le_A.
    have := Rmult_le_compat_r _ _ _ (event_mass_ge0 Q A) le_g.
    rewrite /event_mass; move: lt_A le_A; rewrite /realF; lra.
  move=> [PQ QP]; case/orP: is_far => is_far.
    have [A lt_A] := beyondP rowP rowQ g_gt0 d_gt0 is_far.
    exact: contradicted lt_A (PQ A).
  have [A lt_A] := beyondP rowQ rowP g_gt0 d_gt0 is_far.
  exact: contradicted lt_A (QP A).
case: b b_ok sat => // e b_ok sat /andP[c_gt0 is_far] [PQ QP].
have contradicted (P Q : law rat_realFieldType _) A :
    (ratF (1%num, 1%num) * Pr Q A + ratF (product e c) < Pr P A)%R ->
    ~ of_rat (Pr P A) <= of_rat (Pr Q A) + epsilon (Exact e) * realF c.
  move/(embed_lt of_rat_embedding).
  rewrite (embedD of_rat_embedding) (embedM of_rat_embedding).
  rewrite -/(realF (product e c)) exactE.
  rewrite (_ : of_rat (ratF _) = 1) ?Rmult_1_l -?(embed1 of_rat_embedding) //.
  by move=> lt_A; apply: Rlt_not_le.
case/orP: is_far => is_far.
  have [A lt_A] := beyondP (g := (1%num, 1%num)) rowP rowQ isT c_gt0 is_far.
  exact: contradicted lt_A (PQ A).
have [A lt_A] := beyondP (g := (1%num, 1%num)) rowQ rowP isT c_gt0 is_far.
exact: contradicted lt_A (QP A).
Qed.

Arguments met_sound choice k {n ts us d m b} bounds.
Arguments exceeded_sound choice k {n ts us d m b} i x x' event g.
