/* The dense preconditioner: the inverse of A as a dense matrix, by Gauss-Jordan elimination with partial
 * pivoting (solvers/dense/). An application is one product: n^2 elements. */
#include "dense/verbs.h"
#include "primitive/verbs.h"
#include "solvers/dense/call.h"
#include "solvers/precond.h"

struct dense {
    struct block inverse;
    vks_gemv_form form;
    reals sums; /* of strips */
};

static uint64_t elements(const struct precond *M)
{
    return (uint64_t)M->A->csr.n * M->A->csr.n;
}

static vks_status check(struct message *m, const vks_matrix *A, const vks_precond_options *o)
{
    (void)o;
    if (A->csr.n <= VKS_GAUSS_JORDAN_LARGEST)
        return VKS_OK;
    return fail(m, VKS_LIMIT, "A has %u rows; the preconditioner dense takes matrices of up to %u", A->csr.n,
                VKS_GAUSS_JORDAN_LARGEST);
}

/* Spreads A into a dense matrix. */
static vks_status spread(const struct precond *M, struct block to)
{
    const struct csr *A = &M->A->csr;
    struct rec r = rec_once(M->device, product_precision(M->A, M->precision));
    fill_words(&r, (u32s)(uintptr_t)to.address, 0, 0,
               (uint32_t)(elements(M) * real_bytes(M->precision) / sizeof(uint32_t)), 1);
    dense_from_csr(&r, A->row, A->col, A->val, A->entries, to);
    return rec_run_once(&r, VKS_OK);
}

static void diagnose(const vks_gauss_jordan_report *report, struct diagnosis *f)
{
    if (has_solution(report))
        return;
    if (report->column == UINT32_MAX) {
        diagnosis_refuse(f, report->reason, UINT32_MAX, "the inverse of A overflows");
        return;
    }
    uint32_t column = diagnosis_row(f, report->column);
    diagnosis_refuse(f, report->reason, column,
                     report->reason == VKS_REASON_SINGULAR
                         ? "A is singular: column %u depends on those that were eliminated before it"
                         : "column %u of A holds a NaN or an infinity when it is eliminated",
                     column + 1);
}

static vks_status refresh(struct precond *M, struct diagnosis *f)
{
    const struct dense *own = M->own;
    vks_gauss_jordan_report report = gauss_jordan_not_run;
    struct gauss_jordan g = {.context = M->A->context,
                             .options.no_condition = 1,
                             .report = &report,
                             .precision = public_precision(M->precision)};
    struct room w = {.device = M->device};
    g.A = own->inverse;
    g.A.address =
        room_memory(&w, MEMORY_DEVICE, elements(M) * real_bytes(M->precision), "a dense matrix").address;
    vks_status s = w.status ? w.status : spread(M, g.A);
    IF_OK(s, invert_dense(&g, own->inverse));
    if (!s)
        diagnose(&report, f);
    room_close(&w);
    return s;
}

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    uint32_t n = M->A->csr.n, real = real_bytes(M->precision);
    struct room *w = &M->room;
    struct dense *own = M->own = room_host(w, sizeof *own, "a dense inverse");
    (void)o;
    if (!own)
        return w->status;
    own->inverse = (struct block){.rows = n, .cols = n, .ld = n};
    own->inverse.address = room_memory(w, MEMORY_DEVICE, elements(M) * real, "a dense inverse").address;
    struct memory sums = room_memory(w, MEMORY_DEVICE, gemv_room(own->inverse) * real, "sums of strips");
    own->sums = (reals)(uintptr_t)sums.address;
    own->form = vks_gemv_choice(n, n);
    return w->status ? w->status : refresh(M, f);
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    const struct dense *own = M->own;
    gemv(r, own->form, own->inverse, in, (struct vec){0}, out, own->sums);
}

const struct precond_ops precond_dense = {
    .needs_entries = true, .check = check, .setup = setup, .refresh = refresh, .apply = apply};
