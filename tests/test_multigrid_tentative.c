/* The tentative prolongator of multigrid: the lists of the nodes of aggregates, and orthonormal bases on
 * these. */
#include "solvers/multigrid/tentative.h"
#include "tests/support/failing_memory.h"
#include "tests/support/modes.h"

static uint32_t read_word(vks_context *c, const struct memory *m, uint64_t i)
{
    uint32_t word;
    must_work(c, device_read(c->device, m, 4 * i, &word, 4));
    return word;
}

/* The lists of `aggregates` aggregates of n nodes, compared with a count on the host. */
static void list_members(vks_context *c, uint32_t n, uint32_t aggregates)
{
    struct room kept, work;
    struct rec r;
    uint32_t *owner = room(n, 4), used = 0;
    uint64_t seed = n;
    for (uint32_t i = 0; i < n; i++) {
        owner[i] = random_below(&seed, aggregates + aggregates / 4 + 1);
        owner[i] = owner[i] < aggregates ? owner[i] : NO_AGGREGATE;
    }
    room_open(&kept, c->device);
    room_open(&work, c->device);
    struct members q = members_room(&kept, &work, n, aggregates);
    struct memory m = room_copy(&work, owner, 4 * (uint64_t)n, "owners");
    must_work(c, kept.status ? kept.status : work.status);
    rec_create(&r, c->device, PRECISION_F32);
    members_list(&r, &q, words_of(&m));
    must_work(c, rec_run(&r));
    rec_destroy(&r);
    room_close(&work);
    for (uint32_t a = 0; a < aggregates; a++) {
        cr_assert_eq(read_word(c, &q.offset, a), used, "aggregate %u of %u", a, aggregates);
        for (uint32_t i = 0; i < n; i++)
            if (owner[i] == a)
                cr_assert_eq(read_word(c, &q.list, used++), i, "aggregate %u of %u", a, aggregates);
    }
    cr_assert_eq(read_word(c, &q.offset, aggregates), used);
    room_close(&kept);
    free(owner);
}

