/* The options of `vksolve solve`, and the errors in them that can be detected before any work. */
#include "command/solve/settings.h"
#include "command/shared/device.h"
#include "command/shared/files.h"
#include "command/shared/methods.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define MORE_METHODS(NAME, module, name, text) "|" name
#define METHOD_LINE(NAME, module, name, text) "\n  " name ": " text
#define MORE_PRECONDS(NAME, module, name, text) "|" name
#define PRECOND_LINE(NAME, module, name, text) "\n  " name ": " text
#define SCALING(NAME, name, text) name,
#define MORE_SCALINGS(NAME, name, text) "|" name
#define SCALING_LINE(NAME, name, text) "\n  " name ": " text
#define MORE_FORMATS(NAME, module, name, text) "|" name
const char *const solve_orders[] = {"none", "rcm", NULL};
const char *const solve_comparisons[] = {"none", "lapack", "direct", NULL};
static const char *const scalings[] = {"auto", VKS_SCALINGS(SCALING) NULL};
static const char *const norms[] = {VKS_NORMS(SCALING) NULL};

static const struct option_line options[] = {
    {'b', "rhs", "FILE",
     "the right-hand side: a file of the same kinds; there is a\n"
     "solve for each column; - is standard input (default: A times ones, with the\n"
     "error of x in the report; with --singular A times a ramp from -1 to 1)",
     TEXT(struct solve_settings, rhs)},
    {'o', "output", "FILE",
     "write x, even if the solve fails, as a Matrix Market array with the columns\n"
     "of b; compressed if the name ends in .gz; - is standard output",
     TEXT(struct solve_settings, output)},
    {0, "method", "auto" VKS_METHODS(MORE_METHODS),
     "auto (the default): several methods in turn, each from the best x so far, until\n"
     "one solves A x = b; vksolve check A.mtx lists them; lsmr if A is not square" VKS_METHODS(METHOD_LINE)
         METHODS_HELP,
     TEXT(struct solve_settings, method_text)},
    {0, "precond", "auto" VKS_PRECONDS(MORE_PRECONDS),
     "default: auto: jacobi, block-jacobi or amg/f32 for cg, by the entries of A; row-sum for minres;\n"
     "jacobi for other methods that take one. Without --method, any other is used with cg, or with idr\n"
     "if A is not symmetric with a positive diagonal, or if it is ilut" VKS_PRECONDS(PRECOND_LINE)
         PRECONDS_HELP,
     TEXT(struct solve_settings, precond_text)},
    {0, "scaling", "auto" VKS_SCALINGS(MORE_SCALINGS),
     "scale rows and columns by powers of two for idr, minres, bicgstab and gmres; x and\n"
     "reports are those of A; default: auto: match if the diagonal is weak and A need not\n"
     "stay symmetric, otherwise ruiz" VKS_SCALINGS(SCALING_LINE),
     CHOICE(struct solve_settings, scaling, scalings)},
    {0, "block-size", "N",
     "the option block-size of --precond, 1 to 32 (default: natural blocks, of rows\n"
     "with entries in the same columns)",
     COUNT(struct solve_settings, block_size, 1, 32, "from 1 to 32")},
    {0, "coordinates", "FILE",
     "the nodes of a vector problem, for --precond amg, or for auto, which is then\n"
     "amg/f32: a file with a row for each node, in the order of their\n"
     "unknowns, and 2 or 3 columns",
     TEXT(struct solve_settings, coordinates)},
    {0, "weight", "W|auto",
     "the weight of jacobi or richardson, also inside --precond, above 0; auto, for\n"
     "jacobi alone, is 4/3 over a bound of the eigenvalues, and converges for every\n"
     "symmetric positive definite A (default: 1; for jacobi inside --precond, auto)",
     REAL(struct solve_settings, weight, 5e-324, 1.7e308, "above 0, or auto"), .word = "auto",
     .of_word = VKS_WEIGHT_AUTO},
    {0, "restart", "N",
     "gmres: the iterations between restarts, and the vectors kept, 1 to 100\n(default: 30)",
     COUNT(struct solve_settings, restart, 1, 100, "from 1 to 100")},
    {0, "singular", NULL,
     "A is symmetric, and its rows sum to zero, as in pure Neumann problems: find\n"
     "the x with mean zero, ignoring the mean of b; not with gauss-jordan\n"
     "or direct",
     FLAG(struct solve_settings, singular)},
    {0, "rtol", "R",
     "stop when ||b - A x|| <= R ||b||; above 0, at most 1\n(default: 1e-8 in f64, 1e-5 in f32)",
     REAL(struct solve_settings, rtol, 5e-324, 1, "above 0, at most 1")},
    {0, "norm", "both|plain|scaled",
     "the norms of b - A x that decide; default: both" VKS_NORMS(SCALING_LINE),
     CHOICE(struct solve_settings, norm, norms)},
    {0, "atol", "R", "or when ||b - A x|| <= R; not negative (default: 0)",
     REAL(struct solve_settings, atol, 0, 1.7e308, "that is not negative")},
    {0, "max-iterations", "N", "1 to 4294967295 (default: ten times the rows, at least 1000, at most 100000)",
     COUNT(struct solve_settings, max_iterations, 1, 4294967295.0, "from 1 to 4294967295")},
    PRECISION_OPTION(struct solve_settings),
    {0, "format", "auto" VKS_FORMATS(MORE_FORMATS),
     "how the matrix is stored (default: auto, by its entries and the device)" FORMATS_HELP,
     TEXT(struct solve_settings, format_text)},
    PADDING_OPTION(struct solve_settings),
    {0, "reorder", "none|rcm",
     "rcm: the unknowns in reverse Cuthill-McKee order on the device, for a\n"
     "matrix whose entries lie far from the diagonal; files and reports keep the\n"
     "order of A.mtx; gauss-jordan and direct ignore it (default: none)",
     CHOICE(struct solve_settings, reorder, solve_orders)},
    {'d', "device", "auto|host|gpu|NAME",
     "auto: the host for small systems, if it is as fast as a GPU; else the first\n"
     "discrete, else integrated GPU, else the host; gpu: a GPU for any system;\n" DEVICE_NAME,
     TEXT(struct solve_settings, device)},
    {0, "compare", "none|lapack|direct",
     "solve also on the CPU, with LAPACK or with UMFPACK's sparse factors, and\n"
     "compare (default: none)",
     CHOICE(struct solve_settings, compare, solve_comparisons)},
    {0, "lapack-memory", "SIZE", "the memory for LAPACK; K, M, G, T are powers of 1024 (default: 4G)",
     BYTES(struct solve_settings, lapack_memory)},
    {0, "history", "FILE",
     "write iteration,residual of each iteration (jacobi: each eighth; gauss-jordan and\n"
     "direct: the first), at most 4194304 lines; - is standard output",
     TEXT(struct solve_settings, history)},
    {0, "plot", "FILE",
     "draw the residual over up to 4194304 iterations, with restarts, recomputed\n"
     "residuals, and the time above; the name ends in .png, .svg or .pdf; needs\n"
     "gnuplot (apt install gnuplot-nox; see VKSOLVE_GNUPLOT)",
     TEXT(struct solve_settings, plot)},
    {0, "json", "FILE",
     "write the report as JSON, including bandwidth_share, which the printed report\n"
     "omits for solves under 20 ms; - is standard output, and nothing else is printed",
     TEXT(struct solve_settings, json)},
    {0, "explain", NULL,
     "list the attempts with these options and the conditions of --method auto, or why\n"
     "they are refused, and do not solve",
     FLAG(struct solve_settings, explain)},
    {'q', "quiet", NULL, "print no report, only errors", FLAG(struct solve_settings, quiet)},
    {0, "validate", NULL,
     "use Vulkan's validation layer, with messages on standard error; auto is then a\n"
     "GPU for any system",
     FLAG(struct solve_settings, validate)},
};

