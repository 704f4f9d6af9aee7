From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law swapping hamming derangement.
From Stirred Require Import pure psa_law psa_privacy.
From Stirred Require Import insertion taking_out exchange two_rows.
From Stirred Require Import concentration concentrated home chains transfer.
From Stirred Require Import balanced.

(******************************************************************************)
(* Permutations where neither of two exchanged records is at home             *)
(*                                                                            *)
(* Of such a permutation the mass is w (k + 2), where k other records of the  *)
(* two rows move, and w (k + e), e <= 2, with the two records exchanged. The  *)
(* masses fall with the number of records once it exceeds the odds. Those of  *)
(* fewer records have little mass by the chains of chains.v, as counts do not *)
(* care how i and j move.                                                     *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   few_sum_le == what few records move, against points near an axis         *)
(*   class_le == permutations closed under exchanges inside a row have at     *)
(*            most r times as much mass if two more records move              *)
(*   foreign_le == the same for all permutations where neither is at home,    *)
(*            with the two records exchanged                                  *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

(* Points (a, b) with a + b <= K: near if a > 0, and small beside (2, b) else *)
Lemma few_sum_le (R : realFieldType) (M : nat -> nat -> R) (rho : R)
    (m1 m2 K : nat) (near : nat -> nat -> bool) :
    (forall a b, 0 <= M a b) -> 0 <= rho -> (1 < m1)%N ->
    (forall b, (b <= m2)%N -> M 0%N b <= rho * M 2%N b) ->
    (forall a b, (0 < a)%N -> (a + b <= K)%N -> near a b) ->
    (forall b, (b <= K)%N -> near 2%N b) ->
  \sum_(a < m1.+1) \sum_(b < m2.+1 | (a + b <= K)%N) M a b <=
  (1 + rho) * \sum_(a < m1.+1) \sum_(b < m2.+1 | near a b) M a b.
Proof.
move=> M_ge0 rho_ge0 m1_gt1 zero_row near_few near2.
have row_ge0 a P : 0 <= \sum_(b < m2.+1 | P b) M a b by apply: sumr_ge0.
have le_row a (P Q : nat -> bool) : (forall b, P b -> Q b) ->
    \sum_(b < m2.+1 | P b) M a b <= \sum_(b < m2.+1 | Q b) M a b.
  move=> PQ; rewrite big_mkcond [leRHS]big_mkcond; apply: ler_sum => b _.
  by case: ifP => [/PQ-> // | _]; case: ifP.
set B := \sum_(a < _) \sum_(b < _ | near _ _) _.
have lt2 : (2 < m1.+1)%N by [].
have le2 : \sum_(b < m2.+1 | (b <= K)%N) M 2%N b <= B.
  rewrite /B (bigD1 (Ordinal lt2)) //=.
  apply: le_trans (le_row 2%N (fun b => (b <= K)%N) (near 2%N) near2) _.
  by rewrite ler_addl; apply: sumr_ge0.
rewrite mulrDl mul1r addrC big_ord_recl /=; apply: ler_add.
  apply: le_trans (ler_wpmul2l rho_ge0 le2); rewrite mulr_sumr.
  by apply: ler_sum => b _; apply: zero_row; rewrite -ltnS.
rewrite /B big_ord_recl /= -[leLHS]add0r; apply: ler_add.
  exact: (row_ge0 0%N (near 0%N)).
apply: ler_sum => a _; apply: (le_row a.+1 (fun b => (a.+1 + b <= K)%N)) => b.
exact: near_few.
Qed.

(* Permutations that are closed under exchanges inside a row                  *)
Section Class.

Variables (R : realFieldType) (p r : R) (q : balance R) (on od : nat).
Variables (T : finType) (D D' : {set T}) (Q : pred {perm T}).
Variable c : {perm T} -> R.
Hypotheses (p_gt0 : 0 < p) (p_lt1 : p < 1).
Hypothesis oE : on%:R / od%:R = p / (1 - p).
Hypothesis q_ok : balances q on od #|D| #|D'| r.
Hypothesis row : free_row Q c D D'.

Let m := (#|D| + #|D'|)%N.
Let w := move_mass p m.+2.
Let X k := w k.+2.
Let C := count_at Q c D D'.
Let M a b := C a b * X (a + b).

Let n_gt1 : (1 < m.+2)%N. Proof. by []. Qed.
Let C_ge0 a b : 0 <= C a b. Proof. exact/count_at_ge0/free_ge0/row. Qed.
Let w_ge0 k : 0 <= w k. Proof. by apply: move_mass_ge0; rewrite !ltW. Qed.
Let X_ge0 k : 0 <= X k. Proof. exact: w_ge0. Qed.
Let M_ge0 a b : 0 <= M a b. Proof. exact: mulr_ge0. Qed.

Let od_gt0 : (0 < od)%N. Proof. by have [] := balanced_odds q_ok. Qed.

(* Two more records: the masses grow as the chains need it for all k.         *)
Lemma mass_up1 k : (k < m)%N ->
  on%:R * X k <= (od * (k + spare q))%:R * X k.+1.
Proof.
move=> lt_km; have [_ _ k0_ge5 _] := balanced_odds q_ok.
have od_neq0 : od%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have step : 2%:R * (on%:R / od%:R) * X k <= (2 * k.+2 + 3)%:R * X k.+1.
  by apply: (mass_prev p_gt0 p_lt1 oE); rewrite !ltnS.
rewrite -(ler_pmul2l (ltr0n R 2)).
rewrite (_ : 2%:R * (on%:R * X k) =
  od%:R * (2%:R * (on%:R / od%:R) * X k)); last by field.
apply: le_trans (ler_wpmul2l (ler0n _ od) step) _.
rewrite [leLHS]mulrA [leRHS]mulrA -!natrM ler_wpmul2r // ler_nat.
by move: k0_ge5; clear; nia.
Qed.

Lemma mass_up2 k : (k.+2 <= m)%N ->
  (on ^ 2)%:R * X k <= (od ^ 2 * (k + spare q + 1) ^ 2)%:R * X k.+2.
Proof.
move=> le_km; rewrite natrX expr2 -mulrA.
apply: le_trans (ler_wpmul2l (ler0n _ on) (mass_up1 (ltnW le_km))) _.
rewrite mulrCA; apply: le_trans (ler_wpmul2l (ler0n _ _) (mass_up1 le_km)) _.
rewrite mulrA -natrM ler_wpmul2r // ler_nat expnS expn1 mulnACA expnS expn1.
by rewrite leq_mul2l; apply/orP; right; clear; nia.
Qed.

(* Beyond the odds the masses fall.                                           *)
Lemma least_mass_fall k e : (least q < k)%N -> (k <= m)%N -> (e <= 2)%N ->
  w k.+2 <= w (k + e)%N.
Proof.
move=> lt_k le_km le_e; have [a0_ge3 _ _] := balanced_shape q_ok.
have le_o := balanced_fall q_ok.
have step l : (least q < l)%N -> (l < m.+2)%N -> w l.+1 <= w l.
  move=> lt_l lt_lm; have l_gt1 : (1 < l)%N by move: a0_ge3 lt_l; clear; lia.
  have l_gt0 : 0 < l%:R :> R by rewrite ltr0n ltnW.
  rewrite -(ler_pmul2l l_gt0).
  apply: le_trans (mass_next p_gt0 p_lt1 oE n_gt1 _) _; first by rewrite l_gt1.
  rewrite ler_wpmul2r //; apply: le_trans le_o _.
  by rewrite ler_nat ltnW.
have step1 : w k.+1 <= w k by apply: step => //; rewrite !ltnS ltnW.
have step2 : w k.+2 <= w k.+1 by apply: step; rewrite ?ltnS // ltnW.
case: e le_e => [|[|[|]]] // _; rewrite ?addn0 ?addn1 ?addn2 //.
exact: le_trans step2 step1.
Qed.

Let few := \sum_(a < #|D|.+1)
  \sum_(b < #|D'|.+1 | (a + b <= least q)%N) M a b.
Let total := \sum_(a < #|D|.+1) \sum_(b < #|D'|.+1) M a b.

Lemma few_le : few <= lost q * total.
Proof.
have [edge_ge0 _ _ _] := balanced_rate q_ok.
have [a0_ge3 _ _] := balanced_shape q_ok.
have [chain zero] := balanced_chains q_ok.
have near := near_few q_ok.
have total_ge0 : 0 <= total by do 2!apply: sumr_ge0 => ? _.
have [_ D_gt1] := zero_bounds od_gt0 zero.
pose near_ax := near_axis on od (growth q) (span q) (spare q) #|D|.
have le_few : few <= (1 + edge q) * \sum_(a < #|D|.+1)
    \sum_(b < #|D'|.+1 | near_ax a b) M a b.
  apply: few_sum_le => // [b le_b | a b a_gt0 le_k | b le_b].
  - exact: (zero_le row X_ge0 od_gt0 zero mass_up2).
  - by apply: near => //; move: a_gt0 le_k; clear; lia.
  by apply: near => //; move: a0_ge3 le_b; clear; lia.
have le_near : \sum_(a < #|D|.+1) \sum_(b < #|D'|.+1 | near_ax a b) M a b <=
    chained q * total.
  apply: (near_le row X_ge0 od_gt0 chain) => k _.
  exact: mass_up1.
have chained_ge0 : 0 <= chained q.
  have E_gt0 : 0 < (growth q).+1%:R ^+ span q :> R.
    by rewrite exprn_gt0 ?ltr0n.
  rewrite -(pmulr_lge0 _ E_gt0); apply: le_trans chain.
  by rewrite mulr_ge0 ?exprn_ge0 ?ler0n.
have edge1_ge0 : 0 <= 1 + edge q by rewrite addr_ge0 ?ler01.
apply: (le_trans le_few); apply: le_trans (ler_wpmul2l edge1_ge0 le_near) _.
rewrite (_ : lost q * total = (1 + edge q) * (chained q * total) *
  (4%:R * (1 + edge q))); last by rewrite /lost; ring.
rewrite ler_pemulr ?mulr_ge0 //.
by apply: mulr_ege1; rewrite ?ler1n // ler_addl.
Qed.

Lemma class_le e : (e <= 2)%N ->
  \sum_(g | Q g) c g * w (#|movers D g| + #|movers D' g|).+2 <=
  r * \sum_(g | Q g) c g * w (#|movers D g| + #|movers D' g| + e).
Proof.
move=> le_e; have [_ lost_lt1 le_r _] := balanced_rate q_ok.
have left_gt0 : 0 < 1 - lost q by rewrite subr_gt0.
have r_ge0 : 0 <= r.
  by rewrite -(pmulr_lge0 _ left_gt0) (le_trans ler01).
rewrite (sum_counts Q c D D' (fun a b => w (a + b).+2)) -/total.
rewrite (sum_counts Q c D D' (fun a b => w (a + b + e))).
set sum' := \sum_(a < _) _.
have total_ge0 : 0 <= total by do 2!apply: sumr_ge0 => ? _.
have le_left : total * (1 - lost q) <= sum'.
  rewrite mulrBr mulr1 ler_subl_addr [total * _]mulrC.
  apply: le_trans (ler_add (lexx sum') few_le).
  rewrite -big_split /=; apply: ler_sum => a _.
  rewrite (big_mkcond (fun b : 'I_ _ => (a + b <= least q)%N)) -big_split /=.
  apply: ler_sum => b _; case: leqP => [_ | lt_k].
    by rewrite ler_addr mulr_ge0.
  rewrite addr0; have [le_m | lt_m] := leqP (a + b) m; last first.
    by rewrite /M /C count_out // !mul0r.
  by rewrite ler_wpmul2l // least_mass_fall.
apply: le_trans (ler_wpmul2l r_ge0 le_left).
by rewrite mulrCA ler_pemulr.
Qed.

End Class.

(* Two records, in two rows A and B                                           *)
Section Foreign.

Variables (R : realFieldType) (p r : R) (q : balance R) (on od : nat).
Variables (T : finType) (A B : {set T}) (i j : T) (P : pred {perm T}).
Variable c : {perm T} -> R.

Let D := A :\ i.
Let D' := B :\ j.
Let E := (A :|: B) :\: [set i; j].

Hypotheses (p_gt0 : 0 < p) (p_lt1 : p < 1).
Hypothesis oE : on%:R / od%:R = p / (1 - p).
Hypothesis q_ok : balances q on od #|D| #|D'| r.
Hypotheses (iA : i \in A) (jB : j \in B) (rows : free_rows P c A B).

Let w := move_mass p #|E|.+2.
Let FF g := P g && ~~ home A i g && ~~ home B j g.
(* Where i and j go.                                                          *)
Let to (g : {perm T}) := (g i == j, g j == i).

Let row := free_left rows.
Let AB0 := free_disjoint row.

Let card_movers_E g : #|movers E g| = (#|movers D g| + #|movers D' g|)%N.
Proof.
have I0 : movers D g :&: movers D' g = set0.
  apply/setP=> v; rewrite in_set0 in_setI !inE.
  have [vA | _] := boolP (v \in A); last by rewrite !andbF.
  by rewrite (disjointFr AB0 vA) !andbF.
rewrite -cardsUI I0 cards0 addn0; apply: eq_card => v; rewrite !inE.
have [-> | vi] := eqVneq v i; first by rewrite (disjointFr AB0 iA) !andbF.
have [-> | vj] := eqVneq v j; first by rewrite (disjointFl AB0 jB) !andbF.
by rewrite andb_orl.
Qed.

Let class s g := FF g && (to g == s).

Let class_D s (g : {perm T}) v u : v \in D -> u \in D ->
  class s (tperm v u * g)%g = class s g.
Proof.
have in_row k : k \in D -> [/\ k \in A, (k \in B) = false, k != i & k != j].
  case/setD1P=> ki kA; have kB := disjointFr AB0 kA; split=> //.
  by apply: contraFneq kB => ->.
move=> vD uD; have [vA vB vi vj] := in_row v vD.
have [uA uB ui uj] := in_row u uD.
have homeE (F : {set T}) k : (v \in F) = (u \in F) ->
    home F k (tperm v u * g)%g = home F k g.
  by move=> vF; rewrite /home invMg tpermV permM; case: tpermP => [->|->|].
rewrite /class /FF /to (free_pred row) // !homeE ?vA ?vB //.
by rewrite !permM !tpermD.
Qed.

Let class_free s : free_row (class s) c D D'.
Proof.
split; first exact: (free_ge0 row).
- exact: disjointW (subD1set _ _) (subD1set _ _) AB0.
- exact: class_D.
move=> g v u /andP[/andP[/andP[Pg _] _] _] /setD1P[_ vA] /setD1P[_ uA].
exact: (free_mass row Pg vA uA).
Qed.

Lemma foreign_le :
  \sum_(g | FF g) c g * w (#|movers E g| + (g i != i) + (g j != j))%N <=
  r * \sum_(g | FF g) c g * w (#|movers E g| + (g i != j) + (g j != i))%N.
Proof.
rewrite (partition_big to predT) //= [X in r * X](partition_big to predT) //=.
rewrite mulr_sumr; apply: ler_sum => -[s s'] _.
rewrite /w (card_rest iA jB rows).
have le_e : (~~ s + ~~ s' <= 2)%N by case: s s' => [] [].
have := class_le p_gt0 p_lt1 oE q_ok (class_free (s, s')) le_e.
congr (_ <= r * _).
  apply: eq_bigr => g /andP[/andP[/andP[_ fi] fj] _].
  rewrite card_movers_E (foreign_moves iA fi) (foreign_moves jB fj).
  by rewrite -addnA addn2.
apply: eq_bigr => g /andP[_ /eqP[<- <-]].
by rewrite card_movers_E addnA.
Qed.

End Foreign.
