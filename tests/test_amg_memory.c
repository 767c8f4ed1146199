/* The memory of multigrid: what is estimated, what the setup takes, and what is refused. */
#include "small_matrix.h"
#include "solvers/multigrid/multigrid.h"
#include "tests/support/convection_models.h"
#include "tests/support/device_matrix.h"
#include "tests/support/nodes.h"

/* The estimate must be between these factors of the peak. */
static const double too_little = 0.8, too_much = 1.6;

static void expect_peak(vks_context *c, const struct host_csr *a, const vks_precond_options *o,
                        bool symmetric, const char *name)
{
    OWNED(vks_matrix) *A = put_on(c, a, PRECISION_F64, VKS_FORMAT_CSR);
    OWNED(vks_precond) *M = NULL;
    vks_precond_facts f;
    bool blocks = o->amg.dimensions > 1 || o->amg.block > 1, keeps = o->amg.refresh == VKS_AMG_KEEP;
    enum precision p = o->in_f32 ? PRECISION_F32 : PRECISION_F64;
    must_work(c, vks_precond_create(A, o, &M));
    must_work(c, vks_precond_report(M, &f));
    double peak = (double)f.hierarchy.setup_bytes, expected = (double)f.hierarchy.expected_bytes;
    struct multigrid_needs needs = multigrid_needs(A, p, blocks, symmetric, keeps);
    cr_expect(expected >= too_little * peak && expected <= too_much * peak, "%s: %.0f instead of %.0f", name,
              expected, peak);
    cr_expect_eq(f.hierarchy.expected_bytes, needs.expected, "%s", name);
    cr_expect_leq(needs.least, f.hierarchy.setup_bytes, "%s", name);
    cr_expect(f.bytes > 0 && (keeps || f.bytes <= f.hierarchy.setup_bytes), "%s: %llu bytes stay", name,
              (unsigned long long)f.bytes); /* vectors outside the levels are not in the peak */
}

static void expect_near(vks_context *c, const struct host_csr *a, const vks_precond_options *o,
                        bool symmetric, const char *name)
{
    for (vks_amg_refresh refresh = VKS_AMG_FULL; refresh <= VKS_AMG_KEEP; refresh++) {
        vks_precond_options M = *o;
        M.amg.refresh = refresh;
        expect_peak(c, a, &M, symmetric, name);
    }
}

Test(amg_memory, the_peak_is_about_what_is_expected)
{
    static const struct {
        const char *kind;
        uint32_t size;
    } models[] = {{"poisson2d", 150}, {"poisson3d", 24}, {"poisson3d27", 24}};
    static const vks_precond_options plain[] = {{.kind = VKS_PRECOND_AMG},
                                                {.kind = VKS_PRECOND_AMG, .in_f32 = 1}};
    vks_context *const c = open_host();
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        OWNED_STRUCT(host_csr) A = model(models[i].kind, models[i].size);
        for (int k = 0; k < 2; k++)
            expect_near(c, &A, &plain[k], true, models[i].kind);
    }
    struct host_csr unsymmetric[] = {whirl(150, 1e-3), wind(24, 1)};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++)
            expect_near(c, &unsymmetric[i], &plain[k], false, "upwind");
        host_csr_free(&unsymmetric[i]);
    }
    struct body y = make_body(10);
    vks_precond_options of[] = {of_coordinates(&y.at), of_block(3)};
    for (int k = 0; k < 2; k++)
        expect_near(c, &y.A, &of[k], true, "elasticity3d");
    body_free(&y);
    close_context(c);
}

static struct scarce {
    const struct device_ops *plain;
    uint64_t room;
    uint32_t arrays; /* allocated ones */
} scarce;

static vks_status allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                           struct memory *out)
{
    scarce.arrays++;
    return scarce.plain->allocate(d, kind, bytes, what, out);
}

static bool report_room(struct device *d, uint64_t *bytes)
{
    (void)d;
    *bytes = scarce.room;
    return true;
}

/* By each call that sets up multigrid; also inside another preconditioner. */
static void must_refuse_memory(vks_context *c, const vks_matrix *A, vks_vector *x, const char *said)
{
    vks_precond_options amg = {.kind = VKS_PRECOND_AMG, .in_f32 = 1},
                        outer = {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &amg};
    vks_precond *M = NULL;
    must_refuse(c, vks_precond_create(A, &amg, &M), VKS_DEVICE_MEMORY, said);
    must_refuse(c, vks_precond_create(A, &outer, &M), VKS_DEVICE_MEMORY, said);
    must_refuse(c, vks_solve(A, x, x, &(vks_solve_options){.precond_options = &amg}, NULL), VKS_DEVICE_MEMORY,
                said);
}

TestOnHost(amg_memory, a_device_without_room_is_reported_before_anything_is_allocated)
{
    OWNED_STRUCT(host_csr) host = model("poisson2d", 100);
    OWNED(vks_matrix) *A = put_on(c, &host, PRECISION_F64, VKS_FORMAT_CSR);
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F64, NULL, host.rows);
    uint64_t least = multigrid_needs(A, PRECISION_F32, false, true, false).least;
    scarce = (struct scarce){.plain = c->device->ops, .room = least - 1};
    struct device_ops ops = *scarce.plain;
    ops.allocate = allocate;
    ops.room = report_room;
    c->device->ops = &ops;
    must_refuse_memory(c, A, x, "amg needs about 0.00");
    must_refuse_memory(c, A, x, " GB to set up its levels, at least 0.001");
    must_refuse_memory(c, A, x, " has 0.001");
    cr_expect_eq(scarce.arrays, 0);
    scarce.room = least;
    vks_precond *M = NULL;
    must_work(c, vks_precond_create(A, &(vks_precond_options){.kind = VKS_PRECOND_AMG}, &M));
    vks_precond_destroy(M);
    c->device->ops = scarce.plain;
}

/* Counts the present memory of arrays, not that of freed ones. */
TestOnHost(amg_memory, the_room_of_a_device_is_its_memory_without_its_arrays)
{
    struct device *d = c->device;
    struct memory m;
    uint64_t before = device_room(d), bytes = d->bytes, most = device_watch(d);
    cr_expect_eq(before, d->info.memory - bytes);
    cr_assert_eq(device_allocate(d, MEMORY_DEVICE, 1000, "x", &m), VKS_OK);
    cr_expect_eq(device_room(d), before - 1000);
    device_release(d, &m);
    cr_expect_eq(device_room(d), before);
    cr_expect_eq(device_watched(d, most), bytes + 1000);
    d->info.memory = 0;
    cr_expect_eq(device_room(d), UINT64_MAX);
}
