/* Lanczos' method for the largest eigenvalue of M^-1 A, which is symmetric in the scalar product of M: C.
 * Lanczos, "An iteration method for the solution of the eigenvalue problem" (1950); Y. Saad, "Numerical
 * methods for large eigenvalue problems", section 6.3. A few steps give a tridiagonal matrix, whose largest
 * eigenvalue is slightly too small. Its residual bounds the distance to an eigenvalue of M^-1 A. The sum of
 * both, plus a twentieth, has been a bound for all practical matrices tried. It is not a bound if the first
 * vector has almost no component along the dominant eigenvector (docs/preconditioners.md).
 *
 *   z = M^-1 r                      M
 *   r.z                             2n
 *   u = A z                         matrix + 2n
 *   z.u                             2n
 *   beta, alpha, r, q               5n     lanczos_step
 *
 * The steps are one recording: the host reads all scalar products at the end. */
#include "solvers/bounds/lanczos.h"
#include "operator/operator.h"
#include "solvers/bounds/entry_bounds.h"

#include <math.h>

enum { MOST_STEPS = 10, HALVINGS = 60 };
static const double safety = 1.05;
/* Relative to alpha, a beta below this is rounding: the eigenvalues of the steps so far are exact. */
static const double smallest_beta = 1e-6;

struct lanczos {
    const struct precond *M;
    struct room room;
    struct vec r, z, u, q;
    struct reduction sums;
    uint32_t steps;
    bool has_entries;            /* A has entries, and M is their diagonal */
    struct entry_bounds entries; /* unset if not has_entries */
    struct memory found; /* r.z and z.u of each step, r.z after the last, then the bounds from entries */
    struct memory out;   /* copy of `found` for the host */
};

enum { MOST_FOUND = 2 * MOST_STEPS + 3 };

/* Symmetric tridiagonal matrix; beta[i] couples rows i and i + 1, the last beta is the residual's norm. */
struct tridiagonal {
    uint32_t n;
    double alpha[MOST_STEPS], beta[MOST_STEPS];
};

static void take_room(struct lanczos *s)
{
    enum precision p = s->M->precision;
    uint32_t n = s->M->A->csr.n;
    struct vec *all[] = {&s->r, &s->z, &s->u, &s->q};
    room_open(&s->room, s->M->device);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = room_vec(&s->room, n, p, "a vector of Lanczos' method");
    s->sums = room_reduction(&s->room, n, 1);
    s->steps = n < MOST_STEPS ? n : MOST_STEPS;
    s->found = room_memory(&s->room, MEMORY_DEVICE, MOST_FOUND * (uint64_t)real_bytes(p),
                           "the numbers of Lanczos' method");
    s->out = room_memory(&s->room, MEMORY_SHARED, MOST_FOUND * (uint64_t)real_bytes(p),
                         "the numbers of Lanczos' method");
    s->has_entries = s->M->kind == VKS_PRECOND_JACOBI && !operator_of(s->M->A) && n;
    if (s->has_entries)
        entry_bounds_room(&s->room, s->M->A, p, &s->entries);
}

static uint64_t number_of(const struct lanczos *s, uint32_t i)
{
    return s->found.address + i * (uint64_t)real_bytes(s->M->precision);
}

static void record_dot(struct rec *r, const struct lanczos *s, struct vec x, struct vec y, uint32_t i)
{
    dot(r, &s->sums, x, y, (number)(uintptr_t)number_of(s, i));
}

static void record(struct rec *r, const struct lanczos *s, struct diagonal_matrix D)
{
    run(r, lanczos_start, groups_each(s->r.n), .d = D.at, .r = vec_reals(s->r), .n = s->r.n,
        .varies = D.varies);
    bill(r, (D.varies ? 2 : 1) * vec_bytes(s->r));
    for (uint32_t k = 0; k <= s->steps; k++) {
        precond_apply(r, s->M, s->r, s->z);
        record_dot(r, s, s->r, s->z, 2 * k);
        if (k == s->steps)
            break;
        spmv(r, s->M->A, s->z, s->u);
        record_dot(r, s, s->z, s->u, 2 * k + 1);
        run(r, lanczos_step, groups_each(s->r.n), .found = (reals)(uintptr_t)number_of(s, 2 * k),
            .r = vec_reals(s->r), .u = vec_reals(s->u), .q = vec_reals(s->q), .n = s->r.n, .first = k == 0);
        bill(r, (k ? 5 : 4) * vec_bytes(s->r));
    }
    if (s->has_entries)
        entry_bounds_record(r, s->M->A, &s->entries,
                            (reals[]){(reals)(uintptr_t)number_of(s, MOST_FOUND - 2),
                                      (reals)(uintptr_t)number_of(s, MOST_FOUND - 1)});
    copy_words(r, words_of(&s->found), words_of(&s->out), MOST_FOUND * (real_bytes(s->M->precision) / 4));
}

