From Coq Require Import NArith PArith.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat certificate_check balanced.

(******************************************************************************)
(* Certificates for two large rows as data: whole numbers                     *)
(*                                                                            *)
(*   balance_numbers == two rows of n1 and n2 records, the odds on / od, the  *)
(*            constants of a balance, with chained 1 / d and edge z, and the  *)
(*            bound r = rn / rd                                               *)
(*   balance_checks c == what balanced.v asks, in whole numbers               *)
(*   balance_of c == the certificate                                          *)
(*   dwellings_50 == the certificate for 435,805 and 708,619 dwellings, for   *)
(*            the swap rate 50%                                               *)
(*   halves_75 == the certificate for two rows of 500,000 records, for 75%    *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   balance_checks_sound == balance_checks c gives balances, over every real *)
(*            field                                                           *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Record balance_numbers := BalanceNumbers {
  row1 : N; row2 : N; odds_n : N; odds_d : N; grow_ : N; span_ : N; spare_ : N;
  least_ : N; wide_ : N; narrow_ : N; chained_ : N; edge_ : N; cost_n : N;
  cost_d : N }.

(* What is asked of a row beside another, where power / unit is an upper      *)
(* bound of (E / (E + 1))^l                                                   *)
Definition row_checks (c : balance_numbers) (power unit m1 m2 : N) : bool :=
  let: BalanceNumbers _ _ on od E l k0 a0 s t d z _ _ := c in
  [&& od * (E + 1) * (2 * a0 + 3 * l + k0) + on * E * (a0 + l) <=?
        on * E * m1,
      od * (E + 1) * (a0 + m2 + 1 + 2 * l + k0) + (on + od) * E * (a0 + l) <=?
        (on + od) * E * m1,
      t * ((E + 1) * (m2 + 1 + l) + E * (a0 + l)) <=?
        s * (E + 1) * a0 + t * E * m1,
      power * (2 * m1 * d) <=? unit &
      2 * (od * od) * ((m2 + k0 + 1) * (m2 + k0 + 1)) <=?
        z * (on * on * (m1 * (m1 - 1)))]%num.

Definition balance_checks (c : balance_numbers) : bool :=
  let: BalanceNumbers n1 n2 on od E l k0 a0 s t d z rn rd := c in
  (let lose := 4 * ((1 + z) * (1 + z)) in
   let a := (a0 + 1) * (a0 + 1) in
   let unit := (E + 1) * (precision * precision) in
   let power := power_up (E * (precision * precision)) unit
                  (N.succ_pos (N.pred l)) in
  [&& 1 <=? on, 1 <=? od, on <=? od * k0, 5 <=? k0, 3 <=? a0,
      on <=? od * a0, 1 <=? t, t * (a0 + 2 * l) <=? s * a0,
      lose + 1 <=? d, 1 <=? l, 1 <=? rd, rd <=? rn,
      row_checks c power unit (n1 - 1) (n2 - 1),
      row_checks c power unit (n2 - 1) (n1 - 1),
      rd * d <=? rn * (d - lose) &
      ((od + on) * od * ((s + t) * (s + t)) * a +
        ((n1 - 1) + (n2 - 1)) * (on * on * (s * t))) * (rd * d) <=?
        (rn - rd) * (d - lose) * (on * on * (s * t) * a)])%num.

Section Sound.

Variable R : realFieldType.
Local Notation n := N.to_nat.
Local Notation r x := ((N.to_nat x)%:R : R).

Definition balance_of (c : balance_numbers) : balance R :=
  Balance (n (grow_ c)) (n (span_ c)) (n (spare_ c)) (n (least_ c))
    (n (wide_ c)) (n (narrow_ c)) (r (chained_ c))^-1 (r (edge_ c)).

Lemma power_checked E l m d K (unit := ((E + 1) * K)%num) :
    (0 < n K)%N -> (1 <=? l)%num ->
    (power_up (E * K) unit (N.succ_pos (N.pred l)) * (2 * m * d) <=?
       unit)%num ->
  (n E ^ n l * (2 * n m * n d) <= (n E).+1 ^ n l)%N.
Proof.
move=> K_gt0 l_gt0 /to_nat_le.
have lE : Pos.to_nat (N.succ_pos (N.pred l)) = n l.
  by move/N.leb_le: l_gt0; clear; case: l => [|k] //= _; lia.
have uE : n unit = ((n E).+1 * n K)%N.
  by rewrite /unit to_natM; congr (_ * _)%N; clear; lia.
clearbody unit; have u_gt0 : (0 < n unit)%N by rewrite uE muln_gt0.
have := power_upP (E * K) (N.succ_pos (N.pred l)) u_gt0.
rewrite lE; move: (power_up _ _ _) => q le_q.
rewrite !to_natM -[n 2%num]/2%N; move: (2 * n m * n d)%N => e le_e.
have : (n (E * K)%num ^ n l * e * n unit <= n unit ^ n l * n unit)%N.
  rewrite mulnAC [leqRHS]mulnC; apply: leq_trans (leq_mul le_q (leqnn e)) _.
  by rewrite mulnAC; apply: leq_mul le_e (leqnn _).
rewrite leq_pmul2r // uE to_natM !expnMn mulnAC.
by rewrite leq_pmul2r // expn_gt0 K_gt0.
Qed.

Lemma row_sound c power unit m1 m2 : row_checks c power unit m1 m2 ->
    (0 < n (chained_ c))%N ->
    ((power * (2 * m1 * chained_ c) <=? unit)%num ->
     (n (grow_ c) ^ n (span_ c) * (2 * n m1 * n (chained_ c)) <=
      (n (grow_ c)).+1 ^ n (span_ c))%N) ->
  balances_row (balance_of c) (n (odds_n c)) (n (odds_d c)) (n m1) (n m2).
Proof.
case: c => n1 n2 on od E l k0 a0 s t d z rn rd.
case/and5P=> /to_nat_le c1 /to_nat_le c2 /to_nat_le c3 c4 /to_nat_le c5 /=.
move=> d_gt0 /(_ c4) {}c4.
have d_neq0 : r d != 0 by rewrite pnatr_eq0 -lt0n.
apply/and5P; split.
- by move: c1; clear; lia.
- by move: c2; clear; lia.
- by move: c3; clear; lia.
- rewrite -(ler_pmul2l (_ : 0 < r d)) ?ltr0n // mulVKf // -!natrX -!natrM.
  by rewrite ler_nat; move: c4; congr (_ <= _)%N; clear; lia.
rewrite -natrM ler_nat -!mulnn -subn1; move: c5.
rewrite !to_natE; congr (_ <= _)%N.
Qed.

Lemma kept_sound (on od s t a0 m rn rd d z : nat)
    (o := on%:R / od%:R : R) (lose := (4 * ((1 + z) * (1 + z)))%N)
    (a := ((a0 + 1) * (a0 + 1))%N) :
    (0 < on)%N -> (0 < od)%N -> (0 < s)%N -> (0 < t)%N -> (lose + 1 <= d)%N ->
    (0 < rd)%N -> (rd <= rn)%N ->
    (((od + on) * od * ((s + t) * (s + t)) * a + m * (on * on * (s * t))) *
       (rd * d) <= (rn - rd) * (d - lose) * (on * on * (s * t) * a))%N ->
  (1 + o) * ((s + t) ^ 2)%:R / (o ^+ 2 * (s * t)%:R) +
    m%:R / (a0.+1 ^ 2)%:R <=
  (rn%:R / rd%:R - 1) * (1 - d%:R^-1 *+ 4 * (1 + z%:R) ^+ 2).
Proof.
move=> on_gt0 od_gt0 s_gt0 t_gt0 lt_lose rd_gt0 le_r le_kept.
have a_gt0 : (0 < a)%N by rewrite /a muln_gt0 addn1.
have d_gt0 : (0 < d)%N by move: lt_lose; clear; lia.
have neq k : (0 < k)%N -> k%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have [on0 od0] := (neq _ on_gt0, neq _ od_gt0).
have [s0 t0] := (neq _ s_gt0, neq _ t_gt0).
have [rd0 d0] := (neq _ rd_gt0, neq _ d_gt0).
have a0' : a0.+1%:R != 0 :> R by apply: neq.
have aE : a%:R = a0.+1%:R ^+ 2 :> R by rewrite -natrX /a addn1 mulnn.
clearbody a; pose k := (on * on * (s * t) * a * (rd * d))%N.
have k_gt0 : 0 < k%:R :> R.
  by rewrite ltr0n !muln_gt0 on_gt0 s_gt0 t_gt0 a_gt0 rd_gt0.
rewrite -(ler_pmul2l k_gt0).
rewrite [leLHS](_ : _ = (((od + on) * od * ((s + t) * (s + t)) * a +
    m * (on * on * (s * t))) * (rd * d))%:R); last first.
  rewrite /k /o !(natrM, natrD, natrX) aE.
  by field; rewrite -mulrS a0' od0 t0 s0.
rewrite [leRHS](_ : _ =
    ((rn - rd) * (d - lose) * (on * on * (s * t) * a))%:R).
  by rewrite ler_nat.
have le_lose : (lose <= d)%N by move: lt_lose; clear; lia.
have loseE : lose%:R = 4%:R * ((1 + z%:R) * (1 + z%:R)) :> R.
  by rewrite /lose !natrM natrD.
clearbody lose; rewrite /k !natrM !natrB // loseE -[_^-1 *+ 4]mulr_natl.
by field; rewrite rd0 d0.
Qed.

Lemma balance_checks_sound (c : balance_numbers) : balance_checks c ->
  balances (balance_of c) (n (odds_n c)) (n (odds_d c)) (n (row1 c)).-1
    (n (row2 c)).-1 (r (cost_n c) / r (cost_d c)).
Proof.
have K_gt0 : (0 < n (precision * precision))%N.
  by rewrite to_natM muln_gt0 /precision; lia.
move: (@row_sound c); case: c => n1 n2 on od E l k0 a0 s t d z rn rd sound.
rewrite /balance_checks; move: (row_checks _) sound => row sound.
move: (precision * precision)%num K_gt0 => K K_gt0.
case/and5P=> /to_nat_le c1 /to_nat_le c2 /to_nat_le c3 /to_nat_le c4.
case/and5P=> /to_nat_le c5 /to_nat_le c6 /to_nat_le c7 /to_nat_le c8.
case/and5P=> /to_nat_le c9 c10 /to_nat_le c11 /to_nat_le c12.
case/and4P=> row1_ok row2_ok /to_nat_le c15 /to_nat_le c16.
rewrite !to_natE in c3 c6 c8 c9 c15 c16.
have nE m : (n m).-1 = n (m - 1)%num by rewrite to_natB subn1.
have {}c9 : (4 * ((1 + n z) * (1 + n z)) + 1 <= n d)%N := c9.
have d_gt0 : (0 < n d)%N by apply: leq_trans c9; rewrite addn1.
have rows m1 m2 : row (power_up (E * K) ((E + 1) * K) (N.succ_pos (N.pred l)))
    ((E + 1) * K)%num m1 m2 -> balances_row (Balance (n E) (n l) (n k0) (n a0)
      (n s) (n t) (r d)^-1 (r z)) (n on) (n od) (n m1) (n m2).
  by move/sound; apply=> //; apply: power_checked.
have s_gt0 : (0 < n s)%N.
  have : (0 < n t * (n a0 + 2 * n l))%N.
    by rewrite muln_gt0 c7 addn_gt0 (leq_trans _ c5).
  by move=> /leq_trans/(_ c8); rewrite muln_gt0 => /andP[].
have neq k : (0 < k)%N -> k%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have [d0 od0 rd0] := And3 (neq _ d_gt0) (neq _ c2) (neq _ c11).
rewrite !nE; apply/and5P; split=> //; apply/and5P; split=> //.
apply/and5P; split; [exact: ler0n | | exact: rows | exact: rows |].
  rewrite /lost /= -[_^-1 *+ 4]mulr_natl mulrAC ltr_pdivr_mulr ?ltr0n // mul1r.
  by rewrite -mulrS -natrX -natrM ltr_nat; move: c9; clear; lia.
apply/andP; split; last first.
  rewrite -!(N2Nat.inj_sub _ 1) in c16.
  exact: (kept_sound c1 c2 s_gt0 c7 c9 c11 c12 c16).
have rd_d_gt0 : 0 < (n rd * n d)%:R :> R by rewrite ltr0n muln_gt0 c11.
rewrite /lost /= -(ler_pmul2l rd_d_gt0) mulr1.
rewrite [leRHS](_ : _ = (n rn * (n d - 4 * ((1 + n z) * (1 + n z))))%:R).
  by rewrite ler_nat.
rewrite (natrM _ (n rn)) natrB ?(leq_trans (leq_addr _ _) c9) //.
rewrite -[_^-1 *+ 4]mulr_natl.
by rewrite !(natrM, natrD); field; rewrite rd0 d0.
Qed.

End Sound.

(* Two rows of 435805 and 708619 dwellings; odds 1 for p = 50%                *)
Definition dwellings_50 := (BalanceNumbers 435805 708619 1 1
  80 2122 5 48327 854 125 196000 6 9487603 500000)%num.

Lemma dwellings_50_check : balance_checks dwellings_50.
Proof. by vm_compute. Qed.

(* Two rows of 500000 records each; odds 3 for p = 75%                        *)
Definition halves_75 := (BalanceNumbers 500000 500000 3 1
  60 1561 5 295463 511 500 160000 1 1389089 500000)%num.

Lemma halves_75_check : balance_checks halves_75.
Proof. by vm_compute. Qed.
