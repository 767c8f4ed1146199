/* The readers of files; that of Matrix Market files is compared with a second one (market_oracle.h). By
 * libFuzzer. */
#define _GNU_SOURCE /* memfd_create */
#include "files/files.h"
#include "market_oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                        \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "FINDING in line %d: %s\n", __LINE__, #condition); \
            abort();                                                           \
        }                                                                      \
    } while (0)

/* A file in memory. The path is valid as long as the file is open. */
static int open_data(const uint8_t *data, size_t size, char path[32])
{
    int file = memfd_create("input", 0);
    MUST(file >= 0);
    for (size_t at = 0; at < size;) {
        ssize_t put = write(file, data + at, size - at);
        MUST(put > 0);
        at += (size_t)put;
    }
    snprintf(path, 32, "/proc/self/fd/%d", file);
    return file;
}

static void check_refusal(const struct market *a, const struct message *m, const char *path)
{
    MUST(strncmp(m->text, path, strlen(path)) == 0);
    for (const char *p = m->text; *p; p++)
        MUST((unsigned char)*p >= ' ' && *p != 127);
    MUST(!a->entries.row && !a->entries.col && !a->entries.val && !a->entries.count);
}

/* The mirrored entries follow those of the file, in their order. */
static void check_mirrored(const struct market *a)
{
    const struct triplets *e = &a->entries;
    size_t to = a->stored;
    double sign = a->symmetry == MARKET_SKEW ? -1 : 1;
    for (size_t k = 0; k < a->stored && a->symmetry != MARKET_GENERAL; k++) {
        if (e->row[k] == e->col[k])
            continue;
        MUST(to < e->count && e->row[to] == e->col[k] && e->col[to] == e->row[k]);
        MUST(e->val[to++] == sign * e->val[k]);
    }
    MUST(to == e->count);
}

static void compare(const struct market *a, const struct oracle_matrix *o)
{
    const struct triplets *e = &a->entries;
    MUST(e->rows == o->rows && e->cols == o->cols && a->stored == o->stored);
    MUST((a->symmetry == MARKET_GENERAL ? 'g' : a->symmetry == MARKET_SKEW ? 'k' : 's') == o->symmetry);
    for (size_t k = 0; k < o->stored; k++)
        MUST(e->row[k] == o->row[k] && e->col[k] == o->col[k] && !memcmp(&e->val[k], &o->val[k], 8));
}

static void check_assembly(const struct triplets *e)
{
    struct message m = {0};
    struct host_csr c;
    if (e->rows > 100000)
        return;
    MUST(!host_csr_assemble(&m, e, &c));
    for (uint32_t i = 0; i < c.rows; i++) {
        MUST(c.row[i] <= c.row[i + 1]);
        for (uint32_t k = c.row[i]; k < c.row[i + 1]; k++)
            MUST(c.col[k] < c.cols && (k == c.row[i] || c.col[k - 1] < c.col[k]));
    }
    host_csr_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    struct message m = {0};
    OWNED_STRUCT(market) a;
    struct oracle_matrix o;
    int file = open_data(data, size, path);
    vks_status s = files_read(&m, path, &a);
    close(file);
    MUST(s == VKS_OK || s == VKS_FORMAT || s == VKS_UNSUPPORTED || s == VKS_LIMIT);
    if (s) {
        check_refusal(&a, &m, path);
    } else {
        for (size_t k = 0; k < a.entries.count; k++)
            MUST(a.entries.row[k] < a.entries.rows && a.entries.col[k] < a.entries.cols &&
                 isfinite(a.entries.val[k]));
        check_mirrored(&a);
        check_assembly(&a.entries);
    }
    if (size < 2 || data[0] != 0x1F || data[1] != 0x8B) { /* no gzip */
        bool good = oracle_read(data, size, &o);
        MUST(good == (!s && !strcmp(a.kind, "Matrix Market")));
        if (good)
            compare(&a, &o);
        oracle_free(&o);
    }
    return 0;
}
