"""Warnings, attributed to the calling line of the program."""

import os
import sys
import warnings

FOLDER = os.path.dirname(__file__) + os.sep


class SolveWarning(UserWarning):
    """A solve has not converged, or its report has a warning. ``warnings.simplefilter("ignore", vksolve.SolveWarning)`` silences it,
    and ``"error"`` in place of ``"ignore"`` raises it."""


class DeviceWarning(UserWarning):
    """A device was skipped, since it does not work."""


def warn(message, category):
    """warnings.warn, attributed to the first caller outside this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(FOLDER):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
