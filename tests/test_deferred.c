/* Contexts whose calls do not wait (vks_context_options.deferred): the same bits with fewer waits. */
#include "small_matrix.h"
#include "tests/support/context.h"
#include "tests/support/matrix.h"
#include "vksolve/vksolve.h"

enum { N = 1000, STEPS = 1000, AT_ONCE = 16 /* pending calls, as in vksolve/context.h */ };

static vks_context *open_deferred(struct device_options o)
{
    vks_context *c = open_context(gpu_name(), o);
    context_defer(c, true);
    cr_assert(c->deferred);
    return c;
}

struct objects {
    vks_context *c;
    vks_matrix *A;
    vks_precond *M;
    struct host_csr host;
    vks_vector *v[3];
};

/* Steps from z = 0, with a state shared by both sides. */
static const vks_precond_options inner_cg = {.kind = VKS_PRECOND_INNER,
                                             .method = VKS_METHOD_CG,
                                             .steps = 2,
                                             .inner = &(vks_precond_options){.kind = VKS_PRECOND_NONE}};

static struct objects make_objects(vks_context *c)
{
    struct objects o = {.c = c, .host = tridiagonal(N, 0.3, 0.4, 0.2)};
    OWNED(double) *values = random_vector(PRECISION_F64, N, 2, 7);
    must_work(c, vks_matrix_from_csr(c, N, N, o.host.row, o.host.col, o.host.val, NULL, &o.A));
    must_work(c, vks_precond_create(o.A, &inner_cg, &o.M));
    for (int k = 0; k < 3; k++)
        must_work(c, vks_vector_create(c, N, VKS_F64, &o.v[k]));
    must_work(c, vks_vector_write(o.v[0], 0, N, VKS_F64, values));
    return o;
}

static void objects_free(struct objects *o)
{
    vks_precond_destroy(o->M);
    vks_matrix_destroy(o->A);
    host_csr_free(&o->host);
    for (int k = 0; k < 3; k++)
        vks_vector_destroy(o->v[k]);
}

/* Writes from memory that is overwritten as soon as the call has returned. */
static vks_status write_and_forget(vks_vector *v, int step)
{
    double values[N / 2];
    for (int i = 0; i < N / 2; i++)
        values[i] = (step + i) % 11 - 5;
    vks_status s = vks_vector_write(v, step % (N / 2), N / 2, VKS_F64, values);
    memset(values, 0x7F, sizeof values);
    return s;
}

/* Values that are alternately halved and doubled, set after applications that are in progress. */
static vks_status renew(const struct objects *o, int step)
{
    for (uint32_t k = 0; k < o->host.row[N]; k++)
        o->host.val[k] *= step % 2 ? 2 : 0.5;
    vks_status s = vks_matrix_set_values(o->A, VKS_F64, o->host.val);
    return s ? s : vks_precond_update(o->M);
}

static vks_status take_step(const struct objects *o, int step)
{
    vks_vector *const *v = o->v;
    switch (step % 9) {
    case 0:
        return vks_spmv(o->A, v[0], v[1]);
    case 1:
        return vks_vector_axpy(1.0 / (step + 2), v[1], v[2]);
    case 2:
        return vks_vector_copy(v[2], v[0]);
    case 3:
        return vks_spmv_transpose(o->A, v[0], v[2]);
    case 4:
        return write_and_forget(v[1], step);
    case 5:
        return vks_vector_axpy(-0.3, v[1], v[0]);
    case 6:
        return vks_precond_apply(o->M, v[0], v[1]);
    case 7:
        return renew(o, step);
    default:
        return vks_vector_fill(v[1], 1.0 / step);
    }
}

/* The dot products of all pairs after the steps. */
static void walk(vks_context *c, double dots[9])
{
    struct objects o = make_objects(c);
    for (int step = 0; step < STEPS; step++)
        must_work(c, take_step(&o, step));
    for (int k = 0; k < 9; k++)
        must_work(c, vks_vector_dot(o.v[k / 3], o.v[k % 3], &dots[k]));
    objects_free(&o);
    close_context(c);
}