TestOnBoth(multigrid_tentative, the_nodes_of_each_aggregate_are_listed_in_ascending_order)
{
    static const uint32_t of[][2] = {{0, 0},    {0, 3},     {1, 1},    {1, 0},     {2, 1},
                                     {50, 0},   {77, 7},    {77, 255}, {300, 256}, {300, 257},
                                     {3000, 3}, {900, 511}, {900, 512}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        list_members(c, of[i][0], of[i][1]);
}

/* Aggregates of consecutive nodes; T and R on the host. */
struct basis {
    uint32_t nodes, size, columns, aggregates;
    const uint32_t *offset;
    double *T, *R;
};

static void make_basis(vks_context *c, enum precision p, const double *B, struct basis *q)
{
    OWNED_BY(room_close) struct room w;
    OWNED_BY(rec_destroy) struct rec r;
    struct members of = {.nodes = q->nodes, .aggregates = q->aggregates};
    uint64_t elements = (uint64_t)q->nodes * q->size * q->columns;
    uint64_t coarse = (uint64_t)q->aggregates * q->columns * q->columns;
    OWNED(uint32_t) *list = room(q->nodes, 4);
    for (uint32_t i = 0; i < q->nodes; i++)
        list[i] = i;
    room_open(&w, c->device);
    of.offset = room_copy(&w, q->offset, 4 * ((uint64_t)q->aggregates + 1), "offsets");
    of.list = room_copy(&w, list, 4 * (uint64_t)q->nodes, "nodes");
    struct memory from = room_memory(&w, MEMORY_DEVICE, elements * real_bytes(p), "B");
    struct memory T = room_memory(&w, MEMORY_DEVICE, elements * real_bytes(p), "T");
    struct memory R = room_memory(&w, MEMORY_DEVICE, coarse * real_bytes(p), "R");
    must_work(c, w.status);
    must_work(c, upload_values(c->device, &from, public_precision(p), 0, elements, VKS_F64, B));
    rec_create(&r, c->device, p);
    orthogonalise(&r, &(struct tentative){.of = &of,
                                          .size = q->size,
                                          .columns = q->columns,
                                          .B = (reals)(uintptr_t)from.address,
                                          .T = (reals)(uintptr_t)T.address,
                                          .coarse = (reals)(uintptr_t)R.address});
    must_work(c, rec_run(&r));
    q->T = room(elements, 8);
    q->R = room(coarse, 8);
    read_reals(c, &T, p, elements, q->T);
    read_reals(c, &R, p, coarse, q->R);
}

static void basis_free(struct basis *q)
{
    free(q->T);
    free(q->R);
}

/* The sum over the rows of aggregate a of T[.][i] T[.][k] */
static double product_of(const struct basis *q, uint32_t a, uint32_t i, uint32_t k)
{
    double sum = 0;
    for (uint32_t row = q->offset[a] * q->size; row < q->offset[a + 1] * q->size; row++)
        sum += q->T[(size_t)row * q->columns + i] * q->T[(size_t)row * q->columns + k];
    return sum;
}

/* T^T T is the identity for nonzero columns, R is upper triangular, T R = B. Returns the rank. */
static uint32_t check_basis(const struct basis *q, uint32_t a, const double *B, double bound)
{
    const double *R = q->R + (size_t)a * q->columns * q->columns;
    uint32_t rank = 0;
    for (uint32_t i = 0; i < q->columns; i++)
        for (uint32_t k = 0; k < q->columns; k++) {
            double one = i == k && R[k * q->columns + k] != 0;
            cr_assert_leq(fabs(product_of(q, a, i, k) - one), bound, "T^T T (%u, %u) is %g", i, k,
                          product_of(q, a, i, k));
            cr_assert(k >= i || R[i * q->columns + k] == 0, "R (%u, %u)", i, k);
            rank += one != 0;
        }
    for (uint32_t row = q->offset[a] * q->size; row < q->offset[a + 1] * q->size; row++)
        for (uint32_t k = 0; k < q->columns; k++) {
            double sum = 0;
            for (uint32_t i = 0; i <= k; i++)
                sum += q->T[(size_t)row * q->columns + i] * R[i * q->columns + k];
            cr_assert_leq(fabs(sum - B[(size_t)row * q->columns + k]), 10 * bound, "T R (%u, %u)", row, k);
        }
    return rank;
}

/* Nodes of a cube as aggregates of 1, 4 in a line, 2, and many; then their R in pairs. */
TestEverywhere(multigrid_tentative, bases_are_orthonormal_and_dependent_columns_are_dropped)
{
    static const uint32_t offset[] = {0, 1, 5, 5, 7, 40, 64}, rank[] = {3, 5, 0, 5, 6, 6};
    OWNED(double) *x = cube(3);
    for (uint32_t i = 3; i < 15; i++) /* four nodes on a line not parallel to an axis */
        x[i] = (i % 3 ? -2 : 1000) + i / 3 * (0.5 + i % 3);
    OWNED(double) *B = rigid(c, p, x, NODES, 3);
    OWNED_STRUCT(basis) q = {.nodes = NODES, .size = 3, .columns = 6, .aggregates = 6, .offset = offset};
    make_basis(c, p, B, &q);
    for (uint32_t a = 0; a < 6; a++)
        cr_expect_eq(check_basis(&q, a, B, 60 * epsilon_of(p)), rank[a], "aggregate %u", a);
    OWNED_STRUCT(basis) coarse = {
        .nodes = 6, .size = 6, .columns = 6, .aggregates = 2, .offset = (uint32_t[]){0, 2, 6}};
    make_basis(c, p, q.R, &coarse);
    for (uint32_t a = 0; a < 2; a++)
        cr_expect_eq(check_basis(&coarse, a, q.R, 200 * epsilon_of(p)), 6, "coarse aggregate %u", a);
}

/* Columns that differ by one part in a thousand lose most of their digits to the first pass. */
TestEverywhere(multigrid_tentative, bases_of_columns_that_are_close_are_orthonormal)
{
    enum { ROWS = 500, COLUMNS = 8 };
    static const uint32_t offset[] = {0, ROWS};
    OWNED(double) *B = room((size_t)ROWS * COLUMNS, 8);
    uint64_t seed = 5;
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
        B[i] = rounded(p, 1 + 1e-3 * random_wide(&seed, p, 1));
    OWNED_STRUCT(basis) q = {.nodes = ROWS, .size = 1, .columns = COLUMNS, .aggregates = 1, .offset = offset};
    make_basis(c, p, B, &q);
    cr_expect_eq(check_basis(&q, 0, B, 100 * epsilon_of(p)), COLUMNS);
}

Test(multigrid_tentative, bases_have_the_same_bits_on_all_devices)
{
    static const uint32_t offset[] = {0, 1, 3, 3, 40, 64};
    vks_context *c[] = {open_host(), open_gpu()};
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        OWNED(double) *x = random_vector(PRECISION_F64, UNKNOWNS, 3, 9);
        struct basis q[2];
        for (int d = 0; d < 2; d++) {
            OWNED(double) *B = rigid(c[d], p, x, NODES, 3);
            q[d] = (struct basis){.nodes = NODES, .size = 3, .columns = 6, .aggregates = 5, .offset = offset};
            make_basis(c[d], p, B, &q[d]);
        }
        must_equal(q[1].T, q[0].T, 18 * NODES, "T");
        must_equal(q[1].R, q[0].R, 180, "R");
        basis_free(&q[0]);
        basis_free(&q[1]);
    }
    close_context(c[0]);
    close_context(c[1]);
}

