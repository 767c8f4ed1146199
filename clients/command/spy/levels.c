#include "command/spy/levels.h"
#include "solvers/hierarchy_text.h"
#include "solvers/levels.h"
#include "vksolve/vksolve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Characters of the largest picture. A character is twice as high as wide. */
enum { MOST_HIGH = 20, MOST_WIDE = 40 };

static const char shades[] = ".:*#";

char spy_shade(uint32_t count, uint32_t most)
{
    enum { LAST = sizeof shades - 2 };
    if (!count)
        return ' ';
    return shades[most > 1 ? (int)(LAST * log(count) / log(most) + 0.5) : LAST];
}

static void print_pattern(uint32_t n, const uint32_t *row, const uint32_t *col)
{
    uint32_t count[MOST_HIGH][MOST_WIDE] = {{0}}, most = 0;
    uint32_t high = n < MOST_HIGH ? n : MOST_HIGH, wide = n < MOST_WIDE ? n : MOST_WIDE;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = row[i]; k < row[i + 1]; k++) {
            uint32_t *cell = &count[(uint64_t)i * high / n][(uint64_t)col[k] * wide / n];
            most = ++*cell > most ? *cell : most;
        }
    char edge[MOST_WIDE + 1] = "", line[MOST_WIDE + 1] = "";
    memset(edge, '-', wide);
    printf("+%s+\n", edge);
    for (uint32_t i = 0; i < high; i++) {
        for (uint32_t j = 0; j < wide; j++)
            line[j] = spy_shade(count[i][j], most);
        printf("|%s|\n", line);
    }
    printf("+%s+\n", edge);
}

static vks_status print_level(struct message *m, const vks_matrix *A)
{
    uint32_t n = vks_matrix_rows(A);
    hierarchy_print_level(&(vks_level){.rows = n, .entries = vks_matrix_entries(A)}, stdout);
    putchar('\n');
    size_t rows = 4 * ((size_t)n + 1), entries = 4 * (size_t)vks_matrix_entries(A);
    uint32_t *row = malloc(rows), *col = malloc(entries ? entries : 1);
    vks_status s = row && col ? vks_matrix_to_csr(A, row, col, VKS_F32, NULL)
                              : fail_memory(m, "the pattern of a level", rows + entries);
    if (!s)
        print_pattern(n, row, col);
    free(row);
    free(col);
    return s;
}

static vks_status print_levels(struct message *m, const vks_precond *M, const vks_precond_facts *x)
{
    const vks_hierarchy *h = &x->hierarchy;
    vks_status s = VKS_OK;
    for (uint32_t i = 0; !s && i < h->levels; i++) {
        printf("level %u  ", i + 1);
        s = print_level(m, precond_level(M, i));
    }
    if (!s && h->levels)
        hierarchy_print_complexity(h, stdout);
    return s;
}

vks_status spy_levels(struct message *m, const char *device, const char *name, const struct triplets *t,
                      struct amg_nodes nodes)
{
    struct host_csr a = {0};
    vks_precond_facts x = {0};
    vks_status s = host_csr_assemble(m, t, &a);
    IF_OK(s, amg_make(m, device, &a, nodes, false, print_levels, &x));
    host_csr_free(&a);
    if (!s && x.reason)
        return fail(m, VKS_UNSUPPORTED, "%s has no levels: %s: %s", name, vks_reason_name(x.reason),
                    x.detail);
    return s;
}
