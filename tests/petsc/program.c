/* An ordinary PETSc program, which knows nothing of vksolve: it assembles a system, solves it, and tells how
 * that went in one line.
 *
 * -names A,B: solves by several KSPs, whose options begin with A_ and B_. -side M: unknowns along an edge of
 * the square. -steps K: solves, each with other values of the matrix. -convection C: makes the matrix
 * unsymmetric. -neumann: a singular system, whose null space is told. -coo: assembly from coordinate
 * triplets. -elastic: two unknowns a node, with coordinates of the PC. -zero I: the diagonal of row I is 0.
 */
#include <petscksp.h>

struct problem {
    PetscInt side, unknowns; /* of a node */
    PetscInt zero;           /* the row without a diagonal; -1: none */
    PetscReal convection;
    PetscBool neumann, coo;
};

/* The entries of a row: five points of the grid, and its other unknowns at the same node. */
static PetscInt row_of(const struct problem *p, PetscInt row, PetscReal factor, PetscInt *col,
                       PetscScalar *val)
{
    const PetscInt steps[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
    PetscInt node = row / p->unknowns, unknown = row % p->unknowns, count = 0, places = 0;
    PetscInt x = node % p->side, y = node / p->side;
    PetscReal diagonal = 0;
    for (int k = 0; k < 4; k++) {
        PetscInt i = x + steps[k][0], j = y + steps[k][1];
        PetscReal weight = (k % 3 == 0 ? 1 : 2 + unknown) * factor;
        PetscReal upwind = (steps[k][0] + steps[k][1]) * p->convection;
        diagonal += weight;
        if (i < 0 || j < 0 || i >= p->side || j >= p->side) {
            places++;
            if (p->neumann)
                diagonal -= weight;
            continue;
        }
        col[count] = (j * p->side + i) * p->unknowns + unknown;
        val[count++] = -weight + upwind;
    }
    for (PetscInt other = 0; other < p->unknowns; other++)
        if (other != unknown) {
            col[count] = node * p->unknowns + other;
            val[count++] = -0.25 * factor;
            diagonal += places ? 0.25 * factor : 0.3 * factor;
        }
    col[count] = row;
    val[count++] = row == p->zero ? 0 : diagonal;
    return count;
}

static PetscErrorCode set_values(const struct problem *p, Mat A, PetscReal factor)
{
    PetscInt first, end, col[16];
    PetscScalar val[16];
    PetscFunctionBegin;
    PetscCall(MatGetOwnershipRange(A, &first, &end));
    for (PetscInt row = first; row < end; row++) {
        PetscInt count = row_of(p, row, factor, col, val);
        PetscCall(MatSetValues(A, 1, &row, count, col, val, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* The same from triplets; `again` keeps the places. */
static PetscErrorCode set_triplets(const struct problem *p, Mat A, PetscReal factor, PetscBool again)
{
    PetscInt first, end, count = 0, *row, *col;
    PetscScalar *val;
    PetscLayout rows, cols;
    PetscFunctionBegin;
    PetscCall(MatGetLayouts(A, &rows, &cols));
    PetscCall(PetscLayoutSetUp(rows));
    PetscCall(PetscLayoutGetRange(rows, &first, &end));
    PetscCall(PetscMalloc3(16 * (end - first), &row, 16 * (end - first), &col, 16 * (end - first), &val));
    for (PetscInt i = first; i < end; i++) {
        PetscInt more = row_of(p, i, factor, col + count, val + count);
        for (PetscInt k = 0; k < more; k++)
            row[count + k] = i;
        count += more;
    }
    if (!again)
        PetscCall(MatSetPreallocationCOO(A, count, row, col));
    PetscCall(MatSetValuesCOO(A, val, INSERT_VALUES));
    PetscCall(PetscFree3(row, col, val));
    PetscFunctionReturn(0);
}

static PetscErrorCode fill(const struct problem *p, Mat A, PetscInt step)
{
    PetscReal factor = 1 + 0.5 * step;
    PetscFunctionBegin;
    if (p->coo)
        PetscCall(set_triplets(p, A, factor, step > 0 ? PETSC_TRUE : PETSC_FALSE));
    else
        PetscCall(set_values(p, A, factor));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_matrix(const struct problem *p, Mat *A)
{
    PetscInt n = p->side * p->side * p->unknowns;
    PetscFunctionBegin;
    PetscCall(MatCreate(PETSC_COMM_WORLD, A));
    PetscCall(MatSetBlockSize(*A, p->unknowns));
    PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, n, n));
    PetscCall(MatSetFromOptions(*A));
    if (!p->coo) {
        PetscCall(MatSeqAIJSetPreallocation(*A, 5 + p->unknowns, NULL));
        PetscCall(MatMPIAIJSetPreallocation(*A, 5 + p->unknowns, NULL, 5, NULL));
    }
    PetscCall(fill(p, *A, 0));
    if (p->convection == 0)
        PetscCall(MatSetOption(*A, MAT_SYMMETRIC, PETSC_TRUE));
    if (p->convection == 0 && !p->neumann)
        PetscCall(MatSetOption(*A, MAT_SPD, PETSC_TRUE));
    PetscFunctionReturn(0);
}

/* What multigrid and the solver may know beside the entries. */
static PetscErrorCode tell_more(const struct problem *p, Mat A, PC pc)
{
    MatNullSpace space;
    PetscInt first, end;
    PetscReal *place;
    PetscFunctionBegin;
    if (p->neumann) {
        PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, NULL, &space));
        PetscCall(MatSetNullSpace(A, space));
        PetscCall(MatNullSpaceDestroy(&space));
    }
    if (p->unknowns != 2)
        PetscFunctionReturn(0);
    PetscCall(MatGetOwnershipRange(A, &first, &end));
    PetscCall(PetscMalloc1(end - first, &place));
    for (PetscInt node = first / 2; node < end / 2; node++) {
        place[2 * node - first] = node % p->side;
        place[2 * node + 1 - first] = node / p->side;
    }
    PetscCall(PCSetCoordinates(pc, 2, (end - first) / 2, place));
    PetscCall(PetscFree(place));
    PetscFunctionReturn(0);
}

/* A solution without the symmetry of the grid. */
static PetscErrorCode make_solution(Vec u, PetscBool without_mean)
{
    PetscInt first, end, n;
    PetscScalar mean;
    PetscFunctionBegin;
    PetscCall(VecGetSize(u, &n));
    PetscCall(VecGetOwnershipRange(u, &first, &end));
    for (PetscInt i = first; i < end; i++)
        PetscCall(VecSetValue(u, i, 1 + PetscSinReal(0.7 * i) * i / n, INSERT_VALUES));
    PetscCall(VecAssemblyBegin(u));
    PetscCall(VecAssemblyEnd(u));
    PetscCall(VecSum(u, &mean));
    if (without_mean)
        PetscCall(VecShift(u, -mean / n));
    PetscFunctionReturn(0);
}

static PetscErrorCode report(KSP ksp, Mat A, Vec x, Vec u)
{
    PetscInt its;
    PetscReal error, norm;
    KSPConvergedReason reason;
    MatType mat;
    VecType vec;
    PetscFunctionBegin;
    PetscCall(KSPGetIterationNumber(ksp, &its));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(VecNorm(u, NORM_2, &norm));
    PetscCall(VecAXPY(x, -1, u));
    PetscCall(VecNorm(x, NORM_2, &error));
    PetscCall(MatGetType(A, &mat));
    PetscCall(VecGetType(x, &vec));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "its %" PetscInt_FMT " reason %s error %.1e mat %s vec %s\n", its,
                          KSPConvergedReasons[reason], (double)(error / norm), mat, vec));
    PetscFunctionReturn(0);
}

