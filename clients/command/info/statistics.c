#include "command/info/statistics.h"
#include "command/shared/device.h"
#include "report/words.h"
#include "sparse/bsr.h"
#include "sparse/report_statistics.h"

#include <stdio.h>

/* Characters in the longest bar of the histogram. */
enum { BAR = 40 };

static vks_status ask(vks_context *c, const struct host_csr *a, struct info_statistics *out)
{
    /* Statistics are available in either precision. */
    vks_matrix_options o = {.precision = c->device->info.f64 ? VKS_F64 : VKS_F32,
                            .storage.format = VKS_FORMAT_CSR};
    vks_matrix *A = NULL;
    struct statistics known;
    vks_status s = vks_matrix_from_csr(c, a->rows, a->cols, a->row, a->col, a->val, &o, &A);
    IF_OK(s, statistics_of(A, &known, &out->s));
    if (!s) {
        const struct device_info *info = &c->device->info;
        uint32_t turn_bytes = info->turn_bytes ? info->turn_bytes : TURN_BYTES_DISCRETE;
        struct question q = {&A->csr, &A->storage, &known, PRECISION_F64, true, turn_bytes, true};
        choose_format(&q, &out->host);
        q.host = false;
        choose_format(&q, &out->gpu);
    }
    vks_matrix_destroy(A);
    return s;
}

vks_status info_statistics(struct message *m, const char *device, const struct host_csr *a,
                           struct info_statistics *out)
{
    vks_context *c = NULL;
    vks_device_info found;
    vks_status s = device_open_or_host(m, device, &c, &found);
    if (!s) {
        s = ask(c, a, out);
        if (s)
            snprintf(m->text, sizeof m->text, "%s", vks_context_message(c));
    }
    vks_context_destroy(c);
    return s;
}

/* Writes the range of row lengths in a class, such as "4 to 7". */
static void name_class(uint32_t k, char *text, size_t size)
{
    uint32_t low = k ? 1u << (k - 1) : 0;
    if (k < 2)
        snprintf(text, size, "%u", low);
    else
        snprintf(text, size, "%s to %s", words_count(low).text, words_count(2 * (uint64_t)low - 1).text);
}

static void print_lengths(const vks_statistics *s)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < VKS_LENGTH_CLASSES; k++)
        most = s->lengths[k] > most ? s->lengths[k] : most;
    printf("lengths     standard deviation %.4g, skew %.4g", s->deviation, s->skew);
    if (s->long_rows)
        printf("; %s rows of more than 256 have %s entries", words_count(s->long_rows).text,
               words_count(s->long_entries).text);
    putchar('\n');
    for (uint32_t k = 0; k < VKS_LENGTH_CLASSES; k++) {
        char text[128];
        if (!s->lengths[k])
            continue;
        name_class(k, text, sizeof text);
        printf("  %16s  %13s rows  ", text, words_count(s->lengths[k]).text);
        for (uint64_t bar = 1 + (uint64_t)s->lengths[k] * (BAR - 1) / most; bar; bar--)
            putchar('#');
        putchar('\n');
    }
}

static void print_blocks(const vks_statistics *s)
{
    printf("blocks      places for each entry, in up to %s block rows of each size\n",
           words_count(BLOCK_ROWS_SAMPLED).text);
    for (uint32_t size = BSR_LEAST; size <= BSR_MOST; size++)
        if (s->block[size].entries)
            printf("  %12u x %u  %13.2f%s\n", size, size, s->block[size].fill,
                   s->block[size].full ? "  full" : "");
}

void info_statistics_print(const struct info_statistics *x)
{
    const vks_statistics *s = &x->s;
    print_lengths(s);
    printf("bandwidth   %s below the diagonal, %s above; %s diagonals have entries\n",
           words_count(s->lower_bandwidth).text, words_count(s->upper_bandwidth).text,
           words_count(s->diagonals).text);
    print_blocks(s);
    printf("slices      of %u rows store %.2f times the entries, columns lie up to %s apart\n",
           s->slice_height, s->slice_growth, words_count(s->slice_apart).text);
    if (s->entry_kinds)
        printf("kinds       %s of entries, which differ in column minus row, or in value\n",
               words_count(s->entry_kinds).text);
    else
        printf("kinds       too many of entries for codes\n");
    printf("format      on a GPU %s: %s\n", vks_format_name(x->gpu.format), x->gpu.reason);
    printf("            on the host %s: %s\n", vks_format_name(x->host.format), x->host.reason);
}

static void lengths_to_json(const vks_statistics *s, struct json *j)
{
    json_object(j, "row_length");
    json_count(j, "min", s->shortest);
    json_number(j, "mean", s->mean_length);
    json_count(j, "max", s->longest);
    json_number(j, "deviation", s->deviation);
    json_number(j, "skew", s->skew);
    json_array(j, "histogram");
    for (uint32_t k = 0; k < VKS_LENGTH_CLASSES; k++) {
        uint64_t low = k ? (uint64_t)1 << (k - 1) : 0;
        if (!s->lengths[k])
            continue;
        json_object(j, NULL);
        json_count(j, "from", low);
        json_count(j, "to", k ? 2 * low - 1 : 0);
        json_count(j, "rows", s->lengths[k]);
        json_end_object(j);
    }
    json_end_array(j);
    json_count(j, "long_rows", s->long_rows);
    json_count(j, "long_entries", s->long_entries);
    json_end_object(j);
}

static void blocks_to_json(const vks_statistics *s, struct json *j)
{
    json_array(j, "blocks");
    for (uint32_t size = BSR_LEAST; size <= BSR_MOST; size++) {
        const vks_block_statistics *b = &s->block[size];
        json_object(j, NULL);
        json_count(j, "size", size);
        json_count(j, "block_rows", b->block_rows);
        json_count(j, "looked", b->looked);
        json_count(j, "blocks", b->blocks);
        json_count(j, "entries", b->entries);
        json_number(j, "fill", b->fill);
        json_bool(j, "full", b->full);
        json_end_object(j);
    }
    json_end_array(j);
}

static void choice_to_json(const char *key, const struct choice *c, struct json *j)
{
    json_object(j, key);
    json_string(j, "format", vks_format_name(c->format));
    json_string(j, "reason", c->reason);
    json_end_object(j);
}

void info_statistics_json(const struct info_statistics *x, struct json *j)
{
    const vks_statistics *s = &x->s;
    lengths_to_json(s, j);
    json_count(j, "lower_bandwidth", s->lower_bandwidth);
    json_count(j, "upper_bandwidth", s->upper_bandwidth);
    json_count(j, "diagonals", s->diagonals);
    blocks_to_json(s, j);
    json_object(j, "slices");
    json_count(j, "height", s->slice_height);
    json_count(j, "entries", s->slice_entries);
    json_number(j, "growth", s->slice_growth);
    json_count(j, "apart", s->slice_apart);
    json_end_object(j);
    json_count(j, "entry_kinds", s->entry_kinds);
    json_object(j, "auto");
    choice_to_json("gpu", &x->gpu, j);
    choice_to_json("host", &x->host, j);
    json_end_object(j);
}
