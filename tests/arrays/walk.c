/* Arrays of N elements on a device, and a matrix of N entries: transfers, vectors, primitives and products,
 * whose results are known for any N. Prints a line for each: the operation, "right", "WRONG" or "FAILED:
 * ...", and the rate of transfers; returns 1 unless all are right. For sizes that are too large for suites,
 * beyond one allocation of memory (4 GiB) and beyond 2^31 elements: arrays_walk DEVICE N [PART...]; parts are
 * transfers, vectors, words and matrix, by default all. */
#include "report/clock.h"
#include "vksolve/vksolve.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64, ROW = 64 /* entries */ };

struct walk {
    vks_context *c;
    uint32_t n;
    bool all_right;
    char **parts; /* NULL-terminated; all if empty */
};

static bool wants(const struct walk *w, const char *part)
{
    bool named = !*w->parts;
    for (char **p = w->parts; *p; p++)
        named |= !strcmp(*p, part);
    return named;
}

static void report(struct walk *w, const char *what, vks_status s, bool right)
{
    if (s)
        printf("%s\tFAILED: %s\n", what, vks_context_message(w->c));
    else
        printf("%s\t%s\n", what, right ? "right" : "WRONG");
    fflush(stdout);
    w->all_right &= !s && right;
}

/* Critical places: both ends, 4 GiB of doubles and of words, and the highest bit of an index. */
static uint32_t window_at(const struct walk *w, int k)
{
    static const uint32_t places[] = {0, 1u << 29, 1u << 30, 1u << 31, 3u << 30};
    uint32_t last = w->n - WINDOW;
    return k < 5 && places[k] < last ? places[k] - (places[k] ? WINDOW / 2 : 0) : last;
}

enum { WINDOWS = 6 };

/* Writes factor times the index into the windows of x. */
static vks_status write_windows(const struct walk *w, vks_vector *x, double factor)
{
    vks_status s = VKS_OK;
    for (int k = 0; k < WINDOWS && !s; k++) {
        double values[WINDOW];
        for (uint32_t i = 0; i < WINDOW; i++)
            values[i] = factor * (window_at(w, k) + i);
        s = vks_vector_write(x, window_at(w, k), WINDOW, VKS_F64, values);
    }
    return s;
}

static void check_windows(struct walk *w, const char *what, vks_status s, const vks_vector *x, double factor)
{
    bool right = true;
    for (int k = 0; k < WINDOWS && !s; k++) {
        double values[WINDOW];
        s = vks_vector_read(x, window_at(w, k), WINDOW, VKS_F64, values);
        for (uint32_t i = 0; i < WINDOW && !s; i++)
            right &= values[i] == factor * (window_at(w, k) + i);
    }
    report(w, what, s, right);
}

static void walk_transfers(struct walk *w, vks_vector *x)
{
    double *values = malloc((size_t)w->n * sizeof *values), begun, written, read;
    if (!values) {
        printf("transfers\tFAILED: no host memory\n");
        w->all_right = false;
        return;
    }
    for (uint32_t i = 0; i < w->n; i++)
        values[i] = i;
    begun = clock_seconds();
    vks_status s = vks_vector_write(x, 0, w->n, VKS_F64, values);
    written = clock_seconds();
    for (uint32_t i = 0; i < w->n; i++)
        values[i] = 0;
    read = clock_seconds();
    if (!s)
        s = vks_vector_read(x, 0, w->n, VKS_F64, values);
    double ended = clock_seconds(), bytes = 8.0 * w->n;
    bool right = true;
    for (uint32_t i = 0; i < w->n; i++)
        right &= values[i] == i;
    report(w, "transfers", s, right);
    printf("# written at %.2f GB/s, read at %.2f GB/s\n", 1e-9 * bytes / (written - begun),
           1e-9 * bytes / (ended - read));
    free(values);
}

static void walk_vectors(struct walk *w)
{
    vks_vector *x = NULL, *y = NULL;
    double begun = clock_seconds(), sum = 0;
    vks_status s = vks_vector_create(w->c, w->n, VKS_F64, &x);
    printf("# a vector made in %.3f s\n", clock_seconds() - begun);
    if (!s)
        s = vks_vector_create(w->c, w->n, VKS_F64, &y);
    report(w, "vectors", s, true);
    if (!s) {
        if (wants(w, "transfers"))
            walk_transfers(w, x);
        s = vks_vector_fill(x, 1);
        if (!s)
            s = vks_vector_sum(x, &sum);
        report(w, "sum", s, sum == w->n);
        check_windows(w, "writes", write_windows(w, x, 1), x, 1);
        check_windows(w, "copy", vks_vector_copy(x, y), y, 1);
        check_windows(w, "axpy", vks_vector_axpy(2, x, y), y, 3);
        s = vks_vector_fill(x, 2);
        if (!s)
            s = vks_vector_fill(y, 3);
        if (!s)
            s = vks_vector_dot(x, y, &sum);
        report(w, "dot", s, sum == 6.0 * w->n);
    }
    vks_vector_destroy(x);
    vks_vector_destroy(y);
}