/* Solves by one KSP, whose options begin with the prefix. */
static PetscErrorCode solve(const struct problem *p, const char *prefix, Mat A, Vec u, PetscInt steps)
{
    Vec x, b;
    KSP ksp;
    PC pc;
    PetscFunctionBeginUser;
    PetscCall(VecDuplicate(u, &x));
    PetscCall(VecDuplicate(u, &b));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOptionsPrefix(ksp, prefix));
    PetscCall(KSPSetOperators(ksp, A, A));
    PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(KSPSetFromOptions(ksp));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(tell_more(p, A, pc));
    for (PetscInt step = 0; step < steps; step++) {
        if (step)
            PetscCall(fill(p, A, step));
        PetscCall(MatMult(A, u, b));
        PetscCall(VecSet(x, 0));
        PetscCall(KSPSolve(ksp, b, x));
        PetscCall(report(ksp, A, x, u));
    }
    PetscCall(KSPDestroy(&ksp));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscFunctionReturn(0);
}

static PetscErrorCode run(const struct problem *p, PetscInt steps)
{
    Mat A;
    Vec u;
    char *names[16];
    PetscInt count = 16;
    PetscBool given;
    PetscFunctionBeginUser;
    PetscCall(make_matrix(p, &A));
    PetscCall(MatCreateVecs(A, &u, NULL));
    PetscCall(make_solution(u, p->neumann));
    PetscCall(PetscOptionsGetStringArray(NULL, NULL, "-names", names, &count, &given));
    if (!given)
        PetscCall(solve(p, NULL, A, u, steps));
    for (PetscInt k = 0; given && k < count; k++) {
        char prefix[64];
        PetscCall(PetscSNPrintf(prefix, sizeof prefix, "%s_", names[k]));
        PetscCall(solve(p, prefix, A, u, steps));
        PetscCall(PetscFree(names[k]));
    }
    PetscCall(VecDestroy(&u));
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    struct problem p = {.side = 40, .unknowns = 1, .zero = -1};
    PetscInt steps = 1;
    PetscBool elastic = PETSC_FALSE;
    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-side", &p.side, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-zero", &p.zero, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-steps", &steps, NULL));
    PetscCall(PetscOptionsGetReal(NULL, NULL, "-convection", &p.convection, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-neumann", &p.neumann, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-coo", &p.coo, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-elastic", &elastic, NULL));
    p.unknowns = elastic ? 2 : 1;
    PetscCall(run(&p, steps));
    PetscCall(PetscFinalize());
    return 0;
}
