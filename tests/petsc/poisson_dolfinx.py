"""Poisson's equation on the unit cube by dolfinx: poisson_dolfinx.py CELLS FILE [OPTION=VALUE...] (options of PETSc for LinearProblem)"""

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
cube = mesh.create_unit_cube(comm, cells, cells, cells)
V = fem.FunctionSpace(cube, ("Lagrange", 1))
boundary = fem.locate_dofs_geometrical(V, lambda x: numpy.isclose(x[0], 0) | numpy.isclose(x[0], 1))
bc = fem.dirichletbc(ScalarType(0), boundary, V)
u, v, x = ufl.TrialFunction(V), ufl.TestFunction(V), ufl.SpatialCoordinate(cube)
exact = ufl.sin(ufl.pi * x[0]) * ufl.cos(ufl.pi * x[1])
a = ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx
L = 2 * ufl.pi**2 * exact * v * ufl.dx
problem = fem.petsc.LinearProblem(a, L, bcs=[bc], petsc_options={"ksp_rtol": 1e-10, **options})
for step in range(2):
    problem.u.x.array[:] = 0
    comm.barrier()
    start = time.perf_counter()
    solution = problem.solve()
    seconds = comm.allreduce(time.perf_counter() - start, MPI.MAX)
error = fem.assemble_scalar(fem.form((solution - exact) ** 2 * ufl.dx))
error = numpy.sqrt(comm.allreduce(error, MPI.SUM))
ksp = problem.solver
owned = V.dofmap.index_map.size_local
numpy.save(f"{file}-{comm.rank}.npy", numpy.c_[V.tabulate_dof_coordinates()[:owned], solution.x.array[:owned]])
if comm.rank == 0:
    print(f"its {ksp.its} reason {ksp.reason} error {error:.6e} dofs {V.dofmap.index_map.size_global}"
          f" ksp {ksp.type} pc {ksp.pc.type} mat {problem.A.type} vec {problem.b.type} seconds {seconds:.2f}", flush=True)