/* Runs the steps and reads the scalar products. */
static vks_status find(struct lanczos *s, struct diagonal_matrix D, double *found)
{
    struct device *d = s->M->device;
    struct rec r = rec_once(d, s->M->precision);
    if (!s->room.status)
        record(&r, s, D);
    vks_status status = rec_run_once(&r, s->room.status);
    if (!status)
        status =
            download_values(d, &s->out, public_precision(s->M->precision), 0, MOST_FOUND, VKS_F64, found);
    return status;
}

static void refuse_step(struct diagnosis *f, vks_reason reason, const char *what, double value, uint32_t step)
{
    diagnosis_refuse(f, reason, UINT32_MAX,
                     "the largest eigenvalue of M^-1 A has no bound: %s = %.3e in step %u", what, value,
                     step + 1);
}

/* Makes the matrix from the meaningful scalar products. */
static void make_tridiagonal(const double *found, uint32_t steps, struct tridiagonal *T, struct diagnosis *f)
{
    if (!(found[0] > 0 && isfinite(found[0]))) {
        refuse_step(f, isfinite(found[0]) ? VKS_REASON_NOT_POSITIVE_DEFINITE : VKS_REASON_NOT_FINITE, "r.z",
                    found[0], 0);
        return;
    }
    for (uint32_t k = 0; k < steps; k++) {
        double alpha = found[2 * k + 1] / found[2 * k], square = found[2 * k + 2];
        if (!isfinite(alpha) || !isfinite(square)) {
            refuse_step(f, VKS_REASON_NOT_FINITE, isfinite(alpha) ? "r.z" : "z.Az",
                        isfinite(alpha) ? square : found[2 * k + 1], k);
            return;
        }
        double least = smallest_beta * fabs(alpha);
        if (square < -least * least) {
            refuse_step(f, VKS_REASON_NOT_POSITIVE_DEFINITE, "r.z", square, k);
            return;
        }
        T->alpha[k] = alpha;
        T->beta[k] = square > 0 ? sqrt(square) : 0;
        T->n = k + 1;
        if (T->beta[k] <= least)
            return;
    }
}

/* Whether an eigenvalue is above x: J. H. Wilkinson, "The algebraic eigenvalue problem" (1965), chapter 5:
 * the pivots of T - x have the signs of its eigenvalues. */
static bool any_above(const struct tridiagonal *T, double x)
{
    double pivot = 1;
    for (uint32_t i = 0; i < T->n; i++) {
        pivot = T->alpha[i] - x - (i ? T->beta[i - 1] * T->beta[i - 1] / pivot : 0);
        if (pivot >= 0)
            return true;
    }
    return false;
}

/* The largest eigenvalue. */
static double largest(const struct tridiagonal *T)
{
    double low = T->alpha[0], high = T->alpha[0];
    for (uint32_t i = 0; i < T->n; i++) {
        double reach = fabs(T->alpha[i]) + (i ? T->beta[i - 1] : 0) + T->beta[i];
        high = reach > high ? reach : high;
    }
    for (int i = 0; i < HALVINGS; i++) {
        double middle = low + (high - low) / 2;
        *(any_above(T, middle) ? &low : &high) = middle;
    }
    return high;
}

/* The largest distance of an eigenvalue of M^-1 A from the eigenvalue `value` of T: the last entry of its
 * normalised eigenvector, times the last beta. */
static double residual(const struct tridiagonal *T, double value)
{
    double before = 0, v = 1, square = 1;
    for (uint32_t i = 0; i + 1 < T->n; i++) {
        double next = ((value - T->alpha[i]) * v - (i ? T->beta[i - 1] : 0) * before) / T->beta[i];
        before = v;
        v = next;
        square += v * v;
    }
    return T->beta[T->n - 1] * fabs(v) / sqrt(square);
}

/* Lowers *bound to the bounds from entries. Their rounding does not matter to polynomials on 0 .. bound. */
static void lower_by_entries(const double found[2], double *bound)
{
    double least = fmin(1 + found[0], found[1]);
    if (isfinite(least) && least > 0)
        *bound = fmin(*bound, least);
}

vks_status lanczos_bound(const struct precond *M, struct diagonal_matrix D, struct diagnosis *f,
                         double *bound)
{
    double found[MOST_FOUND];
    struct lanczos s = {.M = M};
    struct tridiagonal T = {0};
    *bound = 1; /* for a matrix without rows */
    take_room(&s);
    vks_status status = find(&s, D, found);
    room_close(&s.room);
    if (status || s.steps == 0)
        return status;
    make_tridiagonal(found, s.steps, &T, f);
    if (diagnosis_refuses(f))
        return VKS_OK;
    double value = largest(&T);
    *bound = safety * (value + residual(&T, value));
    if (!isfinite(*bound))
        diagnosis_refuse(f, VKS_REASON_NOT_FINITE, UINT32_MAX, "the largest eigenvalue of M^-1 A is %.3e",
                         value);
    else if (value <= 0)
        diagnosis_refuse(f, VKS_REASON_NOT_POSITIVE_DEFINITE, UINT32_MAX,
                         "the largest eigenvalue of M^-1 A, %.3e, is not positive", value);
    else if (s.has_entries)
        lower_by_entries(found + MOST_FOUND - 2, bound);
    return VKS_OK;
}