TestOnHost(multigrid_tentative, more_columns_than_lanes_are_refused)
{
    struct rec r;
    struct members of = {.nodes = 1 << 20, .aggregates = 1 << 10};
    const struct tentative t[] = {{.of = &of, .size = 1, .columns = 33},
                                  {.of = &of, .size = 1 << 10, .columns = 32}};
    for (int i = 0; i < 2; i++) {
        context_begin(c);
        rec_create(&r, c->device, PRECISION_F64);
        orthogonalise(&r, &t[i]);
        must_refuse(c, rec_run(&r), VKS_LIMIT, i ? "32 modes of 1073741824 unknowns" : "33 modes");
        rec_destroy(&r);
    }
}

/* Modes, lists and bases of a cube. */
static vks_status make_all(vks_context *c, const double *x)
{
    OWNED_BY(room_close) struct room kept, work;
    OWNED_BY(rec_destroy) struct rec r;
    struct modes b;
    uint32_t owner[NODES];
    for (uint32_t i = 0; i < NODES; i++)
        owner[i] = i / 10;
    room_open(&kept, c->device);
    room_open(&work, c->device);
    vks_status s = modes_rigid(&kept, PRECISION_F64, x, NODES, 3, &b);
    struct members q = members_room(&kept, &work, NODES, 7);
    struct memory m = room_copy(&work, owner, sizeof owner, "owners");
    struct memory T = room_memory(&kept, MEMORY_DEVICE, (uint64_t)UNKNOWNS * 6 * 8, "T");
    struct memory R = room_memory(&kept, MEMORY_DEVICE, (uint64_t)7 * 36 * 8, "R");
    s = s ? s : kept.status ? kept.status : work.status;
    rec_create(&r, c->device, PRECISION_F64);
    if (!s) {
        members_list(&r, &q, words_of(&m));
        orthogonalise(&r, &(struct tentative){.of = &q,
                                              .size = 3,
                                              .columns = 6,
                                              .B = modes_reals(&b),
                                              .T = (reals)(uintptr_t)T.address,
                                              .coarse = (reals)(uintptr_t)R.address});
        s = rec_run(&r);
    }
    return s;
}

TestOnHost(multigrid_tentative, each_operation_may_fail)
{
    struct interposed *i = interposed_of(c->device);
    OWNED(double) *x = cube(3);
    uint32_t k = 0;
    do {
        char part[64];
        snprintf(part, sizeof part, "injected failure of call %u ", ++k);
        context_begin(c);
        i->calls = i->injected = 0;
        i->fail_call = k;
        vks_status s = make_all(c, x);
        i->fail_call = 0;
        cr_assert_eq(i->live, 0, "%u arrays were left behind", i->live);
        if (i->injected)
            must_refuse(c, s, i->status, part);
        else
            must_work(c, s);
    } while (i->injected);
    cr_expect_gt(k, 12);
}

#if MEMORY_CAN_FAIL
Test(multigrid_tentative, each_allocation_of_host_memory_may_fail)
{
    struct message m = {0};
    OWNED_BY(context_end) vks_context *c = NULL;
    cr_assert_eq(context_open(&m, "host", &(struct device_options){0}, &c), VKS_OK, "%s", m.text);
    OWNED(double) *x = cube(3);
    must_work(c, make_all(c, x));
    for (uint32_t k = 1; k == 1 || memory.failures; k++) {
        context_begin(c);
        arm(k);
        vks_status s = make_all(c, x);
        disarm();
        if (memory.failures)
            must_refuse(c, s, s == VKS_DEVICE_MEMORY ? s : VKS_OUT_OF_MEMORY, "memory");
        else
            must_work(c, s);
    }
}
#endif
