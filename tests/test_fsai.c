/* Adaptive FSAI: exact inverses if the pattern suffices, properties of any pattern, the same bits on all
 * devices, new values, and refusals. */
#include "small_matrix.h"
#include "solvers/precond.h"
#include "tests/support/inverse_oracle.h"
#include "tests/support/preconds.h"

static const vks_precond_options fsai = {.kind = VKS_PRECOND_FSAI};

/* A preconditioner and its inputs. */
struct made {
    vks_context *c;
    enum precision p;
    vks_matrix *A;
    struct precond *M;
    struct diagnosis f;
};

static struct made make(vks_context *c, enum precision p, enum precond_use use, const struct host_csr *A,
                        const vks_precond_options *o)
{
    struct made m = {.c = c, .p = p};
    vks_matrix_options storage = {.precision = public_precision(p)};
    must_work(c, vks_matrix_from_csr(c, A->rows, A->cols, A->row, A->col, A->val, &storage, &m.A));
    must_work(c, precond_check(m.A, o));
    diagnosis_clear(&m.f);
    must_work(c, precond_create(m.A, p, use, o, &m.f, &m.M));
    return m;
}

static void unmake(struct made *m)
{
    precond_destroy(m->M);
    vks_matrix_destroy(m->A);
}

/* M^-1 r */
static double *apply(const struct made *m, const double *r)
{
    uint32_t n = vks_matrix_rows(m->A);
    double *z = room(n, 8);
    OWNED(vks_vector) *in = vector_of(m->c, m->p, r, n), *out = vector_of(m->c, m->p, NULL, n);
    OWNED_BY(rec_destroy) struct rec rec;
    cr_assert_not(diagnosis_refuses(&m->f), "%s", m->f.detail);
    rec_create(&rec, m->c->device, m->p);
    precond_apply(&rec, m->M, vec_of(in), vec_of(out));
    must_work(m->c, rec_run(&rec));
    must_work(m->c, vks_vector_read(out, 0, n, VKS_F64, z));
    return z;
}

/* Full blocks of `size` rows on the diagonal, and nothing else; symmetric or not. */
static struct host_csr full_blocks(uint32_t n, uint32_t size, bool symmetric)
{
    struct host_csr A = new_csr(n, n, (size_t)n * size);
    for (uint32_t i = 0, k = 0; i < n; i++) {
        for (uint32_t j = i / size * size; j < n && j < (i / size + 1) * size; j++, k++) {
            uint32_t a = symmetric && j < i ? j : i, b = symmetric && j < i ? i : j;
            A.col[k] = j;
            A.val[k] = i == j ? size : 1.0 / (1 + (3 * a + 5 * b) % 7);
        }
        A.row[i + 1] = k;
    }
    return A;
}

/* The error of small dense systems with dominant diagonals. */
static void expect_inverse(const struct made *m, const struct host_csr *A, const char *what)
{
    uint32_t n = A->rows;
    OWNED(double) *r = random_vector(m->p, n, 2, 9), *z = apply(m, r);
    long double *X = inverse_of(A), size = inf_norm(X, n), unit = m->p == PRECISION_F32 ? 0x1p-24L : 0x1p-53L;
    for (uint32_t i = 0; i < n; i++) {
        long double want = 0;
        for (uint32_t j = 0; j < n; j++)
            want += X[(size_t)i * n + j] * r[j];
        cr_assert(fabsl(want - z[i]) <= 4000 * unit * size * 4, "%s: z[%u] = %g, not %Lg", what, i, z[i],
                  want);
    }
    free(X);
}

TestEverywhere(fsai, is_the_inverse_where_rows_have_room_for_it)
{
    static const uint32_t sizes[] = {1, 2, 16, 17};
    for (int i = 0; i < 4; i++)
        for (int use = PRECOND_FOR_ANY; use <= PRECOND_FOR_POSITIVE; use++) {
            if (use != PRECOND_FOR_POSITIVE && sizes[i] > 2)
                continue; /* small residuals are dropped */
            OWNED_STRUCT(host_csr) A = full_blocks(70, sizes[i], use != PRECOND_FOR_ANY);
            struct made m = make(c, p, use, &A, &fsai);
            expect_inverse(&m, &A, "blocks");
            unmake(&m);
        }
}

TestOnHost(fsai, takes_thirty_two_entries_a_row_and_then_inverts_blocks_of_thirty_three)
{
    static const vks_precond_options most[] = {{.kind = VKS_PRECOND_FSAI, .steps = 32, .add = 1},
                                               {.kind = VKS_PRECOND_FSAI, .steps = 1, .add = 32},
                                               {.kind = VKS_PRECOND_FSAI, .steps = 8, .add = 4}};
    for (int i = 0; i < 3; i++) {
        OWNED_STRUCT(host_csr) A = full_blocks(66, 33, true);
        struct made m = make(c, PRECISION_F64, PRECOND_FOR_POSITIVE, &A, &most[i]);
        expect_inverse(&m, &A, "blocks of 33");
        unmake(&m);
    }
}

