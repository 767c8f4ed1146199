#include "command/spmv/reference.h"
#include "team/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pseudo-random in -1 .. 1, in steps of 2^-20, which f32 holds exactly (the finalizer of murmur3). */
static double element(uint32_t i)
{
    i ^= i >> 16;
    i *= 0x85EBCA6Bu;
    i ^= i >> 13;
    i *= 0xC2B2AE35u;
    i ^= i >> 16;
    return ((double)(i >> 11) - 0x1p20 + 0.5) * 0x1p-20;
}

/* Dot2 of T. Ogita, S. M. Rump, S. Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26 (2005):
 * rounding errors of products and sums are summed separately. A plain sum would have errors like those that
 * it measures. */
static double row_product(const struct host_csr *a, uint32_t i, const double *x, double *scale)
{
    double sum = 0, lost = 0, absolute = 0;
    for (size_t k = a->row[i]; k < a->row[i + 1]; k++) {
        double factor = x[a->col[k]], term = a->val[k] * factor, before = sum;
        sum += term;
        double part = sum - before;
        lost += (before - (sum - part)) + (term - part) + fma(a->val[k], factor, -term);
        absolute += fabs(term);
    }
    *scale = absolute;
    return sum + lost;
}

struct product {
    const struct host_csr *a;
    struct spmv_reference *r;
};

static void multiply_rows(const void *product, struct member *me)
{
    const struct product *p = product;
    TEAM_FOR(me, i, p->a->rows, 4096, 256)
    p->r->y[i] = row_product(p->a, i, p->r->x, &p->r->scale[i]);
}

vks_status spmv_reference(struct message *m, const struct host_csr *a, struct spmv_reference *r)
{
    size_t rows = (size_t)a->rows + 1, cols = (size_t)a->cols + 1; /* + 1: so that NULL is a failure */
    *r = (struct spmv_reference){a->rows, a->cols, malloc(8 * cols), malloc(8 * rows), malloc(8 * rows)};
    if (!r->x || !r->y || !r->scale)
        return fail_memory(m, "the product in double precision", 8 * (cols + 2 * rows));
    for (uint32_t i = 0; i < a->cols; i++)
        r->x[i] = element(i);
    struct team *team = team_for(team_of(m), 12 * (uint64_t)host_csr_entries(a));
    team_run(team, multiply_rows, &(struct product){a, r});
    team_done(team_of(m), team);
    return VKS_OK;
}

void spmv_reference_free(struct spmv_reference *r)
{
    free(r->x);
    free(r->y);
    free(r->scale);
    *r = (struct spmv_reference){0};
}

double spmv_error(const struct spmv_reference *r, const double *y)
{
    double largest = 0;
    for (uint32_t i = 0; i < r->rows; i++) {
        double difference = fabs(y[i] - r->y[i]), error = difference == 0 ? 0 : difference / r->scale[i];
        if (!(error <= largest))
            largest = isfinite(error) ? error : INFINITY;
    }
    return largest;
}
