/* The time loop of examples/heat.c with PETSc on the processor: the same mesh and element matrices, assembled
 * in each step, and conjugate gradients with the diagonal to the same tolerance from the last T.
 *
 *     mpicc -O3 -march=native heat_petsc.c -o heat_petsc -I../../examples $(pkg-config --cflags --libs PETSc)
 * -lm mpirun -np 2 ./heat_petsc [RINGS] [STEPS] */
#include "support/heat_mesh.h"

#include <petscksp.h>

static const double dt = 0.002, heat_transfer = 5, slope = 2;

struct heat {
    struct heat_mesh mesh;
    PetscInt first, end; /* of this rank's nodes */
    Mat A, M;
    Vec T, b, h, all; /* all: T of every node */
    VecScatter gather;
    KSP solver;
};

/* Adds the terms of this rank's nodes, so that no values are sent. */
static PetscErrorCode add(const struct heat *q, Mat A, PetscInt n, const PetscInt *at, const double *values)
{
    PetscInt mine[3];
    for (PetscInt a = 0; a < n; a++)
        mine[a] = at[a] >= q->first && at[a] < q->end ? at[a] : -1; /* negative: ignored */
    return MatSetValues(A, n, mine, n, at, values, ADD_VALUES);
}

static PetscErrorCode assemble(struct heat *q, const double *T, double k_scale)
{
    const struct heat_mesh *m = &q->mesh;
    PetscCall(MatZeroEntries(q->A));
    for (uint32_t e = 0; e < m->triangles; e++) {
        PetscInt at[3] = {(PetscInt)m->corner[e][0], (PetscInt)m->corner[e][1], (PetscInt)m->corner[e][2]};
        int touches = 0;
        for (int v = 0; v < 3; v++)
            touches |= at[v] >= q->first && at[v] < q->end;
        if (!touches)
            continue;
        double K[3][3], area = heat_stiffness(m, e, K);
        double k = k_scale * (1 + slope * (T[at[0]] + T[at[1]] + T[at[2]]) / 3);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                K[a][b] = area / (a == b ? 6 : 12) / dt + k * K[a][b];
        PetscCall(add(q, q->A, 3, at, K[0]));
    }
    for (uint32_t j = 0; j < m->around && k_scale > 0; j++) {
        PetscInt at[2] = {(PetscInt)heat_node(m, 0, j), (PetscInt)heat_node(m, 0, j + 1)};
        double l = heat_transfer * heat_edge(m, j), H[4] = {l / 3, l / 6, l / 6, l / 3};
        PetscCall(add(q, q->A, 2, at, H));
    }
    PetscCall(MatAssemblyBegin(q->A, MAT_FINAL_ASSEMBLY));
    return MatAssemblyEnd(q->A, MAT_FINAL_ASSEMBLY);
}

static PetscErrorCode set_up(struct heat *q)
{
    PetscInt n = (PetscInt)q->mesh.nodes;
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n, 9, NULL, 9, NULL, &q->A));
    PetscCall(MatGetOwnershipRange(q->A, &q->first, &q->end));
    PetscCall(MatCreateVecs(q->A, &q->T, &q->b));
    PetscCall(VecDuplicate(q->b, &q->h));
    PetscCall(VecScatterCreateToAll(q->T, &q->gather, &q->all));
    double *zero;
    PetscCall(VecZeroEntries(q->all));
    PetscCall(VecGetArray(q->all, &zero));
    PetscCall(assemble(q, zero, 0));
    PetscCall(VecRestoreArray(q->all, &zero));
    PetscCall(MatDuplicate(q->A, MAT_COPY_VALUES, &q->M));
    for (uint32_t j = 0; j < q->mesh.around; j++) {
        PetscInt at[2] = {(PetscInt)heat_node(&q->mesh, 0, j), (PetscInt)heat_node(&q->mesh, 0, j + 1)};
        double half = heat_transfer * heat_edge(&q->mesh, j) / 2;
        for (int a = 0; a < 2; a++)
            if (at[a] >= q->first && at[a] < q->end)
                PetscCall(VecSetValue(q->h, at[a], half, ADD_VALUES));
    }
    PetscCall(VecAssemblyBegin(q->h));
    PetscCall(VecAssemblyEnd(q->h));
    PC pc;
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &q->solver));
    PetscCall(KSPSetType(q->solver, KSPCG));
    PetscCall(KSPGetPC(q->solver, &pc));
    PetscCall(PCSetType(pc, PCJACOBI));
    PetscCall(KSPSetNormType(q->solver, KSP_NORM_UNPRECONDITIONED));
    PetscCall(KSPSetTolerances(q->solver, 1e-8, 0, PETSC_DEFAULT, 100000));
    return KSPSetInitialGuessNonzero(q->solver, PETSC_TRUE);
}

static PetscErrorCode step(struct heat *q, PetscInt *iterations)
{
    double *T;
    PetscCall(VecScatterBegin(q->gather, q->T, q->all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(q->gather, q->T, q->all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecGetArray(q->all, &T));
    PetscCall(assemble(q, T, 1));
    PetscCall(VecRestoreArray(q->all, &T));
    PetscCall(MatMultAdd(q->M, q->T, q->h, q->b));
    PetscCall(KSPSetOperators(q->solver, q->A, q->A));
    PetscCall(KSPSolve(q->solver, q->b, q->T));
    return KSPGetIterationNumber(q->solver, iterations);
}

int main(int argc, char **argv)
{
    struct heat q = {0};
    int rings = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 20, ranks;
    double first = 0, later = 0, sum = 0;
    PetscInt iterations, all = 0;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    if (rings < 2 || steps < 2 || !heat_mesh_make((uint32_t)rings, &q.mesh))
        return 1;
    PetscCall(set_up(&q));
    for (int i = 1; i <= steps; i++) {
        double begun = MPI_Wtime();
        PetscCall(step(&q, &iterations));
        *(i == 1 ? &first : &later) += MPI_Wtime() - begun;
        all += iterations;
    }
    PetscCall(VecSum(q.T, &sum));
    PetscCall(
        PetscPrintf(PETSC_COMM_WORLD,
                    "PETSc, %d ranks: %u nodes, %d steps of %.1f iterations; the first took %.3g ms, the "
                    "others %.3g ms each; mean T %.10g\n",
                    ranks, q.mesh.nodes, steps, (double)all / steps, 1e3 * first, 1e3 * later / (steps - 1),
                    sum / q.mesh.nodes));
    heat_mesh_free(&q.mesh);
    return PetscFinalize();
}
