/* An oracle for the setup of multigrid: strong entries, roots, aggregates and the smoother of the
 * prolongator, row by row and without code of the library. Strengths and their sums are floats. */
#ifndef VKS_TESTS_MULTIGRID_ORACLE_H
#define VKS_TESTS_MULTIGRID_ORACLE_H

#include "tests/support/matrix.h"
#include "tests/support/oracle.h"

enum { UNDECIDED, IS_ROOT, IS_OUT };
enum { MOST_JOINED = 256 }; /* neighbours that are compared when a row joins an aggregate */
#define ABSENT UINT32_MAX

/* The results for a level. */
struct strong {
    uint32_t n, rounds, aggregates;
    float *most;             /* the largest strength in each row */
    double *filtered;        /* the diagonal of the filtered matrix */
    struct host_csr S;       /* strong entries and the diagonal, I - w F^-1 A_F */
    float *strength;         /* of the entries of S */
    uint32_t *state, *owner; /* of rows */
    uint32_t *aggregate;     /* of rows, or ABSENT */
};

static inline void strong_free(struct strong *s)
{
    free(s->most);
    free(s->filtered);
    host_csr_free(&s->S);
    free(s->strength);
    free(s->state);
    free(s->owner);
    free(s->aggregate);
}

/* roots: of the inverse diagonal */
static inline float strength_between(enum precision p, double a, double root_i, double root_k, bool negative)
{
    if (negative && a > 0)
        return 0;
    return (float)rounded(p, fabs(a) * rounded(p, root_i * root_k));
}

static inline bool strong_enough(float s, float most_i, float most_k)
{
    return s >= 1e-6F && s >= 0.25F * fminf(most_i, most_k);
}

/* The threshold for zero up to rounding, relative to the size. */
static inline double zero_above(enum precision p)
{
    return p == PRECISION_F32 ? 0x1p-23 : 0x1p-42;
}

static inline double zero_below(enum precision p)
{
    return p == PRECISION_F32 ? 0x1p-17 : 0x1p-42;
}

static inline bool is_zero_beside(enum precision p, double a, double size)
{
    return a <= zero_above(p) * size && -a <= zero_below(p) * size;
}

/* The sum of entries of a row off the diagonal, by lanes and then by halving: all magnitudes, or only the
 * positive ones. */
static inline double sum_beside(enum precision p, const struct host_csr *A, uint32_t i, uint32_t lanes,
                                bool positive)
{
    double v[32] = {0};
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
        double *lane = &v[(k - A->row[i]) % lanes], a = A->val[k];
        if (A->col[k] != i && (a > 0 || !positive))
            *lane = rounded(p, *lane + fabs(a));
    }
    return sum_of_lanes(p, v, lanes);
}

/* Whether positive entries are ignored, by the sums of positive entries and of all. */
static inline bool few_positive(enum precision p, const double signs[2])
{
    return signs[0] <= rounded(p, rounded(p, 0.2) * signs[1]);
}

static inline bool only_negative_of(enum precision p, const struct host_csr *A, uint32_t lanes)
{
    double *v = room(A->rows, 8), signs[2];
    for (int all = 0; all < 2; all++) {
        for (uint32_t i = 0; i < A->rows; i++)
            v[i] = sum_beside(p, A, i, lanes, !all);
        signs[all] = canonical_sum(p, v, A->rows);
    }
    free(v);
    return few_positive(p, signs);
}

static inline float most_of(enum precision p, const struct host_csr *A, const double *root, uint32_t i,
                            bool negative)
{
    float most = 0;
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
        if (A->col[k] != i)
            most = fmaxf(most, strength_between(p, A->val[k], root[i], root[A->col[k]], negative));
    return most;
}

static inline bool strong_entry(enum precision p, const struct host_csr *A, const double *root,
                                const float *most, uint32_t i, uint32_t k, bool negative)
{
    uint32_t j = A->col[k];
    return j != i &&
           strong_enough(strength_between(p, A->val[k], root[i], root[j], negative), most[i], most[j]);
}

/* Counts strong entries of a row; its filtered diagonal includes all others, unless that leaves too
 * little. */
static inline uint32_t count_strong(enum precision p, const struct host_csr *A, const double *root,
                                    const float *most, uint32_t i, uint32_t lanes, bool negative,
                                    double *filtered)
{
    double v[32] = {0}, d = 0;
    uint32_t count = 0;
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
        double *lane = &v[(k - A->row[i]) % lanes];
        if (A->col[k] == i)
            d = A->val[k];
        else if (strong_entry(p, A, root, most, i, k, negative))
            count++;
        else
            *lane = rounded(p, *lane + A->val[k]);
    }
    for (uint32_t half = lanes / 2; half >= 1; half /= 2)
        for (uint32_t l = 0; l < half; l++)
            v[l] = rounded(p, v[l] + v[l + half]);
    double lumped = rounded(p, d + v[0]);
    *filtered = lumped < rounded(p, rounded(p, 0.3) * d) ? d : lumped;
    return count;
}

/* Fills row i of S, from entry `at` on; returns where the next row begins. */
static inline uint32_t fill_strong(enum precision p, const struct host_csr *A, const double *root,
                                   const struct strong *s, uint32_t i, uint32_t at, double w, bool negative)
{
    double factor = rounded(p, w / s->filtered[i]);
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
        uint32_t j = A->col[k];
        if (j != i && !strong_entry(p, A, root, s->most, i, k, negative))
            continue;
        s->S.col[at] = j;
        s->strength[at] = j == i ? 1 : strength_between(p, A->val[k], root[i], root[j], negative);
        s->S.val[at++] = j == i ? rounded(p, 1 - w) : -rounded(p, factor * A->val[k]);
    }
    return at;
}

