"""Thirteen scripts of SciPy users, as they are and by vksolve: what has to change, whether the answers agree, and seconds.

usage: PYTHONPATH=build/release/python python3 bench/scipy_scripts.py [SCALE]     (SCALE 1: some seconds each)
"""

import functools
import inspect
import os
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla
import vksolve

warnings.filterwarnings("ignore", category=DeprecationWarning)
SCALE = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
MATRICES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "matrices")
RTOL = "rtol" if "rtol" in inspect.signature(sla.cg).parameters else "tol"  # the name from SciPy 1.12 on
rng = np.random.default_rng(7)


def side(n):
    return max(8, int(n * SCALE**0.5))


def line(n):
    return sp.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n))


def poisson(n):
    return sp.kronsum(line(n), line(n)).tocsr()


def convection(n, speed=0.4):
    upwind = sp.diags([-speed, speed], [-1, 0], shape=(n, n))
    return (sp.kronsum(line(n), line(n)) + sp.kronsum(upwind, upwind)).tocsr()


def file(name):
    return sp.csr_matrix(vksolve.read(os.path.join(MATRICES, name + ".mtx.gz")))


# A script: its system, the lines of SciPy, and the same lines by vksolve. Each returns x.
SCRIPTS = []


def script(about, make, tolerance=1e-5):
    def keep(pair):
        SCRIPTS.append((about, make, *pair(), tolerance))
        return pair

    return keep


@script("Poisson's equation, cg", lambda: (poisson(side(300)), None))
def _():
    return (lambda A, b: sla.cg(A, b, **{RTOL: 1e-8}, maxiter=10000)[0], lambda A, b: vksolve.cg(A, b, tol=1e-8, maxiter=10000)[0])


@script("a structure from a file, cg with the diagonal", lambda: (file("bcsstk14"), None), 1e-2)
def _():
    return (lambda A, b: sla.cg(A, b, **{RTOL: 1e-10}, M=sp.diags(1 / A.diagonal()), maxiter=20000)[0],
            lambda A, b: vksolve.cg(A, b, tol=1e-10, M="jacobi", maxiter=20000)[0])


@script("convection and diffusion, gmres", lambda: (convection(side(120)), None))
def _():
    return (lambda A, b: sla.gmres(A, b, **{RTOL: 1e-8}, restart=50)[0], lambda A, b: vksolve.gmres(A, b, tol=1e-8, restart=50)[0])


@script("convection and diffusion, bicgstab", lambda: (convection(side(200)), None))
def _():
    return (lambda A, b: sla.bicgstab(A, b, **{RTOL: 1e-8})[0], lambda A, b: vksolve.bicgstab(A, b, tol=1e-8)[0])


@script("an indefinite system, minres", lambda: (poisson(side(60)) - 0.05 * sp.eye(side(60) ** 2), None))
def _():
    return (lambda A, b: sla.minres(A, b, **{RTOL: 1e-10}, maxiter=20000)[0],
            lambda A, b: vksolve.minres(A, b, tol=1e-10, maxiter=20000)[0])


@script("least squares, lsmr", lambda: (sp.random(side(400) * 40, side(400) * 10, 2e-3, random_state=1, format="csr"), None))
def _():
    return (lambda A, b: sla.lsmr(A, b, atol=1e-10, btol=1e-10)[0], lambda A, b: vksolve.lsmr(A, b, atol=1e-10, btol=1e-10)[0])


@script("any system: spsolve", lambda: (convection(side(200), 2.0), None))
def _():
    return (lambda A, b: sla.spsolve(A, b), lambda A, b: vksolve.solve(A, b)[0])


@script("heat in 20 steps: factorized", lambda: (sp.eye(side(250) ** 2, format="csr") + 0.5 * poisson(side(250)), None))
def _():
    def steps(solve, T):
        for _ in range(20):
            T = solve(T)
        return T

    return (lambda A, b: steps(sla.factorized(A.tocsc()), b), lambda A, b: steps(vksolve.Solver(A, "cg").solve, b))


@script("20 right-hand sides: spsolve", lambda: (poisson(side(150)), 20))
def _():
    return (lambda A, B: sla.spsolve(A.tocsc(), B), lambda A, B: vksolve.Solver(A, "cg").solve(B))


@script("finite elements, 10 Newton steps with new values", lambda: (poisson(side(150)), None))
def _():
    def newton(solver_of, A, b):
        u = np.zeros(len(b))
        solve = None
        for _ in range(10):
            J = (A + sp.diags(0.3 * u**2 + 0.1)).tocsr()
            solve = solver_of(J, solve)
            u = u - solve(A @ u + 0.1 * u**3 + 0.1 * u - b)
        return u

    def kept(J, solve):
        if solve is None:
            return vksolve.Solver(J, "cg", rtol=1e-8).solve
        solve.__self__.update(J)
        return solve

    return (lambda A, b: newton(lambda J, _: lambda r: sla.spsolve(J, r), A, b), lambda A, b: newton(kept, A, b))


