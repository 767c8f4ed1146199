/* The command, and a program with calls of the library, while an allocation or a system call fails:
 * fuzz_faults --help
 *
 * Checks that each exits within a time limit, with an exit code for failures and a message, and that no
 * output file is partial and nothing remains beside it. A call that is interrupted or does only a part must
 * not cause a failure. */
#include "../support/gpu_name.h"
#include "child.h"
#include "fault.h"
#include "findings.h"
#include "random.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "usage: fuzz_faults [--seconds N] SEED COUNT\n"
    "Makes COUNT calls fail, of seeds from SEED on, each in a run of a program of its own.\n"
    "  --seconds   no more runs after that time\n";

enum { MOST_WORDS = 16, MOST_OUTPUTS = 3, BOUND_SECONDS = 60, EXIT_USAGE_CODE = 1, EXIT_MEMORY_CODE = 4 };

#define HOST "--device", "host"
/* Strategies that do not depend on whether UMFPACK can be opened. */
#define SAME "--method", "auto(device=any,direct=no)"

/* Outputs whose name begins with "=" have the same bytes in every run; the others contain times. */
static const struct command {
    const char *word[MOST_WORDS], *output[MOST_OUTPUTS];
} commands[] = {
    {{VKSOLVE, "solve", "A.mtx", "-b", "b.mtx", "-o", "x.mtx", "--json", "j.json", "--history", "h.csv", SAME,
      HOST},
     {"=x.mtx", "j.json", "=h.csv"}},
    {{VKSOLVE, "solve", "A.mtx.gz", "--precond", "block-jacobi", "--format", "sell", "--precision", "mixed",
      "--reorder", "rcm", "-o", "x.mtx", HOST},
     {"=x.mtx"}},
    {{VKSOLVE, "solve", "A.mtx", "--method", "gauss-jordan", "-o", "x.mtx.gz", HOST}, {"=x.mtx.gz"}},
    {{VKSOLVE, "solve", "A.mtx", "--compare", "lapack", "-o", "x.mtx", SAME, HOST}, {"=x.mtx"}},
    {{VKSOLVE, "solve", "L.mtx", "--singular", "-o", "x.mtx", SAME, HOST}, {"=x.mtx"}},
    {{VKSOLVE, "solve", "A.mtx", "--plot", "p.svg", HOST}, {"p.svg"}},
    {{VKSOLVE, "solve", "A.mtx", "-o", "x.mtx", SAME, "--device", "tested"}, {"=x.mtx"}},
    {{VKSOLVE, "info", "A.mtx.gz", "--json", "j.json"}, {"=j.json"}},
    {{VKSOLVE, "info", FUZZ_SEEDS "/csr.npz", "--json", "j.json"}, {"=j.json"}},
    {{VKSOLVE, "info", FUZZ_SEEDS "/boeing.rsa", "--json", "j.json"}, {"=j.json"}},
    {{VKSOLVE, "solve", "A.mtx", "-b", "b.txt", "-o", "linked.mtx", SAME, HOST}, {"=linked.mtx"}},
    {{VKSOLVE, "check", "A.mtx", "--json", "j.json"}, {"=j.json"}},
    {{VKSOLVE, "invert", "A.mtx", "-o", "x.mtx", HOST}, {"=x.mtx"}},
    {{VKSOLVE, "spmv", "A.mtx", "--format", "csr", "--csv", "h.csv", HOST}, {"h.csv"}},
    {{VKSOLVE, "spy", "A.mtx", "-o", "p.svg"}, {"p.svg"}},
    {{VKSOLVE, "sort", "n.txt", "-o", "x.mtx", HOST}, {"=x.mtx"}},
    {{VKSOLVE, "generate", "elasticity3d", "3", "-o", "x.mtx", "--coordinates", "c.mtx"},
     {"=x.mtx", "=c.mtx"}},
    {{VKSOLVE, "devices", "--json", "j.json"}, {"j.json"}},
    {{VKSOLVE, "selftest", HOST}, {NULL}},
    {{FUZZ_CALLS}, {"=x.mtx"}},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const char *const fault_text[] = {
#define X(NAME, text, error) text,
    FAULTS(X)
#undef X
};

/* Faults that do not affect a program. */
static bool is_harmless(enum fault k)
{
    static const int error[] = {
#define X(NAME, text, error) error,
        FAULTS(X)
#undef X
    };
    return error[k] == 0 || error[k] == EINTR;
}

static char folder[] = "/tmp/vksolve-faults-XXXXXX";
static const char old[] = "what was there before\n";

/* The result of each command without faults. */
static struct expected {
    bool known;
    long calls[FAULT_COUNT];
    char *output[MOST_OUTPUTS];
    size_t size[MOST_OUTPUTS];
} expected[COMMANDS];

static const char *in_folder(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *f = fopen(in_folder(name), "w");
    if (!f || fputs(text, f) < 0 || fclose(f))
        cannot_go_on("%s cannot be written", in_folder(name));
}

/* The bytes of a file; NULL if there is none. */
static char *take(const char *name, size_t *size)
{
    FILE *f = fopen(in_folder(name), "rb");
    if (!f)
        return NULL;
    char *bytes = calloc(1, 1 << 20);
    *size = bytes ? fread(bytes, 1, (1 << 20) - 1, f) : 0;
    fclose(f);
    return bytes;
}

static int run(const struct command *c, const char *fault)
{
    const char *set[] = {"LD_PRELOAD=" FUZZ_FAULT, fault, "VKS_FAULT_COUNTS=counts", "OMP_NUM_THREADS=2",
                         "OPENBLAS_NUM_THREADS=1", NULL};
    const char *word[MOST_WORDS + 1] = {NULL};
    for (int k = 0; k < MOST_WORDS && c->word[k]; k++)
        word[k] = device_named(c->word[k]);
    for (int k = 0; k < MOST_OUTPUTS && c->output[k]; k++)
        put(c->output[k] + (c->output[k][0] == '='), old);
    return child_run(folder, word, set, BOUND_SECONDS);
}

static void read_counts(struct expected *e)
{
    FILE *f = fopen(in_folder("counts"), "r");
    for (int k = 0; f && k < FAULT_COUNT; k++)
        if (fscanf(f, "%ld", &e->calls[k]) != 1)
            cannot_go_on("no counts of calls");
    if (!f || e->calls[FAULT_MEMORY] == 0)
        cannot_go_on("no calls were counted: is fuzz_fault loaded?");
    fclose(f);
}

static void learn(int i)
{
    const struct command *c = &commands[i];
    struct expected *e = &expected[i];
    if (e->known)
        return;
    int code = run(c, "VKS_FAULT=-1 0 0");
    size_t size = 0;
    if (code)
        cannot_go_on("without a fault, %s %s ends with %d: %s", c->word[0], c->word[1] ? c->word[1] : "",
                     code, take("err", &size));
    read_counts(e);
    for (int k = 0; k < MOST_OUTPUTS && c->output[k]; k++)
        e->output[k] = take(c->output[k] + (c->output[k][0] == '='), &e->size[k]);
    e->known = true;
}

/* What is wrong with an output; NULL if nothing is. */
static const char *check_output(const struct command *c, const struct expected *e, int k, bool must_be_new)
{
    bool same_each_time = c->output[k][0] == '=';
    size_t size = 0;
    char *now = take(c->output[k] + same_each_time, &size);
    const char *wrong = NULL;
    if (!now)
        return "is gone";
    bool is_old = size == sizeof old - 1 && !memcmp(now, old, size);
    if (is_old)
        wrong = must_be_new ? "was not written" : NULL;
    else if (same_each_time && (size != e->size[k] || memcmp(now, e->output[k], size) != 0))
        wrong = "is neither the old nor the new one";
    else if (size < 2 || memcmp(now + size - 2, e->output[k] + e->size[k] - 2, 2) != 0)
        wrong = "is cut off";
    free(now);
    return wrong;
}

static bool part_is_left(void)
{
    bool left = false;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        const char *dot = strrchr(e->d_name, '.');
        if (dot && !strcmp(dot, ".part")) {
            left = true;
            unlink(in_folder(e->d_name));
        }
    }
    closedir(d);
    return left;
}

