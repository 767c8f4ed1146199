/* A polynomial in A: z = p(M^-1 A) M^-1 r, where M is another preconditioner, by default the diagonal of A.
 * With L, a bound of the eigenvalues of M^-1 A, 1 - x p(x) is the optimised Chebyshev polynomial of the
 * fourth kind on 0 .. L, which needs no bound from below: J. Lottes, "Optimal polynomial smoothers for
 * multigrid V-cycles" (2023). Its zeros are real, so each is a step of Richardson's iteration, which moves
 * less than the three-term recurrence:
 *
 *   x' = x + w (M^-1 (b - A x))      matrix + 4n (3n)    spmv_then, where M is diagonal
 *
 * where 1 / w is the zero. From x = 0 the first step has no product, and moves 3n (2n). In parentheses: M is
 * the same number in all rows. The largest w comes first, so that rounding errors grow by less than ten. x
 * and x' are two vectors that alternate, so that the last step writes the result.
 *
 * If M is not diagonal, b - A x is updated in each step, by existing verbs:
 *
 *   z = M^-1 t    x = x + w z        M, 3n
 *   q = A z       t = t - w q        matrix + 5n */
#include "solvers/bounds/lanczos.h"
#include "solvers/bounds/smoothing.h"
#include "sparse/then.h"

enum { LEAST_DEGREE = 1, DEFAULT_DEGREE = 2 };

/* Numbers on the device: w of each step, and constants. */
enum { ONE = SMOOTHING_STEPS, ZERO, NUMBERS };

struct chebyshev {
    struct precond *inner;    /* M */
    struct precond *diagonal; /* of A, if M is not diagonal, for Lanczos' method */
    uint32_t degree;
    struct memory numbers;
    struct vec q;    /* if M is diagonal, the x that alternates with the result, else A z */
    struct vec t, z; /* where M is not diagonal */
};

static struct chebyshev *own_of(const struct precond *M)
{
    return M->own;
}

static number number_of(const struct precond *M, uint32_t i)
{
    return (number)(uintptr_t)(own_of(M)->numbers.address + i * (uint64_t)real_bytes(M->precision));
}

/* Returns a diagonal preconditioner in the form that kernels read; the identity is a one in all rows. */
static struct diagonal_matrix diagonal_of(const struct precond *M, const struct precond *diagonal)
{
    const struct diagonal *d = &diagonal->diagonal;
    if (d->form == DIAGONAL_NONE)
        return (struct diagonal_matrix){(reals)number_of(M, ONE), false};
    return (struct diagonal_matrix){vec_reals(d->d), d->form == DIAGONAL_EACH};
}

/* Computes the bound from the values of A, and the weights from the bound. */
static vks_status take_bound(struct precond *M, struct diagnosis *f)
{
    struct chebyshev *own = own_of(M);
    const struct precond *diagonal = own->diagonal ? own->diagonal : own->inner;
    double bound, v[NUMBERS] = {[ONE] = 1};
    vks_precision p = public_precision(M->precision);
    TRY(upload_values(M->device, &own->numbers, p, 0, NUMBERS, VKS_F64, v));
    TRY(lanczos_bound(own->inner, diagonal_of(M, diagonal), f, &bound));
    if (diagnosis_refuses(f))
        return VKS_OK;
    for (uint32_t i = 0; i <= own->degree; i++)
        v[i] = smoothing_weights[own->degree - LEAST_DEGREE][i] / bound;
    return upload_values(M->device, &own->numbers, p, 0, NUMBERS, VKS_F64, v);
}

static void take_facts(struct precond *M)
{
    const struct chebyshev *own = own_of(M);
    M->levels = own->inner->levels;
    M->hierarchy = own->inner->hierarchy;
    M->bytes = precond_bytes(own->inner) + (own->diagonal ? precond_bytes(own->diagonal) : 0);
}

static vks_status refresh(struct precond *M, struct diagnosis *f)
{
    struct chebyshev *own = own_of(M);
    uint32_t before = own->inner->layout;
    vks_status s = precond_refresh(own->inner, f);
    M->layout += own->inner->layout - before;
    if (!s && own->diagonal)
        s = precond_refresh(own->diagonal, f);
    take_facts(M);
    return s || diagnosis_refuses(f) ? s : take_bound(M, f);
}

/* The diagonal, or the identity for an operator without one. */
static const vks_precond_options by_default = {.kind = VKS_PRECOND_AUTO};