@script("scipy's bicgstab, preconditioned by vksolve, not spilu", lambda: (convection(side(200)), None))
def _():
    def by_spilu(A, b):
        factors = sla.spilu(A.tocsc(), drop_tol=1e-3, fill_factor=5)
        return sla.bicgstab(A, b, **{RTOL: 1e-8}, M=sla.LinearOperator(A.shape, factors.solve), maxiter=5000)[0]

    return by_spilu, lambda A, b: sla.bicgstab(A, b, **{RTOL: 1e-8}, M=vksolve.precond.FSAI().setup(A), maxiter=5000)[0]


def triangles(n, warp=0.3):
    """A mesh of a square, bent, with its nodes in no order: points and triangles."""
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    k = (i * n + j)[:-1, :-1].ravel()
    corners = np.concatenate([np.stack([k, k + n, k + n + 1]), np.stack([k, k + n + 1, k + 1])], axis=1)
    number = np.random.default_rng(3).permutation(n * n)
    points = np.empty((2, n * n))
    points[:, number] = np.stack([i + warp * np.sin(j), j + warp * np.cos(i)]).reshape(2, -1) / (n - 1)
    return points, number[corners]


def assemble(points, corners, elastic):
    """The stiffness of linear elements, as scikit-fem assembles it: triplets with duplicates, summed by SciPy."""
    p = points[:, corners]
    d = np.roll(p, -1, axis=1) - np.roll(p, -2, axis=1)
    area = 0.5 * abs(d[0, 0] * d[1, 1] - d[0, 1] * d[1, 0])
    grad = np.stack([d[1], -d[0]]) / (2 * area)  # of the three shape functions
    laplace = np.einsum("axe,bxe,e->abe", grad.swapaxes(0, 1), grad.swapaxes(0, 1), area)
    rows, cols = np.broadcast_arrays(corners[:, None], corners[None])
    n = points.shape[1]
    if not elastic:
        return sp.coo_matrix((laplace.ravel(), (rows.ravel(), cols.ravel())), (n, n))
    g = grad.swapaxes(0, 1)
    K = np.einsum("aie,bje,e->aibje", g, g, area) + np.einsum("aje,bie,e->aibje", g, g, area)
    K += np.einsum("abe,ij->aibje", laplace, np.eye(2))
    unknown = 2 * corners[:, None] + np.arange(2)[None, :, None]
    rows, cols = np.broadcast_arrays(unknown[:, :, None, None], unknown[None, None])
    return sp.coo_matrix((K.ravel(), (rows.ravel(), cols.ravel())), (2 * n, 2 * n))


@functools.lru_cache
def clamped(elastic):
    """The stiffness without the unknowns of the side x = 0, and the nodes of the others."""
    points, corners = triangles(side(200))
    free = points[0] > 0.5 / len(points[0]) ** 0.5
    unknowns = np.repeat(free, 2 if elastic else 1)
    return assemble(points, corners, elastic).tocsr()[unknowns][:, unknowns], np.ascontiguousarray(points[:, free].T)


@script("finite elements, a membrane: spsolve", lambda: (clamped(False)[0], None))
def _():
    return lambda A, b: sla.spsolve(A, b), lambda A, b: vksolve.cg(A, b, rtol=1e-8, M="amg")[0]


@script("finite elements, an elastic sheet: spsolve", lambda: (clamped(True)[0], None))
def _():
    return (lambda A, b: sla.spsolve(A, b),
            lambda A, b: vksolve.cg(A, b, rtol=1e-10, M=vksolve.precond.AMG(coordinates=clamped(True)[1]))[0])


def seconds(function, *arguments):
    begun = time.perf_counter()
    x = function(*arguments)
    return x, time.perf_counter() - begun


def main():
    print(f"{'script':55s} {'unknowns':>9s} {'scipy s':>9s} {'vksolve s':>9s} {'difference':>10s}")
    failed = 0
    vksolve.solve(sp.eye(4, format="csr"), np.ones(4))  # opens the device
    for about, make, by_scipy, by_vksolve, tolerance in SCRIPTS:
        A, columns = make()
        A = sp.csr_matrix(A)
        b = rng.standard_normal(A.shape[0] if columns is None else (A.shape[0], columns))
        want, theirs = seconds(by_scipy, A, b)
        got, ours = seconds(by_vksolve, A, b)
        difference = np.linalg.norm(got - want) / np.linalg.norm(want)
        failed += not difference < tolerance
        print(f"{about:55s} {A.shape[1]:9,d} {theirs:9.3f} {ours:9.3f} {difference:10.1e}{'' if difference < tolerance else '  !'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