static const struct manual manual = {
    .name = "solve",
    .about = "Solves A x = b, beginning from x = 0. A solve has converged only if the\n"
             "residual, recomputed from x in double precision, meets the tolerance.\n\n" FILE_KINDS "\n\n"
             "Several matrices share the options and get a line each; the exit code is the\n"
             "largest. Options that name files, --compare and --explain take one matrix.\n\n"
             "If A is not square, x minimises b - A x: see lsmr, which has also converged if\n"
             "A^T (b - A x) meets the tolerance relative to ||A|| ||b - A x||.\n\n"
             "With --precision mixed auto, cg, minres, idr, bicgstab and gmres also iterate in\n"
             "f32, and refine an x in f64 by true residuals. This halves the memory traffic; cg\n"
             "may take a quarter more iterations, or twice as many if f32 changes values of A,\n"
             "and the others twice as many. On a device without 64-bit floats they always do so,\n"
             "except with --precision f32; f64 is then stored as pairs of f32, with at least 48\n"
             "bits.\n\n"
             "Ctrl-C ends the solve, or the set-up of multigrid, and keeps the x found so far.\n"
             "A second Ctrl-C, or one during gauss-jordan or direct, ends the program at once.\n"
             "Output files are written completely or not at all. Symbolic links are followed,\n"
             "even to a file that does not exist yet.",
    .operands = {"A.mtx"},
    .repeats = true,
    .options = options,
    .count = sizeof options / sizeof *options,
    .after = "exit codes:\n"
             "  0  converged\n"
             "  1  wrong usage, such as --singular where the rows of A do not nearly sum to\n"
             "     zero; unreadable input; an output file that cannot be written\n"
             "  2  not converged: iteration limit, stagnation, divergence, or cancelled\n"
             "  3  breakdown: not positive definite, zero diagonal, singular, not finite, a\n"
             "     method that would divide by zero, or --singular for an A that is not quite\n"
             "     singular\n"
             "  4  the device or memory failed\n\n"
             "examples:\n"
             "  vksolve solve bcsstk14.mtx.gz --compare lapack\n"
             "  vksolve solve A.mtx -b b.mtx -o x.mtx --rtol 1e-10 --device host\n"
             "  vksolve solve A.mtx --json - | jq .iterations\n"
             "  vksolve solve *.mtx.gz --device host\n",
};

