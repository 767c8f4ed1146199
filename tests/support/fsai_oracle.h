/* A plain definition of the setup of FSAI, two steps of three entries each for a random positive definite
 * matrix, with each operation rounded. */
#ifndef VKS_TESTS_FSAI_ORACLE_H
#define VKS_TESTS_FSAI_ORACLE_H

#include "shaders/fsai/fsai.h"
#include "tests/support/job.h"

enum { FSAI_STEPS = 2, FSAI_ADD = 3, FSAI_STRIDE = FSAI_STEPS * FSAI_ADD };

struct fsai_oracle {
    enum precision p;
    bool positive;
    struct host_csr A;
    double *most, *size, *weight;
    uint32_t *count, *ended, *S; /* S: FSAI_STRIDE for each row, in the order of their addition */
    double *x;
    uint32_t *f_row, *f_col; /* the pattern, whose columns ascend */
    double *f_val, *scaled;
};

static inline double fsai_rounding(enum precision p)
{
    return p == PRECISION_F32 ? 0x1p-15 : 0x1p-44;
}

static inline double fsai_entry(const struct fsai_oracle *o, uint32_t i, uint32_t j)
{
    for (uint32_t k = o->A.row[i]; k < o->A.row[i + 1]; k++)
        if (o->A.col[k] == j)
            return o->A.val[k];
    return 0;
}

/* The place of the pivot in step k; n if there is none. */
static inline uint32_t fsai_pivot(const struct fsai_oracle *o, double (*a)[FSAI_STRIDE + 1], const bool *used,
                                  const uint32_t *S, uint32_t n, uint32_t k)
{
    if (o->positive)
        return a[k][k] > rounded(o->p, fsai_rounding(o->p) * o->size[S[k]]) ? k : n;
    uint32_t pivot = n;
    for (uint32_t l = 0; l < n; l++)
        if (!used[l] && a[l][k] != 0 && (pivot == n || fabs(a[l][k]) > fabs(a[pivot][k])))
            pivot = l;
    return pivot;
}

/* x A(S, S) = -A(i, S) by Gauss-Jordan. */
static inline bool fsai_solve(const struct fsai_oracle *o, uint32_t i, const uint32_t *S, uint32_t n,
                              double *x)
{
    enum precision p = o->p;
    double a[FSAI_STRIDE][FSAI_STRIDE + 1], d = o->size[i];
    bool used[FSAI_STRIDE] = {false};
    uint32_t at[FSAI_STRIDE];
    for (uint32_t l = 0; l < n; l++) {
        for (uint32_t q = 0; q < n; q++)
            a[l][q] = fsai_entry(o, S[q], S[l]);
        a[l][n] = -fsai_entry(o, i, S[l]);
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t pivot = at[k] = fsai_pivot(o, a, used, S, n, k);
        if (pivot == n)
            return false;
        used[pivot] = true;
        double inverse = rounded(p, 1 / a[pivot][k]);
        for (uint32_t j = k + 1; j <= n; j++)
            a[pivot][j] = rounded(p, a[pivot][j] * inverse);
        for (uint32_t l = 0; l < n; l++)
            for (uint32_t j = k + 1; j <= n && l != pivot; j++)
                a[l][j] = rounded(p, a[l][j] - rounded(p, a[l][k] * a[pivot][j]));
    }
    for (uint32_t k = 0; k < n; k++) {
        x[k] = a[at[k]][n];
        if (!o->positive && !(rounded(p, fabs(x[k]) * o->size[S[k]]) < rounded(p, FSAI_LARGEST * o->size[i])))
            return false;
        d = rounded(p, d - rounded(p, x[k] * -fsai_entry(o, i, S[k])));
    }
    return !o->positive || d > rounded(p, fsai_rounding(p) * o->size[i]);
}

/* The row that S and x give in A, in columns before i that are not in S; zero elsewhere. */
static inline void fsai_residual(const struct fsai_oracle *o, uint32_t i, uint32_t held, double *sum)
{
    const uint32_t *S = o->S + (size_t)i * FSAI_STRIDE;
    const double *x = o->x + (size_t)i * FSAI_STRIDE;
    for (uint32_t q = 0; q <= held; q++) {
        uint32_t row = q ? S[q - 1] : i;
        for (uint32_t k = o->A.row[row]; k < o->A.row[row + 1] && o->A.col[k] < i; k++)
            sum[o->A.col[k]] =
                rounded(o->p, sum[o->A.col[k]] + rounded(o->p, (q ? x[q - 1] : 1) * o->A.val[k]));
    }
    for (uint32_t q = 0; q < held; q++)
        sum[S[q]] = 0;
}

