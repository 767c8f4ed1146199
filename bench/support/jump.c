#include "support/jump.h"
#include "command/models/generate_matrix.h"

#include <stdlib.h>
#include <string.h>

struct cells {
    uint32_t size;
    double contrast;
};

/* SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators" (2014). */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static double cell(const struct cells *g, const uint32_t at[3])
{
    uint64_t brick = ((at[0] / 8 * (uint64_t)4096) + at[1] / 8) * 4096 + at[2] / 8;
    return mix(brick ^ (uint64_t)1 << 40) & 1 ? g->contrast : 1;
}

/* Row i, whose entries are in ascending order: three neighbours, the diagonal, three neighbours. */
static void weigh(const struct cells *g, struct host_csr *a, uint32_t i)
{
    static const uint32_t axes[] = {0, 1, 2, 2, 1, 0};
    uint32_t n = g->size, at[3] = {i / n / n, i / n % n, i % n}, k = a->row[i], own_place = 0;
    double own = cell(g, at), diagonal = 0;
    for (int way = 0; way < 6; way++) {
        uint32_t axis = axes[way], to[3] = {at[0], at[1], at[2]};
        if (way == 3)
            own_place = k++;
        to[axis] += way < 3 ? UINT32_MAX : 1;
        double other = to[axis] < n ? cell(g, to) : own, w = 2 * own * other / (own + other);
        diagonal += w;
        if (to[axis] < n)
            a->val[k++] = -w;
    }
    a->val[own_place] = diagonal;
}

void jump_values(uint32_t size, double contrast, struct host_csr *a)
{
    const struct cells g = {size, contrast};
    for (uint32_t i = 0; i < a->rows; i++)
        weigh(&g, a, i);
}

vks_status problem_load_or_jump(struct message *m, const char *what, struct host_csr *a)
{
    static const char name[] = "jump3d:";
    if (strncmp(what, name, sizeof name - 1))
        return problem_load(m, what, a);
    char *end;
    struct cells g = {(uint32_t)strtoul(what + sizeof name - 1, &end, 10), 1000};
    if (*end == ':')
        g.contrast = strtod(end + 1, &end);
    *a = (struct host_csr){0};
    if (*end || !(g.contrast > 0))
        return fail(m, VKS_INVALID_ARGUMENT, "%s: expected jump3d:SIZE[:CONTRAST]", what);
    vks_status s = generate_matrix(m, "poisson3d", g.size, a);
    if (!s)
        jump_values(g.size, g.contrast, a);
    return s;
}