static void check(int i, enum fault kind, int code, const char *fault)
{
    const struct command *c = &commands[i];
    size_t size = 0;
    char *said = take("err", &size), line[512] = "";
    for (int k = 0; c->word[k]; k++)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s ", c->word[k]);
#define WRONG(...)         \
    (finding(__VA_ARGS__), \
     printf("    of %s(%s), %s; it said: %.200s\n", line, fault_text[kind], fault, said))
    bool memory = kind == FAULT_MEMORY;
    if (code == CHILD_TOO_LONG)
        WRONG("it did not end within %d seconds", BOUND_SECONDS);
    else if (code >= CHILD_SIGNAL)
        WRONG("it died of signal %d", code - CHILD_SIGNAL);
    else if (code && is_harmless(kind))
        WRONG("what is no failure ended it with %d", code);
    else if (code && code != EXIT_MEMORY_CODE && (memory || code != EXIT_USAGE_CODE))
        WRONG("it ended with %d", code);
    if (code && code < CHILD_SIGNAL && !size)
        WRONG("it ended with %d without a word", code);
    if (code && memory && size && code < CHILD_SIGNAL && !strstr(said, "memory"))
        WRONG("it did not speak of memory");
    if (part_is_left() && !(said && strstr(said, "the whole output is in")))
        WRONG("a .part is left");
    for (int k = 0; k < MOST_OUTPUTS && c->output[k]; k++) {
        const char *wrong = check_output(c, &expected[i], k, code == 0);
        if (wrong)
            WRONG("%s %s", c->output[k], wrong);
    }
    free(said);
}

