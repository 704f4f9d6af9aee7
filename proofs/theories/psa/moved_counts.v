(******************************************************************************)
(* The law of the PSA in one stratum, as a program computes it                *)
(*                                                                            *)
(* Definitions; a record is a pair of numbers (holding, swapping), a data set *)
(* of one stratum is the list of its records, and a permutation g of n        *)
(* records is the list g 0, ..., g (n - 1)                                    *)
(*   move_count g == how many positions g moves                               *)
(*   permuted g x == record i has its holding category and the swapping       *)
(*            category of record g i                                          *)
(*   moved_counts x z == the list N_0, ..., N_n: how many permutations of the *)
(*            records of x move k of them and give the table of z             *)
(*   move_weight p n k == the probability of one permutation that moves k of  *)
(*            n records, with the recursive count of derangements             *)
(*   record_list x == the records of the data set x as such a list            *)
(*   perm_list g == the permutation g as such a list                          *)
(*   expand counts == each index as often as counts says                      *)
(*   before == the lexicographic order of records                             *)
(*   universe rows columns == the tables with these margins, each as the      *)
(*            sorted list of its records: all that permutations produce       *)
(*   outcomes x == of every permutation of the records of x the sorted list   *)
(*            that it makes of them, and how many it moves                    *)
(*   tally outs n z == the counts N_0, ..., N_n of the outcomes that are z    *)
(*   counted rows columns == the counts from each table of a universe to      *)
(*            each, with the permutations of each table listed once           *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   psa_moved_counts == psa.permutation-law: P_x (C(Z) = z) is the sum of    *)
(*            N_k * w_k, for the computed counts and weights                  *)
(* The counts of a universe are the moved_counts (countedE); tests compute    *)
(* with them.                                                                 *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat law swapping derangement psa_law.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The program                                                                *)

Definition move_count (g : seq nat) : nat :=
  count (fun i => nth 0%N g i != i) (iota 0 (size g)).

Definition permuted (g : seq nat) (x : seq (nat * nat)) : seq (nat * nat) :=
  [seq ((nth (0, 0) x i).1, (nth (0, 0) x (nth 0 g i)).2)%N
     | i <- iota 0 (size x)].

Definition moved_counts (x z : seq (nat * nat)) : seq nat :=
  let moves := [seq move_count g | g <- permutations (iota 0 (size x))
                                 & perm_eq (permuted g x) z] in
  [seq count_mem k moves | k <- iota 0 (size x).+1].

Definition move_weight (R : realFieldType) (p : R) (n k : nat) : R :=
  p ^+ k * (1 - p) ^+ (n - k) /
  ((1 - n%:R * p * (1 - p) ^+ n.-1) * (der_rec k)%:R).

Lemma card_count (T : finType) (a : pred T) :
  #|[set t | a t]| = count a (enum T).
Proof. by rewrite cardsE cardE -size_filter [in RHS]enumT. Qed.

Definition expand (counts : seq nat) : seq nat :=
  flatten [seq nseq (nth 0%N counts i) i | i <- iota 0 (size counts)].

Definition before (r s : nat * nat) : bool :=
  (r.1 < s.1)%N || (r.1 == s.1) && (r.2 <= s.2)%N.

Definition universe (rows columns : seq nat) : seq (seq (nat * nat)) :=
  let x := zip (expand rows) (expand columns) in
  foldr (fun y ys => if y \in ys then ys else y :: ys) [::]
    [seq sort before (permuted g x) | g <- permutations (iota 0 (size x))].

Definition outcomes (x : seq (nat * nat)) : seq (seq (nat * nat) * nat) :=
  [seq (sort before (permuted g x), move_count g)
     | g <- permutations (iota 0 (size x))].

Definition tally (outs : seq (seq (nat * nat) * nat)) (n : nat)
    (z : seq (nat * nat)) : seq nat :=
  let moves := [seq o.2 | o <- outs & o.1 == z] in
  [seq count_mem k moves | k <- iota 0 n.+1].

Definition counted (rows columns : seq nat) :
    seq (seq (nat * nat) * seq (nat * nat) * seq nat) :=
  let xs := universe rows columns in
  flatten [seq (let outs := outcomes x in
                [seq (x, z, tally outs (size x) z) | z <- xs]) | x <- xs].

Lemma before_total : total before.
Proof.
move=> [a b] [c d]; rewrite /before /= (eq_sym c).
by case: ltngtP => //= _; apply: leq_total.
Qed.

