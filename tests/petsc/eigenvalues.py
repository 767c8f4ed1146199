"""The largest eigenvalue of a matrix of the plug-in by slepc4py, with the plug-in from PETSC_OPTIONS: eigenvalues.py OPTION..."""

import math
import sys

import slepc4py

slepc4py.init(sys.argv)
from petsc4py import PETSc
from slepc4py import SLEPc

n = 100
A = PETSc.Mat().create()
A.setSizes([n, n])
A.setType("aijvksolve")
A.setPreallocationNNZ((3, 1))
first, end = A.getOwnershipRange()
for i in range(first, end):
    for j in range(max(i - 1, 0), min(i + 2, n)):
        A[i, j] = 2 if i == j else -1
A.assemble()

eps = SLEPc.EPS().create()
eps.setOperators(A)
eps.setProblemType(SLEPc.EPS.ProblemType.HEP)
eps.setFromOptions()
eps.solve()
x = A.createVecRight()
found = eps.getEigenpair(0, x).real if eps.getConverged() else math.nan
exact = 4 * math.sin(n * math.pi / (2 * n + 2)) ** 2
PETSc.Sys.Print("right" if abs(found - exact) < 1e-7 else "wrong", found, x.getType())
