#include "command/models/powerlaw.h"
#include "team/team.h"

#include <stdlib.h>
#include <string.h>

/* The finalizer of splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t mix(uint64_t z)
{
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double unit(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/* A bijection on numbers of `bits` bits, so that long rows are not adjacent. */
static uint32_t permuted(uint64_t x, uint32_t bits)
{
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (uint64_t t = 0; t < 3; t++) {
        x = (x * 0x9E3779B97F4A7C15u + 1 + t) & mask;
        x ^= x >> (bits / 2 ? bits / 2 : 1);
    }
    return (uint32_t)(x & mask);
}

/* Computes edge k, which lies in one of the four quarters at each level. */
static void edge(uint64_t k, uint32_t bits, uint32_t *row, uint32_t *col)
{
    uint64_t state = mix(0x51ED270Bu + k), r = 0, c = 0;
    for (uint32_t level = 0; level < bits; level++) {
        state = mix(state);
        double u = unit(state);
        r = 2 * r + (u >= 0.76);
        c = 2 * c + ((u >= 0.57 && u < 0.76) || u >= 0.95);
    }
    *row = permuted(r, bits);
    *col = permuted(c, bits);
}

/* Arguments of the loops of a team. */
struct filling {
    struct triplets *t;
    struct host_csr *a;
    uint32_t edges, bits;
    enum powerlaw_kind kind;
};

static void fill_edges(const void *filling, struct member *me)
{
    const struct filling *f = filling;
    TEAM_FOR(me, k, f->edges, 4096, 1024)
    edge(k, f->bits, &f->t->row[k], &f->t->col[k]);
}

/* Makes the edges, for POWERLAW_SPD in both directions and with the diagonal. Their values are set later,
 * since equal edges are merged. */
static void fill(struct team *team, enum powerlaw_kind kind, uint32_t bits, size_t edges, struct triplets *t)
{
    team_run(team, fill_edges, &(struct filling){.t = t, .edges = (uint32_t)edges, .bits = bits});
    for (size_t k = 0; kind == POWERLAW_SPD && k < edges; k++) {
        t->row[edges + k] = t->col[k];
        t->col[edges + k] = t->row[k];
    }
    for (uint32_t i = 0; kind == POWERLAW_SPD && i < t->rows; i++)
        t->row[2 * edges + i] = t->col[2 * edges + i] = i;
    memset(t->val, 0, t->count * sizeof *t->val);
}

static void set_values(const void *filling, struct member *me)
{
    enum powerlaw_kind kind = ((const struct filling *)filling)->kind;
    struct host_csr *a = ((const struct filling *)filling)->a;
    TEAM_FOR(me, i, a->rows, 4096, 256)
    {
        double neighbours = a->row[i + 1] - a->row[i] - 1.0;
        for (size_t k = a->row[i]; k < a->row[i + 1]; k++) {
            uint64_t place = (uint64_t)i << 32 ^ a->col[k];
            if (kind == POWERLAW_DIRECTED)
                a->val[k] = 2 * unit(mix(place ^ 1 << 20)) - 1;
            else
                a->val[k] = a->col[k] == i ? neighbours + 0.1 : -1;
        }
    }
}

vks_status powerlaw(struct message *m, enum powerlaw_kind kind, uint32_t n, uint32_t mean, struct host_csr *a)
{
    uint32_t bits = 0;
    *a = (struct host_csr){0};
    while (bits < 31 && (uint32_t)1 << bits < n)
        bits++;
    uint32_t rows = (uint32_t)1 << bits;
    size_t edges = (size_t)rows * mean, count = kind == POWERLAW_SPD ? 2 * edges + rows : edges;
    if (rows < n)
        return fail(m, VKS_LIMIT, "a power law of %u rows: the limit is %u", n, rows);
    if (count > VKS_MAX_ENTRIES)
        return fail(m, VKS_LIMIT, "a power law of %u rows has %zu entries, the limit is %u", rows, count,
                    VKS_MAX_ENTRIES);
    struct triplets t = {
        rows, rows, count, malloc(count * 4 + 4), malloc(count * 4 + 4), malloc(count * 8 + 8), NULL};
    vks_status s = t.row && t.col && t.val ? VKS_OK : fail_memory(m, "the edges of a graph", 16 * count);
    struct team *team = team_for(team_of(m), 8 * (uint64_t)count);
    if (!s) {
        fill(team, kind, bits, edges, &t);
        s = host_csr_assemble(m, &t, a);
    }
    if (!s)
        team_run(team, set_values, &(struct filling){.a = a, .kind = kind});
    team_done(team_of(m), team);
    triplets_free(&t);
    return s;
}
