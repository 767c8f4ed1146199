#include "solvers/auto/facts.h"

#include <math.h>
#include <stdio.h>

/* Up to this share of positive entries multigrid takes a matrix that is not symmetric. */
static const double few_positive = 0.1;

bool lacks_memory(vks_status s)
{
    return s == VKS_DEVICE_MEMORY || s == VKS_OUT_OF_MEMORY || s == VKS_LIMIT;
}

bool forgive_lack_of_memory(struct message *m, vks_status status)
{
    if (!lacks_memory(status))
        return false;
    m->text[0] = 0;
    return true;
}

static bool is_positive(const struct symmetry *s)
{
    return s->zero == UINT32_MAX && s->negative == UINT32_MAX;
}

static bool is_symmetric(const struct symmetry *s)
{
    return s->unequal == UINT32_MAX;
}

vks_status facts_measure_signs(const vks_matrix *A, enum precision p, struct facts *out)
{
    vks_context *c = A->context;
    vks_status status = signs_measure(c->device, A, p, &out->signs);
    if (status)
        out->signs = (struct signs){.positive = NAN};
    out->has_signs = !status || lacks_memory(status);
    return forgive_lack_of_memory(&c->message, status) ? VKS_OK : status;
}

/* The symmetry, and the signs of a matrix that is not symmetric. */
static vks_status measure(const vks_matrix *A, struct facts *out)
{
    *out = (struct facts){.square = A->csr.n == A->csr.cols,
                          .rows = A->csr.n,
                          .entries = A->csr.entries,
                          .signs.positive = NAN,
                          .experience = out->experience};
    if (!out->square)
        return VKS_OK;
    TRY(symmetry_measure(A, &out->symmetry));
    bool matters = !is_symmetric(&out->symmetry) && is_positive(&out->symmetry);
    return matters ? facts_measure_signs(A, real_precision(precision_of(A->precision)), out) : VKS_OK;
}

/* Once. Without memory it stays unknown. */
static vks_status look_at_diagonal(const vks_matrix *A, bool ranks, struct facts *out)
{
    if (out->has_look || !out->square)
        return VKS_OK;
    vks_status status = scaled_look(A, ranks, &out->look);
    out->has_look = !status;
    return forgive_lack_of_memory(&A->context->message, status) ? VKS_OK : status;
}

/* The matrix that facts are of: A, or the copy in f32 of one in pairs of floats. */
static const vks_matrix *facts_matrix(const vks_matrix *A)
{
    return matrix_in_pairs(A) ? A->rounded : A;
}

/* The diagonal is looked at always, or only if A is not symmetric. */
static vks_status find(const vks_matrix *given, bool always, bool ranks, struct facts *out)
{
    const vks_matrix *A = facts_matrix(given);
    vks_status status = csr_acquire(A);
    if (!status)
        status = measure(A, out);
    if (!status && (always || !is_symmetric(&out->symmetry)))
        status = look_at_diagonal(A, ranks, out);
    csr_release(A);
    return status;
}

vks_status facts_find(const vks_matrix *given, struct facts *out)
{
    return find(given, false, false, out);
}

vks_status facts_find_all(const vks_matrix *given, bool ranks, struct facts *out)
{
    return find(given, true, ranks, out);
}

vks_status facts_add_diagonal(const vks_matrix *given, struct facts *f)
{
    const vks_matrix *A = facts_matrix(given);
    vks_status status = csr_acquire(A);
    if (!status)
        status = look_at_diagonal(A, false, f);
    csr_release(A);
    return status;
}

unsigned facts_conditions(const struct facts *f)
{
    const struct symmetry *s = &f->symmetry;
    bool symmetric = is_symmetric(s), nonpositive = f->signs.positive <= few_positive;
    return (symmetric ? WHEN_SYMMETRIC : WHEN_NOT_SYMMETRIC) | (is_positive(s) ? WHEN_POSITIVE : 0) |
           (!symmetric && nonpositive ? WHEN_MOSTLY_NONPOSITIVE : 0) |
           (s->zero != UINT32_MAX ? WHEN_ZERO : 0) | (f->rows <= SMALL_ROWS ? WHEN_SMALL : WHEN_LARGE) |
           (!f->has_look   ? 0
            : f->look.weak ? WHEN_WEAK
                           : WHEN_STRONG);
}

void conditions_text(unsigned when, char *text, size_t size)
{
    static const struct {
        unsigned bit;
        const char *text;
    } words[] = {{WHEN_SYMMETRIC, "A is symmetric"},
                 {WHEN_NOT_SYMMETRIC, "A is not symmetric"},
                 {WHEN_POSITIVE, "its diagonal is positive"},
                 {WHEN_ZERO, "there are zeros on its diagonal"},
                 {WHEN_MOSTLY_NONPOSITIVE, "few other entries are positive"},
                 {WHEN_WEAK, "its diagonal is weak"},
                 {WHEN_STRONG, "its diagonal is strong"},
                 {WHEN_SMALL, "it has at most 4,096 rows"},
                 {WHEN_LARGE, "it has more than 4,096 rows"}};
    size_t at = 0;
    snprintf(text, size, "always");
    for (size_t k = 0; k < sizeof words / sizeof *words && at < size; k++)
        if (when & words[k].bit)
            at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ", " : "", words[k].text);
}
