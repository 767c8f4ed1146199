/* Multiplies each matrix of the files named on the command line on two devices, and compares the results bit
 * by bit: A A and R A P if A is square (R and P sum four neighbouring rows), and A A^T. Prints a line for
 * each: the name, the product, its entries, and "same", "same but for denormals", "DIFFERENT" or "FAILED:
 * ..."; returns 1 if either of the last two occurs. (A device may flush f32 denormals to zero: docs/gpu.md.)
 * For whole collections: multiply_walk DEVICE f64|f32 FILE... */
#include "tests/support/gpu_name.h"
#include "vksolve/vksolve.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GATHERED = 4 }; /* rows that the projection adds up */
enum { HOST, DEVICE, SIDES };

struct side {
    vks_context *c;
    vks_matrix *A;
};

/* P: row i has a one in column i / 4. */
static vks_status projection(vks_context *c, uint32_t n, vks_precision precision, vks_matrix **P)
{
    uint32_t *row = malloc(4 * ((size_t)n + 1)), *col = malloc(4 * ((size_t)n + 1));
    double *val = malloc(8 * ((size_t)n + 1));
    vks_matrix_options o = {.precision = precision};
    vks_status s = row && col && val ? VKS_OK : VKS_OUT_OF_MEMORY;
    for (uint32_t i = 0; !s && i <= n; i++) {
        row[i] = i;
        col[i] = i / GATHERED;
        val[i] = 1;
    }
    if (!s)
        s = vks_matrix_from_csr(c, n, n / GATHERED + (n % GATHERED != 0), row, col, val, &o, P);
    free(row);
    free(col);
    free(val);
    return s;
}

static vks_status square(const vks_matrix *A, vks_context *c, vks_matrix **C)
{
    (void)c;
    return vks_matrix_multiply(A, A, NULL, C);
}

static vks_status by_transpose(const vks_matrix *A, vks_context *c, vks_matrix **C)
{
    vks_matrix *T = NULL;
    (void)c;
    vks_status s = vks_matrix_transpose(A, VKS_FORMAT_CSR, &T);
    if (!s)
        s = vks_matrix_multiply(A, T, NULL, C);
    vks_matrix_destroy(T);
    return s;
}

static vks_status project(const vks_matrix *A, vks_context *c, vks_matrix **C)
{
    vks_matrix *R = NULL, *P = NULL;
    vks_status s = projection(c, vks_matrix_rows(A), vks_matrix_precision(A), &P);
    if (!s)
        s = vks_matrix_transpose(P, VKS_FORMAT_CSR, &R);
    if (!s)
        s = vks_matrix_triple_product(R, A, P, NULL, C);
    vks_matrix_destroy(R);
    vks_matrix_destroy(P);
    return s;
}

static const struct product {
    const char *name;
    vks_status (*make)(const vks_matrix *A, vks_context *c, vks_matrix **C);
    bool squares_only;
} products[] = {{"A A", square, true}, {"A A^T", by_transpose, false}, {"R A P", project, true}};

/* The arrays of a matrix, one after the other, values first; the caller frees them. */
static char *bytes_of(const vks_matrix *C, size_t *size)
{
    size_t rows = 4 * ((size_t)vks_matrix_rows(C) + 1), words = 4 * (size_t)vks_matrix_entries(C);
    char *all = malloc(*size = 3 * words + rows);
    if (!all || vks_matrix_to_csr(C, (uint32_t *)(void *)(all + 3 * words),
                                  (uint32_t *)(void *)(all + 2 * words), VKS_F64, (double *)(void *)all)) {
        free(all);
        return NULL;
    }
    return all;
}

/* The bound on the effect of flushed denormals on an entry of a product of A with ones or itself. In each of
 * its terms, at most as many as A has columns, a factor below the least normal number is multiplied by an
 * entry of A, or the term itself is below it. */
