/* Assembly on the device, compared bit by bit with a plain sort of the triplets. */
#include "files/files.h"
#include "sparse/assembly.h"
#include "tests/support/arrays.h"
#include "tests/support/cases/triplets.h"
#include "tests/support/device_matrix.h"

static vks_assembly *assembly_of(vks_context *c, const struct coordinates *t, enum assembly_way way)
{
    OWNED(vks_array) *row = words(c, t->row, t->n), *col = words(c, t->col, t->n);
    vks_assembly *a = NULL;
    must_work(c, assembly_create(c, t->rows, t->cols, row, col, way, &a));
    return a;
}

/* Values of both signs; every term of a sum matters. */
static double *terms(enum precision p, const struct coordinates *t, uint64_t seed)
{
    return random_vector(p, t->n, 3, seed);
}

static vks_matrix *assembled(vks_context *c, const vks_assembly *a, enum precision p, const double *val,
                             uint32_t n, vks_format format)
{
    OWNED(vks_array) *values = floats(c, p, val, n);
    vks_matrix *A = NULL;
    must_work(c, vks_assembly_matrix(a, values, format, &A));
    return A;
}

static void update(vks_context *c, const vks_assembly *a, enum precision p, const double *val, uint32_t n,
                   vks_matrix *A)
{
    OWNED(vks_array) *values = floats(c, p, val, n);
    must_work(c, vks_assembly_update(a, values, A));
}

/* Assembles values, then others. */
static void attempt(vks_context *c, enum precision p, const struct coordinates *t, enum assembly_way way)
{
    char what[100];
    snprintf(what, sizeof what, "%s, %s, way %d", t->name, precision_name(p), (int)way);
    OWNED(double) *first = terms(p, t, 1), *second = terms(p, t, 2);
    OWNED_STRUCT(host_csr) want = plain_assembly(p, t, first), after = plain_assembly(p, t, second);
    vks_assembly *a = assembly_of(c, t, way);
    cr_expect_eq(vks_assembly_entries(a), host_csr_entries(&want), "%s", what);
    OWNED(vks_matrix) *A = assembled(c, a, p, first, t->n, VKS_FORMAT_AUTO);
    must_be(c, A, &want, what);
    update(c, a, p, second, t->n, A);
    vks_assembly_destroy(a);
    must_be(c, A, &after, what);
}

static void walk(vks_context *c, enum assembly_way first)
{
    for (int i = 0; i < SHAPES; i++) {
        OWNED_BY(free_coordinates) struct coordinates t = make_coordinates(&shapes[i]);
        for (enum assembly_way way = first; way <= ASSEMBLY_RADIX; way++)
            attempt(c, way == ASSEMBLY_RADIX ? PRECISION_F32 : PRECISION_F64, &t, way);
    }
    close_context(c);
}

Test(assembly, of_every_shape_gives_the_defined_bits_on_the_host)
{
    walk(open_host(), ASSEMBLY_WAY_AUTO);
}

Test(assembly, of_every_shape_gives_the_defined_bits_on_lavapipe)
{
    walk(open_gpu(), ASSEMBLY_WAY_AUTO);
}

Test(assembly, of_every_shape_gives_the_defined_bits_by_three_workgroups_without_subgroups)
{
    struct device_options o = {.max_groups = 3, .without_subgroups = true};
    walk(open_context(gpu_name(), o), ASSEMBLY_RADIX);
}

/* The choice by bytes: the network gets almost nothing, or almost all. */
Test(assembly, goes_by_radix_where_rows_are_long)
{
    vks_assembly a = {.rows = 1000000, .cols = 1000000, .triplets = 10000000};
    cr_expect(!assembly_prefers_radix(&a, 0, 0));
    cr_expect(!assembly_prefers_radix(&a, 1000, 100000));
    cr_expect(assembly_prefers_radix(&a, 9000, 9000000));
    cr_expect(!assembly_prefers_radix(&a, 9000, 2000));
}

/* Nearly all terms are of one entry. */
static void sum_many(vks_context *c, uint32_t n)
{
    struct shape s = {"one entry", 3, 3, n, anywhere};
    struct coordinates t = make_coordinates(&s);
    for (uint32_t i = 0; i < t.n; i++)
        t.row[i] = t.col[i] = i % 1000 ? 1 : 2;
    attempt(c, PRECISION_F64, &t, ASSEMBLY_WAY_AUTO);
    free_coordinates(&t);
    close_context(c);
}

Test(assembly, of_very_many_terms_adds_them_in_their_order)
{
    sum_many(open_host(), 1000000);
    sum_many(open_gpu(), 150000);
}

