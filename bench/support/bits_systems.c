#include "support/bits_systems.h"
#include "vksolve/matrix.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE(n_) .n = (n_), .width = (n_), .height = 1
#define GRID2(w, h) .n = (w) * (h), .width = (w), .height = (h)
#define GRID3(w, h, d) .n = (w) * (h) * (d), .width = (w), .height = (h)
#define NODES(w, h, d, k) .n = (w) * (h) * (d) * (k), .width = (w), .height = (h), .block = (k)
#define SET(i, j, v) .fault = BITS_SET, .row = (i), .col = (j), .fault_value = (v)
#define MISSING(i, j) .fault = BITS_MISSING, .row = (i), .col = (j)

const struct bits_system bits_systems[] = {
    {"none", entry_empty, LINE(0)},
    {"one", entry_diagonal, LINE(1), .p = 2},
    {"one-zero", entry_diagonal, LINE(1)},
    {"one-negative", entry_diagonal, LINE(1), .p = -3},
    {"one-empty", entry_empty, LINE(1)},
    {"two", entry_star, LINE(2)},
    {"identity-300", entry_diagonal, LINE(300), .p = 1},
    {"diagonal-257", entry_diagonal, LINE(257), .p = 1, .q = 3},
    {"diagonal-signs-256", entry_diagonal, LINE(256), .p = -127.5, .q = 1},
    {"empty-100", entry_empty, LINE(100)},
    {"ones-64", entry_constant, LINE(64), .p = 1},

    {"line-3", entry_star, LINE(3)},
    {"line-17", entry_star, LINE(17)},
    {"line-255", entry_star, LINE(255)},
    {"line-256", entry_star, LINE(256)},
    {"line-257", entry_star, LINE(257)},
    {"line-2047", entry_star, LINE(2047), .p = 0.01},
    {"line-2049", entry_star, LINE(2049), .p = 0.1},
    {"line-16385", entry_star, LINE(16385), .p = 0.5},
    {"poisson2d-15", entry_star, GRID2(15, 15)},
    {"poisson2d-16", entry_star, GRID2(16, 16)},
    {"poisson2d-31x33", entry_star, GRID2(31, 33)},
    {"poisson2d-45", entry_star, GRID2(45, 45)},
    {"poisson2d-5x101", entry_star, GRID2(5, 101)},
    {"poisson3d-7", entry_star, GRID3(7, 7, 7)},
    {"poisson3d-3x5x7", entry_star, GRID3(3, 5, 7)},
    {"poisson3d-9x11x13", entry_star, GRID3(9, 11, 13)},
    {"poisson3d-13", entry_star, GRID3(13, 13, 13)},
    {"poisson3d-21", entry_star, GRID3(21, 21, 21)},

    {"box2d-15", entry_box, GRID2(15, 15)},
    {"box2d-33x31", entry_box, GRID2(33, 31)},
    {"box3d-7", entry_box, GRID3(7, 7, 7)},
    {"box3d-11", entry_box, GRID3(11, 11, 11)},
    {"box3d-5x9x13", entry_box, GRID3(5, 9, 13)},
    {"stretched2d-21", entry_stretched, GRID2(21, 21), .p = 100},
    {"stretched2d-19x27", entry_stretched, GRID2(19, 27), .p = 0.001},
    {"stretched3d-9", entry_stretched, GRID3(9, 9, 9), .p = 10, .q = 1e-4},

    {"nodes2-15x15", entry_nodes, NODES(15, 15, 1, 2)},
    {"nodes2-31x31", entry_nodes, NODES(31, 31, 1, 2)},
    {"nodes2-7x7x7", entry_nodes, NODES(7, 7, 7, 2), .p = 0.1},
    {"nodes3-11x11", entry_nodes, NODES(11, 11, 1, 3)},
    {"nodes3-5x5x5", entry_nodes, NODES(5, 5, 5, 3)},
    {"nodes3-8x8x8", entry_nodes, NODES(8, 8, 8, 3)},
    {"nodes3-line-255", entry_nodes, NODES(255, 1, 1, 3), .p = 0.5},
    {"nodes3-cut-364", entry_nodes, .n = 364, .width = 11, .height = 11, .block = 3},
    {"nodes7-9x9", entry_nodes, NODES(9, 9, 1, 7)},
    {"nodes33-line-4", entry_nodes, NODES(4, 1, 1, 33)},
    {"nodes40-3x3", entry_nodes, NODES(3, 3, 1, 40)},
    {"nodes3-indefinite", entry_nodes, NODES(9, 7, 1, 3), .q = 3},

    {"neumann1d-33", entry_free_star, LINE(33)},
    {"neumann1d-257", entry_free_star, LINE(257)},
    {"neumann2d-15", entry_free_star, GRID2(15, 15)},
    {"neumann2d-31x33", entry_free_star, GRID2(31, 33)},
    {"neumann3d-7", entry_free_star, GRID3(7, 7, 7)},
    {"neumann3d-11", entry_free_star, GRID3(11, 11, 11)},
    {"neumann-two-chains", entry_free_star, GRID2(129, 2), .q = 1},
    {"neumann-two-long-chains", entry_free_star, GRID2(701, 2), .q = 1},
    {"neumann-nearly-1e-3", entry_free_star, GRID2(17, 17), .p = 1e-3},
    {"neumann-nearly-1e-8", entry_free_star, GRID2(17, 17), .p = 1e-8},
    {"neumann-nearly-1e-13", entry_free_star, GRID2(17, 17), .p = 1e-13},
    {"neumann-pinned", entry_free_star, GRID2(13, 19), SET(0, 0, 3)},
    {"neumann-unsymmetric", entry_free_star, GRID2(13, 19), SET(100, 101, -0.5)},

    {"held-2^-13", entry_held_star, LINE(24), .p = 0x1p-13},
    {"held-2^-23", entry_held_star, LINE(24), .p = 0x1p-23},
    {"held-2^-20", entry_held_star, GRID2(13, 15), .p = 0x1p-20},
    {"drift-0.01", entry_drift, LINE(101), .p = 0.01},
    {"drift-1e-7", entry_drift, LINE(101), .p = 1e-7},

    {"wind2d-0.5", entry_star, GRID2(21, 23), .q = 0.5},
    {"wind3d-0.9", entry_star, GRID3(9, 9, 9), .q = 0.9},
    {"wind2d-5", entry_star, GRID2(17, 17), .q = 5},
    {"wind1d-0.01", entry_star, LINE(513), .q = 0.01, .p = 0.01},
    {"shifted1d", entry_star, LINE(257), .p = -0.5},
    {"shifted2d", entry_star, GRID2(31, 33), .p = -3},
    {"shifted-zero-diagonal", entry_star, GRID2(15, 17), .p = -4},
    {"shifted-negative-definite", entry_star, GRID2(15, 17), .p = -9},

    {"dominant-2", entry_dominant, LINE(2), .p = 1, .q = 1},
    {"dominant-3", entry_dominant, LINE(3), .p = 1, .q = 1},
    {"dominant-31", entry_dominant, LINE(31), .p = 0.3, .q = 1},
    {"dominant-100", entry_dominant, LINE(100), .p = 0.1, .q = 0.01},
    {"dominant-255", entry_dominant, LINE(255), .p = 0.05, .q = 1},
    {"dominant-256", entry_dominant, LINE(256), .p = 0.02, .q = 1e-6},
    {"dominant-257", entry_dominant, LINE(257), .p = 0.5, .q = 1},
    {"dominant-640", entry_dominant, LINE(640), .p = 0.01, .q = 0.1},
    {"dominant-1000", entry_dominant, LINE(1000), .p = 0.004, .q = 1e-3},
    {"dominant-2047", entry_dominant, LINE(2047), .p = 0.002, .q = 0.1},
    {"dominant-2049", entry_dominant, LINE(2049), .p = 0.006, .q = 1e-6},
    {"full-300", entry_dominant, LINE(300), .p = 1, .q = 50},
    {"full-1100", entry_dominant, LINE(1100), .p = 1, .q = 300},
    {"indefinite-100", entry_constant_diagonal, LINE(100), .p = 0.1, .q = 1},
    {"indefinite-300", entry_constant_diagonal, LINE(300), .p = 0.02, .q = 0.5},
    {"indefinite-640", entry_constant_diagonal, LINE(640), .p = 0.01, .q = -1},
    {"nearly-definite-1000", entry_constant_diagonal, LINE(1000), .p = 0.004, .q = 2.4},
    {"unsymmetric-50", entry_dominant_unsymmetric, LINE(50), .p = 0.2, .q = 1},
    {"unsymmetric-255", entry_dominant_unsymmetric, LINE(255), .p = 0.05, .q = 0.1},
    {"unsymmetric-257", entry_dominant_unsymmetric, LINE(257), .p = 0.3, .q = 1},
    {"unsymmetric-639", entry_dominant_unsymmetric, LINE(639), .p = 0.02, .q = 1e-3},
    {"unsymmetric-2049", entry_dominant_unsymmetric, LINE(2049), .p = 0.004, .q = 1},
    {"hard-100", entry_constant_diagonal_unsymmetric, LINE(100), .p = 0.3, .q = 1},
    {"hard-256", entry_constant_diagonal_unsymmetric, LINE(256), .p = 1, .q = 0},
    {"hard-500", entry_constant_diagonal_unsymmetric, LINE(500), .p = 0.05, .q = -2},

    {"badly-scaled-10", entry_badly_scaled, GRID2(15, 17), .p = 10},
    {"badly-scaled-20", entry_badly_scaled, GRID2(15, 17), .p = 20},
    {"badly-scaled-40", entry_badly_scaled, GRID2(15, 17), .p = 40, .q = 0.1},
    {"badly-scaled-100", entry_badly_scaled, GRID3(7, 7, 7), .p = 100, .q = 1},
    {"values-1e150", entry_star, GRID2(15, 17), .scale = 1e150},
    {"values-1e-150", entry_star, GRID2(15, 17), .scale = 1e-150},
    {"values-1e300", entry_star, GRID2(15, 17), .scale = 1e300},
    {"values-1e-300", entry_star, GRID2(15, 17), .scale = 1e-300},
    {"values-1e-310", entry_star, GRID2(15, 17), .scale = 1e-310},
    {"values-1e30", entry_star, GRID2(15, 17), .scale = 1e30},
    {"values-1e-30", entry_star, GRID2(15, 17), .scale = 1e-30},
    {"values-1e38", entry_dominant, LINE(129), .p = 0.1, .q = 1, .scale = 1e37},
    {"values-1e-40", entry_star, GRID2(15, 17), .scale = 1e-40},

    {"first-diagonal-zero", entry_star, LINE(300), SET(0, 0, 0)},
    {"middle-diagonal-zero", entry_star, GRID2(17, 19), SET(160, 160, 0)},
    {"last-diagonal-missing", entry_star, LINE(300), MISSING(299, 299)},
    {"middle-diagonal-missing", entry_nodes, NODES(9, 9, 1, 3), MISSING(121, 121)},
    {"diagonal-minus-zero", entry_star, LINE(65), SET(64, 64, -0.0)},
    {"diagonal-negative", entry_star, GRID2(17, 19), SET(7, 7, -4)},
    {"diagonal-nan", entry_star, GRID2(17, 19), SET(200, 200, NAN)},
    {"diagonal-infinite", entry_star, GRID2(17, 19), SET(200, 200, INFINITY)},
    {"diagonal-minus-infinite", entry_nodes, NODES(9, 9, 1, 3), SET(100, 100, -INFINITY)},
    {"diagonal-denormal", entry_star, GRID2(17, 19), SET(3, 3, DBL_MIN / 1024)},
    {"diagonal-tiny", entry_star, GRID2(17, 19), SET(3, 3, 1e-30)},
    {"entry-nan", entry_star, GRID2(17, 19), SET(200, 201, NAN)},
    {"entry-infinite", entry_nodes, NODES(9, 9, 1, 2), SET(80, 81, INFINITY)},
    {"entry-large", entry_star, GRID2(17, 19), SET(200, 201, 1e40)},
    {"one-block-singular", entry_nodes, NODES(9, 9, 1, 2), SET(80, 80, 0)},

    {"hilbert-8", entry_hilbert, LINE(8)},
    {"hilbert-14", entry_hilbert, LINE(14)},
    {"hilbert-200", entry_hilbert, LINE(200), .p = 1e-9},
    {"permutation-129", entry_permutation, LINE(129), .p = 2},
    {"skew-100", entry_skew, LINE(100)},
    {"skew-101", entry_skew, LINE(101)},
    {"triangle-200", entry_lower_triangle, LINE(200), .p = 1},
    {"triangle-520", entry_lower_triangle, LINE(520), .p = 20},
    {"arrow-first-3001", entry_arrow, LINE(3001), .p = 0},
    {"arrow-last-5000", entry_arrow, LINE(5000), .p = 4999},
    {"arrow-row-2500", entry_arrow, LINE(2500), .p = 1234, .q = 1},
    {"power-law-500", entry_power_law, LINE(500), .p = 0.1, .q = 0.02},
    {"power-law-2000", entry_power_law, LINE(2000), .p = 0.1, .q = 0.05},
    {"power-law-4000", entry_power_law, LINE(4000), .p = 0.01, .q = 0.1},
    {"power-law-singular", entry_power_law, LINE(400), .q = 0.2},

    {.name = "1138_bus"},
    {.name = "LFAT5"},
    {.name = "Trefethen_200"},
    {.name = "ash219"},
    {.name = "bcsstk01"},
    {.name = "bcsstk06"},
    {.name = "bcsstk14"},
    {.name = "bcsstm01"},
    {.name = "bcsstm10"},
    {.name = "gr_30_30"},
    {.name = "jagmesh7"},
    {.name = "lund_a"},
    {.name = "nasa2146"},
    {.name = "nos4"},
    {.name = "orsirr_1"},
    {.name = "pores_1"},
    {.name = "sherman1"},
    {.name = "sherman5"},
    {.name = "west0067"},
};
const uint32_t bits_system_count = sizeof bits_systems / sizeof *bits_systems;