static vks_status check(struct message *m, const vks_matrix *A, const vks_precond_options *o)
{
    if (o->degree > VKS_LARGEST_DEGREE)
        return fail(m, VKS_INVALID_ARGUMENT, "a Chebyshev polynomial of degree %u; %u to %u are allowed",
                    o->degree, LEAST_DEGREE, VKS_LARGEST_DEGREE);
    (void)A;
    return VKS_OK;
}

static vks_status make_inner(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    struct chebyshev *own = own_of(M);
    TRY(precond_create(M->A, M->precision, PRECOND_FOR_POSITIVE, o->inner ? o->inner : &by_default, f,
                       &own->inner));
    TRY(precond_must_be_symmetric(own->inner, vks_precond_name(M->kind)));
    if (!own->inner->is_diagonal)
        TRY(precond_create(M->A, M->precision, PRECOND_FOR_POSITIVE, &by_default, f, &own->diagonal));
    take_facts(M);
    return VKS_OK;
}

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    struct room *w = &M->room;
    uint32_t n = M->A->csr.n;
    struct chebyshev *own = M->own = room_host(w, sizeof *own, "a Chebyshev polynomial");
    TRY(own ? make_inner(M, o, f) : w->status);
    own->degree = o->degree ? o->degree : DEFAULT_DEGREE;
    own->numbers = room_memory(w, MEMORY_DEVICE, NUMBERS * (uint64_t)real_bytes(M->precision),
                               "the numbers of a Chebyshev polynomial");
    own->q = room_vec(w, n, M->precision, "a vector of a Chebyshev polynomial");
    if (!own->inner->is_diagonal) {
        own->t = room_vec(w, n, M->precision, "a vector of a Chebyshev polynomial");
        own->z = room_vec(w, n, M->precision, "a vector of a Chebyshev polynomial");
    }
    return w->status || diagnosis_refuses(f) ? w->status : take_bound(M, f);
}

/* Records x' = x + w M^-1 (b - A x) for step i, if M is diagonal; step 0 starts from x = 0. */
static void step(struct rec *r, const struct precond *M, uint32_t i, struct vec b, struct vec x,
                 struct vec next)
{
    struct diagonal_matrix D = diagonal_of(M, own_of(M)->inner);
    if (i == 0)
        scale_each(r, number_of(M, i), D.at, D.varies, b, next);
    else
        spmv_then(r, M->A,
                  &(struct product_then){.form = PRODUCT_STEP,
                                         .w = number_of(M, i),
                                         .d = D.at,
                                         .varies = D.varies,
                                         .x = x,
                                         .b = b,
                                         .y = next});
}

/* Records all steps. */
static void apply_diagonal(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    const struct chebyshev *own = own_of(M);
    for (uint32_t i = 0; i <= own->degree; i++) {
        bool ends_in_out = (own->degree - i) % 2 == 0;
        step(r, M, i, in, ends_in_out ? own->q : out, ends_in_out ? out : own->q);
    }
}

/* Records x += w M^-1 t for any M. t is b - A x before the step and, except for the last step, after it. */
static void step_with_residual(struct rec *r, const struct precond *M, uint32_t i, struct vec x)
{
    const struct chebyshev *own = own_of(M);
    precond_apply(r, own->inner, own->t, own->z);
    axpy(r, number_of(M, i), own->z, x);
    if (i == own->degree)
        return;
    spmv(r, M->A, own->z, own->q);
    subtract(r, number_of(M, i), own->q, own->t);
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    const struct chebyshev *own = own_of(M);
    if (own->inner->is_diagonal) {
        apply_diagonal(r, M, in, out);
        return;
    }
    copy(r, in, own->t);
    fill(r, number_of(M, ZERO), out);
    for (uint32_t i = 0; i <= own->degree; i++)
        step_with_residual(r, M, i, out);
}

static void solved(const struct precond *M, uint32_t iterations, double digits)
{
    precond_solved(own_of(M)->inner, iterations, digits);
}

static void release(struct precond *M)
{
    struct chebyshev *own = own_of(M);
    if (!own)
        return;
    precond_destroy(own->diagonal);
    precond_destroy(own->inner);
}

const struct precond_ops precond_chebyshev = {.options = OPTION_DEGREE | OPTION_INNER,
                                              .check = check,
                                              .setup = setup,
                                              .refresh = refresh,
                                              .solved = solved,
                                              .apply = apply,
                                              .release = release};
