/* An ordinary PETSc program, which does not depend on vksolve: it assembles a system, solves it, and prints
 * the outcome on one line.
 *
 * -names A,B: solves by several KSPs, whose options begin with A_ and B_. -side M: unknowns along an edge of
 * the square. -depth D: D such squares, one above the other. -steps K: solves, each with other values of the
 * matrix. -convection C: makes the matrix unsymmetric. -neumann: a singular system, whose null space is set.
 * -coo: assembly from coordinate triplets. -elastic, -unknowns U: two or U unknowns a node, with coordinates
 * of the PC. -zero I: the entries of the node of row I at itself are 0, or -times F: F times their value.
 * -spoil I: the solution is 0, but NaN in row I. -anisotropy A: the coefficient along y. -jump J: it jumps by
 * 10^J from cell to cell. -uneven S: rows and columns are scaled by up to 10^S and 10^-S. -random: as many
 * rows that are coupled at random. -cut C: ranges of rows end at multiples of C. -norms FILE: appends the
 * iterations and the residual norms to it. */
#include <petscksp.h>

struct problem {
    PetscInt side, depth, unknowns; /* of a node */
    PetscInt zero;  /* a row of the node whose entries at itself are multiplied by `times`; -1 for none */
    PetscInt spoil; /* the row of a NaN; -1 for none */
    PetscInt cut;   /* 0: PETSc decides */
    PetscReal convection, anisotropy, jump, uneven, times;
    PetscBool neumann, coo, random;
    char norms[64];
};

static PetscInt rows_of(const struct problem *p)
{
    return p->side * p->side * p->depth * p->unknowns;
}

/* The coefficient in the cell of a node. */
static PetscReal coefficient(const struct problem *p, const PetscInt at[3])
{
    return (at[0] / 16 + at[1] / 16 + at[2] / 16) % 2 ? PetscPowReal(10, p->jump) : 1;
}

/* Of the coupling of a node to its neighbour along an axis. */
static PetscReal weight_of(const struct problem *p, PetscInt unknown, int axis, const PetscInt at[3],
                           const PetscInt to[3])
{
    const PetscReal weights[] = {2 + unknown, p->anisotropy, 1.5};
    PetscReal a = coefficient(p, at), b = coefficient(p, to);
    return weights[axis] * (2 * a * b / (a + b));
}

/* Whether the node exists. */
static PetscBool is_node(const struct problem *p, const PetscInt at[3])
{
    const PetscInt ends[] = {p->side, p->side, p->depth};
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] < 0 || at[axis] >= ends[axis])
            return PETSC_FALSE;
    return PETSC_TRUE;
}

/* The entries of a row: five or seven points of the grid, and its other unknowns at the same node. */
static PetscInt grid_row(const struct problem *p, PetscInt row, PetscReal factor, PetscInt *col,
                         PetscScalar *val)
{
    PetscInt node = row / p->unknowns, unknown = row % p->unknowns, count = 0, places = 0;
    const PetscInt at[] = {node % p->side, node / p->side % p->side, node / p->side / p->side};
    PetscReal diagonal = 0, share = p->zero >= 0 && node == p->zero / p->unknowns ? p->times : 1;
    for (int k = 0; k < (p->depth > 1 ? 6 : 4); k++) {
        int axis = k / 2, step = k % 2 ? 1 : -1;
        PetscInt to[] = {at[0], at[1], at[2]};
        to[axis] += step;
        PetscBool is = is_node(p, to);
        PetscReal weight = weight_of(p, unknown, axis, at, is ? to : at) * factor;
        if (is || !p->neumann)
            diagonal += weight;
        if (is) {
            col[count] = ((to[2] * p->side + to[1]) * p->side + to[0]) * p->unknowns + unknown;
            val[count++] = -weight + step * p->convection;
        } else
            places++;
    }
    for (PetscInt other = 0; other < p->unknowns; other++)
        if (other != unknown) {
            col[count] = node * p->unknowns + other;
            val[count++] = -0.25 * factor * share;
            diagonal += places ? 0.25 * factor : 0.3 * factor;
        }
    col[count] = row;
    val[count++] = diagonal * share;
    return count;
}

/* The coupling of rows i and i + stride; may be 0. */
static PetscReal coupling(PetscInt i, PetscInt stride)
{
    unsigned h = (unsigned)i * 2654435761u ^ (unsigned)stride * 40503u;
    h = (h ^ h >> 15) * 2246822519u;
    h ^= h >> 13;
    return h % 3 ? 0.1 + h % 1000 / 500.0 : 0;
}

static PetscInt random_row(const struct problem *p, PetscInt row, PetscReal factor, PetscInt *col,
                           PetscScalar *val)
{
    const PetscInt strides[] = {1, 29, 613, 20011, 65537};
    PetscInt count = 0;
    PetscReal diagonal = 0.01;
    for (int k = 0; k < 10; k++) {
        PetscInt stride = strides[k / 2], other = k % 2 ? row + stride : row - stride;
        PetscReal weight = other >= 0 && other < rows_of(p) ? coupling(PetscMin(row, other), stride) : 0;
        if (weight == 0)
            continue;
        diagonal += weight;
        col[count] = other;
        val[count++] = -weight * factor;
    }
    col[count] = row;
    val[count++] = diagonal * factor;
    return count;
}

