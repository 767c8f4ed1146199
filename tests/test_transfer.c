#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, usleep */
/* Transfers: elements between vectors and host memory, without waiting; with the library's memory, pages that
 * the device imports, and pages that it does not. */
#include "tests/support/device_matrix.h"
#include "tests/support/fork.h"
#include "tests/support/vectors.h"
#include "vksolve/vksolve.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The memory of a transfer. */
enum place { MADE, PAGES, COPIED /* pages that are kept from the device */, PLACES };

struct place_of_transfer {
    struct device_ops ops;
    const struct device_ops *plain;
    void *pages;
    uint64_t bytes;
    vks_transfer *t;
};

static struct place_of_transfer make_in(vks_context *c, enum place where, uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    struct place_of_transfer p = {.plain = c->device->ops, .bytes = (bytes + page - 1) / page * page};
    if (where == MADE) {
        must_work(c, vks_transfer_create(c, bytes, &p.t));
        cr_expect_eq(vks_transfer_bytes(p.t), bytes);
    } else {
        p.ops = *p.plain;
        if (where == COPIED)
            p.ops.import = NULL;
        c->device->ops = &p.ops;
        p.pages = mmap(NULL, p.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        cr_assert_neq(p.pages, MAP_FAILED);
        must_work(c, vks_transfer_create_in(c, p.pages, p.bytes, &p.t));
        c->device->ops = p.plain;
        cr_expect_eq(vks_transfer_bytes(p.t), p.bytes);
        cr_expect_eq(vks_transfer_memory(p.t), p.pages);
    }
    cr_expect_eq(vks_transfer_is_direct(p.t), where != COPIED);
    return p;
}

static void place_of_transfer_free(struct place_of_transfer *p)
{
    vks_transfer_destroy(p->t);
    if (p->pages)
        munmap(p->pages, p->bytes);
}

static void put(vks_transfer *t, uint64_t at, enum precision p, const double *v, uint32_t n)
{
    convert_values(VKS_F64, v, public_precision(p), (char *)vks_transfer_memory(t) + at, n);
}

static void must_have(const vks_transfer *t, uint64_t at, enum precision p, const double *want, uint32_t n,
                      const char *what)
{
    OWNED(double) *got = room(n, 8);
    convert_values(public_precision(p), (const char *)vks_transfer_memory(t) + at, VKS_F64, got, n);
    must_equal(got, want, n, what);
}

/* Copies from byte `at` of the memory to elements `first` .. of x, doubles them by an immediate call, and
 * reads them to another place. */
static void copy_both_ways(vks_context *c, enum precision p, enum place where, uint32_t n)
{
    uint32_t first = n / 3, count = n - first - n / 5, element = real_bytes(p);
    OWNED_STRUCT(place_of_transfer) m = make_in(c, where, (uint64_t)(2 * n + 1) * element);
    OWNED(double) *v = random_vector(p, n, 20, 1), *want = random_vector(p, n, 20, 2);
    OWNED(vks_vector) *x = put_vector(c, want, n, p);
    uint64_t to = (uint64_t)(n + 1) * element;
    put(m.t, element, p, v, count);
    must_work(c, vks_transfer_write(m.t, element, x, first, count));
    must_work(c, vks_vector_scale(2, x));
    must_work(c, vks_transfer_read(m.t, to, x, 0, n));
    must_work(c, vks_vector_scale(3, x));
    must_work(c, vks_transfer_wait(m.t));
    memcpy(want + first, v, count * sizeof *v);
    for (uint32_t i = 0; i < n; i++)
        want[i] = rounded(p, 2 * want[i]);
    must_have(m.t, to, p, want, n, "what was read");
    must_have(m.t, element, p, v, count, "what was written");
    for (uint32_t i = 0; i < n; i++)
        want[i] = rounded(p, 3 * want[i]);
    must_hold(x, want, "x");
}

TestEverywhere(transfer, copies_in_the_order_of_calls_wherever_its_memory_is)
{
    static const uint32_t sizes[] = {0, 1, 2, 255, 256, 257, 1023, 1025, 5000};
    for (int where = 0; where < PLACES; where++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            copy_both_ways(c, p, (enum place)where, sizes[k]);
}

static void copy_deferred(enum place where)
{
    OWNED(vks_context) *c = open_gpu();
    context_defer(c, true);
    copy_both_ways(c, PRECISION_F64, where, 3000);
    copy_both_ways(c, PRECISION_F32, where, 3000);
}

Test(transfer, copies_so_in_a_deferred_context_too)
{
    for (int where = 0; where < PLACES; where++)
        copy_deferred((enum place)where);
}

TestOnGpu(transfer, does_not_wait_for_the_device)
{
    struct interposed *i = interposed_of(c->device);
    double zeros[100] = {0};
    OWNED(vks_vector) *x = put_vector(c, zeros, 100, PRECISION_F64);
    for (int where = 0; where < PLACES; where++) {
        OWNED_STRUCT(place_of_transfer) m = make_in(c, (enum place)where, 800);
        must_work(c, vks_vector_fill(x, where)); /* nothing is pending */
        uint32_t before = i->waits + i->reads;
        for (int k = 0; k < 8; k++)
            must_work(c, vks_transfer_write(m.t, 0, x, 0, 100));
        must_work(c, vks_transfer_read(m.t, 0, x, 0, 100));
        cr_expect_eq(i->waits + i->reads, before);
        must_work(c, vks_transfer_wait(m.t));
        cr_expect_eq(i->waits + i->reads, before + 1);
        must_work(c, vks_transfer_wait(m.t));
        cr_expect_eq(i->waits + i->reads, before + 1, "a wait for nothing");
    }
}

/* Two reads to pages that are copied: the second waits for the first. */
TestOnGpu(transfer, brings_each_of_several_reads_to_pages_that_are_copied)
{
    double v[] = {1, 2, 3, 4}, want[] = {3, 4, 0, 2};
    OWNED(vks_vector) *x = put_vector(c, v, 4, PRECISION_F64);
    OWNED_STRUCT(place_of_transfer) m = make_in(c, COPIED, 64);
    must_work(c, vks_transfer_read(m.t, 0, x, 2, 2));
    must_work(c, vks_transfer_read(m.t, 24, x, 1, 1));
    must_work(c, vks_transfer_wait(m.t));
    must_have(m.t, 0, PRECISION_F64, want, 4, "two reads");
}

TestOnBoth(transfer, tells_when_it_is_done)
{
    double v[] = {1, 2, 3, 4};
    for (int where = 0; where < PLACES; where++) {
        OWNED_STRUCT(place_of_transfer) m = make_in(c, (enum place)where, 32);
        OWNED(vks_vector) *x = put_vector(c, v, 4, PRECISION_F64);
        bool done = false;
        must_work(c, vks_transfer_done(m.t, &done));
        cr_expect(done, "nothing is under way");
        must_work(c, vks_transfer_read(m.t, 0, x, 0, 4));
        done = false;
        for (int k = 0; !done && k < 100000; k++) {
            must_work(c, vks_transfer_done(m.t, &done));
            usleep(done ? 0 : 100);
        }
        cr_expect(done);
        must_have(m.t, 0, PRECISION_F64, v, 4, "what was read");
        must_work(c, vks_transfer_read(m.t, 0, x, 0, 4)); /* and x is destroyed while pending */
    }
}

/* Pages shared with a parent; the child reads what the device wrote. */
TestOnGpu(transfer, writes_pages_that_another_process_shares)
{
    double v[] = {5, 6, 7};
    OWNED(vks_vector) *x = put_vector(c, v, 3, PRECISION_F64);
    OWNED_STRUCT(place_of_transfer) m = make_in(c, PAGES, 24);
    must_work(c, vks_transfer_read(m.t, 0, x, 0, 3));
    must_work(c, vks_transfer_wait(m.t));
    pid_t child = fork_asleep();
    if (!child)
        _exit(memcmp(m.pages, v, sizeof v) ? 1 : 0);
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
}

Test(transfer, of_what_does_not_fit_is_refused)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    double v[10] = {0};
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    OWNED(vks_vector) *x = put_vector(c, v, 10, PRECISION_F64),
                      *foreign = put_vector(other, v, 10, PRECISION_F64);
    vks_transfer *t, *none = (vks_transfer *)c;
    must_work(c, vks_transfer_create(c, 40, &t));
    must_refuse(c, vks_transfer_write(t, 0, x, 0, 6), VKS_INVALID_ARGUMENT, "in a transfer of 40 bytes");
    must_refuse(c, vks_transfer_read(t, 40, x, 0, 1), VKS_INVALID_ARGUMENT, "from byte 40 on");
    must_refuse(c, vks_transfer_read(t, 48, x, 0, 0), VKS_INVALID_ARGUMENT, "from byte 48 on");
    must_refuse(c, vks_transfer_read(t, UINT64_MAX - 7, x, 0, 1), VKS_INVALID_ARGUMENT,
                "in a transfer of 40");
    must_refuse(c, vks_transfer_read(t, 4, x, 0, 1), VKS_INVALID_ARGUMENT, "from byte 4 on");
    must_refuse(c, vks_transfer_read(t, 0, x, 8, 3), VKS_INVALID_ARGUMENT, "a vector");
    must_refuse(c, vks_transfer_read(t, 0, foreign, 0, 1), VKS_INVALID_ARGUMENT, "different contexts");
    must_refuse(c, vks_transfer_create_in(c, (void *)(page + 1), page, &none), VKS_INVALID_ARGUMENT,
                "are not whole pages");
    cr_expect_null(none);
    must_refuse(c, vks_transfer_create_in(c, (void *)page, page - 1, &none), VKS_INVALID_ARGUMENT,
                "are not whole pages");
    must_refuse(c, vks_transfer_create_in(c, NULL, page, &none), VKS_INVALID_ARGUMENT, "the memory is NULL");
    must_refuse(c, vks_transfer_create(c, UINT64_MAX, &none), VKS_DEVICE_MEMORY, "a transfer");
    cr_expect_null(none);
    must_work(c, vks_transfer_create_in(c, NULL, 0, &none));
    vks_transfer_destroy(none);
    vks_transfer_destroy(NULL);
    vks_transfer_destroy(t);
}

/* All calls of a transfer, with the k-th operation failing; false if there is none. */
static bool transfer_failing(vks_context *c, enum place where, vks_vector *x, uint32_t k)
{
    struct interposed *i = interposed_of(c->device);
    OWNED_STRUCT(place_of_transfer) m = make_in(c, where, 800);
    uint32_t live = i->live;
    vks_transfer *other = NULL;
    i->calls = i->injected = 0;
    i->fail_call = k;
    vks_status s =
        m.pages ? vks_transfer_create_in(c, m.pages, m.bytes, &other) : vks_transfer_create(c, 800, &other);
    cr_expect_eq(s != VKS_OK, other == NULL);
    vks_transfer_destroy(other);
    if (!s)
        s = vks_transfer_write(m.t, 0, x, 0, 100);
    if (!s)
        s = vks_transfer_read(m.t, 0, x, 0, 100);
    if (!s)
        s = vks_transfer_read(m.t, 0, x, 0, 50);
    if (!s)
        s = vks_transfer_wait(m.t);
    i->fail_call = 0;
    if (i->injected)
        must_refuse(c, s, i->status, "injected failure");
    else
        must_work(c, s);
    must_work(c, vks_transfer_wait(m.t));
    cr_expect_eq(i->live, live);
    return i->injected;
}

TestOnBoth(transfer, tells_each_failing_operation_and_goes_on)
{
    double v[100] = {0};
    OWNED(vks_vector) *x = put_vector(c, v, 100, PRECISION_F64);
    for (int where = 0; where < PLACES; where++) {
        uint32_t k = 1;
        while (transfer_failing(c, (enum place)where, x, k))
            k++;
        cr_expect_geq(k, 8, "only %u operations can fail", k - 1);
    }
}