static double denormals_weigh(const vks_matrix *A)
{
    size_t entries = vks_matrix_entries(A);
    double *val = malloc(8 * entries + 8), largest = 1;
    if (!val || vks_matrix_precision(A) == VKS_F64 || vks_matrix_to_csr(A, NULL, NULL, VKS_F64, val))
        entries = 0;
    for (size_t k = 0; k < entries; k++)
        largest = fabs(val[k]) > largest ? fabs(val[k]) : largest;
    free(val);
    return entries ? FLT_MIN * largest * vks_matrix_cols(A) : 0;
}

static const char *verdict(const vks_matrix *A, const vks_matrix *C, const char *a, const char *b)
{
    size_t entries = vks_matrix_entries(C), rows = vks_matrix_rows(C);
    const double *x = (const double *)(const void *)a, *y = (const double *)(const void *)b;
    if (memcmp(a, b, 12 * entries + 4 * (rows + 1)) == 0)
        return "same";
    if (memcmp(x + entries, y + entries, 4 * (entries + rows + 1)) != 0)
        return "DIFFERENT";
    double least = denormals_weigh(A);
    for (size_t k = 0; k < entries; k++)
        if (memcmp(&x[k], &y[k], sizeof *x) != 0 && !(least > 0 && fabs(x[k] - y[k]) <= least))
            return "DIFFERENT";
    return "same but for denormals";
}

static bool compare(const char *name, const struct product *p, const struct side *side)
{
    vks_matrix *C[SIDES] = {NULL};
    char *bytes[SIDES] = {NULL};
    size_t size[SIDES] = {0};
    bool same = true;
    for (int k = 0; k < SIDES && same; k++) {
        if (p->make(side[k].A, side[k].c, &C[k])) {
            printf("%s\t%s\t\tFAILED: %s\n", name, p->name, vks_context_message(side[k].c));
            same = false;
        } else {
            bytes[k] = bytes_of(C[k], &size[k]);
        }
    }
    if (same) {
        bool whole = bytes[HOST] && bytes[DEVICE] && size[HOST] == size[DEVICE];
        const char *text = whole ? verdict(side[HOST].A, C[HOST], bytes[HOST], bytes[DEVICE]) : "DIFFERENT";
        printf("%s\t%s\t%u\t%s\n", name, p->name, vks_matrix_entries(C[HOST]), text);
        same = strcmp(text, "DIFFERENT") != 0;
    }
    for (int k = 0; k < SIDES; k++) {
        vks_matrix_destroy(C[k]);
        free(bytes[k]);
    }
    return same;
}

static bool walk(const char *path, vks_precision precision, struct side *side)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    vks_matrix_options o = {.precision = precision};
    bool all = true;
    for (int k = 0; k < SIDES; k++)
        if (vks_matrix_read(side[k].c, path, &o, &side[k].A)) {
            printf("%s\t\t\tFAILED: %s\n", name, vks_context_message(side[k].c));
            all = false;
        }
    for (size_t p = 0; all && p < sizeof products / sizeof *products; p++)
        if (!products[p].squares_only || vks_matrix_rows(side[HOST].A) == vks_matrix_cols(side[HOST].A))
            all &= compare(name, &products[p], side);
    for (int k = 0; k < SIDES; k++)
        vks_matrix_destroy(side[k].A);
    return all;
}

int main(int count, char **argument)
{
    char message[1024] = "";
    struct side side[SIDES] = {{0}};
    int failed = 0;
    if (count < 4)
        return fputs("usage: multiply_walk DEVICE f64|f32 FILE.mtx...\n", stderr), 2;
    vks_precision precision = strcmp(argument[2], "f32") ? VKS_F64 : VKS_F32;
    for (int k = 0; k < SIDES && !failed; k++) {
        vks_context_options o = {.device = k == HOST ? "host" : device_named(argument[1]),
                                 .message = message,
                                 .message_size = sizeof message};
        if (vks_context_create(&o, &side[k].c))
            failed = fprintf(stderr, "multiply_walk: %s\n", message);
    }
    int different = 0;
    for (int i = 3; i < count && !failed; i++)
        different += !walk(argument[i], precision, side);
    for (int k = 0; k < SIDES; k++)
        vks_context_destroy(side[k].c);
    return failed || different;
}