/* most, filtered, S and strength, with sums by so many lanes. */
static inline struct strong strong_entries(enum precision p, const struct host_csr *A, const double *root,
                                           uint32_t lanes, bool negative, double w)
{
    uint32_t n = A->rows, at = 0;
    struct strong s = {.n = n,
                       .most = room(n, sizeof *s.most),
                       .filtered = room(n, 8),
                       .S = new_csr(n, n, host_csr_entries(A) + n),
                       .strength = room(host_csr_entries(A) + n, sizeof *s.strength)};
    for (uint32_t i = 0; i < n; i++)
        s.most[i] = most_of(p, A, root, i, negative);
    for (uint32_t i = 0; i < n; i++) {
        count_strong(p, A, root, s.most, i, lanes, negative, &s.filtered[i]);
        at = fill_strong(p, A, root, &s, i, at, w, negative);
        s.S.row[i + 1] = at;
    }
    return s;
}

/* MurmurHash3's finalizer. */
static inline uint32_t key_in_round(uint32_t i, uint32_t round)
{
    uint32_t h = i * 2654435761u + round * 0x9E3779B9u;
    h ^= h >> 16;
    h *= 0x85EBCA6Bu;
    h ^= h >> 13;
    h *= 0xC2B2AE35u;
    h ^= h >> 16;
    return h < 1 ? 1 : h > 0xFFFFFFFEu ? 0xFFFFFFFEu : h;
}

static inline uint32_t state_key(uint32_t state, uint32_t i, uint32_t round)
{
    return state == IS_ROOT ? UINT32_MAX : state == IS_OUT ? 0 : key_in_round(i, round);
}

/* The largest value of row i and its neighbours. */
static inline uint32_t largest_near(const struct host_csr *S, const uint32_t *v, uint32_t i)
{
    uint32_t most = v[i];
    for (uint32_t k = S->row[i]; k < S->row[i + 1]; k++)
        most = v[S->col[k]] > most ? v[S->col[k]] : most;
    return most;
}

/* The new state of an undecided row whose largest key within two steps is known. */
static inline uint32_t decided(const struct host_csr *S, uint32_t i, uint32_t key, uint32_t largest)
{
    if (S->row[i + 1] - S->row[i] == 1 || largest == UINT32_MAX)
        return IS_OUT;
    return largest == key ? IS_ROOT : UNDECIDED;
}

static inline void choose_roots(struct strong *s)
{
    uint32_t n = s->n, left = n;
    OWNED(uint32_t) *key = room(n, 4), *near = room(n, 4);
    s->state = room(n, 4);
    for (s->rounds = 0; left; s->rounds++) {
        for (uint32_t i = 0; i < n; i++)
            key[i] = state_key(s->state[i], i, s->rounds);
        for (uint32_t i = 0; i < n; i++)
            near[i] = largest_near(&s->S, key, i);
        left = 0;
        for (uint32_t i = 0; i < n; i++) {
            if (s->state[i] == UNDECIDED)
                s->state[i] = decided(&s->S, i, key[i], largest_near(&s->S, near, i));
            left += s->state[i] == UNDECIDED;
        }
    }
}

/* The row itself if it is a root, else the first root among its neighbours. */
static inline uint32_t root_beside(const struct host_csr *S, const uint32_t *state, uint32_t i)
{
    uint32_t first = state[i] == IS_ROOT ? i : ABSENT;
    for (uint32_t k = S->row[i]; k < S->row[i + 1] && state[i] != IS_ROOT; k++)
        if (state[S->col[k]] == IS_ROOT && S->col[k] < first)
            first = S->col[k];
    return first;
}

/* The neighbours' owner with the largest 64-bit key. */
static inline uint32_t strongest_owner(const struct host_csr *S, const float *strength, const uint32_t *owner,
                                       const uint32_t *size, uint32_t i)
{
    uint32_t begin = S->row[i], last = S->row[i + 1], best = ABSENT;
    uint32_t end = last - begin > MOST_JOINED ? begin + MOST_JOINED : last;
    uint64_t best_key = 0;
    for (uint32_t k = begin; k < end; k++) {
        uint32_t o = owner[S->col[k]], bits;
        float sum = 0;
        if (o == ABSENT)
            continue;
        for (uint32_t q = begin; q < end; q++)
            sum += owner[S->col[q]] == o ? strength[q] : 0;
        memcpy(&bits, &sum, 4);
        uint32_t small = 65535 - (size[o] < 65535 ? size[o] : 65535);
        uint64_t key = (uint64_t)((bits + 0x8000u) >> 16) << 48 | (uint64_t)small << 32 | (uint32_t)~o;
        best = key > best_key ? o : best;
        best_key = key > best_key ? key : best_key;
    }
    for (uint32_t k = end; k < last && !best_key; k++)
        best = owner[S->col[k]] < best ? owner[S->col[k]] : best;
    return best;
}

/* owner, and aggregates in the order of their roots. */
static inline void join_aggregates(struct strong *s)
{
    uint32_t n = s->n, *first = room(n, 4), *size = room(n, 4), *number = room(n, 4);
    s->owner = room(n, 4);
    s->aggregate = room(n, 4);
    for (uint32_t i = 0; i < n; i++) {
        first[i] = root_beside(&s->S, s->state, i);
        if (first[i] != ABSENT)
            size[first[i]]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        bool free_row = first[i] == ABSENT;
        s->owner[i] = free_row ? strongest_owner(&s->S, s->strength, first, size, i) : first[i];
        if (s->owner[i] == i)
            number[i] = s->aggregates++;
    }
    for (uint32_t i = 0; i < n; i++)
        s->aggregate[i] = s->owner[i] == ABSENT ? ABSENT : number[s->owner[i]];
    free(first);
    free(size);
    free(number);
}

#endif
