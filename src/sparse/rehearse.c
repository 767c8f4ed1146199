#include "sparse/rehearse.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_ROWS = 6144, /* whole nodes of 2, 3, 4 and 6 unknowns */
    NODE = 12,
    SAMPLE_ENTRIES = 200000,
    FEWEST_ROWS = 512
};

/* The source of the pattern: a matrix on a device, or the caller's arrays. */
struct pattern {
    const vks_matrix *A;
    const uint32_t *row, *col;
};

static uint32_t *words_of_pattern(const struct pattern *p, const uint32_t *host, const struct memory *m,
                                  uint64_t first, uint64_t count)
{
    uint32_t *to = malloc((count + 1) * sizeof *to);
    if (to && host) {
        memcpy(to, host + first, count * sizeof *to);
    } else if (to && device_read(p->A->context->device, m, 4 * first, to, 4 * count)) {
        free(to);
        to = NULL;
    }
    return to;
}

static bool take(const struct pattern *p, uint64_t entries, struct sample *s)
{
    uint32_t rows = s->whole;
    uint64_t usual = entries ? (uint64_t)SAMPLE_ENTRIES * rows / entries / NODE * NODE : 0;
    s->n = rows < SAMPLE_ROWS ? rows : SAMPLE_ROWS;
    s->n = usual < s->n ? (uint32_t)usual : s->n;
    s->first = (rows - s->n) / 2 / NODE * NODE;
    if (s->n < FEWEST_ROWS)
        return false;
    s->row = words_of_pattern(p, p->row, p->A ? &p->A->row : NULL, s->first, (uint64_t)s->n + 1);
    while (s->row && s->n >= FEWEST_ROWS && s->row[s->n] - s->row[0] > 2 * SAMPLE_ENTRIES)
        s->n = s->n / 2 / NODE * NODE; /* these rows are longer than average */
    uint32_t count = s->row ? s->row[s->n] - s->row[0] : 0;
    if (s->row && s->n >= FEWEST_ROWS)
        s->col = words_of_pattern(p, p->col, p->A ? &p->A->col : NULL, s->row[0], count);
    if (!s->col)
        sample_free(s);
    return s->col != NULL;
}

bool sample_take(const vks_matrix *A, struct sample *out)
{
    if (!A->csr.row || !A->csr.col)
        return false;
    struct message before = A->context->message;
    *out = (struct sample){.whole = A->csr.n, .precision = A->precision, .storage = A->storage};
    bool is_there = take(&(struct pattern){.A = A}, A->csr.entries, out);
    if (!is_there) /* the sample is optional: its failure is not reported */
        A->context->message = before;
    return is_there;
}

bool sample_take_host(const struct host_csr *a, const vks_matrix_options *o, struct sample *out)
{
    *out = (struct sample){.whole = a->rows, .precision = o->precision, .storage = o->storage};
    return take(&(struct pattern){.row = a->row, .col = a->col}, host_csr_entries(a), out);
}

void sample_free(struct sample *s)
{
    free(s->row);
    free(s->col);
    *s = (struct sample){0};
}

/* Adds the two entries that join i and j, and their share of the diagonal entries. */
static void join(struct triplets *t, uint32_t i, uint32_t j)
{
    const uint32_t row[] = {i, j, i, j}, col[] = {j, i, i, j};
    for (int k = 0; k < 4; k++) {
        t->row[t->count] = row[k];
        t->col[t->count] = col[k];
        t->val[t->count++] = k < 2 ? -1 : 1.001;
    }
}

static void join_all(const struct sample *s, struct triplets *t)
{
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t k = s->row[i] - s->row[0]; k < s->row[i + 1] - s->row[0]; k++) {
            uint32_t j = (s->col[k] + s->n - s->first % s->n) % s->n;
            join(t, i, j == i ? (i + 1) % s->n : j);
        }
}

vks_status sample_matrix(const struct sample *s, vks_context *stand_in, vks_matrix **out)
{
    size_t most = 4 * ((size_t)s->row[s->n] - s->row[0]);
    struct triplets t = {.rows = s->n,
                         .cols = s->n,
                         .row = malloc((most + 1) * sizeof *t.row),
                         .col = malloc((most + 1) * sizeof *t.col),
                         .val = malloc((most + 1) * sizeof *t.val)};
    vks_matrix_options o = {.precision = s->precision, .storage = s->storage};
    vks_status status = VKS_OUT_OF_MEMORY;
    *out = NULL;
    if (t.row && t.col && t.val) {
        join_all(s, &t);
        status = matrix_from_triplets(stand_in, &t, &o, out);
    }
    triplets_free(&t);
    return status;
}

static void play(void *of, struct device *stand_in, const atomic_bool *ended, struct message *m)
{
    struct sample *s = of;
    vks_context *c = NULL;
    vks_matrix *A = NULL;
    (void)ended; /* a format needs few submissions */
    if (stand_in && !context_of(m, stand_in, &c))
        (void)sample_matrix(s, c, &A); /* kernels recorded before a failure still count */
    vks_matrix_destroy(A);
    vks_context_destroy(c);
    sample_free(s);
    free(s);
}

uint64_t rehearsal_of_format(const vks_matrix_options *o)
{
    return 1 + 4 * (uint64_t)o->storage.format + (uint64_t)o->precision;
}

void rehearse_format(vks_context *c, const struct host_csr *a, const vks_matrix_options *o)
{
    uint64_t key = rehearsal_of_format(o);
    struct sample *s = rehearsal_is_due(c->device, key) ? malloc(sizeof *s) : NULL;
    if (s && sample_take_host(a, o, s))
        rehearsal_start(c->device, key, &(struct script){play, s});
    else
        free(s);
}
