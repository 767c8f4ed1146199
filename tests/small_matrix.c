#include "small_matrix.h"
#include "command/models/generate_matrix.h"
#include <criterion/criterion.h>
#include <stdlib.h>

static uint64_t state = 1;

uint32_t below(uint32_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % limit;
}

struct host_csr assemble(uint32_t n, size_t count, uint32_t *row, uint32_t *col, double *val)
{
    struct triplets t = {.rows = n, .cols = n, .count = count, .row = row, .col = col, .val = val};
    struct host_csr a;
    cr_assert_eq(host_csr_assemble(NULL, &t, &a), VKS_OK);
    return a;
}

struct host_csr model(const char *kind, uint32_t size)
{
    struct host_csr a;
    cr_assert_eq(generate_matrix(NULL, kind, size, &a), VKS_OK);
    return a;
}

struct host_csr shuffle(const struct host_csr *a)
{
    size_t entries = host_csr_entries(a);
    uint32_t *place = malloc(a->rows * sizeof *place), *row = malloc(entries * sizeof *row),
             *col = malloc(entries * sizeof *col);
    for (uint32_t i = 0; i < a->rows; i++) {
        uint32_t j = below(i + 1);
        place[i] = place[j];
        place[j] = i;
    }
    for (uint32_t r = 0; r < a->rows; r++)
        for (size_t k = a->row[r]; k < a->row[r + 1]; k++) {
            row[k] = place[r];
            col[k] = place[a->col[k]];
        }
    struct host_csr b = assemble(a->rows, entries, row, col, a->val);
    free(place);
    free(row);
    free(col);
    return b;
}

/* A tridiagonal matrix of nodes; each entry v becomes a block with v on its diagonal and c v elsewhere. */
static struct host_csr banded_nodes(uint32_t nodes, uint32_t size, double lower, double diagonal,
                                    double upper, double c)
{
    size_t most = 3 * (size_t)nodes * size * size, count = 0;
    uint32_t *row = malloc(most * sizeof *row), *col = malloc(most * sizeof *col), n = nodes * size;
    double *val = malloc(most * sizeof *val);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t node = i / size, last = node + 1 < nodes ? node + 1 : node;
        for (uint32_t j = node ? (node - 1) * size : 0; j < (last + 1) * size; j++) {
            double v = j / size < node ? lower : j / size > node ? upper : diagonal;
            row[count] = i;
            col[count] = j;
            val[count++] = j % size == i % size ? v : c * v;
        }
    }
    struct host_csr a = assemble(n, count, row, col, val);
    free(row);
    free(col);
    free(val);
    return a;
}

struct host_csr tridiagonal(uint32_t n, double lower, double diagonal, double upper)
{
    return banded_nodes(n, 1, lower, diagonal, upper, 0);
}

struct host_csr coupled_pairs(uint32_t nodes, double diagonal, double c)
{
    return banded_nodes(nodes, 2, 1, diagonal, 1, c);
}
