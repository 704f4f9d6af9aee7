"""The smallest budget of a claim on its finite domain; what few claims need is loaded on first use."""

from typing import TYPE_CHECKING

from stirred.spec.first_use import on_first_use

if TYPE_CHECKING:
    from stirred.verify.audit.exhaust.nearby import Standing as Standing
    from stirred.verify.audit.exhaust.nearby import exhaust_nearby as exhaust_nearby
    from stirred.verify.audit.exhaust.parameter import exhaust_over_parameter as exhaust_over_parameter
    from stirred.verify.audit.exhaust.parameter import exhaust_powers_of_e as exhaust_powers_of_e
    from stirred.verify.audit.exhaust.real_noise import exhaust_reals as exhaust_reals
    from stirred.verify.audit.exhaust.released import BY_ENDS as BY_ENDS
    from stirred.verify.audit.exhaust.released import exhaust_released as exhaust_released
    from stirred.verify.audit.exhaust.released import finite_equivalent as finite_equivalent
    from stirred.verify.audit.exhaust.tails import exhaust_unlike as exhaust_unlike
else:
    __getattr__, __dir__, __all__ = on_first_use(globals())