Test(deferred, a_thousand_calls_give_the_bits_of_calls_that_wait)
{
    double host[9], waiting[9], deferred[9], staged[9];
    walk(open_host(), host);
    walk(open_gpu(), waiting);
    walk(open_deferred((struct device_options){0}), deferred);
    walk(open_deferred((struct device_options){.without_unified = true}), staged);
    cr_assert(isfinite(host[0]) && host[0] > 0);
    must_equal(waiting, host, 9, "dots of a context that waits");
    must_equal(deferred, host, 9, "dots of a deferred context");
    must_equal(staged, host, 9, "dots of a deferred context with staging");
}

/* The objects of a distributed method in addition to the vectors of an iteration. */
struct halo {
    vks_matrix *A, *gather, *own, *diagonal;
    vks_vector *p, *w, *r, *z, *x, *sent, *extended;
};

enum { ROWS = 64, GHOSTS = 8, WIDE = ROWS + GHOSTS };

/* One entry in each of the first `rows` of `all` rows. */
static vks_matrix *select_rows(vks_context *c, uint32_t all, uint32_t rows, uint32_t cols, double value)
{
    uint32_t row[WIDE + 1], col[WIDE];
    double val[WIDE];
    vks_matrix *A;
    for (uint32_t i = 0; i <= all; i++)
        row[i] = i < rows ? i : rows;
    for (uint32_t i = 0; i < rows; i++) {
        col[i] = i;
        val[i] = value;
    }
    must_work(c, vks_matrix_from_csr(c, all, cols, row, col, val, NULL, &A));
    return A;
}

static struct halo make_halo(vks_context *c)
{
    struct halo h = {.A = select_rows(c, ROWS, ROWS, WIDE, 2),
                     .gather = select_rows(c, GHOSTS, GHOSTS, ROWS, 1),
                     .own = select_rows(c, WIDE, ROWS, ROWS, 1),
                     .diagonal = select_rows(c, ROWS, ROWS, ROWS, 0.5)};
    vks_vector **of_rows[] = {&h.p, &h.w, &h.r, &h.z, &h.x};
    for (int k = 0; k < 5; k++) {
        must_work(c, vks_vector_create(c, ROWS, VKS_F64, of_rows[k]));
        must_work(c, vks_vector_fill(*of_rows[k], k + 1));
    }
    must_work(c, vks_vector_create(c, GHOSTS, VKS_F64, &h.sent));
    must_work(c, vks_vector_create(c, WIDE, VKS_F64, &h.extended));
    return h;
}

static void free_halo(struct halo *h)
{
    vks_matrix *matrices[] = {h->A, h->gather, h->own, h->diagonal};
    vks_vector *vectors[] = {h->p, h->w, h->r, h->z, h->x, h->sent, h->extended};
    for (int k = 0; k < 4; k++)
        vks_matrix_destroy(matrices[k]);
    for (int k = 0; k < 7; k++)
        vks_vector_destroy(vectors[k]);
}

/* The operations of PETSc's KSPCG with Jacobi in an iteration on several ranks: twelve calls in addition to
 * writing received data; *reported gets the bits of the last product. */
static void iterate(vks_context *c, const struct halo *h, double *reported)
{
    double halo[GHOSTS], dot;
    must_work(c, vks_spmv(h->gather, h->p, h->sent));
    must_work(c, vks_vector_read(h->sent, 0, GHOSTS, VKS_F64, halo));
    must_work(c, vks_spmv(h->own, h->p, h->extended));
    must_work(c, vks_vector_write(h->extended, ROWS, GHOSTS, VKS_F64, halo));
    must_work(c, vks_spmv(h->A, h->extended, h->w));
    must_work(c, vks_vector_dot(h->p, h->w, &dot));
    must_work(c, vks_vector_axpy(1 / dot, h->p, h->x));
    must_work(c, vks_vector_axpy(-1 / dot, h->w, h->r));
    must_work(c, vks_spmv(h->diagonal, h->r, h->z));
    must_work(c, vks_vector_dot(h->z, h->z, reported));
    must_work(c, vks_vector_dot(h->z, h->r, reported));
    must_work(c, vks_vector_axpy(-0.5, h->p, h->p));
    must_work(c, vks_vector_axpy(1, h->z, h->p));
}

