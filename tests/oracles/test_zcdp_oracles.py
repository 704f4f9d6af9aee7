"""OpenDP and dp-accounting as independent oracles of zCDP and the discrete Gaussian, from the group `libraries`.

Run with `python -m pytest tests/oracles`; where a library is not installed, its tests are skipped.
"""

import math
from collections import Counter
from fractions import Fraction

import pytest

from stirred.spec import Law, Loss
from stirred.spec.budgets.zcdp import pure_to_zcdp, zcdp_to_approximate
from stirred.spec.laws.discrete_gaussian import gaussian_zcdp_budget, point_probability, upper_tail
from stirred.verify.engines.zcdp.normalized_renyi import normalized_renyi_squared

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
SCALES = [0.5, 1.0, 5.0, 50.0]


class TestOpenDP:
    @pytest.fixture(scope="class")
    def dp(self):
        dp = pytest.importorskip("opendp.prelude", reason="opendp is not installed (group libraries)")
        dp.enable_features("contrib")
        return dp

    @staticmethod
    def gaussian(dp, scale):
        space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
        return dp.m.make_gaussian(*space, scale=scale)

    @pytest.mark.parametrize("scale", SCALES)
    @pytest.mark.parametrize("shift", [1, 2, 10])
    def test_its_map_is_our_budget_rounded_up(self, dp, scale, shift):
        ours = gaussian_zcdp_budget(Fraction(scale) ** 2, shift)
        theirs = Fraction(self.gaussian(dp, scale).map(shift))
        assert ours <= theirs <= ours * (1 + Fraction(1, 10**9))

    @pytest.mark.parametrize("scale", [0.5, 2.0])
    def test_its_draws_fit_our_law(self, dp, scale):
        # n = 20,000, unseeded: every cell within 6 standard deviations, which fails with probability below 10^-7
        draws = 20_000
        measure = self.gaussian(dp, scale)
        counts = Counter(measure(0) for _ in range(draws))
        for x in range(-5, 6):
            mass = float(point_probability(Fraction(scale) ** 2, x).lower)
            assert abs(counts[x] - draws * mass) <= 6 * math.sqrt(draws * mass) + 6

    @pytest.mark.parametrize("rho_squared", [0.07, 2.56, 15.29])
    def test_its_conversion_is_never_above_the_printed_one(self, dp, rho_squared):
        curve = dp.c.make_zCDP_to_approxDP(self.gaussian(dp, math.sqrt(1 / (2 * rho_squared)))).map(1)
        printed = zcdp_to_approximate(Fraction(rho_squared), Fraction(1, 10**10))
        assert curve.epsilon(delta=1e-10) <= float(printed.upper) + 1e-6


class TestDPAccounting:
    @pytest.fixture(scope="class")
    def rdp(self):
        return pytest.importorskip(
            "dp_accounting.rdp.rdp_privacy_accountant", reason="dp-accounting is not installed (group libraries)"
        )

    @pytest.fixture(scope="class")
    def losses(self):
        return pytest.importorskip(
            "dp_accounting.pld.privacy_loss_mechanism", reason="dp-accounting is not installed (group libraries)"
        )

    @pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
    def test_its_noise_has_our_tails(self, losses, scale):
        noise = losses.DiscreteGaussianPrivacyLoss(scale, 1)
        ours = [float(1 - upper_tail(Fraction(scale) ** 2, x + 1).lower) for x in range(-4, 5)]
        assert [float(noise.noise_cdf(x)) for x in range(-4, 5)] == pytest.approx(ours, abs=1e-9)

    @pytest.mark.parametrize("gamma", [Fraction(11, 10), Fraction(3), Fraction(20)])
    def test_no_order_of_its_randomized_response_exceeds_our_budget(self, rdp, gamma):
        accounting = pytest.importorskip("dp_accounting")
        orders = [1.01, 1.5, 2, 3, 8, 64]
        accountant = rdp.RdpAccountant(orders, accounting.NeighboringRelation.REPLACE_ONE)
        p = 1 / (1 + gamma)
        # its randomized response on 2 buckets keeps the answer with probability 1 - noise/2
        accountant.compose(accounting.RandomizedResponseDpEvent(float(2 * p), 2))
        upper = float(normalized_renyi_squared(Law({0: p, 1: 1 - p}), Law({0: 1 - p, 1: p}))[1])
        assert upper <= float(pure_to_zcdp(Loss(gamma)).upper)
        for order, value in zip(orders, accountant._rdp, strict=True):
            assert value <= order * upper + 1e-9