/* Runs with one random fault. */
static void fail_once(uint64_t seed)
{
    char fault[64];
    struct random r = random_from(seed);
    findings_seed(seed, 3 * BOUND_SECONDS);
    int i = (int)random_below(&r, COMMANDS);
    learn(i);
    enum fault kind = FAULT_MEMORY;
    if (random_below(&r, 3)) /* otherwise memory, since most calls are allocations */
        do
            kind = (enum fault)random_below(&r, FAULT_COUNT);
        while (expected[i].calls[kind] == 0);
    bool forever = one_in(&r, 3);
    long at = 1 + random_below(&r, (uint32_t)expected[i].calls[kind]);
    snprintf(fault, sizeof fault, "VKS_FAULT=%d %ld %d", (int)kind, at, forever);
    check(i, kind, run(&commands[i], fault), fault);
}

/* A matrix, the Laplacian of a chain, and numbers to sort. */
static void make_inputs(void)
{
    char text[4096] = "%%MatrixMarket matrix coordinate real symmetric\n30 30 59\n";
    for (int i = 1; i <= 30; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 i < 30 ? "%d %d %d\n%d %d -1\n" : "%d %d %d\n", i, i, i == 1 || i == 30 ? 1 : 2, i + 1, i);
    put("L.mtx", text);
    strcpy(text, "300\n");
    for (int i = 0; i < 300; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d\n", i * 7919 % 5003);
    put("n.txt", text);
    strcpy(text, "%%MatrixMarket matrix array real general\n81 1\n");
    for (int i = 0; i < 81; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d\n", i % 7 - 3);
    put("b.mtx", text);
    put("b.txt", strchr(strchr(text, '\n') + 1, '\n') + 1); /* columns of numbers */
    put("linked.mtx", "");
    snprintf(text, sizeof text, "%s/other-name", folder);
    if (link(in_folder("linked.mtx"), text))
        cannot_go_on("no link in %s", folder);
    static const char *const set[] = {NULL};
    static const char *const make[2][MOST_WORDS] = {
        {VKSOLVE, "generate", "poisson2d", "9", "-o", "A.mtx"},
        {VKSOLVE, "generate", "poisson2d", "9", "-o", "A.mtx.gz"}};
    if (child_run(folder, make[0], set, BOUND_SECONDS) || child_run(folder, make[1], set, BOUND_SECONDS))
        cannot_go_on("%s cannot generate", VKSOLVE);
}

int main(int argc, char **argv)
{
    double seconds = 1e9;
    int i = 1;
    if (argc > 2 && !strcmp(argv[1], "--seconds")) {
        seconds = atof(argv[2]);
        i = 3;
    }
    if (argc - i != 2) {
        fputs(help, stderr);
        return 2;
    }
    uint64_t seed = strtoull(argv[i], NULL, 10), count = strtoull(argv[i + 1], NULL, 10), done = 0;
    findings_begin(argc, argv, i);
    if (!mkdtemp(folder))
        cannot_go_on("no folder in /tmp");
    make_inputs();
    for (time_t end = time(NULL) + (time_t)seconds; done < count && time(NULL) <= end; done++)
        fail_once(seed + done);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -rf '%s'", folder);
    printf("fuzz_faults: %" PRIu64 " faults from seed %" PRIu64 ", %lu findings\n", done, seed,
           findings_count());
    return system(remove) || findings_count() != 0;
}
