(******************************************************************************)
(* Derangement numbers (article, Appendix E, equation (13) and Lemma 6)       *)
(*                                                                            *)
(* Definitions                                                                *)
(*   deranges A == the permutations of a finite type whose moved points are   *)
(*            exactly the set A                                               *)
(*   der k == d(k), the number of permutations of 'I_k without a fixed point  *)
(*   der_rec k == a computable function, equal to der k                       *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   card_deranges == exactly d(#|A|) permutations move exactly A             *)
(*   der_rS == derangements.recurrence: d(k) = k d(k-1) + (-1)^k              *)
(*   der_formula == derangements.definition: d(k) = k! sum_j (-1)^j / j!      *)
(*   derSS == d(k+2) = (k+1) (d(k+1) + d(k))                                  *)
(*   sum_bin_der == sum_k C(n, k) d(k) = n!                                   *)
(*   der_ratio == derangements.ratio-bound (Lemma 6)                          *)
(*   der_ratio_refuted == it fails for the excluded a = k-1                   *)
(*   leq_der, leq_der_refuted == d is nondecreasing, except at k = 1          *)
(*   der_ratio_jump == (d(k+a)/d(k))^2 <= (d(b)/d(b-2))^a for k + a <= b,     *)
(*            where a, k, k + a <> 1 and b - 2 <> 1                           *)
(*   der_gap == d(k+a)/d(k) <= d(m+a)/d(m) for k <= m                         *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat.
From mathcomp Require Import zify ring.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.

Definition deranges (T : finType) (A : {set T}) : {set {perm T}} :=
  [set g : {perm T} | [set i | g i != i] == A].

Definition der k : nat := #|[set g : 'S_k | [forall i, g i != i]]|.

Fixpoint der_rec k : nat :=
  match k with
  | 0 => 1
  | k1.+1 => if k1 is k2.+1 then k1 * (der_rec k1 + der_rec k2) else 0
  end.

(* The recursive function                                                     *)

Lemma der_recSS k : der_rec k.+2 = k.+1 * (der_rec k.+1 + der_rec k).
Proof. by []. Qed.

Lemma der_recS (R : comRingType) k :
  ((der_rec k.+1)%:R = k.+1%:R * (der_rec k)%:R + (-1) ^+ k.+1 :> R)%R.
Proof.
elim: k => [|k IHk]; first by rewrite /= mul1r expr1 subrr.
rewrite der_recSS natrM natrD IHk !exprS -[k.+2]addn1 natrD.
by ring.
Qed.

Lemma sum_bin_der_rec n : \sum_(k < n.+1) 'C(n, k) * der_rec k = n`!.
Proof.
elim: n => [|n IHn]; first by rewrite big_ord_recl big_ord0.
apply/eqP; rewrite -(eqr_nat [numDomainType of int]) natr_sum; apply/eqP.
rewrite big_ord_recl (eq_bigr (fun k : 'I_n.+1 => n.+1%:R *
    ('C(n, k)%:R * (der_rec k)%:R) + (-1) ^+ k.+1 *+ 'C(n.+1, k.+1))%R).
  rewrite big_split -mulr_sumr /= addrCA.
  have := exprDn (1%R : int) (-1)%R n.+1; rewrite subrr expr0n /= big_ord_recl.
  rewrite expr1n mul1r (eq_bigr (fun k : 'I_n.+1 =>
    ((-1) ^+ k.+1 *+ 'C(n.+1, k.+1))%R)); last first.
    by move=> k _; rewrite expr1n mul1r.
  rewrite expr0 !bin0 => <-; rewrite addr0 factS -IHn natrM natr_sum.
  by congr (_ * _)%R; apply: eq_bigr => k _; rewrite natrM.
move=> k _; rewrite lift0 natrM der_recS mulrDr.
congr (_ + _)%R; last by rewrite mulr_natl.
by rewrite !mulrA -!natrM (mulnC _ k.+1) -mul_bin_diag.
Qed.

(* Counting permutations by their moved points                                *)

Lemma sum_card_deranges (T : finType) (A : {set T}) :
  \sum_(B : {set T} | B \subset A) #|deranges B| = #|A|`!.
Proof.
rewrite -card_perm -sum1_card.
rewrite (partition_big (fun g : {perm T} => [set i | g i != i])
  (fun B : {set T} => B \subset A)) /=.
  apply: eq_bigr => B sBA; rewrite -sum1_card; apply: eq_bigl => g.
  rewrite inE; case: eqP => [eB|]; rewrite ?andbF // andbT.
  symmetry; apply/subsetP => i gi; apply: (subsetP sBA).
  by rewrite -eB inE.
by move=> g gA; apply/subsetP => i; rewrite inE => /(subsetP gA).
Qed.

(* A sum over the subsets of A that depends on their sizes only.              *)
Lemma sum_subset_size (T : finType) (A : {set T}) (F : nat -> nat) :
  \sum_(B : {set T} | B \subset A) F #|B| =
  \sum_(k < #|A|.+1) 'C(#|A|, k) * F k.
Proof.
rewrite (partition_big (fun B : {set T} => inord #|B| : 'I_#|A|.+1) xpredT) //=.
apply: eq_bigr => k _; rewrite -cards_draws -sum_nat_const.
apply: eq_big => [B | B /andP[sBA /eqP <-]]; last first.
  by rewrite inordK // ltnS subset_leq_card.
rewrite inE; case: (boolP (B \subset A)) => //= sBA.
by rewrite -val_eqE /= inordK // ltnS subset_leq_card.
Qed.

Lemma card_deranges_rec (T : finType) (A : {set T}) :
  #|deranges A| = der_rec #|A|.
Proof.
elim: {A}_.+1 {-2}A (ltnSn #|A|) => // n IHn A leAn.
have := sum_card_deranges A; rewrite -sum_bin_der_rec -sum_subset_size.
rewrite (bigD1 A) // [in RHS](bigD1 A) //= => /eqP.
rewrite (eq_bigr (fun B : {set T} => der_rec #|B|)) ?eqn_add2r => [/eqP//|].
move=> B /andP[sBA nBA]; apply: IHn; rewrite -ltnS (leq_trans _ leAn) // ltnS.
by rewrite proper_card // properEneq nBA.
Qed.

Lemma derE k : der k = der_rec k.
Proof.
rewrite -[in RHS](card_ord k) -cardsT -card_deranges_rec.
apply: eq_card => g; rewrite !inE; apply/forallP/eqP => [g_n|gT i].
  by apply/setP=> i; rewrite !inE g_n.
by have := in_setT i; rewrite -gT inE.
Qed.

Theorem card_deranges (T : finType) (A : {set T}) : #|deranges A| = der #|A|.
Proof. by rewrite card_deranges_rec derE. Qed.

Lemma der0 : der 0 = 1. Proof. by rewrite derE. Qed.
Lemma der1 : der 1 = 0. Proof. by rewrite derE. Qed.
Lemma der2 : der 2 = 1. Proof. by rewrite derE. Qed.
Lemma der3 : der 3 = 2. Proof. by rewrite derE. Qed.

Theorem derSS k : der k.+2 = k.+1 * (der k.+1 + der k).
Proof. by rewrite !derE. Qed.

Theorem sum_bin_der n : \sum_(k < n.+1) 'C(n, k) * der k = n`!.
Proof. by rewrite -sum_bin_der_rec; apply: eq_bigr => k _; rewrite derE. Qed.

(* Equation (13) holds for k = 0 too, whatever the value of d(-1), here d(0). *)
Theorem der_rS k : ((der k)%:Z = k%:Z * (der k.-1)%:Z + (-1) ^+ k)%R.
Proof.
by case: k => [|k]; rewrite ?der0 // !derE -!natz der_recS.
Qed.

Theorem der_formula (F : numFieldType) k :
  ((der k)%:R = k`!%:R * \sum_(j < k.+1) (-1) ^+ j / j`!%:R :> F)%R.
Proof.
have fact_neq0 j : (j`!%:R != 0 :> F)%R by rewrite pnatr_eq0 -lt0n fact_gt0.
rewrite derE; elim: k => [|k IHk].
  by rewrite big_ord_recl big_ord0 addr0 /= divr1 mulr1.
rewrite big_ord_recr der_recS IHk mulrDr.
congr (_ + _)%R; last by rewrite mulrC divfK.
by rewrite factS natrM mulrA.
Qed.

(* Bounds                                                                     *)

Lemma der_gt0 k : (0 < der k) = (k != 1).
Proof.
rewrite derE; elim/ltn_ind: k => [[|[|[|k]]]] // IHk.
by rewrite der_recSS muln_gt0 addn_gt0 IHk.
Qed.

(* d(k+1) lies within 1 of (k+1) d(k).                                        *)
(* d(k+1) lies within 1 of (k+1) d(k).                                        *)
Lemma derS_le k : der k.+1 <= k.+1 * der k + 1.
Proof.
have /= := der_rS k.+1; rewrite -signr_odd /=.
by case: (odd k); rewrite ?expr0 ?expr1; lia.
Qed.

Lemma derS_ge k : k.+1 * der k <= der k.+1 + 1.
Proof.
have /= := der_rS k.+1; rewrite -signr_odd /=.
by case: (odd k); rewrite ?expr0 ?expr1; lia.
Qed.

Lemma derS_le_mul k : k != 1 -> der k.+1 <= k.+2 * der k.
Proof. by rewrite -der_gt0 => dk; have := derS_le k; nia. Qed.

Theorem leq_der j k : j <= k -> j != 1 -> k != 1 -> der j <= der k.
Proof.
have leS i : i != 1 -> i != 0 -> der i <= der i.+1.
  by rewrite -der_gt0 => i1 i0; have := derS_ge i; nia.
move=> lejk j1 k1; have [-> | j0] := eqVneq j 0; first by rewrite der0 der_gt0.
elim: k lejk k1 => [|k IHk]; first by rewrite leqn0 => /eqP->.
rewrite leq_eqVlt => /orP[/eqP-> //|lejk] _.
have k1 : k != 1 by apply/eqP=> k1; lia.
by apply: leq_trans (IHk lejk k1) (leS _ k1 _); apply/eqP; lia.
Qed.

(* d is not monotone at k = 1.                                                *)
Example leq_der_refuted : ~~ (der 0 <= der 1).
Proof. by rewrite der0 der1. Qed.

(* Lemma 6, the ratio d(k) / d(k-a) written as a product; a = k-1 is excluded *)
(* because d(1) = 0.                                                          *)
Theorem der_ratio k a :
  a <= k -> a.+1 != k -> der k <= k.+1 ^ a * der (k - a).
Proof.
elim: k a => [|k IHk] [|a] //; rewrite ?expn0 ?mul1n ?subn0 // ltnS => leak ak.
have [k1 | k1] := eqVneq k 1.
  case: a leak ak => [|[|a]]; rewrite {}k1 // => _ _.
  by rewrite subnn der0 der2.
rewrite subSS expnS -mulnA (leq_trans (derS_le_mul k1)) // leq_mul2l /=.
rewrite (leq_trans (IHk a leak ak)) // leq_mul2r.
case: (posnP a) => [->|a_gt0]; first by rewrite !expn0 leqnn orbT.
by rewrite leq_exp2r // leqnSn orbT.
Qed.

(* For a = k-1 the bound fails.                                               *)
Example der_ratio_refuted k : 1 < k -> ~~ (der k <= k.+1 ^ k.-1 * der (k -
  k.-1)).
Proof.
case: k => [|[|k]] // _; rewrite /= subSnn der1 muln0 leqn0 -lt0n.
by rewrite der_gt0.
Qed.

(* Ratios d(k') / d(k), all below powers of d(b) / d(b-2); here b = c + 2.    *)

Lemma der_ratio2_ge c : c != 1 -> c.+1 ^ 2 * der c <= der c.+2.
Proof.
by rewrite derSS -der_gt0 => dc; have := derS_ge c; rewrite expnS expn1; nia.
Qed.

Lemma der_ratio2_sq c : c != 1 -> der c.+2 <= c.+2 ^ 2 * der c.
Proof.
by rewrite derSS -der_gt0 => dc; have := derS_le c; rewrite expnS expn1; nia.
Qed.

Lemma der_ratio2_le k c :
  k <= c -> k != 1 -> c != 1 -> der k.+2 * der c <= der c.+2 * der k.
Proof.
rewrite leq_eqVlt => /orP[/eqP-> // | ltkc] k1 c1.
apply: (@leq_trans (c.+1 ^ 2 * der k * der c)); last first.
  by rewrite mulnAC leq_mul2r der_ratio2_ge // orbT.
rewrite leq_mul2r; apply/orP; right; move: k1; rewrite derSS -der_gt0 => dk.
by have := derS_le k; rewrite expnS expn1; nia.
Qed.

Lemma der_ratio1 k c : 1 < k -> k <= c.+1 -> c != 1 ->
  der k.+1 ^ 4 * der c ^ 3 <= der c.+2 ^ 3 * der k ^ 4.
Proof.
move=> k_gt1 lekc c1; have c_gt1 : 1 < c by move/eqP: c1; lia.
have leA : der k.+1 <= c.+3 * der k.
  apply: leq_trans (derS_le_mul _) _; first by apply/eqP; lia.
  by rewrite leq_mul2r !ltnS lekc orbT.
have leB := der_ratio2_ge c1; have lec : c.+3 ^ 4 <= (c.+1 ^ 2) ^ 3.
  have {c1 leA leB lekc}: c.+3 ^ 2 <= c.+1 ^ 3 by rewrite !expnS expn0; nia.
  by rewrite (expnM _ 2 2) (expnAC _ 2) leq_exp2r.
apply: (@leq_trans ((c.+3 * der k) ^ 4 * der c ^ 3)).
  by rewrite leq_mul2r leq_exp2r // leA orbT.
apply: (@leq_trans ((c.+1 ^ 2 * der c) ^ 3 * der k ^ 4)); last first.
  by rewrite leq_mul2r leq_exp2r // leB orbT.
rewrite (expnMn c.+3) (expnMn (c.+1 ^ 2)) mulnAC leq_mul2r leq_mul2r.
by rewrite lec !orbT.
Qed.

Lemma jump_trans u v w b c a :
    w * c <= b * u -> u ^ 2 * c ^ a <= b ^ a * v ^ 2 ->
  w ^ 2 * c ^ a.+2 <= b ^ a.+2 * v ^ 2.
Proof.
move=> le1 le2; apply: (@leq_trans ((b * u) ^ 2 * c ^ a)).
  rewrite (_ : w ^ 2 * c ^ a.+2 = (w * c) ^ 2 * c ^ a).
    by rewrite leq_mul2r leq_exp2r // le1 orbT.
  by rewrite !expnS !expn0; lia.
rewrite (_ : (b * u) ^ 2 * c ^ a = b ^ 2 * (u ^ 2 * c ^ a)).
  rewrite (_ : b ^ a.+2 * v ^ 2 = b ^ 2 * (b ^ a * v ^ 2)).
    by rewrite leq_mul2l le2 orbT.
  by rewrite !expnS !expn0; lia.
by rewrite !expnS !expn0; lia.
Qed.

Lemma der_ratio_jump k a c :
    a != 1 -> k != 1 -> k + a != 1 -> k + a <= c.+2 -> c != 1 ->
  der (k + a) ^ 2 * der c ^ a <= der c.+2 ^ a * der k ^ 2.
Proof.
move=> a1 k1 ka1 leka c1; elim/ltn_ind: a a1 ka1 leka => -[|[|a]] // IHa _ _.
  by rewrite addn0 mulnC.
rewrite !addnS !ltnS => leka.
have [a1 | a1] := eqVneq a 1.
  rewrite {a}a1 addn1 in IHa leka *.
  have c_gt1 : 1 < c by move/eqP: c1 leka; lia.
  have le9 := der_ratio2_ge c1; have [k0 | k0] := eqVneq k 0.
    rewrite k0 der3 der0 exp1n muln1.
    apply: (@leq_trans ((c.+1 ^ 2 * der c) ^ 3)); last by rewrite leq_exp2r.
    rewrite expnMn leq_mul2r -expnM (@leq_trans (3 ^ 6)) ?orbT //.
    by rewrite leq_exp2r.
  have leA : der k.+1 <= c.+1 * der k.
    by apply: leq_trans (derS_le_mul k1) _; rewrite leq_mul2r ltnS leka orbT.
  have leB : der k.+3 * der c <= der c.+2 * der k.+1.
    by apply: der_ratio2_le => //; apply/eqP => -[/eqP]; rewrite (negbTE k0).
  have leC : der k.+1 ^ 2 * der c <= der c.+2 * der k ^ 2.
    apply: (@leq_trans ((c.+1 * der k) ^ 2 * der c)).
      by rewrite leq_mul2r leq_exp2r // leA orbT.
    by rewrite (expnMn c.+1) mulnAC leq_mul2r le9 orbT.
  by apply: jump_trans leB _; rewrite !expn1.
have [ka1 | ka1] := eqVneq (k + a) 1.
  have [k0 a1'] : k = 0 /\ a = 1 by move/eqP: k1; move/eqP: a1; lia.
  by rewrite a1' in a1.
have leI : der (k + a) ^ 2 * der c ^ a <= der c.+2 ^ a * der k ^ 2.
  by apply: IHa => //; lia.
have leJ : der (k + a).+2 * der c <= der c.+2 * der (k + a).
  exact: der_ratio2_le.
exact: jump_trans leJ leI.
Qed.

(* d(k+1) / d(k) grows from k = 2 on.                                         *)
Lemma der_log_convex k m : 1 < k -> k <= m ->
  der k.+1 * der m <= der m.+1 * der k.
Proof.
move=> k_gt1; rewrite leq_eqVlt => /orP[/eqP-> // | ltkm].
have dk : 0 < der k by rewrite der_gt0 gtn_eqF.
have der_gt1 j : 2 < j -> 1 < der j.
  move=> j_gt2; rewrite -[2]der3; apply: leq_der => //.
  by apply: contraTneq j_gt2 => ->.
have dm : 1 < der m by apply: der_gt1; apply: leq_trans ltkm.
have geM := derS_ge m; have [k2 | k2] := eqVneq k 2.
  by rewrite k2 der3 der2 in ltkm *; nia.
have dk2 : 1 < der k by apply: der_gt1; rewrite ltn_neqAle eq_sym k2.
have leK := derS_le k.
have le1 : (k.+1 * der k + 1) * der m <= (k.+2 * der m - 1) * der k.
  by rewrite mulnBl mul1n; nia.
apply: (leq_trans (leq_mul leK (leqnn (der m)))); apply: (leq_trans le1).
by rewrite leq_mul2r leq_subLR addnC (leq_trans _ geM) ?orbT // leq_mul2r ltnS
  ltkm orbT.
Qed.

(* The ratio of two derangement numbers at a fixed gap grows.                 *)
Lemma der_gap k m a : k <= m -> k != 1 -> m != 1 -> k + a != 1 ->
  der (k + a) * der m <= der (m + a) * der k.
Proof.
move=> lekm k1 m1 ka1; have dm : 0 < der m by rewrite der_gt0.
have dk : 0 < der k by rewrite der_gt0.
elim: a ka1 => [|a IHa] ka1; first by rewrite !addn0 mulnC.
rewrite !addnS; have [ka | ka] := eqVneq (k + a) 1.
  have [k0 a1] : k = 0 /\ a = 1 by move/eqP: k1 ka; case: (k) => [|[|j]] //=;
    split.
  rewrite k0 a1 der2 der0 mul1n muln1 addn1 leq_der //.
  exact: leqW (leqnSn m).
have [k0 | k0] := eqVneq (k + a) 0.
  by move/eqP: k0 ka1; rewrite addnS addn_eq0 => /andP[/eqP-> /eqP->].
have ka_gt1 : 1 < k + a by rewrite ltn_neqAle eq_sym ka lt0n.
have le1 := der_log_convex ka_gt1 (leq_add lekm (leqnn a)).
have le2 := IHa ka; have dka : 0 < der (k + a) by rewrite der_gt0.
have dma : 0 < der (m + a) by rewrite der_gt0 gtn_eqF // (leq_trans ka_gt1) //
  leq_add2r.
rewrite -(leq_pmul2r dka) -(leq_pmul2r dma).
apply: (@leq_trans (der (k + a).+1 * der (m + a) * (der (k + a) * der m))).
  by rewrite [leqRHS]mulnACA; apply: eq_leq; lia.
apply: (@leq_trans ((der (m + a).+1 * der (k + a)) * (der (m + a) * der k))).
  exact: leq_mul.
by apply: eq_leq; lia.
Qed.
