/* Checks of sequences of operations on Vecs: some are deferred, and run in one pass with others
 * (vec_steps.h). */
#include "check.h"

enum { VECS = 5, LENGTH = 14, N = 37 };

/* Vecs of a type, and numbers that operations returned. The program may keep the array of one Vec. */
struct run {
    Vec v[VECS];
    PetscInt holder; /* negative for none */
    PetscScalar *held;
    PetscReal reported[2 * LENGTH];
    PetscInt count;
};

static uint32_t state;

static PetscInt draw(PetscInt below)
{
    state = state * 1664525u + 1013904223u;
    return (PetscInt)((state >> 8) % (uint32_t)below);
}

/* Writes into the host's array, and returns it; or only reads it. */
static PetscErrorCode touch_array(Vec v, PetscBool write, PetscReal *reported)
{
    const PetscScalar *seen;
    PetscScalar *array;
    PetscInt n;
    PetscFunctionBeginUser;
    PetscCall(VecGetLocalSize(v, &n));
    if (write) {
        PetscCall(VecGetArray(v, &array));
        for (PetscInt i = 0; i < n; i++)
            array[i] = 0.5 * array[i] + 0.25;
        PetscCall(VecRestoreArray(v, &array));
    } else {
        PetscCall(VecGetArrayRead(v, &seen));
        *reported = n ? seen[n / 2] : 0;
        PetscCall(VecRestoreArrayRead(v, &seen));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode give_back(struct run *r)
{
    PetscFunctionBeginUser;
    if (r->holder >= 0)
        PetscCall(VecRestoreArray(r->v[r->holder], &r->held));
    r->holder = -1;
    PetscFunctionReturn(0);
}

/* Takes the array of v[i] if none is kept, writes into the kept one, and returns it if it is v[i]'s. */
static PetscErrorCode write_and_keep(struct run *r, PetscInt i)
{
    PetscBool is_new = r->holder < 0 ? PETSC_TRUE : PETSC_FALSE;
    PetscInt n;
    PetscFunctionBeginUser;
    if (is_new) {
        PetscCall(VecGetArray(r->v[i], &r->held));
        r->holder = i;
    }
    PetscCall(VecGetLocalSize(r->v[i], &n));
    for (PetscInt k = 0; k < n; k++)
        r->held[k] = 0.5 * r->held[k] + 0.125;
    if (!is_new && r->holder == i)
        PetscCall(give_back(r));
    PetscFunctionReturn(0);
}

/* Another Vec takes the place of v[i], with the values of v[j]. */
static PetscErrorCode replace(struct run *r, PetscInt i, PetscInt j)
{
    Vec other;
    PetscFunctionBeginUser;
    if (r->holder == i)
        PetscCall(give_back(r));
    PetscCall(VecDuplicate(r->v[j], &other));
    PetscCall(VecCopy(r->v[j], other));
    PetscCall(VecDestroy(&r->v[i]));
    r->v[i] = other;
    PetscFunctionReturn(0);
}

/* Rarer operations, on three different Vecs. */
static PetscErrorCode operate_rarely(struct run *r, PetscInt which, const PetscInt at[3], PetscReal a,
                                     PetscReal *reported)
{
    Vec x = r->v[at[0]], y = r->v[at[1]], z = r->v[at[2]];
    PetscFunctionBeginUser;
    switch (which) {
    case 0:
        PetscCall(VecCopy(y, x));
        break;
    case 1:
        PetscCall(VecSwap(x, y));
        break;
    case 2:
        PetscCall(VecScale(x, a));
        break;
    case 3:
        PetscCall(VecSet(x, a));
        break;
    case 4:
        PetscCall(VecWAXPY(x, a, y, z));
        break;
    case 5:
        PetscCall(VecAXPBYPCZ(x, a, 0.5, 0.25, y, z));
        break;
    case 6:
        PetscCall(VecMAXPY(x, 2, (PetscScalar[]){a, 0.5}, (Vec[]){y, z}));
        break;
    case 7:
        PetscCall(VecMDot(x, 2, (Vec[]){y, x}, reported));
        break;
    case 8:
        PetscCall(VecPointwiseMult(x, x, y));
        break;
    case 9:
        PetscCall(VecSum(x, reported));
        break;
    case 10:
        PetscCall(replace(r, at[0], at[1]));
        break;
    case 11:
    case 12:
        PetscCall(write_and_keep(r, at[which - 11]));
        break;
    default:
        PetscCall(touch_array(x, which % 2 ? PETSC_TRUE : PETSC_FALSE, reported));
    }
    PetscFunctionReturn(0);
}

/* The operations of conjugate gradients are the most frequent, often on the Vecs of the previous one. */
static PetscErrorCode operate(struct run *r, PetscInt which, const PetscInt at[3], PetscReal a)
{
    Vec x = r->v[at[0]], y = r->v[at[1]], z = r->v[at[2]];
    PetscReal *reported = r->reported + 2 * r->count++;
    PetscFunctionBeginUser;
    switch (which) {
    case 0:
    case 1:
    case 2:
        PetscCall(VecAXPY(x, a, y));
        break;
    case 3:
    case 4:
        PetscCall(VecAYPX(x, a, y));
        break;
    case 5:
    case 6:
        PetscCall(VecPointwiseMult(x, y, z));
        break;
    case 7:
        PetscCall(VecDot(x, y, reported));
        PetscCall(VecDot(x, x, reported + 1));
        break;
    case 8:
        PetscCall(VecNorm(x, NORM_2, reported));
        break;
    default:
        PetscCall(operate_rarely(r, which - 9, at, a, reported));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode make_run(VecType type, struct run *r)
{
    PetscFunctionBeginUser;
    *r = (struct run){.holder = -1};
    for (int k = 0; k < VECS; k++)
        PetscCall(make_vec(type, N, 0.5, k, &r->v[k]));
    PetscFunctionReturn(0);
}

static PetscErrorCode compare_and_destroy(struct run *r, struct run *s, uint32_t seed)
{
    PetscFunctionBeginUser;
    PetscCall(give_back(r));
    PetscCall(give_back(s));
    for (PetscInt k = 0; k < 2 * r->count; k++)
        PetscCheck(
            PetscAbsReal(r->reported[k] - s->reported[k]) <= 1e-10 * (1 + PetscAbsReal(s->reported[k])),
            PETSC_COMM_SELF, PETSC_ERR_PLIB, "sequence %u: operation %" PetscInt_FMT " tells %g, not %g",
            (unsigned)seed, k / 2, (double)r->reported[k], (double)s->reported[k]);
    for (int k = 0; k < VECS; k++) {
        PetscReal norm;
        PetscCall(VecNorm(s->v[k], NORM_INFINITY, &norm));
        PetscCall(check_equal(r->v[k], s->v[k], 1e-11 * (1 + norm)));
        PetscCall(VecDestroy(&r->v[k]));
        PetscCall(VecDestroy(&s->v[k]));
    }
    PetscFunctionReturn(0);
}

/* The Vecs are not read in between, which would run deferred operations. */
static PetscErrorCode any_sequence_is_that_of_petsc(void)
{
    PetscMPIInt size;
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    for (uint32_t seed = 1; seed <= (size == 1 ? 3000 : 200); seed++) {
        struct run ours, petscs;
        PetscInt at[3] = {0, 1, 2};
        state = seed;
        PetscCall(make_run("vksolve", &ours));
        PetscCall(make_run(VECSTANDARD, &petscs));
        for (PetscInt step = 0; step < LENGTH; step++) {
            PetscInt which = draw(24), first = at[0];
            PetscReal a = 0.1 * (draw(19) - 9);
            at[0] = draw(VECS);
            at[1] = draw(2) && first != at[0] ? first : (at[0] + 1 + draw(VECS - 1)) % VECS;
            do
                at[2] = draw(VECS);
            while (at[2] == at[0] || at[2] == at[1]);
            PetscCall(operate(&ours, which, at, a));
            PetscCall(operate(&petscs, which, at, a));
        }
        PetscCall(compare_and_destroy(&ours, &petscs, seed));
    }
    PetscFunctionReturn(0);
}

/* The passes of CG, five iterations by hand, with sums requested: the bits must be those of the single calls,
 * which run if each Vec is read after each operation. */
static PetscErrorCode iterate(Vec v[6], PetscBool look, PetscReal *reported)
{
    PetscFunctionBeginUser;
    for (int it = 0; it < 5; it++) {
        Vec x = v[0], r = v[1], z = v[it % 2 ? 4 : 2], p = v[3], q = v[4],
            d = v[5]; /* z overwrites q, as in PETSc's CG */
        PetscReal seen;
        PetscCall(VecAXPY(x, 0.3, p));
        PetscCall(look ? touch_array(x, PETSC_FALSE, &seen) : 0);
        PetscCall(VecAXPY(r, -0.3, q));
        PetscCall(look ? touch_array(r, PETSC_FALSE, &seen) : 0);
        PetscCall(VecPointwiseMult(z, r, d));
        PetscCall(VecNorm(z, NORM_2, reported++));
        PetscCall(VecDot(z, r, reported++));
        PetscCall(VecAYPX(p, 0.7, z));
        PetscCall(VecDot(p, q, reported++));
        PetscCall(VecScale(r, 0.9)); /* the known sums are no longer valid */
        PetscCall(VecDot(z, r, reported++));
        PetscCall(VecNorm(z, NORM_2, reported++));
        PetscCall(VecAXPY(z, 0.1, r));
        PetscCall(VecNorm(z, NORM_2, reported++));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode passes_have_the_bits_of_single_operations(void)
{
    Vec v[2][6];
    PetscReal reported[2][30];
    PetscFunctionBeginUser;
    for (int look = 0; look < 2; look++) {
        for (int k = 0; k < 6; k++)
            PetscCall(make_vec("vksolve", 5000, 0.5, k, &v[look][k]));
        PetscCall(iterate(v[look], look ? PETSC_TRUE : PETSC_FALSE, reported[look]));
    }
    for (int k = 0; k < 30; k++)
        CHECK(reported[0][k] == reported[1][k]);
    for (int k = 0; k < 6; k++) {
        PetscCall(check_equal(v[0][k], v[1][k], 0));
        PetscCall(VecDestroy(&v[0][k]));
        PetscCall(VecDestroy(&v[1][k]));
    }
    PetscFunctionReturn(0);
}

const struct check sequence_checks[] = {
    {"any_sequence_is_that_of_petsc", any_sequence_is_that_of_petsc},
    {"passes_have_the_bits_of_single_operations", passes_have_the_bits_of_single_operations},
    {0}};
