/* A preconditioner in f32 for vectors in f64: applies another one, of A in f32, between two roundings of
 * vectors.
 *
 * If the magnitudes of A are not ordinary, the inner one is set up for A times a power of two, and the result
 * is multiplied by that power. Vectors are not scaled. Methods pass residuals that the driver has divided by
 * a power of two: they are about 1 when a cycle begins, and a cycle lowers them by at most 1e13. Elements
 * that then underflow in f32 are smaller than the residual by 1e25. A scale from each vector would cost
 * another pass over it.
 *
 * Traffic besides the inner one: in and out in f64, each also in f32, read and written: 24n bytes. */
#include "solvers/precond.h"
#include "solvers/system/f32_copy.h"
#include "solvers/system/ordinary.h"

#include <math.h>

struct narrowed {
    struct nested_options options; /* for new values that require another set-up */
    struct ordinary ordinary;      /* of A */
    vks_matrix *copy;              /* of `ordinary` in f32, if made */
    const vks_matrix *A;           /* in f32, or ordinary.A if the inner one rounds itself */
    struct vec in, out;
    struct memory scales; /* 1, and the power of two */
    uint32_t setups;
};

static doubles scale_at(const struct narrowed *own, uint32_t k)
{
    return (doubles)(uintptr_t)(own->scales.address + k * sizeof(double));
}

static void take_facts(struct precond *M)
{
    const struct narrowed *own = M->own;
    const struct precond *inner = M->narrow;
    precond_take_facts(M, inner);
    M->bytes = precond_bytes(inner) + f32_copy_bytes(own->copy) + ordinary_bytes(&own->ordinary);
    M->layout = inner->layout + own->A->layout + own->setups;
}

static vks_status write_scales(struct precond *M)
{
    struct narrowed *own = M->own;
    double scale[2] = {1, ldexp(1, own->ordinary.shift)};
    return device_write(M->device, &own->scales, 0, scale, sizeof scale);
}

static void close(struct precond *M)
{
    struct narrowed *own = M->own;
    precond_destroy(M->narrow);
    M->narrow = NULL;
    f32_copy_close(own->ordinary.A, &own->copy, own->A);
    own->A = NULL;
    ordinary_close(&own->ordinary);
}

static vks_status open(struct precond *M, struct diagnosis *f)
{
    struct narrowed *own = M->own;
    own->setups++;
    TRY(ordinary_open(M->A, &own->ordinary));
    own->A = own->ordinary.A;
    TRY(write_scales(M));
    if (!precond_of(M->kind)->rounds_itself)
        TRY(f32_copy_open(own->ordinary.A, false, &own->copy, &own->A));
    TRY(precond_create(own->A, PRECISION_F32, M->use, own->options.of, f, &M->narrow));
    take_facts(M);
    detail_add_f32(f->detail, sizeof f->detail);
    return VKS_OK;
}

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    struct room *w = &M->room;
    uint32_t n = M->A->csr.n;
    struct narrowed *own = M->own = room_host(w, sizeof *own, "a preconditioner in f32");
    if (!own)
        return w->status;
    own->in = room_vec(w, n, PRECISION_F32, "a residual in f32");
    own->out = room_vec(w, n, PRECISION_F32, "a preconditioned residual in f32");
    own->scales = room_memory(w, MEMORY_DEVICE, 2 * sizeof(double), "scales");
    TRY(w->status);
    precond_copy_options(&own->options, o);
    TRY(precond_copy_arrays(M->message, n, &own->options));
    return open(M, f);
}

/* Updates the values in place. */
static vks_status refresh_values(struct precond *M, struct diagnosis *f)
{
    struct narrowed *own = M->own;
    TRY(write_scales(M));
    TRY(f32_copy_refresh(own->ordinary.A, own->copy));
    vks_status s = precond_refresh(M->narrow, f);
    take_facts(M);
    detail_add_f32(f->detail, sizeof f->detail);
    return s;
}

static vks_status refresh(struct precond *M, struct diagnosis *f)
{
    struct narrowed *own = M->own;
    bool moved = true; /* if a failure left no inner one */
    if (M->narrow)
        TRY(ordinary_refresh(&own->ordinary, &moved));
    if (!moved)
        return refresh_values(M, f);
    close(M);
    return open(M, f);
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    const struct narrowed *own = M->own;
    narrow(r, scale_at(own, 0), in, own->in);
    precond_apply(r, M->narrow, own->in, own->out);
    widen_floats(r, own->out, out);
    if (own->ordinary.copy)
        narrow(r, scale_at(own, 1), out, out);
}

static void solved(const struct precond *M, uint32_t iterations, double digits)
{
    precond_solved(M->narrow, iterations, digits);
}

static void release(struct precond *M)
{
    struct narrowed *own = M->own;
    if (!own)
        return;
    close(M);
    precond_free_arrays(&own->options);
}

const struct precond_ops precond_narrowed = {
    .setup = setup, .refresh = refresh, .solved = solved, .apply = apply, .release = release};