void bits_give_up(const char *what, const char *cause)
{
    fprintf(stderr, "bench: %s: %s\n", what, cause);
    exit(1);
}

void *bits_room(uint64_t count, uint64_t bytes)
{
    void *p = calloc(count ? count : 1, bytes);
    if (!p)
        bits_give_up("arrays", "no memory");
    return p;
}

static bool entry_of(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    bool there = s->entry(s, i, j, value);
    if (s->scale != 0)
        *value *= s->scale;
    if (s->fault == BITS_SOUND || i != s->row || j != s->col)
        return there;
    *value = s->fault_value;
    return s->fault == BITS_SET;
}

static struct bits_csr generated(const struct bits_system *s)
{
    uint32_t cols = s->cols ? s->cols : s->n;
    struct bits_csr a = {.rows = s->n, .cols = cols, .row = bits_room(s->n + 1u, sizeof *a.row)};
    uint32_t room = 1024, count = 0;
    a.col = bits_room(room, sizeof *a.col);
    a.val = bits_room(room, sizeof *a.val);
    for (uint32_t i = 0; i < s->n; i++) {
        for (uint32_t j = 0; j < cols; j++) {
            double value;
            if (!entry_of(s, i, j, &value))
                continue;
            if (count == room) {
                room *= 2;
                a.col = realloc(a.col, room * sizeof *a.col);
                a.val = realloc(a.val, room * sizeof *a.val);
                if (!a.col || !a.val)
                    bits_give_up(s->name, "no memory");
            }
            a.col[count] = j;
            a.val[count++] = value;
        }
        a.row[i + 1] = count;
    }
    return a;
}

