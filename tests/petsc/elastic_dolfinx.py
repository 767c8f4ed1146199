"""A clamped beam under its weight by dolfinx: elastic_dolfinx.py CELLS FILE [OPTION=VALUE...] (options of PETSc for LinearProblem)"""

import sys
import time

import numpy
import ufl
from dolfinx import fem, mesh
from mpi4py import MPI
from petsc4py.PETSc import ScalarType

cells, file = int(sys.argv[1]), sys.argv[2]
options = dict(pair.partition("=")[::2] for pair in sys.argv[3:])
comm = MPI.COMM_WORLD
beam = mesh.create_box(comm, [[0.0, 0.0, 0.0], [3.0, 1.0, 1.0]], [3 * cells, cells, cells])
V = fem.VectorFunctionSpace(beam, ("Lagrange", 1))
wall = fem.locate_dofs_geometrical(V, lambda x: numpy.isclose(x[0], 0))
bc = fem.dirichletbc(numpy.zeros(3, dtype=ScalarType), wall, V)
u, v = ufl.TrialFunction(V), ufl.TestFunction(V)
young, poisson = 1e3, 0.3
mu, lam = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
strain = lambda w: ufl.sym(ufl.grad(w))
stress = lambda w: lam * ufl.div(w) * ufl.Identity(3) + 2 * mu * strain(w)
a = ufl.inner(stress(u), strain(v)) * ufl.dx
L = ufl.inner(fem.Constant(beam, ScalarType((0, 0, -1))), v) * ufl.dx
problem = fem.petsc.LinearProblem(a, L, bcs=[bc], petsc_options={"ksp_rtol": 1e-10, **options})
for step in range(2):
    problem.u.x.array[:] = 0
    comm.barrier()
    start = time.perf_counter()
    solution = problem.solve()
    seconds = comm.allreduce(time.perf_counter() - start, MPI.MAX)
ksp = problem.solver
nodes = V.dofmap.index_map.size_local
deepest = comm.allreduce(solution.x.array[: 3 * nodes].min(), MPI.MIN)
numpy.save(f"{file}-{comm.rank}.npy", numpy.c_[V.tabulate_dof_coordinates()[:nodes], solution.x.array[: 3 * nodes].reshape(-1, 3)])
if comm.rank == 0:
    print(f"its {ksp.its} reason {ksp.reason} deepest {deepest:.9e} dofs {3 * V.dofmap.index_map.size_global}"
          f" ksp {ksp.type} pc {ksp.pc.type} mat {problem.A.type} vec {problem.b.type} seconds {seconds:.2f}", flush=True)