/* Whether two operands or two outputs would share one standard stream. Prints the error. */
static bool streams_clash(const struct solve_settings *set, const char *path)
{
    bool streams = file_is_stream(path) || file_is_stream(set->rhs);
    if (file_is_stream(path) && file_is_stream(set->rhs))
        wrong_usage(&manual, "A and b cannot both come from standard input");
    else if (streams && file_is_stream(set->coordinates))
        wrong_usage(&manual, "only one of A, b and --coordinates can come from standard input");
    else if (file_is_stream(set->output) + file_is_stream(set->history) + file_is_stream(set->json) > 1)
        wrong_usage(&manual, "only one of --output, --history and --json can be standard output");
    else
        return false;
    return true;
}

/* Whether an output file would overwrite an operand or another output. Prints the error. */
static bool files_clash(const struct solve_settings *set, const char *path)
{
    const struct {
        const char *name, *path;
    } outputs[] = {
        {"output", set->output}, {"history", set->history}, {"plot", set->plot}, {"json", set->json}};
    for (int i = 0; i < 4; i++) {
        const char *read = file_is_same(path, outputs[i].path)               ? "the matrix that is read"
                           : file_is_same(set->rhs, outputs[i].path)         ? "the right-hand side"
                           : file_is_same(set->coordinates, outputs[i].path) ? "the coordinates of nodes"
                                                                             : NULL;
        if (read) {
            wrong_usage(&manual, "--%s %s would overwrite %s", outputs[i].name, outputs[i].path, read);
            return true;
        }
        for (int k = 0; k < i; k++)
            if (!file_is_stream(outputs[k].path) && file_is_same(outputs[k].path, outputs[i].path)) {
                wrong_usage(&manual, "--%s and --%s are the same file, %s", outputs[k].name, outputs[i].name,
                            outputs[i].path);
                return true;
            }
    }
    return false;
}

/* Returns false after printing the error. */
static bool read_format(struct solve_settings *set)
{
    const char *given = set->format_text;
    struct message m = {0};
    set->format = format_plain(VKS_FORMAT_AUTO);
    if (given && strcmp(given, "auto") && format_read(&m, given, strlen(given), "auto", &set->format)) {
        wrong_usage(&manual, "--format: %s", m.text);
        return false;
    }
    set->format.options.padding = set->padding;
    return true;
}

/* Returns false after printing the error. */
static bool read_method(struct solve_settings *set)
{
    struct method_word w;
    struct message m = {0};
    if (method_read(&m, set->method_text ? set->method_text : "auto", &w)) {
        wrong_usage(&manual, "--method: %s", m.text);
        return false;
    }
    set->method = w.method;
    set->any_device = w.any_device;
    set->no_direct = w.no_direct;
    return true;
}

