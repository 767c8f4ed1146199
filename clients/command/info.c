#include "command/command.h"
#include "command/info/statistics.h"
#include "command/shared/amg.h"
#include "command/shared/exit_code.h"
#include "command/shared/files.h"
#include "command/shared/options.h"
#include "command/shared/stored.h"
#include "entries/check.h"
#include "files/files.h"
#include "report/words.h"
#include "sparse/csr.h"

#include <stdio.h>

struct info_settings {
    const char *device, *json;
    struct amg_nodes nodes;
    bool amg;
};

static const struct option_line options[] = {
    {'d', "device", "auto|host|gpu|NAME",
     "the device that computes the statistics, as in solve\n(default: $VKSOLVE_DEVICE, else host)",
     TEXT(struct info_settings, device)},
    {0, "amg", NULL, "show the levels of --precond amg/f32, without solving",
     FLAG(struct info_settings, amg)},
    NODE_OPTIONS(struct info_settings, "--amg"),
    {0, "json", "FILE",
     "write it as a JSON object; with - it goes to standard output, and nothing\nelse does",
     TEXT(struct info_settings, json)},
};

static const struct manual manual = {
    .name = "info",
    .about = "Describes the matrix of a file. Rows and columns count from 1.\n\n" FILE_KINDS "\n\n"
             "lengths   of rows: how many have 1 entry, 2 or 3, 4 to 7 ...\n"
             "blocks    places of small blocks for each entry; full: BSR needs no masks\n"
             "slices    what SELL would store; columns up to 65,534 apart are compact\n"
             "format    what auto chooses, in f64",
    .operands = {"A.mtx"},
    .options = options,
    .count = sizeof options / sizeof *options,
    .after = "exit codes:\n"
             "  0  the file is read\n"
             "  1  wrong usage, an unreadable file, or an output file that cannot be written\n"
             "  4  the device or memory failed\n\n"
             "examples:\n"
             "  vksolve info bcsstk14.mtx.gz\n"
             "  vksolve info A.mtx --amg --coordinates nodes.mtx\n",
};

static const char *const fields[] = {
    [MARKET_REAL] = "real", [MARKET_INTEGER] = "integer", [MARKET_PATTERN] = "pattern"};
static const char *const symmetries[] = {
    [MARKET_GENERAL] = "general", [MARKET_SYMMETRIC] = "symmetric", [MARKET_SKEW] = "skew-symmetric"};

struct facts {
    const char *path;
    struct market file; /* its entries are freed */
    size_t listed;      /* entries including the other triangle, before duplicates are summed */
    struct csr_diagnoses f;
    struct stored stored;
    uint64_t bytes[3]; /* in CSR, by vks_precision */
    struct info_statistics statistics;
    bool has_amg;
    vks_precond_facts amg;
    uint32_t lanes;
};

static vks_status examine(struct message *m, const struct info_settings *set, const struct host_csr *a,
                          struct facts *x)
{
    TRY(csr_check(m, a, &x->f));
    uint64_t indices = 4 * ((uint64_t)a->rows + 1 + x->f.entries);
    x->lanes = csr_lanes(a->rows, (uint32_t)x->f.entries);
    x->stored = stored_on_host(a);
    x->bytes[VKS_F64] = indices + 8 * (uint64_t)x->f.entries;
    x->bytes[VKS_F32] = indices + 4 * (uint64_t)x->f.entries;
    x->bytes[VKS_MIXED] = indices + x->stored.value_bytes * (uint64_t)x->f.entries;
    TRY(info_statistics(m, set->device, a, &x->statistics));
    x->has_amg = set->amg;
    return set->amg ? amg_make(m, set->device, a, set->nodes, true, NULL, &x->amg) : VKS_OK;
}

static vks_status gather(struct message *m, const struct info_settings *set, const char *path,
                         struct facts *x)
{
    struct host_csr a = {0};
    *x = (struct facts){.path = path};
    vks_status status = files_read_matrix(m, path, &x->file);
    IF_OK(status, host_csr_assemble(m, &x->file.entries, &a));
    x->listed = x->file.entries.count;
    triplets_free(&x->file.entries);
    IF_OK(status, examine(m, set, &a, x));
    host_csr_free(&a);
    return status;
}

static void print_symmetry(const struct csr_diagnoses *f)
{
    const struct csr_pair *p = &f->worst_pair;
    if (!f->square)
        printf("symmetry    none, as the matrix is not square\n");
    else if (f->symmetric)
        printf("symmetry    symmetric\n");
    else
        printf("symmetry    not symmetric%s: (%u, %u) is %.6g, (%u, %u) is %.6g\n",
               f->structurally_symmetric ? ", but its pattern is" : "", p->row + 1, p->col + 1, p->a_ij,
               p->col + 1, p->row + 1, p->a_ji);
}

static void print_diagonal(const struct csr_diagnoses *f)
{
    if (!f->square)
        return;
    printf("diagonal    %s to %s in magnitude", words_number(f->smallest_diagonal).text,
           words_number(f->largest_diagonal).text);
    if (f->missing_diagonal.count || f->zero_diagonal.count)
        printf(", %s zero or missing", words_count(f->missing_diagonal.count + f->zero_diagonal.count).text);
    if (f->negative_diagonal.count)
        printf(", %s negative", words_count(f->negative_diagonal.count).text);
    putchar('\n');
}