/* The trace of M^-1 A is that of G A G^T. */
static double trace(const struct made *m, const struct host_csr *A)
{
    uint32_t n = A->rows;
    double sum = 0, *unit = room(n, 8), *column = room(n, 8);
    for (uint32_t j = 0; j < n; j++) {
        unit[j] = 1;
        host_multiply(A, unit, column); /* A is symmetric */
        OWNED(double) *z = apply(m, column);
        sum += z[j];
        unit[j] = 0;
    }
    free(unit);
    free(column);
    return sum;
}

TestOnHost(fsai, leaves_a_diagonal_of_ones)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 200, 3);
    struct made m = make(c, PRECISION_F64, PRECOND_FOR_POSITIVE, &A, &fsai);
    cr_expect_float_eq(trace(&m, &A), 200, 1e-9, "%.17g", trace(&m, &A));
    unmake(&m);
}

static double dot_of(const double *x, const double *y, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* An indefinite A: every third diagonal entry is negative, every seventh zero. */
static struct host_csr indefinite(uint32_t n)
{
    struct host_csr A = random_spd(PRECISION_F64, n, 5);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            if (A.col[k] == i)
                A.val[k] *= i % 7 == 3 ? 0 : i % 3 ? 1 : -1;
    return A;
}

TestOnHost(fsai, is_symmetric_and_positive_for_minres_where_A_is_indefinite)
{
    OWNED_STRUCT(host_csr) A = indefinite(300);
    struct made m = make(c, PRECISION_F64, PRECOND_FOR_SYMMETRIC, &A, &fsai);
    for (uint64_t seed = 0; seed < 5; seed++) {
        OWNED(double) *x = random_vector(PRECISION_F64, 300, 2, seed),
                      *y = random_vector(PRECISION_F64, 300, 2, seed + 9);
        double *Mx = apply(&m, x), *My = apply(&m, y), size = sqrt(dot_of(x, Mx, 300) * dot_of(y, My, 300));
        cr_expect_gt(dot_of(x, Mx, 300), 0);
        cr_expect_leq(fabs(dot_of(x, My, 300) - dot_of(y, Mx, 300)), 1e-12 * size);
        free(Mx);
        free(My);
    }
    cr_expect(m.M->linear && m.M->symmetric && !m.M->is_diagonal);
    unmake(&m);
}

/* Upwind convection and diffusion on a square: unsymmetric. */
static struct host_csr convection(uint32_t side)
{
    uint32_t n = side * side, k = 0;
    struct host_csr A = new_csr(n, n, 5 * (size_t)n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = i % side, y = i / side;
        const struct {
            bool is;
            uint32_t col;
            double val;
        } entries[] = {{y > 0, i - side, -1.5},
                       {x > 0, i - 1, -4},
                       {true, i, 7.5},
                       {x + 1 < side, i + 1, -1},
                       {y + 1 < side, i + side, -1}};
        for (int e = 0; e < 5; e++)
            if (entries[e].is) {
                A.col[k] = entries[e].col;
                A.val[k++] = entries[e].val;
            }
        A.row[i + 1] = k;
    }
    return A;
}

/* Two dense rows and two dense columns, of more than 256 entries, around a band. */
static struct host_csr arrow(uint32_t n)
{
    struct host_csr A = new_csr(n, n, 8 * (size_t)n);
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool dense = i == n / 2 || i == n - 1;
        for (uint32_t j = 0; j < n; j++) {
            bool is = dense || j == n / 2 || j == n - 1 || (j + 1 >= i && j <= i + 1);
            if (is) {
                A.col[k] = j;
                A.val[k++] = i == j ? (dense ? n : 8) : (i < j ? 0.5 : 1) / (1 + (i + j) % 5);
            }
        }
        A.row[i + 1] = k;
    }
    return A;
}

/* On the host, on lavapipe, and on lavapipe with three workgroups. */
static void compare_bits(const struct host_csr *A, enum precision p, enum precond_use use,
                         const vks_precond_options *o, vks_context *const c[3])
{
    OWNED(double) *r = random_vector(p, A->rows, 2, 7), *want = NULL;
    for (int i = 0; i < 3; i++) {
        struct made m = make(c[i], p, use, A, o);
        double *z = apply(&m, r);
        if (want)
            must_equal(z, want, A->rows, i == 1 ? "lavapipe" : "three workgroups");
        else
            want = z;
        if (z != want)
            free(z);
        unmake(&m);
    }
}

static void open_three(vks_context **c)
{
    c[0] = open_host();
    c[1] = open_gpu();
    c[2] = open_context(gpu_name(), (struct device_options){.max_groups = 3});
}

static void close_three(vks_context **c)
{
    for (int i = 0; i < 3; i++)
        close_context(c[i]);
}

