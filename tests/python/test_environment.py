"""A process that rounds otherwise than to nearest, or traps floating-point exceptions."""

import ctypes
import platform

from support import *

UPWARD = {"x86_64": 0x800, "aarch64": 0x400000}.get(platform.machine())
libm = ctypes.CDLL("libm.so.6")


@unittest.skipUnless(UPWARD, "the number of FE_UPWARD is not known here")
class Environment(Case):
    def test_bits_and_rounding_stay(self):
        A, b, seen = matrix("nos4"), random(100), []
        right = vksolve.cg(A, b)[0]
        libm.fesetround(UPWARD)
        try:
            x = vksolve.cg(A, b, callback=lambda progress: seen.append(libm.fegetround()))[0]
            rounding = libm.fegetround()
        finally:
            libm.fesetround(0)
        np.testing.assert_array_equal(x, right)
        self.assertEqual((rounding, set(seen)), (UPWARD, {UPWARD}))
