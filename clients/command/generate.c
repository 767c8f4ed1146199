#include "command/command.h"
#include "command/models/generate_matrix.h"
#include "command/shared/exit_code.h"
#include "command/shared/files.h"
#include "command/shared/options.h"
#include "market/market.h"
#include "report/words.h"

#include <stdio.h>
#include <string.h>

struct generate_settings {
    const char *output, *coordinates;
    bool quiet;
};

static const struct option_line options[] = {
    {'o', "output", "FILE", "the file; compressed if the name ends in .gz; - is standard output (required)",
     TEXT(struct generate_settings, output)},
    {0, "coordinates", "FILE",
     "a file for the coordinates of the nodes, a row for each node in the order of\nthe unknowns; "
     "elasticity3d only",
     TEXT(struct generate_settings, coordinates)},
    {'q', "quiet", NULL, "do not print the size on standard error", FLAG(struct generate_settings, quiet)},
};

#define KIND_LINE(name, text) "\n  " #name ": " text
static const struct manual manual = {
    .name = "generate",
    .about = "Writes a model problem, symmetric positive definite, as a Matrix Market file of its\n"
             "lower triangle. SIZE is N, the points a side, from 1; for elasticity3d from 2. KIND is\n"
             "one of" MODEL_PROBLEMS(KIND_LINE),
    .operands = {"KIND", "SIZE"},
    .options = options,
    .count = sizeof options / sizeof *options,
    .after = "exit codes:\n"
             "  0  the files are written\n"
             "  1  wrong usage, beyond 4278190080 rows or entries, or a file cannot be written\n"
             "  4  memory ran out\n\n"
             "examples:\n"
             "  vksolve generate poisson3d 64 -o poisson3d.mtx.gz\n"
             "  vksolve generate elasticity3d 16 -o A.mtx --coordinates nodes.mtx\n",
};

static bool is_kind(const char *word)
{
    static const char *const kinds[] = {
#define X(name, text) #name,
        MODEL_PROBLEMS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(word, kinds[i]))
            return true;
    return false;
}

static vks_status write_coordinates(struct message *m, const char *path, uint32_t size)
{
    struct coordinates c;
    vks_status status = generate_coordinates(m, size, &c);
    IF_OK(status, coordinates_write(m, path, &c));
    coordinates_free(&c);
    return status;
}

static vks_status write_files(struct message *m, const struct generate_settings *set, const char *kind,
                              uint32_t size, struct host_csr *a)
{
    TRY(file_check(m, set->output));
    TRY(file_check(m, set->coordinates));
    TRY(generate_matrix(m, kind, size, a));
    TRY(market_write_csr(m, set->output, a, true));
    return set->coordinates ? write_coordinates(m, set->coordinates, size) : VKS_OK;
}

static int run(const struct generate_settings *set, const char *kind, uint32_t size)
{
    struct message m = {0};
    struct host_csr a = {0};
    vks_status status = write_files(&m, set, kind, size, &a);
    if (!status && !set->quiet)
        fprintf(stderr, "%s: %s x %s, %s entries stored, the lower triangle of %s\n",
                file_is_stream(set->output) ? "standard output" : set->output, words_count(a.rows).text,
                words_count(a.cols).text, words_count((host_csr_entries(&a) + a.rows) / 2).text,
                words_count(host_csr_entries(&a)).text);
    host_csr_free(&a);
    return status ? complain(status, m.text) : EXIT_DONE;
}

/* Returns false after printing the error. */
static bool check_outputs(const struct generate_settings *set, const char *kind)
{
    if (!set->output)
        wrong_usage(&manual, "-o FILE is missing");
    else if (set->coordinates && strcmp(kind, "elasticity3d"))
        wrong_usage(&manual, "--coordinates: the nodes of %s have none; those of elasticity3d do", kind);
    else if (file_is_stream(set->output) && file_is_stream(set->coordinates))
        wrong_usage(&manual, "only one of --output and --coordinates can be standard output");
    else if (!file_is_stream(set->output) && file_is_same(set->output, set->coordinates))
        wrong_usage(&manual, "--output and --coordinates are the same file, %s", set->coordinates);
    else
        return true;
    return false;
}

int generate_command(int argc, char **argv)
{
    struct generate_settings set = {0};
    const char *operands[MOST_OPERANDS];
    uint32_t size;
    enum parsed parsed = options_parse(&manual, argc, argv, &set, operands);
    if (parsed != PARSED)
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    if (!is_kind(operands[0]))
        return wrong_usage(&manual, "KIND '%s': unknown model problem", operands[0]);
    uint32_t least = strcmp(operands[0], "elasticity3d") ? 1 : 2;
    bool whole = !operands[1][strspn(operands[1], "0123456789")];
    if (whole && !parse_count(operands[1], 0, UINT32_MAX, &size))
        return wrong_usage(&manual, "SIZE '%s' is too large, a matrix has at most %u rows", operands[1],
                           VKS_MAX_ROWS);
    if (!parse_count(operands[1], least, UINT32_MAX, &size))
        return wrong_usage(&manual, "SIZE '%s' must be a whole number from %u", operands[1], least);
    if (!check_outputs(&set, operands[0]))
        return EXIT_USAGE;
    return run(&set, operands[0], size);
}