/* The user may have abbreviated --block-size to --block, and meant multigrid's nodes. */
static void refuse_block_size(const struct solve_settings *set, vks_precond_kind kind)
{
    char nodes[64] = "";
    if (set->block_size <= VKS_LARGEST_NODE)
        snprintf(nodes, sizeof nodes, ", unknowns of a node of multigrid --precond 'amg(block=%u)'",
                 set->block_size);
    wrong_usage(&manual,
                "--block-size: the preconditioner %s has no block size; rows of a block are set by --precond "
                "block-jacobi/%u%s",
                vks_precond_name(kind), set->block_size, nodes);
}

/* Whether --block-size or --weight may set this option of the preconditioner. If not, prints the reason. */
static bool may_give(const struct solve_settings *set, const vks_precond_options *o, int place)
{
    const struct precond_option *p = &precond_options[place];
    bool is_there = precond_takes(o->kind) >> place & 1, is_set = precond_options_set(o) >> place & 1;
    if (!is_there && place == PRECOND_PLACE_BLOCK_SIZE)
        refuse_block_size(set, o->kind);
    else if (!is_there)
        wrong_usage(&manual, "--%s: the preconditioner %s has no %s", p->key, vks_precond_name(o->kind),
                    p->words);
    else if (is_set)
        wrong_usage(&manual, "--%s is also given in --precond %s", p->key, set->precond_text);
    return is_there && !is_set;
}

/* Returns false after printing the error. */
static bool read_precond(struct solve_settings *set)
{
    vks_precond_options *o = set->precond.options;
    struct message m = {0};
    if (preconds_read(&m, set->precond_text ? set->precond_text : "auto", &set->precond)) {
        wrong_usage(&manual, "--precond: %s", m.text);
        return false;
    }
    bool has_weight =
        set->weight != 0 && precond_takes(o->kind) & OPTION_WEIGHT; /* else it is the method's weight */
    if ((set->block_size && !may_give(set, o, PRECOND_PLACE_BLOCK_SIZE)) ||
        (has_weight && !may_give(set, o, PRECOND_PLACE_WEIGHT)))
        return false;
    if (set->block_size)
        o->block_size = set->block_size;
    if (has_weight) {
        o->weight = set->weight;
        set->weight = 0;
    }
    return true;
}

/* Returns an option that was given but allows only one matrix; NULL: none. */
static const char *option_of_one(const struct solve_settings *set)
{
    return set->rhs           ? "rhs"
           : set->output      ? "output"
           : set->history     ? "history"
           : set->plot        ? "plot"
           : set->json        ? "json"
           : set->coordinates ? "coordinates"
           : set->compare     ? "compare"
           : set->explain     ? "explain"
                              : NULL;
}

/* False if there is only one matrix. */
static bool several_clash(const struct solve_settings *set, char *const *paths, int count)
{
    const char *option = count > 1 ? option_of_one(set) : NULL;
    if (option)
        wrong_usage(&manual, "--%s takes one matrix, but %d are given", option, count);
    bool clash = option != NULL;
    for (int i = 0; !clash && count > 1 && i < count; i++) {
        clash = file_is_stream(paths[i]);
        if (clash)
            wrong_usage(&manual, "standard input is one matrix, but %d are given", count);
    }
    return clash;
}

enum parsed solve_parse(int argc, char **argv, struct solve_settings *set, int *first)
{
    const char *operands[MOST_OPERANDS];
    *set = (struct solve_settings){.precision = -1, .lapack_memory = (uint64_t)4 << 30};
    enum parsed parsed = options_parse(&manual, argc, argv, set, operands);
    if (parsed != PARSED)
        return parsed;
    *first = optind;
    if (!read_method(set))
        return PARSED_WRONG;
    if (set->validate && !strcmp(device_choice(set->device), "host"))
        wrong_usage(&manual, "--validate is for Vulkan devices, not for the host");
    else if (set->singular && solves_at_once(set->method))
        wrong_usage(&manual, "--singular does not work with %s", vks_method_name((vks_method)set->method));
    else if (read_format(set) && read_precond(set) && !several_clash(set, argv + optind, argc - optind) &&
             !streams_clash(set, operands[0]) && !files_clash(set, operands[0]))
        return PARSED;
    return PARSED_WRONG;
}