/* The waits of the second iteration: those for submissions, and reads. */
static uint32_t waits_of_iteration(vks_context *c, double *reported)
{
    struct interposed *i = interposed_of(c->device);
    struct halo h = make_halo(c);
    iterate(c, &h, reported);
    uint32_t before = i->waits + i->reads;
    iterate(c, &h, reported);
    uint32_t waits = i->waits + i->reads - before;
    free_halo(&h);
    close_context(c);
    return waits;
}

Test(deferred, an_iteration_of_petsc_waits_for_the_halo_and_three_scalars_alone)
{
    struct device_options staged = {.without_unified = true};
    double plain, deferred;
    cr_expect_eq(waits_of_iteration(open_context(gpu_name(), staged), &plain), 12);
    cr_expect_eq(waits_of_iteration(open_deferred(staged), &deferred), 4);
    cr_expect(same_bits(plain, deferred), "%.17g and %.17g", plain, deferred);
}

Test(deferred, the_seventeenth_call_under_way_waits_for_the_first)
{
    enum { CALLS = 100 };
    OWNED(vks_context) *c = open_deferred((struct device_options){0});
    struct interposed *i = interposed_of(c->device);
    OWNED_STRUCT(objects) o = make_objects(c);
    double sum;
    must_work(c, vks_vector_fill(o.v[0], 1));
    must_work(c, vks_vector_fill(o.v[1], 0));
    must_work(c, vks_vector_sum(o.v[1], &sum)); /* nothing is under way */
    i->waits = i->allocations = 0;
    for (int k = 0; k < CALLS; k++) {
        must_work(c, vks_vector_axpy(k, o.v[0], o.v[1]));
        cr_assert_eq(i->waits, k < AT_ONCE ? 0 : (uint32_t)(k - AT_ONCE + 1), "after call %d", k);
    }
    must_work(c, vks_vector_sum(o.v[1], &sum));
    cr_expect_eq(sum, (double)N * CALLS * (CALLS - 1) / 2);
    cr_expect_eq(i->allocations, 0, "%u arrays for calls", i->allocations);
}

Test(deferred, what_is_under_way_can_be_destroyed_and_the_context_closed)
{
    OWNED(vks_context) *c = open_deferred((struct device_options){0});
    for (int round = 0; round < 5; round++) {
        OWNED_STRUCT(objects) o = make_objects(c);
        for (int step = 0; step < 12; step++)
            must_work(c, take_step(&o, step));
    }
    OWNED(vks_dense) *D;
    OWNED(vks_array) *a;
    must_work(c, vks_dense_create(c, 40, 40, 40, VKS_F64, &D));
    must_work(c, vks_array_create(c, N, VKS_TYPE_U32, &a));
    must_work(c, vks_array_fill(a, &(uint32_t){3}));
}

static void solve_in(vks_context *c, double x[N])
{
    struct objects o = make_objects(c);
    OWNED_STRUCT(host_csr) host = tridiagonal(N, -1, 2.1, -1);
    vks_solve_report report;
    vks_matrix *A = matrix_from(c, &host, NULL);
    for (int step = 0; step < 9; step++)
        must_work(c, take_step(&o, step));
    must_work(c, vks_cg_solve(A, o.v[0], o.v[1], NULL, &report));
    cr_expect_eq(report.reason, VKS_REASON_CONVERGED);
    must_work(c, vks_vector_axpy(1, o.v[0], o.v[1]));
    must_work(c, vks_vector_read(o.v[1], 0, N, VKS_F64, x));
    vks_matrix_destroy(A);
    objects_free(&o);
    close_context(c);
}

