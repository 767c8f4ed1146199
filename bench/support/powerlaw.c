#include "powerlaw.h"
#include "report/message.h"
#include "sparse/host_csr.h"

#include <stdlib.h>

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

/* A bijection of numbers of so many bits, so that long rows do not stand together. */
static uint32_t permuted(uint64_t x, uint32_t bits)
{
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (uint64_t t = 0; t < 3; t++) {
        x = (x * 0x9E3779B97F4A7C15u + 1 + t) & mask;
        x ^= x >> (bits / 2 ? bits / 2 : 1);
    }
    return (uint32_t)(x & mask);
}

/* Edge k: at each level one of the four quarters of the matrix. */
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

vks_status powerlaw(struct message *m, uint32_t n, uint32_t mean, struct host_csr *a)
{
    uint32_t bits = 0;
    while (bits < 31 && (uint32_t)1 << bits < n)
        bits++;
    size_t count = ((size_t)1 << bits) * mean;
    struct triplets t = {(uint32_t)1 << bits,   (uint32_t)1 << bits,   count,
                         malloc(count * 4 + 4), malloc(count * 4 + 4), malloc(count * 8 + 8)};
    vks_status s = t.row && t.col && t.val ? VKS_OK : fail_memory(m, "a graph", 16 * count);
    for (size_t k = 0; !s && k < count; k++) {
        edge(k, bits, &t.row[k], &t.col[k]);
        t.val[k] = 2 * unit(mix((uint64_t)t.row[k] << 32 ^ t.col[k])) - 1;
    }
    if (!s)
        s = host_csr_assemble(m, &t, a);
    free(t.row);
    free(t.col);
    free(t.val);
    return s;
}