/* The host's assembly, which is separate code, gives the same matrix of whole numbers. */
TestEverywhere(assembly, of_whole_numbers_equals_that_of_the_host)
{
    OWNED_BY(free_coordinates) struct coordinates t = make_coordinates(&shapes[SHAPES - 1]);
    uint64_t seed = 5;
    OWNED(double) *val = room(t.n, 8);
    OWNED(vks_matrix) *A = NULL;
    vks_matrix_options o = {.precision = public_precision(p)};
    for (uint32_t i = 0; i < t.n; i++)
        val[i] = (double)random_below(&seed, 2001) - 1000;
    must_work(c, vks_matrix_from_coo(c, t.rows, t.cols, t.n, t.row, t.col, val, &o, &A));
    OWNED_STRUCT(host_csr) want = read_back(c, A);
    vks_assembly *a = assembly_of(c, &t, ASSEMBLY_WAY_AUTO);
    OWNED(vks_matrix) *B = assembled(c, a, p, val, t.n, VKS_FORMAT_AUTO);
    must_be(c, B, &want, "whole numbers");
    vks_assembly_destroy(a);
}

/* Splits each entry in two halves, and shuffles all. */
static struct coordinates scramble(const struct triplets *all, double **val)
{
    uint32_t n = 2 * (uint32_t)all->count;
    struct coordinates t = {"a file", all->rows, all->cols, n, room(n, 4), room(n, 4)};
    uint64_t seed = n;
    *val = room(n, 8);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = random_below(&seed, i + 1);
        t.row[i] = t.row[j];
        t.col[i] = t.col[j];
        (*val)[i] = (*val)[j];
        t.row[j] = all->row[i / 2];
        t.col[j] = all->col[i / 2];
        (*val)[j] = all->val[i / 2] / 2;
    }
    return t;
}

static void assemble_file(vks_context *c, const char *path)
{
    OWNED_STRUCT(market) file;
    OWNED_STRUCT(host_csr) want;
    OWNED(double) *val;
    cr_assert_eq(files_read_matrix(NULL, path, &file), VKS_OK, "%s", path);
    cr_assert_eq(host_csr_assemble(NULL, &file.entries, &want), VKS_OK);
    OWNED_BY(free_coordinates) struct coordinates t = scramble(&file.entries, &val);
    vks_assembly *a = assembly_of(c, &t, ASSEMBLY_WAY_AUTO);
    OWNED(vks_matrix) *A = assembled(c, a, PRECISION_F64, val, t.n, VKS_FORMAT_AUTO);
    must_be(c, A, &want, path);
    vks_assembly_destroy(a);
}

TestOnBoth(assembly, of_scrambled_files_gives_their_matrices)
{
    assemble_file(c, SOURCE_DIR "/matrices/bcsstk14.mtx.gz");
    assemble_file(c, SOURCE_DIR "/matrices/ash219.mtx.gz");
    assemble_file(c, SOURCE_DIR "/matrices/west0067.mtx.gz");
    assemble_file(c, SOURCE_DIR "/matrices/sherman1.mtx.gz");
}

/* Slices are updated with the new values, too. */
TestEverywhere(assembly, updates_matrices_in_slices)
{
    OWNED_BY(free_coordinates) struct coordinates t = make_coordinates(&shapes[SHAPES - 1]);
    OWNED(double) *first = terms(p, &t, 3), *second = terms(p, &t, 4);
    OWNED_STRUCT(host_csr) want = plain_assembly(p, &t, second);
    vks_assembly *a = assembly_of(c, &t, ASSEMBLY_WAY_AUTO);
    OWNED(vks_matrix) *A = assembled(c, a, p, first, t.n, VKS_FORMAT_SELL);
    cr_expect_eq(vks_matrix_format(A), VKS_FORMAT_SELL);
    update(c, a, p, second, t.n, A);
    must_be(c, A, &want, "updated slices");
    must_multiply_as_csr(c, A, p);
    vks_assembly_destroy(a);
}

/* Time steps must not allocate, as the header promises. */
TestOnHost(assembly, updates_without_memory_on_the_device)
{
    OWNED_BY(free_coordinates) struct coordinates t = make_coordinates(&shapes[SHAPES - 1]);
    OWNED(double) *val = terms(PRECISION_F64, &t, 3);
    vks_assembly *a = assembly_of(c, &t, ASSEMBLY_WAY_AUTO);
    OWNED(vks_matrix) *A = assembled(c, a, PRECISION_F64, val, t.n, VKS_FORMAT_SELL);
    vks_array *values = floats(c, PRECISION_F64, val, t.n);
    struct interposed *i = interposed_of(c->device);
    i->calls = 0;
    must_work(c, vks_assembly_update(a, values, A));
    cr_expect_eq(i->calls, 6, "two recordings, each prepared, submitted and waited for; not %u operations",
                 i->calls);
    vks_array_destroy(values);
    vks_assembly_destroy(a);
}