/* The largest sizes use each precision for one use, the next size for the other: lavapipe is slow. */
Test(fsai, has_the_same_bits_on_all_devices_at_the_edges_of_squads_and_groups)
{
    static const uint32_t sizes[] = {1, 2, 31, 33, 255, 257};
    static const vks_precond_options few = {.kind = VKS_PRECOND_FSAI, .steps = 3, .add = 5};
    vks_context *c[3];
    open_three(c);
    for (int i = 0; i < 6; i++)
        for (enum precision p = 0; p < REAL_PRECISIONS; p++)
            for (int use = PRECOND_FOR_ANY; use <= PRECOND_FOR_POSITIVE; use++) {
                if (sizes[i] >= 255 && (i + (int)p) % 2 != (use == PRECOND_FOR_ANY))
                    continue;
                OWNED_STRUCT(host_csr) A = random_spd(p, sizes[i], 5);
                compare_bits(&A, p, use, i % 2 ? &few : &fsai, c);
            }
    close_three(c);
}

/* All candidates of a row are equally large at first, and one is added at a time. */
Test(fsai, breaks_ties_in_the_same_way_on_all_devices)
{
    static const vks_precond_options one = {.kind = VKS_PRECOND_FSAI, .steps = 6, .add = 1};
    vks_context *c[3];
    open_three(c);
    OWNED_STRUCT(host_csr) A = generated("poisson2d", 17);
    compare_bits(&A, PRECISION_F64, PRECOND_FOR_POSITIVE, &one, c);
    close_three(c);
}

Test(fsai, has_the_same_bits_on_all_devices_where_A_is_not_symmetric_or_has_long_rows)
{
    vks_context *c[3];
    open_three(c);
    OWNED_STRUCT(host_csr) A = convection(17), B = arrow(300);
    compare_bits(&A, PRECISION_F64, PRECOND_FOR_ANY, &fsai, c);
    compare_bits(&B, PRECISION_F64, PRECOND_FOR_ANY, &fsai, c);
    close_three(c);
}

/* Iterations of a method to 1e-8 for a random x. */
static uint32_t iterations(vks_context *c, const struct host_csr *A, vks_method method, vks_precond_kind kind)
{
    OWNED(double) *x = random_vector(PRECISION_F64, A->rows, 2, 11), *b = room(A->rows, 8);
    host_multiply(A, x, b);
    struct problem q = {
        .A = A, .b = b, .p = PRECISION_F64, .options = {.method = method, .precond = kind, .rtol = 1e-8}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    return s.report.iterations;
}

TestOnHost(fsai, takes_less_than_half_the_iterations_of_the_diagonal)
{
    OWNED_STRUCT(host_csr) A = generated("poisson2d", 40), B = convection(40);
    uint32_t cg = iterations(c, &A, VKS_METHOD_CG, VKS_PRECOND_JACOBI);
    uint32_t idr = iterations(c, &B, VKS_METHOD_IDR, VKS_PRECOND_JACOBI);
    cr_expect_lt(2 * iterations(c, &A, VKS_METHOD_CG, VKS_PRECOND_FSAI), cg);
    cr_expect_lt(2 * iterations(c, &B, VKS_METHOD_IDR, VKS_PRECOND_FSAI), idr);
}

/* Four times the values have the same pattern, so a new setup gives it, too. */
TestEverywhere(fsai, new_values_give_the_bits_of_a_new_set_up_with_the_same_pattern)
{
    for (int use = PRECOND_FOR_ANY; use <= PRECOND_FOR_POSITIVE; use++) {
        OWNED_STRUCT(host_csr) A = use ? random_spd(p, 70, 3) : convection(9);
        OWNED(double) *r = random_vector(p, A.rows, 2, 7);
        struct made m = make(c, p, use, &A, &fsai);
        double *before = apply(&m, r);
        for (uint32_t k = 0; k < A.row[A.rows]; k++)
            A.val[k] *= 4;
        struct made again = make(c, p, use, &A, &fsai);
        must_work(c, vks_matrix_set_values(m.A, VKS_F64, A.val));
        must_work(c, precond_refresh(m.M, &m.f));
        double *got = apply(&m, r), *want = apply(&again, r);
        cr_expect(memcmp(before, got, A.rows * sizeof *got), "the values are those of before");
        must_equal(got, want, A.rows, "new values");
        free(before);
        free(got);
        free(want);
        unmake(&m);
        unmake(&again);
    }
}

/* Other values, which the pattern was not made for: the diagonal is again ones. */
TestOnHost(fsai, new_values_on_an_old_pattern_leave_a_diagonal_of_ones)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 150, 3);
    struct made m = make(c, PRECISION_F64, PRECOND_FOR_POSITIVE, &A, &fsai);
    for (uint32_t i = 0; i < 150; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] *= A.col[k] == i ? 1.5 : ((A.col[k] + i) % 3 ? 1 : 0.25);
    must_work(c, vks_matrix_set_values(m.A, VKS_F64, A.val));
    must_work(c, precond_refresh(m.M, &m.f));
    cr_expect_float_eq(trace(&m, &A), 150, 1e-9, "%.17g", trace(&m, &A));
    unmake(&m);
}
