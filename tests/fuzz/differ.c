/* Random systems on every device, in every storage: fuzz_differ --help */
#include "differ.h"
#include "findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "usage: fuzz_differ [--host] [--validate] [--seconds N] SEED COUNT\n"
    "Computes COUNT random systems, of seeds from SEED on, on the host and on lavapipe, and compares.\n"
    "  --host      the host alone\n"
    "  --validate  lavapipe under the validation layer, whose messages are findings\n"
    "  --seconds   no more systems after that time\n";

enum { SECONDS_OF_A_SEED = 240 };

struct counted counted;

static void differ(const struct places *p, uint64_t seed)
{
    struct random r = random_from(seed);
    findings_seed(seed, SECONDS_OF_A_SEED);
    switch (seed % 5) {
    case 0:
        differ_products(p, &r);
        break;
    case 1:
        differ_operators(p, &r);
        break;
    case 2:
        differ_preconds(p, &r);
        break;
    default:
        differ_solves(p, &r);
    }
    places_check(p);
}

int main(int argc, char **argv)
{
    bool host_only = false, validate = false;
    double seconds = 1e9;
    int i = 1;
    for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
        if (!strcmp(argv[i], "--host"))
            host_only = true;
        else if (!strcmp(argv[i], "--validate"))
            validate = true;
        else if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
            seconds = atof(argv[++i]);
        else
            break;
    }
    if (argc - i != 2) {
        fputs(help, stderr);
        return 2;
    }
    struct places p;
    uint64_t seed = strtoull(argv[i], NULL, 10), count = strtoull(argv[i + 1], NULL, 10), done = 0;
    findings_begin(argc, argv, i);
    places_open(&p, host_only, validate);
    for (time_t end = time(NULL) + (time_t)seconds; done < count && time(NULL) <= end; done++)
        differ(&p, seed + done);
    findings_seed(seed + done, SECONDS_OF_A_SEED);
    places_close(&p);
    printf("fuzz_differ: %" PRIu64 " systems from seed %" PRIu64
           ", %lu products, %lu solves, %lu converged, %lu findings\n",
           done, seed, counted.products, counted.solves, counted.converged, findings_count());
    return findings_count() != 0;
}
