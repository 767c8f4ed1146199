#!/usr/bin/env python3
"""The automatic method beside methods by name, SciPy's spsolve and PETSc's default: set-up and solve, one process for each.

    PYTHONPATH=build/release/python bench/auto_race.py                        # systems that it makes itself
    PYTHONPATH=build/release/python bench/auto_race.py DIR... FILE.mtx.gz ... # Matrix Market files

Each system is solved for b = A x, x random, to a true residual of 1e-8; a time is the least of several. A line has the times in
milliseconds, and "ratio", the time of auto over the least of those that solved the system; "!" marks a ratio above 3 where auto took
more than 5 ms. On a machine that others use, --cpu --threads 1 takes processor time. PETSc takes part where petsc4py is installed. VKSOLVE_UMFPACK=/nowhere shows the list without factors.
"""

import argparse
import glob
import json
import os
import select
import subprocess
import sys
import time

TOLERANCE, FLOOR, MOST = 1e-8, 5e-3, 3.0
OWN = {"auto": {}, "cg": dict(method="cg", M="jacobi"), "cg+amg": dict(method="cg", M="amg"), "minres": dict(method="minres"),
       "idr": dict(method="idr", M="jacobi"), "idr+fsai": dict(method="idr", M="fsai"), "gmres+ilut": dict(method="gmres", M="ilut20"),
       "direct": dict(method="direct")}
PEERS = ["scipy", "petsc"]


# Systems

def grid(sizes, sp, coefficient=None):
    """-div(a grad u) on a box, a = coefficient per cell (None: 1), by differences of second order."""
    import numpy as np
    n = int(np.prod(sizes))
    number = np.arange(n).reshape(sizes)
    a = np.ones(sizes) if coefficient is None else coefficient
    rows, cols, values, diagonal = [], [], [], np.zeros(n)
    for axis in range(len(sizes)):
        i = np.take(number, range(sizes[axis] - 1), axis).ravel()
        j = np.take(number, range(1, sizes[axis]), axis).ravel()
        between = 2 / (1 / a.ravel()[i] + 1 / a.ravel()[j])
        rows += [i, j]
        cols += [j, i]
        values += [-between, -between]
        np.add.at(diagonal, i, between)
        np.add.at(diagonal, j, between)
        for edge in (0, sizes[axis] - 1):
            k = np.take(number, [edge], axis).ravel()
            diagonal[k] += a.ravel()[k]
    return sp.csr_matrix(sp.coo_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(cols))), (n, n)) + sp.diags(diagonal))


def convection(n, peclet, sp):
    """Central differences of a constant flow on an n x n grid."""
    one, first = sp.identity(n), sp.diags([-0.5, 0.5], [-1, 1], (n, n))
    return sp.csr_matrix(grid((n, n), sp) + peclet * (0.8 * sp.kron(first, one) + 0.6 * sp.kron(one, first)))


def beam(elements, sp):
    """Hermite elements of a clamped beam: a deflection and a slope at each node."""
    import numpy as np
    h = 1.0 / elements
    k = np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h], [-12, -6 * h, 12, -6 * h],
                  [6 * h, 2 * h * h, -6 * h, 4 * h * h]]) / h**3
    at = 2 * np.arange(elements)[:, None] + np.arange(4)
    rows, cols = np.repeat(at, 4, 1).ravel(), np.tile(at, 4).ravel()
    a = sp.csr_matrix((np.tile(k.ravel(), elements), (rows, cols)))
    return a[2:, 2:]


def kkt(n, sp, rng):
    """An optimality system: a grid and constraints on pairs of its unknowns."""
    import numpy as np
    h = grid((n, n), sp)
    m = n * n // 4
    picks = rng.permutation(n * n)[: 2 * m].reshape(m, 2)
    b = sp.csr_matrix((np.tile([1.0, -0.7], m), (np.repeat(np.arange(m), 2), picks.ravel())), (m, n * n))
    return sp.csr_matrix(sp.bmat([[h, b.T], [b, None]]))


