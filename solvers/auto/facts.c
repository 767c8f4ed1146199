#include "solvers/auto/facts.h"
#include "solvers/auto/times.h"

#include <math.h>
#include <stdio.h>

/* Multigrid is used for an unsymmetric matrix if at most this fraction of its entries is positive. */
static const double few_positive = 0.1;

/* Factors are tried first if the analysis takes at most `first_analysis` and the factors at most
 * `first_time`, in microseconds; early if the factors take no longer than USUAL_PRODUCTS products with A; and
 * never if they take more than `late_time` or `most_bytes`. */
static const double first_time = 2.5e3, first_analysis = 2e3, late_time = 6e7, most_bytes = 4.0 * (1u << 30);
enum { USUAL_PRODUCTS = 10000 };
/* A chain or a tree has at most ENTRIES_OF_CHAIN entries a row. Its factors have little fill, and are tried
 * first if they take at most FEW_PRODUCTS products. Incomplete factors may have as many levels as rows. */
enum { ENTRIES_OF_CHAIN = 4, FEW_PRODUCTS = 400 };

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

void facts_of_device(const vks_matrix *A, const vks_solve_options *o, struct facts *out)
{
    out->on_host = A->context->device->info.kind == DEVICE_HOST && !o->any_device;
    out->may_factor = !o->no_direct && !o->iterate_in_f32 && !matrix_in_pairs(A); /* factors are in f64 */
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

/* Measures the symmetry and, if A is not symmetric but its diagonal is positive, the signs. Keeps facts
 * independent of values. */
static vks_status measure(const vks_matrix *A, struct facts *out)
{
    const struct facts before = *out;
    *out = (struct facts){.square = A->csr.n == A->csr.cols,
                          .rows = A->csr.n,
                          .entries = A->csr.entries,
                          .real_bytes = real_bytes(real_precision(precision_of(A->precision))),
                          .signs.positive = NAN,
                          .on_host = before.on_host,
                          .may_factor = before.may_factor,
                          .is_promised = before.is_promised,
                          .promise = before.promise,
                          .experience = before.experience};
    if (!out->square)
        return VKS_OK;
    TRY(symmetry_measure(A, &out->symmetry));
    bool matters = !is_symmetric(&out->symmetry) && is_positive(&out->symmetry);
    return matters ? facts_measure_signs(A, real_precision(precision_of(A->precision)), out) : VKS_OK;
}

/* Measures the diagonal once; it stays unknown if memory runs out. */
static vks_status inspect_diagonal(const vks_matrix *A, bool ranks, struct facts *out)
{
    if (out->has_structure || !out->square)
        return VKS_OK;
    vks_status status = scaled_inspect(A, ranks, &out->structure);
    out->has_structure = !status;
    return forgive_lack_of_memory(&A->context->message, status) ? VKS_OK : status;
}

/* Returns the matrix that facts describe: A, or the f32 copy of one in pairs of floats. */
static const vks_matrix *facts_matrix(const vks_matrix *A)
{
    return matrix_in_pairs(A) ? A->rounded : A;
}

/* Measures the diagonal always, or only if A is not symmetric. */
static vks_status find(const vks_matrix *given, bool always, bool ranks, struct facts *out)
{
    const vks_matrix *A = facts_matrix(given);
    vks_status status = csr_acquire(A);
    IF_OK(status, measure(A, out));
    if (!status && (always || !is_symmetric(&out->symmetry)))
        status = inspect_diagonal(A, ranks, out);
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
    IF_OK(status, inspect_diagonal(A, false, f));
    csr_release(A);
    return status;
}

static bool is_chain(const struct facts *f)
{
    return f->entries <= (uint64_t)ENTRIES_OF_CHAIN * f->rows;
}

bool facts_may_begin_with_factors(const struct facts *f)
{
    bool is_weak = f->has_structure && f->structure.weak && !is_symmetric(&f->symmetry);
    return f->square && f->may_factor && f->on_host &&
           (is_weak || is_chain(f) || time_of_analysis(f) <= first_analysis);
}

/* Conditions on the promised cost of factors. */
static unsigned factors_conditions(const struct facts *f)
{
    double time = time_of_factors(f);
    if (f->may_factor && !f->is_promised)
        return WHEN_NO_EARLY_FACTORS | (f->on_host ? WHEN_EARLY_IS_OPEN : 0);
    if (!f->may_factor || f->promise.bytes > most_bytes)
        return WHEN_NO_EARLY_FACTORS;
    bool is_small = time <= first_time && time_of_analysis(f) <= first_analysis,
         is_light = is_chain(f) && time <= FEW_PRODUCTS * times_of(f).jacobi;
    if (f->on_host && (is_small || is_light))
        return WHEN_FACTORS_FIRST | WHEN_NO_EARLY_FACTORS;
    if (f->on_host && time <= USUAL_PRODUCTS * times_of(f).jacobi)
        return WHEN_FACTORS_EARLY | WHEN_EARLY_IS_OPEN;
    return WHEN_NO_EARLY_FACTORS | (time <= late_time ? WHEN_FACTORS_LATE : 0);
}

unsigned facts_open_conditions(const struct facts *f)
{
    if (!f->may_factor || f->is_promised)
        return 0;
    return WHEN_FACTORS_LATE | (f->on_host ? WHEN_FACTORS_EARLY : 0);
}

/* A weak diagonal requires a matching, and makes iterations unpromising. */
static bool is_tried_beside_factors(const struct facts *f)
{
    bool is_weak = f->has_structure && f->structure.weak;
    return !(is_weak && factors_conditions(f) & WHEN_FACTORS_EARLY);
}

unsigned facts_conditions(const struct facts *f)
{
    const struct symmetry *s = &f->symmetry;
    bool symmetric = is_symmetric(s), nonpositive = islessequal(f->signs.positive, few_positive);
    return (symmetric ? WHEN_SYMMETRIC : WHEN_NOT_SYMMETRIC) |
           (is_positive(s) ? WHEN_POSITIVE : WHEN_NOT_POSITIVE) |
           (!symmetric && nonpositive ? WHEN_MOSTLY_NONPOSITIVE : 0) |
           (f->on_host ? WHEN_ON_HOST : WHEN_ON_GPU) | factors_conditions(f) |
           (is_tried_beside_factors(f) ? WHEN_TRIED_BESIDE_FACTORS : 0) |
           (s->zero != UINT32_MAX ? WHEN_ZERO : 0) | (f->rows <= SMALL_ROWS ? WHEN_SMALL : WHEN_LARGE) |
           (!f->has_structure   ? 0
            : f->structure.weak ? WHEN_WEAK
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
                 {WHEN_NOT_POSITIVE, "it is not positive definite"},
                 {WHEN_ZERO, "there are zeros on its diagonal"},
                 {WHEN_MOSTLY_NONPOSITIVE, "few other entries are positive"},
                 {WHEN_WEAK, "its diagonal is weak"},
                 {WHEN_STRONG, "its diagonal is strong"},
                 {WHEN_SMALL, "it has at most 4,096 rows"},
                 {WHEN_LARGE, "it has more than 4,096 rows"},
                 {WHEN_SINGULAR, "its factors were singular"},
                 {WHEN_ON_HOST, "by the times of the host"},
                 {WHEN_ON_GPU, "by the times of a GPU"},
                 {WHEN_FACTORS_FIRST, "its factors take next to no time"},
                 {WHEN_FACTORS_EARLY, "its factors take little time"},
                 {WHEN_FACTORS_LATE, "its factors take longer"}};
    size_t at = 0;
    snprintf(text, size, "always");
    for (size_t k = 0; k < sizeof words / sizeof *words && at < size; k++)
        if (when & words[k].bit)
            at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ", " : "", words[k].text);
}