Test(deferred, a_solve_takes_what_the_calls_before_it_left)
{
    double plain[N], deferred[N];
    solve_in(open_host(), plain);
    solve_in(open_deferred((struct device_options){0}), deferred);
    must_equal(deferred, plain, N, "x");
}

/* More calls than can be pending at once, and a scalar; stops at the first failure. */
static vks_status run_calls(const struct objects *o, double *dot)
{
    vks_status s = vks_vector_fill(o->v[0], 1);
    if (!s)
        s = vks_vector_fill(o->v[1], 2);
    for (int k = 0; !s && k < 2 * AT_ONCE; k++)
        s = k % 3 ? vks_vector_axpy(k, o->v[0], o->v[1]) : vks_spmv(o->A, o->v[1], o->v[2]);
    return s ? s : vks_vector_dot(o->v[1], o->v[2], dot);
}

/* Fails the k-th operation of the device; false if there is none. */
static bool calls_failing(const struct objects *o, uint32_t k, double want)
{
    struct interposed *i = interposed_of(o->c->device);
    double dot = 0;
    i->calls = i->injected = 0;
    i->fail_call = k;
    vks_status s = run_calls(o, &dot);
    i->fail_call = 0;
    if (i->injected)
        must_refuse(o->c, s, i->status, "injected failure");
    must_work(o->c, run_calls(o, &dot));
    cr_expect(same_bits(dot, want), "%.17g instead of %.17g after failure %u", dot, want, k);
    return i->injected;
}

static double wanted_dot(void)
{
    OWNED(vks_context) *c = open_host();
    OWNED_STRUCT(objects) o = make_objects(c);
    double dot;
    must_work(c, run_calls(&o, &dot));
    return dot;
}

Test(deferred, each_failing_operation_is_reported_and_the_calls_after_it_are_right)
{
    double want = wanted_dot();
    OWNED(vks_context) *c = open_deferred((struct device_options){0});
    OWNED_STRUCT(objects) o = make_objects(c);
    uint32_t k = 1;
    while (calls_failing(&o, k, want))
        k++;
    cr_expect_geq(k, 3 * 2 * AT_ONCE / 2); /* preparations, submissions, and waits for half of them */
}

/* In a new context, so that its memory for calls is not yet allocated. The host never defers by itself; here
 * it uses the same slots. */
static bool first_calls_failing(uint32_t k, double want)
{
    OWNED(vks_context) *c = open_host();
    struct interposed *i = interposed_of(c->device);
    OWNED_STRUCT(objects) o = {.c = c};
    c->deferred = true;
    i->fail_call = k;
    OWNED(vks_vector) *first = NULL;
    double sum = 0;
    vks_status s = vks_vector_create(c, 3, VKS_F64, &first);
    if (!s)
        s = vks_vector_sum(first, &sum);
    bool failed = i->injected;
    i->fail_call = 0;
    cr_expect_eq(s != VKS_OK, failed);
    o = make_objects(c);
    must_work(c, run_calls(&o, &sum));
    cr_expect(same_bits(sum, want));
    return failed;
}

Test(deferred, each_failing_allocation_of_the_first_calls_is_survived)
{
    double want = wanted_dot();
    uint32_t k = 1;
    while (first_calls_failing(k, want))
        k++;
    cr_expect_geq(k, 10);
}

static bool opens_deferred(const char *device, int timestamps)
{
    char text[300] = "";
    OWNED_BY(context_end) vks_context *c = NULL;
    vks_context_options o = {.device = device,
                             .timestamps = timestamps,
                             .deferred = 1,
                             .message = text,
                             .message_size = sizeof text};
    cr_assert_eq(vks_context_create(&o, &c), VKS_OK, "%s", text);
    bool deferred = c->deferred;
    return deferred;
}

Test(deferred, only_devices_that_work_after_the_call_defer_and_not_with_timestamps)
{
    cr_expect(opens_deferred(gpu_name(), 0));
    cr_expect_not(opens_deferred(gpu_name(), 1));
    cr_expect_not(opens_deferred("host", 0));
}