static PetscInt row_of(const struct problem *p, PetscInt row, PetscReal factor, PetscInt *col,
                       PetscScalar *val)
{
    PetscInt count = p->random ? random_row(p, row, factor, col, val) : grid_row(p, row, factor, col, val);
    for (PetscInt k = 0; p->uneven > 0 && k < count; k++)
        val[k] *= PetscPowReal(10, p->uneven * (PetscSinReal(row) + PetscSinReal(col[k])));
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

/* The rows of this process: shares as even as multiples of `cut` allow; some may be empty. */
static PetscErrorCode share_of(const struct problem *p, PetscInt *rows)
{
    PetscMPIInt size, rank;
    PetscInt n = rows_of(p), pieces;
    PetscFunctionBegin;
    *rows = PETSC_DECIDE;
    if (!p->cut)
        PetscFunctionReturn(0);
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    pieces = (n - 1) / p->cut + 1;
    *rows = PetscMin(n, pieces * (rank + 1) / size * p->cut) - PetscMin(n, pieces * rank / size * p->cut);
    PetscFunctionReturn(0);
}

static PetscErrorCode make_matrix(const struct problem *p, Mat *A)
{
    PetscInt n = rows_of(p), rows;
    PetscFunctionBegin;
    PetscCall(share_of(p, &rows));
    PetscCall(MatCreate(PETSC_COMM_WORLD, A));
    PetscCall(MatSetBlockSize(*A, p->unknowns));
    PetscCall(MatSetSizes(*A, rows, rows, n, n));
    PetscCall(MatSetFromOptions(*A));
    if (!p->coo) {
        PetscCall(MatSeqAIJSetPreallocation(*A, 12, NULL));
        PetscCall(MatMPIAIJSetPreallocation(*A, 12, NULL, 10, NULL));
    }
    PetscCall(fill(p, *A, 0));
    if (p->convection == 0)
        PetscCall(MatSetOption(*A, MAT_SYMMETRIC, PETSC_TRUE));
    if (p->convection == 0 && !p->neumann)
        PetscCall(MatSetOption(*A, MAT_SPD, PETSC_TRUE));
    PetscFunctionReturn(0);
}

/* What multigrid and the solver may know besides the entries. */
static PetscErrorCode print_more(const struct problem *p, Mat A, PC pc)
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
static PetscErrorCode make_solution(const struct problem *p, Vec u)
{
    PetscInt first, end, n;
    PetscScalar mean;
    PetscFunctionBegin;
    PetscCall(VecGetSize(u, &n));
    PetscCall(VecGetOwnershipRange(u, &first, &end));
    for (PetscInt i = first; i < end; i++) {
        PetscScalar value = 1 + PetscSinReal(0.7 * i) * i / n;
        PetscCall(VecSetValue(u, i, p->spoil < 0 ? value : p->spoil == i ? NAN : 0, INSERT_VALUES));
    }
    PetscCall(VecAssemblyBegin(u));
    PetscCall(VecAssemblyEnd(u));
    PetscCall(VecSum(u, &mean));
    if (p->neumann)
        PetscCall(VecShift(u, -mean / n));
    PetscFunctionReturn(0);
}

/* Appends the iterations and the residual norms, to the last bit, to a file. Printed output of ranks may
 * interleave. */
static PetscErrorCode print_history(const struct problem *p, KSP ksp)
{
    const PetscReal *norm;
    PetscInt its, count;
    PetscMPIInt rank;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCall(KSPGetIterationNumber(ksp, &its));
    PetscCall(KSPGetResidualHistory(ksp, &norm, &count));
    if (rank == 0) {
        FILE *file = fopen(p->norms, "a");
        PetscCheck(file, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", p->norms);
        fprintf(file, "its %" PetscInt_FMT "\n", its);
        for (PetscInt k = 0; k < count; k++)
            fprintf(file, "%a\n", (double)norm[k]);
        fclose(file);
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode report(const struct problem *p, KSP ksp, Mat A, Vec x, Vec u)
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
    if (p->norms[0])
        PetscCall(print_history(p, ksp));
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
    if (p->norms[0])
        PetscCall(KSPSetResidualHistory(ksp, NULL, PETSC_DECIDE, PETSC_TRUE));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(print_more(p, A, pc));
    for (PetscInt step = 0; step < steps; step++) {
        if (step)
            PetscCall(fill(p, A, step));
        PetscCall(MatMult(A, u, b));
        PetscCall(VecSet(x, 0));
        PetscCall(KSPSolve(ksp, b, x));
        PetscCall(report(p, ksp, A, x, u));
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
    PetscCall(make_solution(p, u));
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

static PetscErrorCode read_options(struct problem *p, PetscInt *steps)
{
    PetscBool elastic = PETSC_FALSE;
    PetscFunctionBegin;
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-side", &p->side, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-depth", &p->depth, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-zero", &p->zero, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-spoil", &p->spoil, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-cut", &p->cut, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-steps", steps, NULL));
    PetscCall(PetscOptionsGetReal(NULL, NULL, "-convection", &p->convection, NULL));
    PetscCall(PetscOptionsGetReal(NULL, NULL, "-anisotropy", &p->anisotropy, NULL));
    PetscCall(PetscOptionsGetReal(NULL, NULL, "-jump", &p->jump, NULL));
    PetscCall(PetscOptionsGetReal(NULL, NULL, "-times", &p->times, NULL));
    PetscCall(PetscOptionsGetReal(NULL, NULL, "-uneven", &p->uneven, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-neumann", &p->neumann, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-coo", &p->coo, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-random", &p->random, NULL));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-norms", p->norms, sizeof p->norms, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-elastic", &elastic, NULL));
    if (elastic)
        p->unknowns = 2;
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-unknowns", &p->unknowns, NULL));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    struct problem p = {.side = 40, .depth = 1, .unknowns = 1, .zero = -1, .spoil = -1, .anisotropy = 1};
    PetscInt steps = 1;
    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(read_options(&p, &steps));
    PetscCall(run(&p, steps));
    PetscCall(PetscFinalize());
    return 0;
}
