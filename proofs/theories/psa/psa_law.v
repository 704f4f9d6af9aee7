(******************************************************************************)
(* The Permutation Swapping Algorithm as a process, and its law               *)
(* (article, Algorithm 1, section 3.3 and Appendix E)                         *)
(*                                                                            *)
(* Definitions, for a swap rate p with p01 : 0 <= p <= 1                      *)
(*   family_law P == the law of independent draws, one from each P i          *)
(*   coin A i == the law of the selection of record i: Bernoulli (p) in the   *)
(*            stratum A, false outside                                        *)
(*   select A == lines 6-8: the law of the set of selected records of A       *)
(*   not_one == the sets that do not have exactly one element                 *)
(*   reselect A == lines 6-14: select A conditioned on not_one                *)
(*   stratum_perm p p01 A == the law of sigma_m: the identity if A has at     *)
(*            most one record, else a uniform derangement (line 15) of the    *)
(*            records that reselect A selects; no selected record means the   *)
(*            identity                                                        *)
(*   move_mass p n k == the probability of one permutation that moves k of    *)
(*            the n records of a stratum                                      *)
(*   psa_step, psa_data p p01 x == lines 1-19: the loop over the strata, on   *)
(*            data sets                                                       *)
(*   psa p p01 x == line 20: the law of the table of the swapped data set     *)
(*   psa_perm p p01 x == the law of the permutation sigma of all records      *)
(*   moves_only x ms g == g moves records of the strata ms only, each inside  *)
(*            its own stratum                                                 *)
(*   printed_swap_probability p n == the formula that section 3.3 displays    *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   reselect_loop == "go to line 6" is conditioning: the conditional law is  *)
(*            the only solution of the equation of the loop                   *)
(*   stratum_perm_mass == psa.permutation-law, in one stratum                 *)
(*   psa_perm_independent == the strata are independent                       *)
(*   psa_perm_mass == psa.permutation-law, over all strata                    *)
(*   printed_swap_probability_refuted, Pr_swapped_gt_printed ==               *)
(*            psa.swap-probability.printed: too small for every 0 < p < 1 and *)
(*            n >= 2                                                          *)
(*   Pr_swapped, Pr_swapped_repaired == psa.swap-probability.exact            *)
(*   Pr_swapped_error == psa.swap-rate.approximate: the exact difference to p *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm action ssralg ssrnum
  ssrint rat.
From mathcomp Require Import ring.
From Stirred Require Import compat law swapping hamming derangement.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

(* Independent families of laws                                               *)

Section Family.

Variables (R : realFieldType) (I T : finType) (P : I -> law R T).

Lemma family_ge0 (f : {ffun I -> T}) : 0 <= \prod_i P i (f i).
Proof. by apply: prodr_ge0 => i _; apply: law_ge0. Qed.

Lemma family_sum1 : \sum_(f : {ffun I -> T}) \prod_i P i (f i) = 1.
Proof.
rewrite -(bigA_distr_bigA (fun i t => P i t)) big1 // => i _.
exact: law_sum1.
Qed.

Definition family_law : law R [finType of {ffun I -> T}] :=
  mk_law (fun f : {ffun I -> T} => \prod_i P i (f i)) family_ge0 family_sum1.

Lemma family_lawE f : family_law f = \prod_i P i (f i).
Proof. exact: mk_lawE. Qed.

Lemma Pr_family (i : I) (A : {set T}) :
  Pr family_law [set f : {ffun I -> T} | f i \in A] = Pr (P i) A.
Proof.
pose Q j : {set T} := if j == i then A else setT.
have -> : [set f : {ffun I -> T} | f i \in A] = [set f in family Q].
  apply/setP=> f; rewrite !inE; apply/idP/familyP => [fi j | /(_ i)].
    by rewrite /Q; case: eqP => [->|_]; rewrite ?inE.
  by rewrite /Q eqxx.
rewrite /Pr (eq_bigl (mem (family Q))) => [|f]; last by rewrite inE.
rewrite (eq_bigr (fun f : {ffun I -> T} => \prod_j P j (f j))) => [|f _].
  rewrite -(bigA_distr_big_dep _ (fun j t => P j t)) /=.
  rewrite (bigD1 i) //= [X in _ * X]big1 ?mulr1.
    by apply: eq_bigl => t; rewrite /Q eqxx.
  move=> j /negbTE ji; rewrite -(law_sum1 (P j)).
  by apply: eq_bigl => t; rewrite /Q ji; exact: in_setT.
exact: family_lawE.
Qed.

End Family.

Arguments family_law {R I T} P.

Section Stratum.

Variables (R : realFieldType) (T : finType) (p : R).
Hypothesis p01 : 0 <= p <= 1.

Local Notation q := (1 - p).
Implicit Types (A B : {set T}) (g : {perm T}).

Let p_ge0 : 0 <= p. Proof. by case/andP: p01. Qed.
Let q_ge0 : 0 <= q. Proof. by rewrite subr_ge0; case/andP: p01. Qed.

Definition coin A (i : T) : law R [finType of bool] :=
  if i \in A then bern p p01 else dirac false.

Definition select A : law R [finType of {set T}] :=
  map_law (fun f : {ffun T -> bool} => [set i | f i]) (family_law (coin A)).

Definition not_one : {set {set T}} := [set B : {set T} | #|B| != 1%N].

Definition reselect A : law R [finType of {set T}] :=
  condP (select A) not_one.

Definition stratum_perm A : law R [finType of {perm T}] :=
  if (#|A| <= 1)%N then dirac 1%g
  else bind (reselect A) (fun B : {set T} => uniform_on 1%g (deranges B)).

Lemma selectE A B :
  select A B = if B \subset A then p ^+ #|B| * q ^+ (#|A| - #|B|) else 0.
Proof.
have -> : select A B = \prod_i coin A i (i \in B).
  rewrite map_lawE (_ : [set _ | _] = [set [ffun i => i \in B]]).
    by rewrite Pr1 family_lawE; apply: eq_bigr => i _; rewrite ffunE.
  apply/setP=> f; rewrite !inE; apply/eqP/eqP => [<-|->].
    by apply/ffunP=> i; rewrite ffunE inE.
  by apply/setP=> i; rewrite inE ffunE.
case: ifPn => [sBA | /subsetPn[i iB iA]]; last first.
  by rewrite (bigD1 i) //= /coin (negbTE iA) iB diracE mul0r.
transitivity (\prod_i ((if i \in B then p else 1) *
                       (if i \in A :\: B then q else 1))).
  apply: eq_bigr => i _; rewrite /coin inE; have := subsetP sBA i.
  case: (i \in B) => [-> //|_]; rewrite ?bernE ?mulr1 //.
  by case: (i \in A); rewrite ?bernE ?diracEl mul1r.
by rewrite big_split -!big_mkcond !prodr_const cardsDS.
Qed.

(* Every record of the stratum is selected with probability p.                *)
Lemma Pr_select A i : i \in A -> Pr (select A) [set B : {set T} | i \in B] = p.
Proof.
move=> iA; rewrite Pr_map.
rewrite (_ : _ @^-1: _ = [set f : {ffun T -> bool} | f i \in [set true]]).
  by rewrite Pr_family /coin iA Pr1 bernE.
by apply/setP=> f; rewrite !inE eqb_id.
Qed.

(* Exactly one record is selected with probability n p (1 - p)^(n - 1).       *)
Lemma Pr_not_one A :
  Pr (select A) not_one = 1 - #|A|%:R * p * q ^+ #|A|.-1.
Proof.
rewrite (_ : not_one = ~: [set [set i] | i in T]).
  rewrite PrC; congr (1 - _); rewrite /Pr big_imset /=; last first.
    by move=> i j _ _; apply: set1_inj.
  rewrite (bigID (mem A)) /= [X in _ + X]big1 ?addr0 => [|i iA]; last first.
    by rewrite selectE sub1set (negbTE iA).
  rewrite (eq_bigr (fun=> p * q ^+ #|A|.-1)) => [|i iA].
    by rewrite sumr_const -mulrA mulr_natl.
  by rewrite selectE sub1set iA cards1 expr1 subn1.
apply/setP=> B; rewrite !inE; congr (~~ _); apply/cards1P/imsetP => [[i ->]|].
  by exists i.
by case=> i _ ->; exists i.
Qed.

Lemma Pr_not_one_gt0 A : (1 < #|A|)%N -> 0 < Pr (select A) not_one.
Proof.
move=> A_gt1; rewrite lt_def Pr_ge0 andbT Pr_eq0; apply/forallPn => /=.
have [p0 | p0] := eqVneq p 0; [exists set0 | exists A]; rewrite negb_imply inE.
  by rewrite cards0 selectE sub0set cards0 p0 subr0 expr0 expr1n mulr1 oner_eq0.
rewrite selectE fintype.subxx subnn mulr1 expf_neq0 // andbT.
by rewrite neq_ltn A_gt1 orbT.
Qed.

Lemma one_selected_lt1 A :
  (1 < #|A|)%N -> 0 < 1 - #|A|%:R * p * q ^+ #|A|.-1.
Proof. by move=> A_gt1; rewrite -Pr_not_one Pr_not_one_gt0. Qed.

(* Re-selection "until it is not exactly one record" is conditioning: the     *)
(* conditional law is the only one that solves the loop's equation.           *)
Theorem reselect_loop A (Q : law R [finType of {set T}]) :
    (1 < #|A|)%N ->
  Q = bind (select A) (fun B : {set T} => if #|B| == 1%N then Q else dirac B)
    <->
  Q = reselect A.
Proof.
move=> A_gt1; have c_gt0 := Pr_not_one_gt0 A_gt1.
set c := Pr _ _ in c_gt0.
have loopE B : bind (select A) (fun B : {set T} => if #|B| == 1%N then Q else
  dirac B) B =
    (1 - c) * Q B + select A B * (B \in not_one)%:R.
  rewrite bindE (bigID (mem not_one)) /= addrC; congr (_ + _).
    rewrite -PrC /Pr mulr_suml; apply: eq_big => [C | C]; rewrite !inE //.
    by rewrite negbK => ->.
  rewrite big_mkcond (bigD1 B) //= big1 ?addr0 => [|C CB].
    by rewrite inE; case: eqP => _ /=; rewrite ?diracEl ?mulr0.
  rewrite inE; case: eqP => //= _.
  by rewrite diracE eq_sym (negbTE CB) mulr0.
have resE B : reselect A B = select A B * (B \in not_one)%:R / c.
  exact: condPE.
have c_neq0 : c != 0 by rewrite gt_eqF.
split=> QE; apply: eq_law => B.
  have := loopE B; rewrite -QE resE => QB.
  apply: (mulIf c_neq0); rewrite divfK //.
  rewrite (_ : _ * _%:R = Q B - (1 - c) * Q B); first by ring.
  by rewrite {1}QB addrAC subrr add0r.
rewrite loopE QE resE mulrBl mul1r [c * _]mulrC divfK //.
by rewrite subrK.
Qed.

(* The law of the permutation in one stratum                                  *)

Lemma card_moved_neq1 g : #|[set i | g i != i]| != 1%N.
Proof.
apply/negP=> /cards1P[i gi1].
have gi : g i != i by have := set11 i; rewrite -gi1 inE.
have : g i \in [set i | g i != i] by rewrite inE (inj_eq perm_inj).
by rewrite gi1 inE (negbTE gi).
Qed.

Definition move_mass n k : R :=
  if (n <= 1)%N then 1
  else p ^+ k * q ^+ (n - k) / ((1 - n%:R * p * q ^+ n.-1) * (der k)%:R).

Lemma stratum_permE A g :
  stratum_perm A g =
  if perm_on A g then move_mass #|A| #|[set i | g i != i]| else 0.
Proof.
rewrite /stratum_perm /move_mass;
  have onE : perm_on A g = ([set i | g i != i] \subset A).
  by apply/subsetP/subsetP => sgA i; have := sgA i; rewrite !inE.
case: ifPn => [A_le1 | ]; last rewrite -ltnNge => A_gt1.
  rewrite diracE onE; case: ifPn => [sgA | /subsetPn[i]]; last first.
    rewrite inE => gi _; suff /negbTE-> : g != 1%g by [].
    by apply: contraNneq gi => ->; rewrite perm1.
  rewrite (_ : g = 1%g) ?eqxx //; apply/permP => i; rewrite perm1.
  have := card_moved_neq1 g; have := leq_trans (subset_leq_card sgA) A_le1.
  rewrite leq_eqVlt => /orP[-> //|]; rewrite ltnS leqn0 cards_eq0 => /eqP g0 _.
  by apply/eqP/negbFE; have := in_set0 i; rewrite -g0 inE.
set B := [set i | g i != i] in onE *.
have gB : g \in deranges B by rewrite inE.
rewrite bindE (bigD1 B) //= big1 ?addr0 => [|C CB]; last first.
  have [C1|C1] := eqVneq #|C| 1%N.
    by rewrite condPE ?Pr_not_one_gt0 // inE C1 mulr0 !mul0r.
  rewrite [X in _ * X]uniform_on_out ?mulr0 //.
    by rewrite -card_gt0 card_deranges der_gt0.
  by rewrite inE eq_sym.
rewrite uniform_on_in // card_deranges condPE ?Pr_not_one_gt0 //.
rewrite inE card_moved_neq1 mulr1 selectE Pr_not_one onE.
by case: ifP => _; rewrite ?mul0r // invfM mulrA.
Qed.

Theorem stratum_perm_mass A g : (1 < #|A|)%N -> perm_on A g ->
  let n := #|A| in let k := #|[set i | g i != i]| in
  stratum_perm A g =
  p ^+ k * q ^+ (n - k) / ((1 - n%:R * p * q ^+ n.-1) * (der k)%:R).
Proof.
by move=> A_gt1 gA; rewrite stratum_permE gA /move_mass leqNgt A_gt1.
Qed.

(* The probability that a record is swapped                                   *)

Lemma Pr_uniform_moved B i : #|B| != 1%N ->
  Pr (uniform_on 1%g (deranges B) : law R [finType of {perm T}])
     [set g : {perm T} | g i != i] = (i \in B)%:R.
Proof.
move=> B1; set U := uniform_on _ _;
  rewrite PrE -[RHS]mul1r -(law_sum1 U) mulr_suml.
apply: eq_bigr => g _; have [gB | gB] := boolP (g \in deranges B).
  by move: gB; rewrite !inE => /eqP <-; rewrite inE.
by rewrite uniform_on_out ?mul0r // -card_gt0 card_deranges der_gt0.
Qed.

Lemma Pr_reselect A i : (1 < #|A|)%N -> i \in A ->
  Pr (reselect A) [set B : {set T} | i \in B] =
  p * (1 - q ^+ #|A|.-1) / (1 - #|A|%:R * p * q ^+ #|A|.-1).
Proof.
move=> A_gt1 iA; rewrite -Pr_not_one /Pr.
under eq_bigr => B _ do rewrite condPE ?Pr_not_one_gt0 //.
rewrite -mulr_suml; congr (_ / _); rewrite mulrBr mulr1 -{1}(Pr_select iA).
have iI : [set i] \in [set B : {set T} | i \in B] by rewrite !inE.
rewrite /Pr (bigD1 _ iI) /= [in RHS](bigD1 _ iI) /= inE cards1 eqxx mulr0 add0r.
rewrite selectE sub1set iA cards1 expr1 subn1 addrC addKr.
apply: eq_bigr => B /andP[BI Bi]; rewrite inE (_ : #|B| != 1%N) ?mulr1 //.
have {BI}: B \in [set C : {set T} | i \in C] by exact: BI.
rewrite inE => iB; apply: contraNN Bi => /cards1P[j Bj]; move: iB.
by rewrite Bj inE => /eqP->.
Qed.

Theorem Pr_swapped A i : (1 < #|A|)%N -> i \in A ->
  Pr (stratum_perm A) [set g : {perm T} | g i != i] =
  p * (1 - q ^+ #|A|.-1) / (1 - #|A|%:R * p * q ^+ #|A|.-1).
Proof.
move=> A_gt1 iA; rewrite -(Pr_reselect A_gt1 iA) /stratum_perm leqNgt A_gt1 /=
  Pr_bind.
rewrite PrE; apply: eq_bigr => B _; have [B1|B1] := eqVneq #|B| 1%N.
  by rewrite condPE ?Pr_not_one_gt0 // !inE B1 mulr0 !mul0r.
by rewrite Pr_uniform_moved // inE.
Qed.

(* The printed probability that a record is swapped, article section 3.3.     *)
Definition printed_swap_probability n : R :=
  p * \sum_(1 <= j < n) 'C(n.-1, j)%:R * p ^+ j * q ^+ (n.-1 - j).

Lemma printed_swap_probabilityE n :
  (0 < n)%N -> printed_swap_probability n = p * (1 - q ^+ n.-1).
Proof.
case: n => // n _; rewrite /printed_swap_probability /=; congr (_ * _).
have := exprDn q p n; rewrite subrK expr1n -(big_mkord xpredT
  (fun i => (q ^+ (n - i) * p ^+ i) *+ 'C(n, i))) big_ltn //.
rewrite subn0 expr0 mulr1 bin0 mulr1n => sum1.
apply/eqP; rewrite eq_sym subr_eq addrC; apply/eqP; rewrite [LHS]sum1.
congr (_ + _); apply: eq_bigr => j _.
by rewrite -mulr_natl mulrCA mulrAC mulrC mulrAC -mulrA mulrC.
Qed.

(* What holds: the printed value divided by 1 - n p (1-p)^(n-1).              *)
Theorem Pr_swapped_repaired A i : (1 < #|A|)%N -> i \in A ->
  Pr (stratum_perm A) [set g : {perm T} | g i != i] =
  printed_swap_probability #|A| / (1 - #|A|%:R * p * q ^+ #|A|.-1).
Proof.
move=> A_gt1 iA; rewrite Pr_swapped // printed_swap_probabilityE //.
exact: ltnW.
Qed.

(* The printed value is too small for every 0 < p < 1 and every n >= 2.       *)
Theorem Pr_swapped_gt_printed A i : 0 < p < 1 -> (1 < #|A|)%N -> i \in A ->
  printed_swap_probability #|A| <
  Pr (stratum_perm A) [set g : {perm T} | g i != i].
Proof.
case/andP=> p_gt0 p_lt1 A_gt1 iA; rewrite Pr_swapped_repaired //.
have q_gt0 : 0 < q by rewrite subr_gt0.
have q_lt1 : q < 1 by rewrite ltr_subl_addr ltr_addl.
rewrite ltr_pdivl_mulr ?one_selected_lt1 // gtr_pmulr.
  rewrite ltr_subl_addr ltr_addl !mulr_gt0 ?exprn_gt0 // ltr0n.
  exact: ltnW.
rewrite printed_swap_probabilityE 1?ltnW // mulr_gt0 // subr_gt0.
by rewrite exprn_ilt1 // -?lt0n -?subn1 ?subn_gt0 // ltW.
Qed.

(* "When n >> 1 the expected fraction is approximately p": the error.         *)
Theorem Pr_swapped_error A i : (1 < #|A|)%N -> i \in A ->
  Pr (stratum_perm A) [set g : {perm T} | g i != i] - p =
  p * q ^+ #|A|.-1 * (#|A|%:R * p - 1) / (1 - #|A|%:R * p * q ^+ #|A|.-1).
Proof.
move=> A_gt1 iA; rewrite Pr_swapped //; apply: (canLR (addrK _)).
have c_neq0 : 1 - #|A|%:R * p * q ^+ #|A|.-1 != 0.
  by rewrite gt_eqF // one_selected_lt1.
apply: (mulIf c_neq0); rewrite mulrDl !divfK //.
by move: (q ^+ _) #|A|%:R => u v; ring.
Qed.

End Stratum.

Arguments stratum_perm {R T} p p01 A.

(* The printed probability on an instance: two records, p = 1/2.              *)
Theorem printed_swap_probability_refuted (R : realFieldType) :
  exists (p : R) (p01 : 0 <= p <= 1),
    Pr (stratum_perm p p01 [set: 'I_2])
       [set g : {perm 'I_2} | g ord0 != ord0] <>
    printed_swap_probability p 2.
Proof.
have p_in : 0 < (2%:R^-1 : R) < 1.
  by rewrite invr_gt0 ltr0n invf_lt1 ?ltr0n //= ltr1n.
have p01 : 0 <= (2%:R^-1 : R) <= 1 by case/andP: p_in => /ltW-> /ltW->.
exists 2%:R^-1, p01 => /esym/eqP; apply/negP; rewrite lt_eqF //.
have c2 : #|[set: 'I_2]| = 2%N by rewrite cardsT card_ord.
rewrite -[X in printed_swap_probability _ X]c2.
by apply: Pr_swapped_gt_printed; rewrite ?c2 ?inE.
Qed.

Section Algorithm.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p : R).
Hypothesis p01 : 0 <= p <= 1.

Local Notation data := (dataset M H S n).
Local Notation q := (1 - p).
Implicit Types (x z : data) (g s : {perm 'I_n}) (m : M) (ms : seq M).

Definition psa_step (L : law R [finType of data]) m :
    law R [finType of data] :=
  bind L (fun z : data =>
    map_law (fun s : {perm 'I_n} => apply_perm s z)
            (stratum_perm p p01 (stratum z m))).

Definition psa_data x : law R [finType of data] :=
  foldl psa_step (dirac x) (enum M).

Definition psa x : law R [finType of {ffun M * H * S -> 'I_n.+1}] :=
  map_law (fun z : data => table_ord z) (psa_data x).

Definition perm_step x (L : law R [finType of {perm 'I_n}]) m :
    law R [finType of {perm 'I_n}] :=
  bind L (fun g : {perm 'I_n} =>
    map_law (fun s : {perm 'I_n} => (s * g)%g)
            (stratum_perm p p01 (stratum x m))).

Definition psa_perm x : law R [finType of {perm 'I_n}] :=
  foldl (perm_step x) (dirac 1%g) (enum M).

Lemma psa_dataE x :
  psa_data x = map_law (fun g : {perm 'I_n} => apply_perm g x) (psa_perm x).
Proof.
rewrite /psa_data /psa_perm -{1}[x]apply_perm1.
rewrite -(map_dirac R (fun g : {perm 'I_n} => apply_perm g x) 1%g).
elim: (enum M) (dirac 1%g) => // m ms IHms L /=; rewrite -IHms.
congr (foldl _ _ _); rewrite /psa_step /perm_step /map_law !bindA.
apply: eq_bind => g; rewrite dirac_bind stratum_apply bindA.
by apply: eq_bind => s; rewrite dirac_bind apply_permM.
Qed.

Lemma psaE x t :
  psa x t = \sum_(g : {perm 'I_n} | table_ord (apply_perm g x) == t)
               psa_perm x g.
Proof.
rewrite /psa psa_dataE map_law_comp map_lawE /Pr.
by apply: eq_bigl => g; rewrite inE.
Qed.

(* Permutations that move records of the strata ms only, each inside its own  *)
Definition moves_only x ms g : bool :=
  preserves_strata x g &&
  [forall i, (g i != i) ==> (matching (x i) \in ms)].

Lemma moves_onlyP x ms g :
  reflect (preserves_strata x g /\ forall i, matching (x i) \notin ms -> g i =
    i)
          (moves_only x ms g).
Proof.
apply: (iffP andP) => -[xg fixg]; split=> //.
  move=> i; apply: contraNeq => gi.
  by have /implyP := forallP fixg i; apply.
apply/forallP => i; apply/implyP; apply: contraR => ims.
by rewrite (fixg i ims).
Qed.

Lemma restr_stratum x g m i : preserves_strata x g ->
  restr_perm (stratum x m) g i = if i \in stratum x m then g i else i.
Proof.
move=> /preserves_strataP xg; case: ifP => [im|/negbT im]; last first.
  exact: out_perm (restr_perm_on _ _) im.
by apply: restr_permE => //; apply/astabsP=> j; rewrite !inE /aperm xg.
Qed.

(* One step of the loop peels the stratum m off the permutation g.            *)
Lemma moves_only_rcons x ms m g s : m \notin ms ->
  perm_on (stratum x m) s && moves_only x ms (s^-1 * g) =
  moves_only x (rcons ms m) g && (s == restr_perm (stratum x m) g).
Proof.
move=> m_ms; apply/andP/andP=> [[s_on /moves_onlyP[xh fixh]] | [/moves_onlyP[xg
  fixg] /eqP->]].
  have xs : preserves_strata x s.
    apply/preserves_strataP=> i; have [im | im] := boolP (i \in stratum x m).
      have := perm_closed i s_on; rewrite im !inE => /eqP->.
      by move: im; rewrite inE => /eqP.
    by rewrite (out_perm s_on im).
  have xg : preserves_strata x g by rewrite -(mulKVg s g) preserves_strataM.
  have gE i : g i = (s^-1 * g)%g (s i) by rewrite -permM mulKVg.
  have gs i : i \in stratum x m -> g i = s i.
    move=> im; rewrite gE fixh //; have := perm_closed i s_on.
    by rewrite im inE => /eqP->.
  split; last first.
    apply/eqP/permP=> i; rewrite restr_stratum //;
      case: ifP => [/gs|/negbT im] //.
    exact: out_perm im.
  apply/moves_onlyP; split=> // i;
    rewrite mem_rcons inE negb_or => /andP[im ims].
  by rewrite gE (out_perm s_on) ?fixh // inE.
set s0 := restr_perm _ g.
have s0E i : s0 i = if i \in stratum x m then g i else i by apply:
  restr_stratum.
split; first exact: restr_perm_on.
have xs0 : preserves_strata x s0.
  apply/preserves_strataP=> i; rewrite s0E; case: ifP => // _.
  by have /preserves_strataP := xg.
apply/moves_onlyP; split; first by rewrite preserves_strataM ?preserves_strataV.
move=> i; have [j ->] : exists j, i = s0 j.
  by exists ((s0^-1)%g i); rewrite permKV.
rewrite (elimT (preserves_strataP _ _) xs0) => jms; rewrite permM permK s0E.
case: ifPn => // jm; apply: fixg; rewrite mem_rcons inE negb_or jms andbT.
by move: jm; rewrite inE.
Qed.

Lemma perm_loopE x ms g : uniq ms ->
  foldl (perm_step x) (dirac 1%g) ms g =
  if moves_only x ms g
  then \prod_(m <- ms) move_mass p #|stratum x m| (moved_in x g m) else 0.
Proof.
elim/last_ind: ms g => [|ms m IHms] g.
  move=> _; rewrite /= diracE big_nil; case: ifPn.
    case/andP=> _ /forallP fixg; rewrite (_ : g = 1%g) ?eqxx //.
    apply/permP=> i; rewrite perm1; apply/eqP.
    by have := fixg i; rewrite in_nil implybF negbK.
  apply: contraNeq; rewrite pnatr_eq0 eqb0 negbK => /eqP->.
  by apply/andP; split; apply/forallP=> i; rewrite perm1 ?eqxx.
rewrite rcons_uniq => /andP[m_ms uniq_ms].
rewrite foldl_rcons {1}/perm_step bindE.
set L := foldl _ _ _.
transitivity (\sum_(s : {perm 'I_n})
  stratum_perm p p01 (stratum x m) s * L (s^-1 * g)%g).
  rewrite (reindex (fun s : {perm 'I_n} => (s^-1 * g)%g)) /=; last first.
    exists (fun h => g * h^-1)%g => h _; rewrite invMg invgK ?mulKVg //.
    by rewrite mulgKV.
  apply: eq_bigr => s _; rewrite mulrC; congr (_ * _).
  rewrite map_lawE (_ : [set _ | _] = [set s]) ?Pr1 //.
  apply/setP=> s'; rewrite !inE; apply/eqP/eqP => [s'E | ->].
    by apply: (mulIg (s^-1 * g)%g); rewrite s'E mulKVg.
  by rewrite mulKVg.
rewrite (eq_bigr (fun s : {perm 'I_n} => if perm_on (stratum x m) s &&
    moves_only x ms (s^-1 * g) then stratum_perm p p01 (stratum x m) s *
    \prod_(m' <- ms) move_mass p #|stratum x m'| (moved_in x (s^-1 * g) m')
  else 0)) => [|s _]; last first.
  rewrite IHms // stratum_permE; case: ifP => /=; rewrite ?mul0r // => s_on.
  by case: ifP; rewrite ?mulr0.
rewrite -big_mkcond (eq_bigl _ _ (fun s => moves_only_rcons x g s m_ms)) /=.
case: ifP => [gms | _]; last by rewrite big_pred0.
rewrite (big_pred1 (restr_perm (stratum x m) g)) => [|s] //.
have /moves_onlyP[xg fixg] := gms.
have s0E i := restr_stratum m i xg; set s0 := restr_perm _ g in s0E *.
have s0_on : perm_on (stratum x m) s0 by apply: restr_perm_on.
rewrite -cats1 big_cat big_seq1 mulrC; congr (_ * _).
  apply: eq_big_seq => m' m'_ms; congr move_mass; apply: eq_card => i.
  rewrite !inE; have [im' | _] := eqVneq (matching (x i)) m'; last first.
    by rewrite !andbF.
  rewrite permM (out_perm (perm_onV s0_on)) // inE im'.
  by apply: contraNneq m_ms => <-.
rewrite stratum_permE s0_on; congr move_mass; apply: eq_card => i.
rewrite !inE s0E inE; case: (matching (x i) == m); rewrite ?andbT //.
by rewrite andbF eqxx.
Qed.

(* The strata are independent: a permutation inside the strata has the        *)
(* product of the probabilities that its parts have in each stratum.          *)
Lemma psa_permE x g :
  psa_perm x g =
  if preserves_strata x g
  then \prod_m move_mass p #|stratum x m| (moved_in x g m) else 0.
Proof.
rewrite /psa_perm perm_loopE ?enum_uniq //.
rewrite (_ : moves_only x (enum M) g = preserves_strata x g).
  by rewrite big_enum.
apply/moves_onlyP/idP => [[]//|xg]; split=> // i.
by rewrite mem_enum.
Qed.

Theorem psa_perm_independent x g : preserves_strata x g ->
  psa_perm x g =
  \prod_m stratum_perm p p01 (stratum x m) (restr_perm (stratum x m) g).
Proof.
move=> xg; rewrite psa_permE xg; apply: eq_bigr => m _.
rewrite stratum_permE restr_perm_on; congr move_mass; apply: eq_card => i.
rewrite !inE restr_stratum // inE; case: (matching (x i) == m).
  by rewrite andbT.
by rewrite andbF eqxx.
Qed.

Theorem psa_perm_mass x g : preserves_strata x g ->
  psa_perm x g =
  \prod_(m | (1 < #|stratum x m|)%N)
     let n_m := #|stratum x m| in let k := moved_in x g m in
     p ^+ k * q ^+ (n_m - k) /
     ((1 - n_m%:R * p * q ^+ n_m.-1) * (der k)%:R).
Proof.
move=> xg; rewrite psa_permE xg [RHS]big_mkcond; apply: eq_bigr => m _.
by rewrite /move_mass ltnNge; case: (#|stratum x m| <= 1)%N.
Qed.

End Algorithm.

Arguments psa {R M H S n} p p01 x.
Arguments psa_data {R M H S n} p p01 x.
Arguments psa_perm {R M H S n} p p01 x.
