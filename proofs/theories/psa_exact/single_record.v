(******************************************************************************)
(* The exact loss of the PSA where one holding category holds a single record *)
(* and one other the rest                                                     *)
(*                                                                            *)
(* Definitions                                                                *)
(*   swap_mass p n == mu, the probability that a record moves in a stratum of *)
(*            n records: p (1 - (1-p)^(n-1)) / (1 - n p (1-p)^(n-1))          *)
(*   stay_mass p n c == q_s, the probability that the single record keeps its *)
(*            swapping category s, which c records have: 1 - mu + mu (c-1) /  *)
(*            (n-1)                                                           *)
(*   come_mass p n c == r_s, the probability that it comes to s from another  *)
(*            swapping category: mu c / (n-1)                                 *)
(*   single_row x m h h' == in the stratum m the holding categories h <> h'   *)
(*            have one record and n - 1 records, so all of the n records      *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   single_record_loss == psa.exact.single-record, with gamma = e^epsilon:   *)
(*            where at least two swapping categories hold records, gamma is a *)
(*            budget of the universe if and only if gamma^2 is at least q_s / *)
(*            r_s and r_s / q_s for all s that hold records                   *)
(*   single_record_budgets == the same without quotients, for every swap      *)
(*            rate, 0 and 1 included                                          *)
(*   single_record_law == the law of the table, which says only what swapping *)
(*            category the single record has                                  *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify.
From Stirred Require Import compat law swapping hamming pure.
From Stirred Require Import psa_law psa_privacy optimality.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition swap_mass (R : realFieldType) (p : R) n : R :=
  p * (1 - (1 - p) ^+ n.-1) / (1 - n%:R * p * (1 - p) ^+ n.-1).

Definition stay_mass (R : realFieldType) (p : R) n c : R :=
  1 - swap_mass p n + swap_mass p n * c.-1%:R / n.-1%:R.

Definition come_mass (R : realFieldType) (p : R) n c : R :=
  swap_mass p n * c%:R / n.-1%:R.

Definition single_row (M H S : finType) n (x : dataset M H S n) m h h' : bool :=
  [&& h != h', n_mh x m h == 1%N & n_mh x m h' == n.-1].

(* The law of the permutation of one stratum: where record i goes             *)
Section OneStratum.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p : R).
Hypotheses (p01 : 0 <= p <= 1) (n_gt1 : (1 < n)%N).
Variables (x : dataset M H S n) (m : M) (i : 'I_n).
Hypothesis xm : forall l, matching (x l) = m.
Implicit Types (g : {perm 'I_n}) (j k : 'I_n).

Lemma one_stratum : stratum x m = setT.
Proof. by apply/setP => l; rewrite !inE xm eqxx. Qed.

Lemma preserves_all g : preserves_strata x g.
Proof. by apply/preserves_strataP => l; rewrite !xm. Qed.

Lemma psa_perm_moved g : psa_perm p p01 x g = move_mass p n (moved g).
Proof.
rewrite psa_permE preserves_all (bigD1 m) //= big1 => [|m' neq_m].
  by rewrite mulr1 /moved_in one_stratum cardsT card_ord setIT.
rewrite (_ : stratum x m' = set0) ?cards0 //.
by apply/setP => l; rewrite !inE xm eq_sym (negPf neq_m).
Qed.

Lemma psa_perm_stratum : psa_perm p p01 x = stratum_perm p p01 setT.
Proof.
apply: eq_law => g; rewrite psa_perm_moved stratum_permE cardsT card_ord.
by rewrite (_ : perm_on setT g) //; apply/subsetP => l _; rewrite inE.
Qed.

Lemma Pr_moves : Pr (psa_perm p p01 x) [set g : {perm 'I_n} | g i != i] =
  swap_mass p n.
Proof.
rewrite psa_perm_stratum Pr_swapped ?cardsT ?card_ord ?inE //.
Qed.

Lemma goes_alike j k : j != i -> k != i ->
  \sum_(g : {perm 'I_n} | g i == j) psa_perm p p01 x g =
  \sum_(g : {perm 'I_n} | g i == k) psa_perm p p01 x g.
Proof.
move=> ji ki; pose pi := tperm j k.
have pii : pi i = i by rewrite tpermD.
have conj_inj : injective (fun g => pi^-1 * g * pi)%g.
  by move=> g h /mulIg/mulgI.
rewrite [RHS](reindex_inj conj_inj) /=; apply: eq_big => [g|g _].
  rewrite !permM tpermV pii -[in RHS](inj_eq (@perm_inj _ pi)) tpermK.
  by rewrite tpermR.
by rewrite !psa_perm_moved moved_conj.
Qed.

Lemma goes_to j : j != i ->
  \sum_(g : {perm 'I_n} | g i == j) psa_perm p p01 x g =
  swap_mass p n / n.-1%:R.
Proof.
move=> ji; have n1_neq0 : n.-1%:R != 0 :> R.
  by rewrite pnatr_eq0 -lt0n -ltnS prednK // ltnW.
apply: (mulIf n1_neq0); rewrite divfK // -Pr_moves /Pr.
rewrite [RHS](partition_big (fun g : {perm 'I_n} => g i) (fun k => k != i)) /=.
  rewrite [RHS](eq_bigr (fun=> \sum_(g : {perm 'I_n} | g i == j)
      psa_perm p p01 x g)).
    by rewrite sumr_const cardC1 card_ord mulr_natr.
  move=> k ki; rewrite (goes_alike ji ki); apply: eq_bigl => g; rewrite inE.
  by have [->|_] := eqVneq (g i) k; rewrite ?andbF // ki.
by move=> g; rewrite inE.
Qed.

Lemma goes_nowhere :
  \sum_(g : {perm 'I_n} | g i == i) psa_perm p p01 x g = 1 - swap_mass p n.
Proof.
rewrite -Pr_moves -PrC /Pr; apply: eq_bigl => g.
by rewrite !inE negbK.
Qed.

(* The probability that record i gets the swapping category s.                *)
Lemma gets_mass s :
  \sum_(g : {perm 'I_n} | swapping (x (g i)) == s) psa_perm p p01 x g =
  if swapping (x i) == s then stay_mass p n (n_ms x m s)
  else come_mass p n (n_ms x m s).
Proof.
rewrite (partition_big (fun g : {perm 'I_n} => g i)
  (fun k => swapping (x k) == s)) //=.
transitivity (\sum_(k | swapping (x k) == s)
    \sum_(g : {perm 'I_n} | g i == k) psa_perm p p01 x g).
  apply: eq_bigr => k ks; apply: eq_bigl => g.
  by have [->|_] := eqVneq (g i) k; rewrite ?andbF // ks.
have cardE : n_ms x m s = #|[pred k | swapping (x k) == s]|.
  by rewrite n_msE; apply: eq_card => k; rewrite !inE xm eqxx.
case: ifP => xs.
  rewrite (bigD1 i) //= goes_nowhere /stay_mass; congr (_ + _).
  rewrite (eq_bigr (fun=> swap_mass p n / n.-1%:R)) => [|k /andP[_ ki]].
    rewrite sumr_const -[LHS]mulr_natr mulrAC; congr (_ * _%:R / _).
    rewrite cardE [in RHS](cardD1 i) [i \in _]xs add1n /=.
    by apply: eq_card => k; rewrite !inE andbC.
  exact: goes_to.
rewrite (eq_bigr (fun=> swap_mass p n / n.-1%:R)) => [|k ks].
  by rewrite sumr_const -[LHS]mulr_natr mulrAC -cardE.
by apply: goes_to; apply: contraFneq xs => <-.
Qed.

End OneStratum.

(* The universe: one holding category has one record, one other the rest.     *)
Section SingleRow.

Variables (M H S : finType) (n : nat).
Implicit Types (x y : dataset M H S n) (g k : {perm 'I_n}).

Lemma single_row_universe x y m h h' :
  same_invariants x y -> single_row x m h h' -> single_row y m h h'.
Proof. by move=> xy; rewrite /single_row !(same_n_mh xy). Qed.

Lemma single_rowP x m h h' : single_row x m h h' ->
  exists i, [/\ holding (x i) = h, forall l, matching (x l) = m
    & forall l, l != i -> holding (x l) = h'].
Proof.
case/and3P=> neq_h /eqP one /eqP rest.
have /n_mh_gt0P[i im ih] : (0 < n_mh x m h)%N by rewrite one.
have othersE l : l != i -> (matching (x l) == m) && (holding (x l) == h').
  pose A := [set k | (matching (x k) == m) && (holding (x k) == h')].
  have /eqP AE : A == [set~ i].
    rewrite eqEcard cardsC1 card_ord -rest n_mhE leqnn andbT.
    apply/subsetP => k; rewrite !inE => /andP[_ /eqP kh].
    by apply: contra_neqN neq_h => /eqP ki; rewrite -ih -ki.
  by rewrite -in_setC1 -AE inE.
exists i; split=> // l; last by case/othersE/andP=> _ /eqP.
by have [->//|/othersE/andP[/eqP]] := eqVneq l i.
Qed.

Section OneDataset.

Variables (x : dataset M H S n) (m : M) (h h' : H) (i : 'I_n).
Hypotheses (neq_h : h != h') (xi : holding (x i) = h).
Hypotheses (xm : forall l, matching (x l) = m).
Hypotheses (xl : forall l, l != i -> holding (x l) = h').

(* The table says what swapping category the single record has.               *)
Lemma eq_table_single g k :
  (table (apply_perm g x) == table (apply_perm k x)) =
  (swapping (x (g i)) == swapping (x (k i))).
Proof.
apply/eqP/eqP => [tab|gk].
  have := table_gt0 (apply_perm g x) i; rewrite tab ffunE => /card_gt0P[l].
  rewrite inE !ffunE !xm => /eqP[hl <-]; congr (swapping (x (k _))).
  by apply: contraNeq neq_h => li; rewrite -xi -hl xl.
pose k' := (k * tperm (k i) (g i))%g.
have k'i : k' i = g i by rewrite permM tpermL.
have -> : apply_perm k x = apply_perm k' x.
  apply/ffunP => l; rewrite !ffunE permM.
  by case: tpermP => [->|->|]; rewrite ?gk.
rewrite -(table_reorder (k' * g^-1) (apply_perm g x)); congr table.
have fixi : (k' * g^-1)%g i = i by rewrite permM k'i permK.
apply/ffunP => l; rewrite !ffunE !xm -permM mulgKV; congr (_, _, _).
have [->|li] := eqVneq l i; first by rewrite fixi.
rewrite !xl //; apply: contraNneq li => e; apply/eqP.
by apply: (@perm_inj _ (k' * g^-1)%g); rewrite fixi.
Qed.

(* Two tables of the universe differ in two records.                          *)
Lemma hamming_single g k : swapping (x (g i)) != swapping (x (k i)) ->
  hamming (apply_perm g x) (apply_perm k x) = 2%N.
Proof.
move=> gk; set y := apply_perm g x; set z := apply_perm k x.
have pres := preserves_all xm.
have yz : same_invariants y z.
  apply: same_invariants_trans (same_invariants_apply (pres k)).
  by rewrite same_invariants_sym same_invariants_apply.
have le2 : (hamming y z <= 2)%N.
  pose l := (g^-1)%g (k i); pose t := tperm i l.
  have -> : hamming y z = hamming y (apply_perm t y).
    apply: hamming_table => //; apply/eqP; rewrite apply_permM eq_table_single.
    by rewrite permM tpermL permKV.
  apply: leq_trans (hamming_apply_perm _ _) _.
  apply: (@leq_trans #|[set i; l]|); last by rewrite cards2; case: (i != l).
  apply: subset_leq_card; apply/subsetP => j; rewrite !inE.
  by case: tpermP => [->|->|]; rewrite ?eqxx ?orbT.
have neq0 : hamming y z != 0%N by rewrite hamming_eq0 eq_table_single.
by have := no_neighbors yz; lia.
Qed.

Lemma single_law (R : realFieldType) (p : R) (p01 : 0 <= p <= 1) k :
    (1 < n)%N ->
  psa p p01 x (table_ord (apply_perm k x)) =
  if swapping (x i) == swapping (x (k i))
  then stay_mass p n (n_ms x m (swapping (x (k i))))
  else come_mass p n (n_ms x m (swapping (x (k i)))).
Proof.
move=> n_gt1; rewrite psaE -gets_mass //; apply: eq_bigl => g.
by rewrite eq_table_ord eq_table_single.
Qed.

End OneDataset.

Lemma single_law_apply x m h h' i (R : realFieldType) (p : R)
    (p01 : 0 <= p <= 1) g k :
    (1 < n)%N -> h != h' -> holding (x i) = h ->
    (forall l, matching (x l) = m) ->
    (forall l, l != i -> holding (x l) = h') ->
  psa p p01 (apply_perm g x) (table_ord (apply_perm k x)) =
  if swapping (x (g i)) == swapping (x (k i))
  then stay_mass p n (n_ms x m (swapping (x (k i))))
  else come_mass p n (n_ms x m (swapping (x (k i)))).
Proof.
move=> n_gt1 neq_h xi xm xl; set y := apply_perm g x.
have yi : holding (y i) = h by rewrite holding_apply.
have ym l : matching (y l) = m by rewrite matching_apply.
have yl l : l != i -> holding (y l) = h' by rewrite holding_apply; apply: xl.
have -> : apply_perm k x = apply_perm (k * g^-1) y.
  by rewrite apply_permM mulgKV.
rewrite (single_law neq_h yi ym yl) // !swapping_apply permM permKV.
by rewrite n_ms_apply // (preserves_all xm).
Qed.

(* The single record keeps its swapping category, or it gets another one.     *)
Theorem single_record_law x m h h' i k (R : realFieldType) (p : R)
    (p01 : 0 <= p <= 1) :
  (1 < n)%N -> single_row x m h h' -> holding (x i) = h ->
  let s := swapping (x (k i)) in
  psa p p01 x (table_ord (apply_perm k x)) =
  if swapping (x i) == s then stay_mass p n (n_ms x m s)
  else come_mass p n (n_ms x m s).
Proof.
move=> n_gt1 row ih; have /and3P[neq_h _ _] := row.
have [j [jh xm xl]] := single_rowP row.
have ij : i = j by apply: contraNeq neq_h => ij; rewrite -ih xl.
by rewrite -ij in jh xl; apply: single_law neq_h jh xm xl R p p01 k n_gt1.
Qed.

End SingleRow.

Section Loss.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p : R).
Hypotheses (p01 : 0 <= p <= 1) (n_gt1 : (1 < n)%N).
Variables (x0 : dataset M H S n) (m : M) (h h' : H).
Hypothesis row : single_row x0 m h h'.
Hypothesis columns :
  exists s s', [/\ s != s', (0 < n_ms x0 m s)%N & (0 < n_ms x0 m s')%N].

Local Notation q_ s := (stay_mass p n (n_ms x0 m s)).
Local Notation r_ s := (come_mass p n (n_ms x0 m s)).

Lemma swap_mass_prob : 0 <= swap_mass p n <= 1.
Proof.
have [i [_ xm _]] := single_rowP row.
by rewrite -(Pr_moves p01 n_gt1 i xm) Pr_ge0 Pr_le1.
Qed.

Lemma n1_gt0 : 0 < n.-1%:R :> R.
Proof. by rewrite ltr0n -ltnS prednK // ltnW. Qed.

Lemma come_ge0 s : 0 <= r_ s.
Proof.
have := swap_mass_prob; rewrite /come_mass; move: (swap_mass p n) => mu.
by case/andP=> mu_ge0 _; rewrite divr_ge0 ?mulr_ge0 ?ler0n.
Qed.

Lemma stay_ge0 s : 0 <= q_ s.
Proof.
have := swap_mass_prob; rewrite /stay_mass; move: (swap_mass p n) => mu.
case/andP=> mu_ge0 mu_le1; rewrite addr_ge0 ?subr_ge0 //.
by rewrite divr_ge0 ?mulr_ge0 ?ler0n.
Qed.

Lemma stay_come_gt0 s : (0 < n_ms x0 m s)%N -> 0 < q_ s + r_ s.
Proof.
move=> c_gt0; have := stay_ge0 s; have := swap_mass_prob; have N_gt0 := n1_gt0.
rewrite /stay_mass /come_mass; move: (swap_mass p n) => mu /andP[mu_ge0 _].
have [-> _ | mu_neq0 q_ge0] := eqVneq mu 0.
  by rewrite !mul0r subr0 !addr0 ltr01.
rewrite ltr_paddl // divr_gt0 // mulr_gt0 ?ltr0n //.
by rewrite lt_def mu_neq0.
Qed.

(* The budgets of the universe, for every swap rate.                          *)
Theorem single_record_budgets gamma :
  satisfies_in p01 x0 gamma <->
  (forall s, (0 < n_ms x0 m s)%N ->
     q_ s <= gamma ^+ 2 * r_ s /\ r_ s <= gamma ^+ 2 * q_ s).
Proof.
split=> [sat s c_gt0 | bound x x' x0x x0x'].
  have [i [xi xm xl]] := single_rowP row.
  have neq_h : h != h' by case/and3P: row.
  have [s' s's c'_gt0] : exists2 s', s' != s & (0 < n_ms x0 m s')%N.
    have [s1 [s2 [neq_s c1 c2]]] := columns.
    have [s1s|s1s] := eqVneq s1 s; last by exists s1.
    by exists s2; rewrite // -s1s eq_sym.
  have [k _ ks] := elimT (n_ms_gt0P _ _ _) c_gt0.
  have [k' _ k's] := elimT (n_ms_gt0P _ _ _) c'_gt0.
  pose g := tperm i k; pose g' := tperm i k'.
  have gs : swapping (x0 (g i)) = s by rewrite tpermL.
  have g's : swapping (x0 (g' i)) = s' by rewrite tpermL.
  have inv f := same_invariants_apply (preserves_all xm f).
  have := iffLR (mult_leP _ _ _) (sat _ _ (inv g) (inv g'))
    (table_ord (apply_perm g x0)).
  rewrite !(single_law_apply p01 _ _ n_gt1 neq_h xi xm xl) gs g's eqxx.
  by rewrite (negPf s's) (hamming_single neq_h xi xm xl) ?gs ?g's // eq_sym.
have [i [xi xm xl]] := single_rowP (single_row_universe x0x row).
have neq_h : h != h' by case/and3P: row.
have cE s : n_ms x m s = n_ms x0 m s by rewrite (same_n_ms x0x).
have [|rho xrho tab] := iffLR (universe_swaps x x').
  by apply: same_invariants_trans x0x'; rewrite same_invariants_sym.
rewrite -(psa_eq_table p01 tab) -(hamming_table (erefl (table x)) tab).
have [e|neq_s] := eqVneq (swapping (x i)) (swapping (x (rho i))).
  have /eqP tab1 : table (apply_perm 1 x) == table (apply_perm rho x).
    by rewrite (eq_table_single neq_h xi xm xl) perm1 e.
  rewrite apply_perm1 in tab1.
  rewrite -(psa_eq_table p01 tab1) -(hamming_table (erefl (table x)) tab1).
  by rewrite hamming0 expr0; apply: mult_le_refl.
have -> : hamming x (apply_perm rho x) = 2%N.
  by rewrite -{1}[x]apply_perm1 (hamming_single neq_h xi xm xl) ?perm1.
apply/mult_leP => t.
have [/existsP[k /eqP <-] | none] :=
    boolP [exists k : {perm 'I_n}, table_ord (apply_perm k x) == t].
  rewrite (single_law_apply p01 _ _ n_gt1 neq_h xi xm xl).
  rewrite (single_law neq_h xi xm xl) // !cE.
  set s := swapping (x (k i)) in neq_s *.
  have c_gt0 : (0 < n_ms x0 m s)%N by rewrite -cE -(xm (k i)) n_ms_gt0.
  have [le_q le_r] := bound s c_gt0.
  have [si|si] := eqVneq (swapping (x i)) s.
    by rewrite -si eq_sym (negPf neq_s) si.
  case: ifP => _ //; suff G_ge1 : 1 <= gamma ^+ 2.
    by split; rewrite ler_pemull ?come_ge0.
  rewrite -(ler_pmul2r (stay_come_gt0 c_gt0)) mul1r mulrDr [leRHS]addrC.
  exact: ler_add.
have zero g : psa p p01 (apply_perm g x) t = 0.
  rewrite psaE; apply: big1 => f /eqP ft; case/negP: none; apply/existsP.
  by exists (f * g)%g; rewrite -apply_permM ft.
by have := zero 1%g; rewrite apply_perm1 zero => ->; rewrite mulr0.
Qed.

Lemma swap_mass_lt1 : 0 < p < 1 -> 0 < swap_mass p n < 1.
Proof.
case/andP=> p_gt0 p_lt1; apply/andP; split.
  have q_ge0 : 0 <= 1 - p by rewrite subr_ge0 ltW.
  rewrite divr_gt0 ?reselection_gt0 // mulr_gt0 // subr_gt0.
  rewrite exprn_ilt1 // ?gtr_addl ?oppr_lt0 //.
  by rewrite -lt0n -ltnS prednK // ltnW.
have [i [_ xm _]] := single_rowP row.
rewrite -subr_gt0 -(goes_nowhere p01 n_gt1 i xm) (bigD1 1%g) ?perm1 //=.
rewrite ltr_paddr ?psa_perm_gt0 ?preserves_strata1 //.
by apply: sumr_ge0 => g _; apply: law_ge0.
Qed.

Lemma come_gt0 s : 0 < p < 1 -> (0 < n_ms x0 m s)%N -> 0 < r_ s.
Proof.
move=> /swap_mass_lt1/andP[mu_gt0 _] c_gt0; rewrite /come_mass.
move: (swap_mass p n) mu_gt0 => mu mu_gt0.
by rewrite divr_gt0 ?n1_gt0 // mulr_gt0 ?ltr0n.
Qed.

Lemma stay_gt0 s : 0 < p < 1 -> 0 < q_ s.
Proof.
move=> /swap_mass_lt1/andP[+ +]; rewrite /stay_mass.
move: (swap_mass p n) => mu mu_gt0 mu_lt1.
by rewrite ltr_paddr ?subr_gt0 // divr_ge0 ?mulr_ge0 ?ler0n // ltW.
Qed.

(* With quotients, for p in (0, 1): e^(2 epsilon) is at least q_s / r_s and   *)
(* r_s / q_s for every swapping category s that holds records.                *)
Theorem single_record_loss gamma : 0 < p < 1 ->
  satisfies_in p01 x0 gamma <->
  (forall s, (0 < n_ms x0 m s)%N ->
     Num.max (q_ s / r_ s) (r_ s / q_ s) <= gamma ^+ 2).
Proof.
move=> p_in; split=> [/single_record_budgets bound s c_gt0 | bound].
  have [le_q le_r] := bound s c_gt0; rewrite le_maxl.
  by apply/andP; split; rewrite ler_pdivr_mulr ?come_gt0 ?stay_gt0.
apply/single_record_budgets => s c_gt0; have := bound s c_gt0.
rewrite le_maxl => /andP[]; rewrite ler_pdivr_mulr ?come_gt0 // => le_q.
by rewrite ler_pdivr_mulr ?stay_gt0.
Qed.

End Loss.