static inline void fsai_step(struct fsai_oracle *o, uint32_t i)
{
    uint32_t *S = o->S + (size_t)i * FSAI_STRIDE, held = o->count[i] - 1, n = held;
    double *sum = room(i + (size_t)1, 8), x[FSAI_STRIDE];
    double least = o->positive ? 0 : rounded(o->p, FSAI_DROP * o->size[i]);
    fsai_residual(o, i, held, sum);
    for (uint32_t l = 0; l < FSAI_ADD; l++) {
        uint32_t best = i;
        double most = least;
        for (uint32_t j = 0; j < i; j++)
            if (rounded(o->p, fabs(sum[j]) * o->weight[j]) > most) {
                most = rounded(o->p, fabs(sum[j]) * o->weight[j]);
                best = j;
            }
        if (best < i) {
            S[n++] = best;
            sum[best] = 0;
        }
    }
    if (n > held && fsai_solve(o, i, S, n, x)) {
        memcpy(o->x + (size_t)i * FSAI_STRIDE, x, n * sizeof *x);
        o->count[i] = n + 1;
    } else {
        memset(S + held, 0, (n - held) * sizeof *S);
        o->ended[i] = 1;
    }
    free(sum);
}

static inline void fsai_measure(struct fsai_oracle *o)
{
    for (uint32_t i = 0; i < o->A.rows; i++) {
        for (uint32_t k = o->A.row[i]; k < o->A.row[i + 1]; k++)
            o->most[i] = fmax(o->most[i], fabs(o->A.val[k]));
        double d = fsai_entry(o, i, i), least = rounded(o->p, FSAI_WEAK_DIAGONAL * o->most[i]);
        o->size[i] = o->positive ? d : o->most[i];
        o->weight[i] =
            rounded(o->p, o->positive ? 1 / rounded(o->p, sqrt(fabs(d))) : o->most[i] / fmax(fabs(d), least));
    }
}

static inline double fsai_divisor(const struct fsai_oracle *o, uint32_t i)
{
    double d = 0;
    for (uint32_t c = o->f_row[i]; c < o->f_row[i + 1]; c++) {
        double sum = 0;
        for (uint32_t q = o->f_row[i]; q < o->f_row[i + 1]; q++)
            sum = rounded(o->p, sum + rounded(o->p, o->f_val[q] * fsai_entry(o, o->f_col[q], o->f_col[c])));
        d = rounded(o->p, d + rounded(o->p, sum * o->f_val[c]));
    }
    double least = rounded(o->p, FSAI_LEAST_PIVOT * o->size[i]);
    if (!o->positive && !(fabs(d) > least))
        d = d < 0 ? -least : least;
    return o->positive ? rounded(o->p, sqrt(fabs(d))) : d;
}

static inline void fsai_pattern(struct fsai_oracle *o)
{
    for (uint32_t i = 0; i < o->A.rows; i++) {
        uint32_t n = o->count[i] - 1, *to = o->f_col + o->f_row[i];
        memcpy(to, o->S + (size_t)i * FSAI_STRIDE, n * sizeof *to);
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = a + 1; b < n; b++)
                if (to[b] < to[a]) {
                    uint32_t t = to[a];
                    to[a] = to[b];
                    to[b] = t;
                }
        to[n] = i;
        o->f_row[i + 1] = o->f_row[i] + n + 1;
        double *x = o->f_val + o->f_row[i];
        if (n && !fsai_solve(o, i, to, n, x))
            memset(x, 0, n * sizeof *x);
        x[n] = 1;
    }
}

static inline struct fsai_oracle fsai_oracle(const struct job *j, bool positive)
{
    uint32_t n = j->n;
    size_t places = (size_t)n * FSAI_STRIDE;
    struct fsai_oracle o = {.p = j->p,
                            .positive = positive,
                            .A = random_spd(stored_precision(j->p), n, 3),
                            .most = room(n, 8),
                            .size = room(n, 8),
                            .weight = room(n, 8),
                            .count = room(n, 4),
                            .ended = room(n, 4),
                            .S = room(places, 4),
                            .x = room(places, 8),
                            .f_row = room(n + (size_t)1, 4),
                            .f_col = room(places + n, 4),
                            .f_val = room(places + n, 8),
                            .scaled = room(places + n, 8)};
    fsai_measure(&o);
    for (uint32_t i = 0; i < n; i++) {
        o.count[i] = 1;
        for (int step = 0; step < FSAI_STEPS && !o.ended[i]; step++)
            fsai_step(&o, i);
    }
    fsai_pattern(&o);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = o.f_row[i]; k < o.f_row[i + 1]; k++)
            o.scaled[k] = rounded(o.p, o.f_val[k] / fsai_divisor(&o, i));
    return o;
}

static inline void fsai_oracle_free(struct fsai_oracle *o)
{
    void *all[] = {o->most, o->size,  o->weight, o->count, o->ended, o->S,
                   o->x,    o->f_row, o->f_col,  o->f_val, o->scaled};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    host_csr_free(&o->A);
}

#endif