Lemma before_trans : transitive before.
Proof.
move=> [a b] [c d] [e f]; rewrite /before /=.
case/orP=> [lt_ca | /andP[/eqP-> le_db]].
  case/orP=> [lt_ae | /andP[/eqP<- _]]; last by rewrite lt_ca.
  by rewrite (ltn_trans lt_ca lt_ae).
case/orP=> [-> // | /andP[-> le_bf]].
by rewrite (leq_trans le_db le_bf) orbT.
Qed.

Lemma before_anti : antisymmetric before.
Proof.
move=> [a b] [c d]; rewrite /before /= (eq_sym c).
by case: ltngtP => //= -> /anti_leq ->.
Qed.

Lemma tally_outcomes x z : sorted before z ->
  tally (outcomes x) (size x) z = moved_counts x z.
Proof.
move=> z_sorted; rewrite /tally /moved_counts /outcomes filter_map -map_comp.
rewrite (_ : filter _ _ =
  [seq g <- permutations (iota 0 (size x)) | perm_eq (permuted g x) z]) //.
apply: eq_filter => g /=.
rewrite -[in LHS](sorted_sort before_trans z_sorted).
by apply/eqP/idP => /(perm_sortP before_total before_trans before_anti).
Qed.

Lemma universe_sorted rows columns z :
  z \in universe rows columns -> sorted before z.
Proof.
rewrite /universe; elim: permutations => //= g gs IHgs; case: ifP => // _.
rewrite inE => /orP[/eqP-> | /IHgs //].
exact/sort_sorted/before_total.
Qed.

Lemma countedE rows columns : counted rows columns =
  [seq (x, z, moved_counts x z) | x <- universe rows columns,
                                  z <- universe rows columns].
Proof.
congr flatten; apply: eq_map => x; apply/eq_in_map => z /universe_sorted.
by move/tally_outcomes=> ->.
Qed.

(* Permutations as lists                                                      *)

Section Lists.

Variable n : nat.
Implicit Types g : 'S_n.

Definition perm_list g : seq nat := [seq val (g i) | i <- enum 'I_n].

Lemma size_perm_list g : size (perm_list g) = n.
Proof. by rewrite size_map size_enum_ord. Qed.

Lemma nth_perm_list g (i : 'I_n) : nth 0%N (perm_list g) i = g i.
Proof. by rewrite (nth_map i) ?size_enum_ord // nth_ord_enum. Qed.

Lemma perm_list_inj : injective perm_list.
Proof.
move=> g g' eq_gg'; apply/permP=> i; apply: ord_inj.
by rewrite -!nth_perm_list eq_gg'.
Qed.

Lemma perm_list_permutes g : perm_eq (perm_list g) (iota 0 n).
Proof.
rewrite -val_enum_ord /perm_list (map_comp val g); apply: perm_map.
apply: uniq_perm; rewrite ?enum_uniq //.
  by rewrite map_inj_uniq ?enum_uniq //; apply: perm_inj.
move=> i; rewrite mem_enum; apply/mapP; exists ((g^-1)%g i).
  by rewrite mem_enum.
by rewrite permKV.
Qed.

Lemma perm_lists :
  perm_eq [seq perm_list g | g <- enum 'S_n] (permutations (iota 0 n)).
Proof.
apply: uniq_perm; rewrite ?permutations_uniq //.
  by rewrite map_inj_uniq ?enum_uniq //; apply: perm_list_inj.
apply: (uniq_min_size _ _ _).2.
- by rewrite map_inj_uniq ?enum_uniq //; apply: perm_list_inj.
- by move=> _ /mapP[g _ ->]; rewrite mem_permutations perm_list_permutes.
rewrite size_permutations ?iota_uniq // size_iota size_map -cardE.
by rewrite -[in X in (X`! <= _)%N](card_ord n) -card_Sn card_ord.
Qed.

Lemma count_permutations (a : pred (seq nat)) :
  count a (permutations (iota 0 n)) = #|[set g : 'S_n | a (perm_list g)]|.
Proof.
by rewrite -(seq.permP perm_lists a) count_map card_count.
Qed.

Lemma move_countE g : move_count (perm_list g) = moved g.
Proof.
rewrite /move_count size_perm_list -val_enum_ord count_map /moved card_count.
by apply: eq_count => i; rewrite /= nth_perm_list (inj_eq val_inj).
Qed.

End Lists.

(* One stratum *)

Section OneStratum.

Variables (R : realFieldType) (H S : finType) (n : nat) (p : R).
Hypothesis p01 : 0 <= p <= 1.
Implicit Types x : dataset unit H S n.

Lemma unit_stratum x m : stratum x m = setT.
Proof. by apply/setP=> i; rewrite !inE; case: (matching _) m => [] []. Qed.

Lemma unit_psa_perm x (g : 'S_n) : psa_perm p p01 x g = move_mass p n (moved g).
Proof.
rewrite psa_permE (_ : preserves_strata x g); last first.
  by apply/forallP=> i; case: (matching _) (matching _) => [] [].
rewrite (big_pred1 tt) => [|[] //].
by rewrite /moved_in unit_stratum setIT cardsT card_ord.
Qed.

End OneStratum.

(* Data sets as lists                                                         *)

Section Records.

Variables (h c n : nat).
Local Notation data := (dataset [finType of unit] [finType of 'I_h]
                          [finType of 'I_c] n).
Implicit Types x z : data.

Definition record_list x : seq (nat * nat) :=
  [seq (val (holding (x i)), val (swapping (x i))) | i <- enum 'I_n].

Lemma size_record_list x : size (record_list x) = n.
Proof. by rewrite size_map size_enum_ord. Qed.

Lemma nth_record_list x (i : 'I_n) : nth (0, 0)%N (record_list x) i =
  (val (holding (x i)), val (swapping (x i))).
Proof. by rewrite (nth_map i) ?size_enum_ord // nth_ord_enum. Qed.

Lemma permuted_list x (g : 'S_n) :
  permuted (perm_list g) (record_list x) = record_list (apply_perm g x).
Proof.
rewrite /permuted size_record_list -val_enum_ord -map_comp.
apply: eq_map => i /=.
by rewrite nth_perm_list !nth_record_list /apply_perm ffunE.
Qed.

Lemma perm_eq_record_list x z :
  perm_eq (record_list x) (record_list z) = (table_ord x == table_ord z).
Proof.
have tableE y r : table y r =
    count_mem (val (holding r), val (swapping r)) (record_list y).
  rewrite ffunE count_map card_count; apply: eq_count => i /=.
  case: r (y i) => [[[] a] b] [[[] a'] b'].
  by rewrite !xpair_eqE /= !(inj_eq val_inj).
rewrite eq_table_ord; apply/idP/eqP => [/seq.permP eq_xz | /ffunP eq_xz].
  by apply/ffunP => r; rewrite !tableE eq_xz.
apply/allP => -[a b]; rewrite mem_cat => ab /=.
have [r -> ->] :
    exists2 r : unit * 'I_h * 'I_c, a = holding r & b = swapping r.
  by case/orP: ab => /mapP[i _ [-> ->]]; [exists (x i) | exists (z i)].
by rewrite -!tableE eq_xz.
Qed.

Variables (R : realFieldType) (p : R).
Hypothesis p01 : 0 <= p <= 1.

Lemma moved_leq (g : 'S_n) : (moved g < n.+1)%N.
Proof. by rewrite ltnS -[X in (_ <= X)%N](card_ord n) max_card. Qed.

Lemma nth_moved_counts x z k : (k < n.+1)%N ->
  nth 0%N (moved_counts (record_list x) (record_list z)) k =
  #|[set g : 'S_n | (table_ord (apply_perm g x) == table_ord z)
                    && (moved g == k)]|.
Proof.
move=> k_lt; rewrite /moved_counts size_record_list.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n count_map count_filter count_permutations; apply: eq_card => g.
rewrite !inE /= move_countE permuted_list perm_eq_record_list.
by rewrite andbC.
Qed.

Theorem psa_moved_counts x z : (1 < n)%N ->
  psa p p01 x (table_ord z) =
  \sum_(k < n.+1) (nth 0%N (moved_counts (record_list x) (record_list z)) k)%:R *
                  move_weight p n k.
Proof.
move=> n_gt1; rewrite psaE.
rewrite (partition_big (fun g : 'S_n => Ordinal (moved_leq g)) predT) //=.
apply: eq_bigr => k _; rewrite nth_moved_counts ?ltn_ord //.
rewrite mulr_natl -sumr_const; apply: eq_big => [g | g /andP[_ /eqP <-]].
  by rewrite inE.
by rewrite unit_psa_perm /move_mass leqNgt n_gt1 /= derE.
Qed.

End Records.