def helmholtz(n, waves, sp):
    """A damped Helmholtz equation in its real form [[K, -D], [D, K]]."""
    k2 = (2 * 3.141592653589793 * waves / n) ** 2
    K = grid((n, n), sp) - k2 * sp.identity(n * n)
    D = 0.05 * k2 * sp.identity(n * n)
    return sp.csr_matrix(sp.bmat([[K, -D], [D, K]]))


def kinds():
    """Names and functions that make a system of each kind."""
    import numpy as np
    import scipy.sparse as sp

    def rough(shape, digits):
        return lambda: grid(shape, sp, 10 ** np.random.default_rng(7).uniform(-digits, digits, shape))

    def ends(n, low, main, high):
        return lambda: sp.csr_matrix(sp.diags([low, main, high], [-1, 0, 1], (n, n)))

    out = {}
    for n in (32, 100, 200, 400):
        out[f"grid2d_{n}"] = lambda n=n: grid((n, n), sp)
    for n in (12, 20, 30):
        out[f"grid3d_{n}"] = lambda n=n: grid((n, n, n), sp)
    for n in (50, 100, 200):
        for p in (1, 5, 100):
            out[f"convection_{n}_{p}"] = lambda n=n, p=p: convection(n, p, sp)
    for n in (32, 100):
        out[f"rough2d_{n}"] = rough((n, n), 4)
    out["rough3d_20"] = rough((20, 20, 20), 4)
    for n in (100, 1000, 10000):
        out[f"beam_{n}"] = lambda n=n: beam(n, sp)
    for n in (20, 60, 120):
        out[f"kkt_{n}"] = lambda n=n: kkt(n, sp, np.random.default_rng(3))
    for n in (1000, 10000, 100000):
        out[f"tridiagonal_{n}"] = ends(n, -1, 2, -1)
        out[f"skew_{n}"] = ends(n, -1, 0.001, 1)
    for n in (60, 120):
        out[f"helmholtz_{n}"] = lambda n=n: helmholtz(n, 12, sp)
    return out


def load(name):
    import numpy as np
    import scipy.io
    import scipy.sparse as sp
    a = sp.csr_matrix(scipy.io.mmread(name) if os.path.exists(name) else kinds()[name](), dtype=float)
    a.sum_duplicates()
    a.sort_indices()
    return a, a @ np.random.default_rng(11).uniform(-1, 1, a.shape[1])


# Workers: each line of input names a system, and is answered by a line

def own_solver(how):
    import vksolve
    options = dict(how)
    if options.get("M") == "ilut20":
        options["M"] = vksolve.precond.ILUT(fill=20, drop=1e-4, rows="all")
    elif options.get("M") == "amg":
        options["M"] = vksolve.precond.AMG(f32=True)
    context = vksolve.Context("host")

    def solve(a, b):
        x, info = vksolve.solve(a, b, context=context, **options)
        r = info.report
        listed = [" ".join(str(t[k]) for k in ("method", "precond", "iterations", "reason")) for t in r.attempts]
        return x, listed or [r.method]
    return solve


def scipy_solver():
    import scipy.sparse as sp
    from scipy.sparse.linalg import spsolve
    return lambda a, b: (spsolve(sp.csc_matrix(a), b, use_umfpack=False), [])


def petsc_solver():
    from petsc4py import PETSc

    def solve(a, b):
        n = a.shape[0]
        A = PETSc.Mat().createAIJ(size=(n, n), csr=(a.indptr, a.indices, a.data), comm=PETSc.COMM_SELF)
        x, right = A.createVecs()
        right.setArray(b)
        ksp = PETSc.KSP().create(PETSc.COMM_SELF)
        ksp.setOperators(A)
        ksp.setTolerances(rtol=TOLERANCE / 10, max_it=10000)
        ksp.setFromOptions()
        ksp.solve(right, x)
        out = x.getArray().copy()
        for o in (ksp, x, right, A):
            o.destroy()
        return out, []
    return solve


