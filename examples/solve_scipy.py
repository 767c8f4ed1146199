"""Heat conduction on a grid by SciPy's matrices: solve_scipy.py [SIDE]"""

import sys

import numpy as np
import scipy.sparse as sparse
import vksolve

side = int(sys.argv[1]) if len(sys.argv) > 1 else 60
line = sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(side, side))
A = sparse.kronsum(line, line).tocsr()
solver = vksolve.Solver(sparse.eye(side * side) + 0.5 * A, "cg", M="jacobi")
T = np.zeros(side * side)
T[: side * side // 2] = 1
for step in range(10):
    T = solver.solve(T, x0=T)
print(f"{solver.report}, T from {T.min():.3f} to {T.max():.3f}")
sys.exit(not solver.report.converged)