static void print_facts(const struct facts *x)
{
    const struct csr_diagnoses *f = &x->f;
    printf("matrix      %s: %s x %s, %s entries\n", words_name(x->path).text, words_count(f->rows).text,
           words_count(f->cols).text, words_count(f->entries).text);
    printf("file        %s, %s %s %s, %s entries stored", x->file.kind,
           x->file.is_array ? "array" : "coordinate", fields[x->file.field], symmetries[x->file.symmetry],
           words_count(x->file.stored).text);
    if (x->file.has_rhs)
        printf(", right-hand sides that are not read");
    if (x->listed > f->entries)
        printf(", %s duplicates summed", words_count(x->listed - f->entries).text);
    printf("\nrows        %u to %u entries, %.4g on average; the longest is row %u\n", f->shortest.length,
           f->longest.length, f->mean_row, f->rows ? f->longest.row + 1 : 0);
    print_symmetry(f);
    print_diagonal(f);
    printf("values      %s to %s in magnitude", words_number(f->smallest).text,
           words_number(f->largest).text);
    if (f->explicit_zeros.count)
        printf(", and %s zeros that are stored", words_count(f->explicit_zeros.count).text);
    printf("\nstorage     in CSR %s in f64, %s in f32, %s mixed\n", words_memory(x->bytes[VKS_F64]).text,
           words_memory(x->bytes[VKS_F32]).text, words_memory(x->bytes[VKS_MIXED]).text);
    stored_print(&x->stored, "mixed", stdout);
    printf("lanes       %u to sum a row\n", x->lanes);
    info_statistics_print(&x->statistics);
    if (x->has_amg)
        amg_print(&x->amg);
}

static void put_file(const struct facts *x, struct json *j)
{
    json_string(j, "path", x->path);
    json_string(j, "kind", x->file.kind);
    json_string(j, "format", x->file.is_array ? "array" : "coordinate");
    json_string(j, "field", fields[x->file.field]);
    json_string(j, "banner_symmetry", symmetries[x->file.symmetry]);
    json_count(j, "stored", x->file.stored);
    json_count(j, "duplicates", x->listed - x->f.entries);
}

static void to_json(const struct facts *x, struct json *j)
{
    const struct csr_diagnoses *f = &x->f;
    json_object(j, NULL);
    put_file(x, j);
    json_count(j, "rows", f->rows);
    json_count(j, "cols", f->cols);
    json_count(j, "entries", f->entries);
    json_bool(j, "symmetric", f->symmetric);
    json_bool(j, "structurally_symmetric", f->structurally_symmetric);
    json_count(j, "bandwidth", f->bandwidth);
    json_number(j, "smallest", f->smallest);
    json_number(j, "largest", f->largest);
    json_number(j, "smallest_diagonal", f->smallest_diagonal);
    json_number(j, "largest_diagonal", f->largest_diagonal);
#define X(name, square, text) json_count(j, #name, f->name.count);
    CSR_DIAGNOSES(X)
#undef X
    json_object(j, "csr_bytes");
    json_count(j, "f64", x->bytes[VKS_F64]);
    json_count(j, "f32", x->bytes[VKS_F32]);
    json_count(j, "mixed", x->bytes[VKS_MIXED]);
    json_end_object(j);
    stored_to_json(&x->stored, j);
    json_count(j, "lanes", x->lanes);
    info_statistics_json(&x->statistics, j);
    if (x->has_amg)
        amg_to_json(&x->amg, j);
    json_end_object(j);
}

/* EXIT_DONE if the options fit together; otherwise prints the error. */
static int check_settings(const struct info_settings *set, const char *path)
{
    if (!set->amg && (set->nodes.block || set->nodes.coordinates))
        return wrong_usage(&manual, "--%s is for --amg", set->nodes.block ? "block" : "coordinates");
    if (file_is_stream(path) && file_is_stream(set->nodes.coordinates))
        return wrong_usage(&manual, "only one of A and --coordinates can come from standard input");
    if (file_is_same(path, set->json))
        return wrong_usage(&manual, "--json %s would overwrite the matrix that is read", set->json);
    if (file_is_same(set->nodes.coordinates, set->json))
        return wrong_usage(&manual, "--json %s would overwrite the coordinates of nodes", set->json);
    return EXIT_DONE;
}

int info_command(int argc, char **argv)
{
    struct info_settings set = {0};
    const char *operands[MOST_OPERANDS];
    enum parsed parsed = options_parse(&manual, argc, argv, &set, operands);
    if (parsed != PARSED)
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    if (check_settings(&set, operands[0]))
        return EXIT_USAGE;
    struct message m = {0};
    struct facts x;
    vks_status status = file_check(&m, set.json);
    IF_OK(status, gather(&m, &set, operands[0], &x));
    if (!status && set.json) {
        struct json j = {0};
        to_json(&x, &j);
        status = file_write_json(&m, set.json, &j);
    }
    if (!status && !file_is_stream(set.json))
        print_facts(&x);
    return status ? complain(status, m.text) : EXIT_DONE;
}
