"""Conjugate gradients on Poisson's equation, by NumPy users: from arrays on the host to x on the host.

usage: python3 bench/peers/python_cg.py scipy|cupy|vksolve SIDE...

Prints for each cube of SIDE^3 points, between tabs: the call, the unknowns, the seconds of a call that is given
the arrays of A and b, the seconds of a call whose A is on the device, and ||b - A x|| / ||b||. Seconds are the
median of 5 calls after one to warm up, or of those within 15 seconds. PYTHONPATH leads to vksolve."""

import inspect
import statistics
import sys
import time

import numpy as np
import scipy.sparse as sp

RTOL, ITERATIONS = 1e-8, 10000


def poisson(n):
    line = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
    return sp.kronsum(sp.kronsum(line, line), line).tocsr()


def by_scipy():
    import scipy.sparse.linalg as sla

    rtol = "rtol" if "rtol" in inspect.signature(sla.cg).parameters else "tol"
    yield "scipy.sparse.linalg.cg", lambda A, b: sla.cg(A, b, maxiter=ITERATIONS, **{rtol: RTOL})[0], None


def by_cupy():
    import cupy
    import cupyx.scipy.sparse as csp
    import cupyx.scipy.sparse.linalg as csla

    rtol = "rtol" if "rtol" in inspect.signature(csla.cg).parameters else "tol"

    def kept(A):
        on_device = csp.csr_matrix(A)
        return lambda b: cupy.asnumpy(csla.cg(on_device, cupy.asarray(b), maxiter=ITERATIONS, **{rtol: RTOL})[0])

    yield "cupyx.scipy.sparse.linalg.cg", lambda A, b: kept(A)(b), kept


def by_vksolve():
    import vksolve

    for name, M in (("vksolve.cg", "none"), ('vksolve.cg, M="amg"', "amg")):
        yield (name, lambda A, b, M=M: vksolve.cg(A, b, rtol=RTOL, maxiter=ITERATIONS, M=M)[0],
               lambda A, M=M: vksolve.Solver(A, "cg", rtol=RTOL, maxiter=ITERATIONS, M=M).solve)


def seconds(call, *arguments):
    taken = []
    while len(taken) < 6 and (len(taken) < 2 or sum(taken) < 15):
        begun = time.perf_counter()
        x = call(*arguments)
        taken.append(time.perf_counter() - begun)
    return x, statistics.median(taken[1:])


def main(package, sides):
    for side in sides:
        A = poisson(side)
        b = A @ np.random.default_rng(1).standard_normal(A.shape[0])
        for name, call, keep in {"scipy": by_scipy, "cupy": by_cupy, "vksolve": by_vksolve}[package]():
            x, whole = seconds(call, A, b)
            kept = f"{seconds(keep(A), b)[1]:.4f}" if keep else ""
            residual = np.linalg.norm(b - A @ x) / np.linalg.norm(b)
            print(name, A.shape[0], f"{whole:.4f}", kept, f"{residual:.1e}", sep="\t", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("scipy", "cupy", "vksolve"):
        sys.exit(__doc__)
    main(sys.argv[1], [int(side) for side in sys.argv[2:]])
