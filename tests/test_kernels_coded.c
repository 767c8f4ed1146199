/* The products of codes for each combination of the constants of their kernels: the units of a slice, the
 * bits of a code, lanes and long rows; compared bit by bit with their definition. The host runs all of them,
 * the GPU a set that covers every pair of values of two constants. */
#include "tests/support/cases/coded.h"
#include "tests/support/cases/dot.h"

/* Units of each slice, and when a kernel loops over them: more than are unrolled, or slices that differ. */
enum { LOOPED = CODED_FEW + 1, UNEVEN };

struct combination {
    uint32_t units, lanes;
    bool wide, longs;
    enum precision p;
};

static struct combination now;

/* The first row of each slice has the given number of units, others at most as many. */
static struct host_csr rows_of_units(const struct combination *o)
{
    enum { ROWS = 997 };
    static uint32_t lengths[ROWS];
    uint64_t seed = o->units;
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t units = o->units != UNEVEN ? o->units : i / 32 % 2 ? 3 : 1;
        lengths[i] = i % 32 ? random_below(&seed, 4 * units + 1) : 4 * units - i / 32 % 4;
        if (o->longs && i % 41 == 7)
            lengths[i] = 300;
    }
    return csr_of_lengths(stored_precision(o->p), ROWS, ROWS, lengths, seed);
}

/* The units that a kernel unrolls. */
static uint32_t unrolled(void)
{
    return now.units <= CODED_FEW ? now.units : 0;
}

/* The recorded product has as many workgroups as run at once; if it needs many registers, one for each
 * tile. */
static void check_groups(const struct job *j)
{
    uint32_t each = (j->n + 255) / 256, most = j->r.device->info.groups_at_once;
    uint32_t want = most && most < each && unrolled() <= 2 ? most : each;
    cr_assert_eq(j->r.list[j->r.count - 1].groups, want);
}

static void record_product(struct job *j)
{
    record_spmv_coded(j);
    struct spmv_coded_args a;
    memcpy(&a, j->r.list[j->r.count - 1].args, sizeof a);
    cr_assert(a.few == unrolled() && a.units == (now.units == UNEVEN ? 0 : now.units));
    check_groups(j);
    cr_assert(a.wide == now.wide && a.lanes == now.lanes && a.longs == now.longs);
}

static void record_product_and_sums(struct job *j)
{
    put_coded(j);
    const struct memory *x, *y = put_product(j, &x);
    spmv_coded_dot(&j->r, &j->sell, job_x(j, x), put_own(j), job_vec(j, y), compared_sums(j));
    struct spmv_coded_dot_args a;
    memcpy(&a, j->r.list[j->r.count - 1].args, sizeof a);
    cr_assert(a.few == unrolled() && a.wide == now.wide && a.lanes == now.lanes && a.longs == now.longs);
    check_groups(j);
}

static void expect_product_and_sums(const struct job *j, double *want)
{
    expect_spmv_coded(j, want); /* whether an entry was lost, and y */
    expect_sums(j, want + 1);
}

static void multiply(vks_context *c, const struct combination *o)
{
    static const struct kernel_case cases[] = {
        {.name = "spmv_coded", .record = record_product, .expect = expect_spmv_coded},
        {.name = "spmv_coded_dot", .record = record_product_and_sums, .expect = expect_product_and_sums}};
    now = *o;
    struct host_csr A = rows_of_units(o);
    double *x = random_vector(o->p, A.rows, 20, 50 + o->p);
    for (int k = 0; k < 2; k++) {
        char where[64];
        struct kernel_case one = cases[k];
        struct job j = {.p = o->p, .n = A.rows, .lanes = o->lanes, .A = &A, .x = x};
        one.shape.wide = o->wide;
        snprintf(where, sizeof where, "%.7s: units %u, wide %d, long rows %d", c->device->info.name, o->units,
                 o->wide, o->longs);
        job_run(&j, c->device, &one, where);
    }
    free(x);
    host_csr_free(&A);
}

Test(kernels_coded, products_have_the_bits_of_csr_for_each_combination_on_the_host)
{
    vks_context *c = open_host();
    for (uint32_t units = 1; units <= UNEVEN; units++)
        for (uint32_t k = 0; k < 48; k++) {
            struct combination o = {units, 1u << k % 4, k / 4 % 2, k / 8 % 2, (enum precision)(k / 16)};
            multiply(c, &o);
        }
    close_context(c);
}

Test(kernels_coded, products_have_the_bits_of_csr_for_each_two_values_of_constants_on_a_gpu)
{
    vks_context *c = open_gpu();
    for (uint32_t units = 1; units <= UNEVEN; units++)
        for (uint32_t k = 0; k < 4; k++) {
            c->device->info.groups_at_once = k; /* 0 is unknown; there are four tiles */
            struct combination o = {units, 1u << k, (units + k) % 2, (units + k / 2) % 2,
                                    (enum precision)((units + k) % PRECISIONS)};
            multiply(c, &o);
        }
    close_context(c);
}