static struct bits_csr from_file(const char *name)
{
    char path[256], message[256] = "";
    vks_context *host;
    vks_matrix *A = NULL;
    vks_context_options o = {
        .device = "host", .threads = 1, .message = message, .message_size = sizeof message};
    snprintf(path, sizeof path, "matrices/%s.mtx.gz", name);
    if (vks_context_create(&o, &host))
        bits_give_up(path, message);
    if (vks_matrix_read(host, path, NULL, &A))
        bits_give_up(path, vks_context_message(host));
    uint32_t rows = vks_matrix_rows(A), entries = vks_matrix_entries(A);
    struct bits_csr a = {.rows = rows,
                         .cols = vks_matrix_cols(A),
                         .row = bits_room(rows + 1u, sizeof *a.row),
                         .col = bits_room(entries, sizeof *a.col),
                         .val = bits_room(entries, sizeof *a.val)};
    if (vks_matrix_to_csr(A, a.row, a.col, VKS_F64, a.val))
        bits_give_up(path, vks_context_message(host));
    vks_matrix_destroy(A);
    vks_context_destroy(host);
    return a;
}

struct bits_csr bits_csr_make(const struct bits_system *s)
{
    return s->entry ? generated(s) : from_file(s->name);
}

void bits_csr_free(struct bits_csr *a)
{
    free(a->row);
    free(a->col);
    free(a->val);
    *a = (struct bits_csr){0};
}