static void walk_words(struct walk *w)
{
    static const uint32_t one = 1, seven = 7, nine = 9;
    uint32_t least = 0, least_at = 0, most = 0, most_at = 0, got[3] = {0}, middle = w->n / 2 + WINDOW;
    vks_array *x = NULL, *y = NULL;
    vks_status s = vks_array_create(w->c, w->n, VKS_TYPE_U32, &x);
    if (!s)
        s = vks_array_create(w->c, w->n, VKS_TYPE_U32, &y);
    if (!s)
        s = vks_array_fill(x, &one);
    if (!s)
        s = vks_scan(x, VKS_SCAN_INCLUSIVE, y);
    if (!s)
        s = vks_min_max(y, &least, &least_at, &most, &most_at);
    report(w, "prefix sums", s, least == 1 && least_at == 0 && most == w->n && most_at == w->n - 1);
    if (!s)
        s = vks_array_read(y, middle, 1, got);
    report(w, "prefix sum in the middle", s, got[0] == middle + 1);
    vks_array_destroy(y);
    if (!s)
        s = vks_array_fill(x, &seven);
    if (!s)
        s = vks_array_write(x, 5, 1, &nine);
    if (!s)
        s = vks_array_write(x, middle, 1, &one);
    if (!s)
        s = vks_sort(x, NULL);
    if (!s)
        s = vks_array_read(x, 0, 2, got);
    if (!s)
        s = vks_array_read(x, w->n - 1, 1, got + 2);
    report(w, "sort", s, got[0] == 1 && got[1] == 7 && got[2] == 9);
    vks_array_destroy(x);
}

/* Row i has ROW ascending columns, and values 1 + i mod 3. */
struct rows {
    uint32_t n, *row, *col;
    float *val;
};

static bool make_rows(const struct walk *w, struct rows *a)
{
    uint32_t n = a->n = w->n / ROW;
    a->row = malloc(4 * ((size_t)n + 1));
    a->col = malloc(4 * (size_t)n * ROW);
    a->val = malloc(4 * (size_t)n * ROW);
    if (!a->row || !a->col || !a->val)
        return false;
    for (uint32_t i = 0; i <= n; i++)
        a->row[i] = i * ROW;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < ROW; j++) {
            a->col[(size_t)i * ROW + j] = (i < n - ROW ? i : n - ROW) + j;
            a->val[(size_t)i * ROW + j] = (float)(1 + i % 3);
        }
    return true;
}

static void walk_matrix(struct walk *w, const struct rows *a, vks_format format)
{
    vks_matrix_options o = {.storage.format = format, .of_values = VKS_F32};
    vks_matrix *A = NULL;
    vks_vector *x = NULL, *y = NULL;
    double *got = malloc(a->n * sizeof *got), begun = clock_seconds();
    vks_status s = got ? VKS_OK : VKS_OUT_OF_MEMORY;
    if (!s)
        s = vks_matrix_from_csr(w->c, a->n, a->n, a->row, a->col, a->val, &o, &A);
    if (!s)
        s = vks_vector_create(w->c, a->n, VKS_F64, &x);
    if (!s)
        s = vks_vector_create(w->c, a->n, VKS_F64, &y);
    if (!s)
        s = vks_vector_fill(x, 1);
    if (!s)
        s = vks_spmv(A, x, y);
    if (!s)
        s = vks_vector_read(y, 0, a->n, VKS_F64, got);
    bool right = true;
    for (uint32_t i = 0; i < a->n && !s; i++)
        right &= got[i] == (double)ROW * (1 + i % 3);
    report(w, "product", s, right);
    printf("# as %s, in %.2f s\n", A ? vks_format_name(vks_matrix_format(A)) : "nothing",
           clock_seconds() - begun);
    vks_vector_destroy(x);
    vks_vector_destroy(y);
    vks_matrix_destroy(A);
    free(got);
}

static void walk_matrices(struct walk *w)
{
    struct rows a = {0};
    if (make_rows(w, &a)) {
        walk_matrix(w, &a, VKS_FORMAT_CSR);
        walk_matrix(w, &a, VKS_FORMAT_AUTO);
    } else {
        report(w, "a matrix", VKS_OUT_OF_MEMORY, false);
    }
    free(a.row);
    free(a.col);
    free(a.val);
}

int main(int argc, char **argv)
{
    char text[300] = "";
    struct walk w = {.n = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0, .all_right = true};
    w.parts = argv + (argc > 2 ? 3 : argc);
    vks_context_options o = {
        .device = argv[1], .no_pipeline_cache = 1, .message = text, .message_size = sizeof text};
    if (w.n < 2 * ROW * ROW || vks_context_create(&o, &w.c)) {
        fprintf(stderr, "usage: arrays_walk DEVICE N [PART...], of %d elements or more\n%s\n", 2 * ROW * ROW,
                text);
        return 2;
    }
    if (wants(&w, "vectors") || wants(&w, "transfers"))
        walk_vectors(&w);
    if (wants(&w, "words"))
        walk_words(&w);
    if (wants(&w, "matrix"))
        walk_matrices(&w);
    vks_context_destroy(w.c);
    return w.all_right ? 0 : 1;
}
