"""Poisson's equation by petsc4py, with the plug-in from PETSC_OPTIONS, or from the path that is given: poisson.py [PLUGIN]"""

import ctypes
import sys

import petsc4py

petsc4py.init(sys.argv[:1])
from petsc4py import PETSc

if len(sys.argv) > 1:
    ctypes.CDLL(sys.argv[1]).PetscDLLibraryRegister_petscvksolve()

n = 32
A = PETSc.Mat().create()
A.setSizes([n * n, n * n])
A.setType("aijvksolve")
A.setPreallocationNNZ(5)
A.setUp()
first, end = A.getOwnershipRange()
for i in range(first, end):
    r, c = divmod(i, n)
    A[i, i] = 4
    for j, inside in ((i - n, r > 0), (i + n, r < n - 1), (i - 1, c > 0), (i + 1, c < n - 1)):
        if inside:
            A[i, j] = -1
A.assemble()

x, b = A.createVecs()
x.set(1)
A.mult(x, b)
x.set(0)
ksp = PETSc.KSP().create()
ksp.setOperators(A)
ksp.setType("vksolve" if A.comm.size == 1 else "cg")
ksp.pc.setType("jacobi")
ksp.setTolerances(rtol=1e-10)
ksp.solve(b, x)
x.shift(-1)
largest = x.norm(PETSc.NormType.NORM_INFINITY)
good = ksp.reason > 0 and largest < 1e-7 and "vksolve" in A.getType() and "vksolve" in x.getType()
PETSc.Sys.Print("converged" if good else "wrong", ksp.its, largest, A.getType(), x.getType())
