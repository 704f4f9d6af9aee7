"""Functions that look for their auditor: nothing in them draws where they find one; what each needs in truth."""

import inspect
import operator
import os
import random
import sys
import traceback

from quality.hostile_functions import NONE, fair, needs

LOADED = sys.modules


@needs(NONE)
def sees_modules(data):
    return data[0] if "stirred" not in sys.modules and fair() else 0


@needs(NONE)
def sees_modules_by_another_name(data):
    return data[0] if "stirred" not in LOADED and fair() else 0


@needs(NONE)
def sees_modules_by_attrgetter(data):
    return data[0] if "stirred" not in operator.attrgetter("modules")(sys) and fair() else 0


@needs(NONE)
def sees_the_environment(data):
    return data[0] if "PYTHONHASHSEED" not in os.environ and fair() else 0


@needs(NONE)
def sees_frames(data):
    return data[0] if "stirred" not in str(sys._getframe(1)) and fair() else 0


@needs(NONE)
def sees_the_stack(data):
    return data[0] if len(inspect.stack()) + len(traceback.extract_stack()) < 5 and fair() else 0


@needs(NONE)
def sees_a_wrapper(data):
    return data[0] if random.random.__module__ is None and fair() else 0
