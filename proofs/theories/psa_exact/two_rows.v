From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Stirred Require Import law swapping hamming swap_path derangement.
From Stirred Require Import pure psa_law psa_privacy.
From Stirred Require Import insertion exchange.

(******************************************************************************)
(* A stratum of two rows: what bounds the bases of all orbits bounds the PSA  *)
(*                                                                            *)
(*   exchange_cost p01 M n b r == in every data set of n records whose        *)
(*            stratum of the records i and j has two holding categories, and  *)
(*            at most b records, P_x(t) <= r P_x'(t) for all tables t, where  *)
(*            x' arises by exchanging the swapping values of i and j          *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   psa_rows, psa_exchange_rows == P_x(t) and P_x'(t) as sums of masses over *)
(*            the same permutations                                           *)
(*   two_row_le == P_x(t) <= r P_x'(t) follows from three inequalities:       *)
(*            w_step and w_fall for the masses, and bases_le for the          *)
(*            permutations that fix both records, each with the mass of its   *)
(*            orbit                                                           *)
(*   exchange_cost_privacy == with exchange_cost for gamma^2 the PSA costs at *)
(*            most gamma^d_HamS in every universe of two categories           *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory GroupScope.

Local Open Scope ring_scope.

(* One exchange inside a stratum of two rows                                  *)
Section Exchange.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p r : R).
Hypothesis p01 : 0 <= p <= 1.
Hypotheses (p_gt0 : 0 < p) (p_lt1 : p < 1).
Variables (x : dataset M H S n) (i j : 'I_n).
Hypothesis mij : matching (x i) = matching (x j).
Hypothesis hij : holding (x i) != holding (x j).
Hypothesis two_rows : forall v, matching (x v) = matching (x i) ->
  (holding (x v) == holding (x i)) || (holding (x v) == holding (x j)).
Implicit Types (g : {perm 'I_n}) (t : {ffun M * H * S -> 'I_n.+1}).

Let m := matching (x i).
Let A := [set v | mh (x v) == mh (x i)].
Let B := [set v | mh (x v) == mh (x j)].
Let E := (A :|: B) :\: [set i; j].
Let N := #|stratum x m|.
Let c g := \prod_(m' | m' != m) move_mass p #|stratum x m'| (moved_in x g m').

Let iA : i \in A. Proof. by rewrite inE. Qed.
Let jB : j \in B. Proof. by rewrite inE. Qed.
Let ij : i != j. Proof. by apply: contraNneq hij => ->. Qed.

Lemma stratum_rows : stratum x m = A :|: B.
Proof.
apply/setP=> v; rewrite !inE !xpair_eqE -mij -andb_orr.
by case: eqP => //= /two_rows->.
Qed.

Lemma rows_disjoint : [disjoint A & B].
Proof.
apply/pred0P=> v /=; rewrite !inE !xpair_eqE; apply: contraNF hij.
by case/andP=> /andP[_ /eqP<-] /andP[_ /eqP<-].
Qed.

Let im : i \in stratum x m. Proof. by rewrite inE. Qed.
Let jm : j \in stratum x m. Proof. by rewrite inE -mij. Qed.

Lemma size_stratum : N = #|E|.+2.
Proof.
have := card_but2 xpredT im jm ij; rewrite stratum_rows !addn1 => eN.
rewrite /N stratum_rows -[LHS](_ : #|[set v in A :|: B | true]| = _).
  by rewrite eN; congr _.+2; apply: eq_card => v; rewrite inE andbT.
by apply: eq_card => v; rewrite inE andbT.
Qed.

Lemma moved_in_rows g :
  moved_in x g m = (#|movers E g| + (g i != i) + (g j != j))%N.
Proof.
rewrite -(card_but2 (fun v => g v != v) _ _ ij) -?stratum_rows //.
by apply: eq_card => v; rewrite !inE andbC.
Qed.

Lemma moved_in_exchange g :
  moved_in x (g * tperm i j) m =
  (#|movers E g| + (g i != j) + (g j != i))%N.
Proof.
rewrite moved_in_rows !permM.
rewrite !(canF_eq (tpermK i j)) tpermL tpermR; congr (_ + _ + _)%N.
apply: eq_card => v; rewrite !inE permM; case: eqP => //= /eqP vi.
case: eqP => //= /eqP vj; congr (_ && _).
by case: tpermP => [->|->|//]; rewrite eq_sym ?(negbTE vi) ?(negbTE vj) eq_sym
  ?(negbTE vi) ?(negbTE vj).
Qed.

Let P t g := (table_ord (apply_perm g x) == t) && preserves_strata x g.

Lemma psa_perm_rows g : preserves_strata x g ->
  psa_perm p p01 x g =
  c g * move_mass p N (#|movers E g| + (g i != i) + (g j != j)).
Proof.
by move=> xg; rewrite psa_permE xg (bigD1 m) //= moved_in_rows mulrC.
Qed.

Lemma preserves_exchangeM g :
  preserves_strata x (g * tperm i j) = preserves_strata x g.
Proof.
have xt : preserves_strata x (tperm i j) by apply: preserves_exchange.
apply/idP/idP => xg; last exact: preserves_strataM.
by rewrite -[g](mulgK (tperm i j)) tpermV preserves_strataM.
Qed.

Lemma psa_perm_exchange g : preserves_strata x g ->
  psa_perm p p01 x (g * tperm i j)%g =
  c g * move_mass p N (#|movers E g| + (g i != j) + (g j != i)).
Proof.
move=> xg; rewrite psa_permE preserves_exchangeM xg (bigD1 m) //= mulrC.
rewrite moved_in_exchange; congr (_ * _); apply: eq_bigr => m' m'm.
congr move_mass; apply: eq_card => l; rewrite !inE permM.
have [lm | _] := eqVneq (matching (x l)) m'; last by rewrite !andbF.
have glm : matching (x (g l)) = m' by rewrite (preserves_strataP _ _ xg).
rewrite tpermD //; apply: contraNneq m'm => e; first by rewrite -glm -e.
by rewrite -glm -e -mij.
Qed.

Let sumP t (F : {perm 'I_n} -> R) :
    (forall g, ~~ preserves_strata x g -> F g = 0) ->
  \sum_(g | table_ord (apply_perm g x) == t) F g = \sum_(g | P t g) F g.
Proof.
move=> F0; rewrite (bigID (preserves_strata x)) /= [X in _ + X]big1 ?addr0 //.
by move=> g /andP[_ /F0].
Qed.

(* The law of both data sets, as masses of the permutations of x.             *)
Lemma psa_rows t : psa p p01 x t = \sum_(g | P t g)
  c g * move_mass p N (#|movers E g| + (g i != i) + (g j != j)).
Proof.
rewrite psaE sumP => [|g xg]; last by rewrite psa_permE (negbTE xg).
by apply: eq_bigr => g /andP[_ /psa_perm_rows].
Qed.

Lemma psa_exchange_rows t : psa p p01 (apply_perm (tperm i j) x) t =
  \sum_(g | P t g)
    c g * move_mass p N (#|movers E g| + (g i != j) + (g j != i)).
Proof.
rewrite psa_applyE tpermV sumP => [|g xg]; last first.
  by rewrite psa_permE preserves_exchangeM (negbTE xg).
by apply: eq_bigr => g /andP[_ /psa_perm_exchange].
Qed.

Lemma rows_perm t (g : {perm 'I_n}) k v : mh (x v) = mh (x k) ->
  P t (tperm k v * g)%g = P t g.
Proof.
move=> kv; rewrite /P preserves_tpermM //; congr (_ && _).
by congr (_ == _); apply/eqP; rewrite eq_table_ord table_tpermM.
Qed.

Lemma rows_mass (g : {perm 'I_n}) k v : mh (x v) = mh (x k) ->
  matching (x k) = m -> c (tperm k v * g)%g = c g.
Proof.
move=> kv km; apply: eq_bigr => m' m'm; congr move_mass.
by apply: moved_in_tpermM; rewrite ?km.
Qed.

Lemma rows_mass_ge0 g : 0 <= c g.
Proof. by apply: prodr_ge0 => m' _; apply: move_mass_ge0. Qed.

Lemma rows_moved t g : P t g ->
  (#|movers E g| + (g i != i) + (g j != j) != 1)%N.
Proof. by case/andP=> _ xg; rewrite -moved_in_rows moved_in_neq1. Qed.

Let w := move_mass p N.
Let base t g := P t g && (g i == i) && (g j == j).

Hypothesis r_ge1 : 1 <= r.
Hypothesis w_step : forall k, (0 < k <= #|E|)%N -> w k.+1 <= r * w k.+2.
Hypothesis w_fall : forall k e, (k <= #|E|)%N -> (e <= 2)%N -> (k + e != 1)%N ->
  w k.+2 <= r * w (k + e)%N.
Hypothesis bases_le : forall t,
  \sum_(g | base t g) c g * orbit_in w #|movers A g| #|movers B g| <=
  r * \sum_(g | base t g) c g * orbit_out w #|movers A g| #|movers B g|.

(* P_x(t) <= r P_x'(t), where x' is an exchange away from x.                  *)
Lemma two_row_le t :
  psa p p01 x t <= r * psa p p01 (apply_perm (tperm i j) x) t.
Proof.
rewrite psa_rows psa_exchange_rows.
have w_ge0 k : 0 <= w k by apply: move_mass_ge0.
apply: (exchange_le iA jB rows_disjoint) => //.
- by move=> g v; rewrite inE => /eqP/rows_perm.
- by move=> g v; rewrite inE => /eqP/rows_perm.
- by move=> g v _; rewrite inE => /eqP/rows_mass->.
- by move=> g v _; rewrite inE => /eqP/rows_mass->.
- exact: rows_mass_ge0.
- by move=> g /rows_moved.
- move=> g /andP[_ xg]; rewrite -moved_in_exchange moved_in_neq1 //.
  by rewrite preserves_exchangeM.
exact: bases_le.
Qed.

End Exchange.

(* The privacy of whole universes                                             *)
Definition exchange_cost (R : realFieldType) (p : R) (p01 : 0 <= p <= 1)
    (M : finType) (n b : nat) (r : R) : Prop :=
  forall (H S : finType) (x : dataset M H S n) (i j : 'I_n) t,
    matching (x i) = matching (x j) -> holding (x i) != holding (x j) ->
    (forall v, matching (x v) = matching (x i) ->
       (holding (x v) == holding (x i)) || (holding (x v) == holding (x j))) ->
    (#|stratum x (matching (x i))| <= b)%N ->
  psa p p01 x t <= r * psa p p01 (apply_perm (tperm i j) x) t.

Section Privacy.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p : R).
Hypothesis p01 : 0 <= p <= 1.
Implicit Types (x : dataset M H S n) (gamma : R).

Lemma stratum_le_largest x i j :
    matching (x i) = matching (x j) -> x i != x j ->
  (1 < #|stratum x (matching (x i))| <= largest_stratum x)%N.
Proof.
move=> mij xij; have x_mixed : mixed x (matching (x i)).
  apply/exists_inP; exists i; first by rewrite inE.
  by apply/exists_inP; exists j; rewrite // inE -mij.
by rewrite (mixed_gt1 x_mixed) -n_mE leq_bigmax_cond.
Qed.

Lemma exchange_psa_le x i j b gamma t :
    two_categories x -> (largest_stratum x <= b)%N ->
    exchange_cost p01 M n b (gamma ^+ 2) -> matching (x i) = matching (x j) ->
    holding (x i) != holding (x j) -> swapping (x i) != swapping (x j) ->
  psa p p01 x t <= gamma ^+ 2 * psa p p01 (apply_perm (tperm i j) x) t.
Proof.
move=> two le_xb bound mij hij sij.
have xij : x i != x j by apply: contraNneq hij => ->.
have /andP[_ /leq_trans/(_ le_xb) le_nb] := stratum_le_largest mij xij.
set m := matching (x i) in le_nb.
case/orP: (forallP two m) => le2.
  apply: bound => // v vm.
  pose D := [set h | (0 < n_mh x m h)%N].
  have iD : holding (x i) \in D by rewrite inE n_mh_gt0.
  have jD : holding (x j) \in D by rewrite inE /m mij n_mh_gt0.
  have : holding (x v) \in D by rewrite inE /m -vm n_mh_gt0.
  by rewrite (le2_set le2 iD jD hij : D = _) !inE.
pose y := transpose x; have yE v : y v =
    (matching (x v), swapping (x v), holding (x v)) by rewrite ffunE.
rewrite -(psa_transpose p01 x) -(psa_transpose p01 (apply_perm _ x)).
have tab : table (transpose (apply_perm (tperm i j) x)) =
    table (apply_perm (tperm i j) y).
  by rewrite -transpose_apply ?tpermV // preserves_exchange.
rewrite (psa_eq_table p01 tab).
apply: bound; rewrite ?yE //=.
  move=> v; rewrite -/y !yE => vm; pose D := [set s | (0 < n_ms x m s)%N].
  have iD : swapping (x i) \in D by rewrite inE n_ms_gt0.
  have jD : swapping (x j) \in D by rewrite inE /m mij n_ms_gt0.
  have : swapping (x v) \in D by rewrite inE /m -[matching _]vm n_ms_gt0.
  by rewrite (le2_set le2 iD jD sij : D = _) !inE.
rewrite (_ : stratum _ _ = stratum x m) //.
by apply/setP=> v; rewrite !inE ffunE.
Qed.

(* An exchange costs gamma^2.                                                 *)
Lemma exchange_privacy x i j b gamma :
    two_categories x -> (largest_stratum x <= b)%N ->
    exchange_cost p01 M n b (gamma ^+ 2) -> matching (x i) = matching (x j) ->
    holding (x i) != holding (x j) -> swapping (x i) != swapping (x j) ->
  mult_le (gamma ^+ 2) (psa p p01 x) (psa p p01 (apply_perm (tperm i j) x)).
Proof.
move=> two le_xb bound mij hij sij; apply/mult_leP => t.
split; first exact: (exchange_psa_le _ two le_xb bound mij hij sij).
set x1 := apply_perm _ x.
have xx1 : same_invariants x x1.
  by apply: same_invariants_apply; apply: preserves_exchange.
have x1K : apply_perm (tperm i j) x1 = x.
  by rewrite apply_permM tperm2 apply_perm1.
rewrite -[in leRHS]x1K; apply: exchange_psa_le bound _ _ _ => //.
- by rewrite -(same_two_categories xx1).
- by rewrite -(largest_stratum_universe xx1).
- by rewrite !matching_apply.
- by rewrite !holding_apply.
by rewrite !swapping_apply tpermL tpermR eq_sym.
Qed.

(* Every stratum has two holding or two swapping categories.                  *)
Lemma exchange_cost_privacy b gamma x x' :
    two_categories x -> (largest_stratum x <= b)%N ->
    exchange_cost p01 M n b (gamma ^+ 2) -> same_invariants x x' ->
  mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x').
Proof.
have [k] := ubnP (hamming x x').
elim: k x => // k IHk x lt_k two le_xb bound xx'.
have [h0 | h_gt0] := posnP (hamming x x').
  rewrite h0 expr0 (psa_eq_table p01 (x := x) (x' := x')) //.
    exact: mult_le_refl.
  by apply/eqP; rewrite -hamming_eq0 h0.
have [i [j [mij hij sij hE]]] := exchange_exists xx' two h_gt0.
set x1 := apply_perm _ x in hE.
have xx1 : same_invariants x x1.
  by apply: same_invariants_apply; apply: preserves_exchange.
rewrite hE -addn2 addnC exprD; apply: mult_le_triangle.
  exact: (exchange_privacy two le_xb bound mij hij sij).
apply: IHk => //.
- by move: lt_k; rewrite hE !ltnS => /ltnW.
- by rewrite -(same_two_categories xx1).
- by rewrite -(largest_stratum_universe xx1).
by apply: same_invariants_trans xx'; rewrite same_invariants_sym.
Qed.

Lemma two_categories_type x :
  (#|H| <= 2)%N || (#|S| <= 2)%N -> two_categories x.
Proof.
move=> HS2; apply/forallP=> m; case/orP: HS2 => le2; apply/orP; [left | right];
  exact: leq_trans (max_card _) le2.
Qed.

Lemma largest_stratum_le_size x : (largest_stratum x <= n)%N.
Proof.
by apply/bigmax_leqP=> m _; rewrite n_mE -[leqRHS]card_ord max_card.
Qed.

(* As a specification: universes with more categories are not bounded here.   *)
Lemma exchange_cost_pure_dp (budget : nat -> R) :
    (forall b, (1 < b)%N -> exchange_cost p01 M n b (budget b ^+ 2)) ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n =>
             if two_categories x0 then Some (budget (largest_stratum x0))
             else None)
          (psa p p01).
Proof.
move=> le_budget x0 x x' x0x x0x'; case: ifP => // two.
have xx' : same_invariants x x'.
  by apply: same_invariants_trans x0x'; rewrite same_invariants_sym.
rewrite (same_two_categories x0x) in two.
rewrite (largest_stratum_universe x0x).
have [h0 | h_gt0] := posnP (hamming x x').
  rewrite h0 expr0 (psa_eq_table p01 (x := x) (x' := x')) //.
    exact: mult_le_refl.
  by apply/eqP; rewrite -hamming_eq0 h0.
have [i [j [mij hij _ _]]] := exchange_exists xx' two h_gt0.
have xij : x i != x j by apply: contraNneq hij => ->.
have /andP[lt1 le1] := stratum_le_largest mij xij.
apply: (exchange_cost_privacy two (leqnn _)) xx'; apply: le_budget.
exact: leq_trans le1.
Qed.

End Privacy.