def work(peer, times, clock):
    import warnings

    import numpy as np
    warnings.simplefilter("ignore")
    solve = own_solver(OWN[peer]) if peer in OWN else scipy_solver() if peer == "scipy" else petsc_solver()
    solve(*load("grid2d_32"))  # what a process loads once
    for line in sys.stdin:
        a, b = load(line.strip())
        best, listed, spent = float("inf"), [], 0.0
        try:
            for _ in range(times):
                begun = clock()
                x, listed = solve(a, b)
                seconds = clock() - begun
                best, spent = min(best, seconds), spent + seconds
                if spent > 2:
                    break
            residual = float(np.linalg.norm(b - a @ x) / np.linalg.norm(b))
        except Exception as error:
            residual, listed = float("inf"), [str(error)[:200]]
        good = residual <= 1.0001 * TOLERANCE
        print(json.dumps(dict(seconds=best, solved=good, residual=residual, rows=a.shape[0], entries=a.nnz, listed=listed)), flush=True)


class Worker:
    """A process that solves by one peer; it is restarted after a system that took too long."""

    def __init__(self, peer, o):
        self.peer, self.options, self.process = peer, o, None

    def begin(self):
        o = self.options
        env = dict(os.environ, OMP_NUM_THREADS=str(o.threads), OPENBLAS_NUM_THREADS=str(o.threads))
        self.process = subprocess.Popen([sys.executable, __file__, "--worker", self.peer, "--times", str(o.times)] + ["--cpu"] * o.cpu,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env)

    def solve(self, name):
        if not self.process or self.process.poll() is not None:
            self.begin()
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], self.options.limit)
        line = self.process.stdout.readline() if ready else ""
        if not line:
            self.process.kill()
            self.process.wait()
        return json.loads(line) if line else dict(seconds=float("inf"), solved=False, residual=float("inf"), listed=["took too long"])

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait()


def race(names, peers, o):
    workers = [Worker(peer, o) for peer in peers]
    solved, above, rows = 0, [], []
    print(f"{'system':34}{'rows':>8}" + "".join(f"{peer:>11}" for peer in peers) + f"{'ratio':>8}  attempts of auto")
    for name in names:
        results = {w.peer: w.solve(name) for w in workers}
        auto = results["auto"]
        best = min((r["seconds"] for r in results.values() if r["solved"]), default=float("nan"))
        ratio = auto["seconds"] / best if auto["solved"] else float("nan")
        slow = best == best and not (ratio <= MOST or (auto["solved"] and auto["seconds"] <= FLOOR))
        solved += auto["solved"]
        above += [name] * slow
        cells = "".join(f"{1e3 * r['seconds']:11.2f}" if r["solved"] else f"{'-':>11}" for r in results.values())
        print(f"{os.path.basename(name):34}{auto.get('rows', 0):8}{cells}{ratio:7.2f}{'!' if slow else ' '}  {'; '.join(auto['listed'])}",
              flush=True)
        rows.append(dict(system=name, results=results))
    for w in workers:
        w.end()
    print(f"{solved} of {len(names)} solved by auto; {len(above)} take more than {MOST:g} times the least time, and more than "
          f"{1e3 * FLOOR:g} ms")
    if o.json:
        with open(o.json, "w") as file:
            json.dump(rows, file)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("systems", nargs="*", help="Matrix Market files, folders of them, or kinds; default: all kinds")
    p.add_argument("--peers", default=",".join([*OWN, *PEERS]))
    p.add_argument("--times", type=int, default=3, help="solves of each system; the fastest counts")
    p.add_argument("--limit", type=float, default=60, help="seconds for a system and peer, with reading it")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--cpu", action="store_true", help="processor time of all threads in place of elapsed time")
    p.add_argument("--json", help="write all results to this file")
    p.add_argument("--worker", help=argparse.SUPPRESS)
    o = p.parse_args()
    if o.worker:
        return work(o.worker, o.times, time.process_time if o.cpu else time.perf_counter)
    names = []
    for s in o.systems or list(kinds()):
        names += sorted(f for f in glob.glob(s + "/*.mtx*") if "_b.mtx" not in f) if os.path.isdir(s) else [s]
    race(names, [q for q in o.peers.split(",") if q], o)


if __name__ == "__main__":
    main()
