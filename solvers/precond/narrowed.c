/* A preconditioner in f32 for vectors in f64: another one, of A in f32, between two roundings of vectors.
 *
 * It scales nothing. Methods hand over residuals that the driver has divided by a power of two: they are
 * about 1 when a cycle begins, and a cycle lowers them by 1e13 at most. Elements that then underflow in f32
 * are smaller than the residual by 1e25. A scale from each vector would cost another pass over it.
 *
 * Beside the inner one, traffic: in and out in f64, each also in f32, read and written: 24n bytes. */
#include "solvers/precond.h"
#include "solvers/system/f32_copy.h"

struct narrowed {
    vks_matrix *copy;    /* of A in f32, if there is one */
    const vks_matrix *A; /* in f32, or the one that is given if the inner one rounds itself */
    struct vec in, out;
    doubles one;
};

static void take_facts(struct precond *M)
{
    const struct narrowed *own = M->own;
    const struct precond *inner = M->narrow;
    precond_take_facts(M, inner);
    M->bytes = precond_bytes(inner) + f32_copy_bytes(own->copy);
    M->layout = inner->layout + own->A->layout;
}

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    static const double one = 1;
    struct room *w = &M->room;
    uint32_t n = M->A->csr.n;
    struct narrowed *own = M->own = room_host(w, sizeof *own, "a preconditioner in f32");
    if (!own)
        return w->status;
    own->in = room_vec(w, n, PRECISION_F32, "a residual in f32");
    own->out = room_vec(w, n, PRECISION_F32, "a preconditioned residual in f32");
    struct memory m = room_copy(w, &one, sizeof one, "a scale");
    own->one = (doubles)(uintptr_t)m.address;
    own->A = M->A;
    TRY(w->status);
    if (!precond_of(M->kind)->rounds_itself)
        TRY(f32_copy_open(M->A, false, &own->copy, &own->A));
    TRY(precond_create(own->A, PRECISION_F32, M->use, o, f, &M->narrow));
    take_facts(M);
    detail_add_f32(f->detail, sizeof f->detail);
    return VKS_OK;
}

static vks_status refresh(struct precond *M, struct diagnosis *f)
{
    const struct narrowed *own = M->own;
    vks_status s = f32_copy_refresh(M->A, own->copy);
    if (!s)
        s = precond_refresh(M->narrow, f);
    take_facts(M);
    detail_add_f32(f->detail, sizeof f->detail);
    return s;
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    const struct narrowed *own = M->own;
    narrow(r, own->one, in, own->in);
    precond_apply(r, M->narrow, own->in, own->out);
    widen_floats(r, own->out, out);
}

static void solved(const struct precond *M, uint32_t iterations, double digits)
{
    precond_solved(M->narrow, iterations, digits);
}

static void release(struct precond *M)
{
    struct narrowed *own = M->own;
    precond_destroy(M->narrow);
    if (own)
        f32_copy_close(M->A, &own->copy, own->A);
}

const struct precond_ops precond_narrowed = {
    .setup = setup, .refresh = refresh, .solved = solved, .apply = apply, .release = release};
