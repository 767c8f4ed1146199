#include "support/sequence_main.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns false on wrong usage. */
static bool take(const struct sequence_bench *bench, int option, struct sequence_settings *set)
{
    if (option == 'd')
        set->device = optarg;
    else if (option == 's')
        set->steps = (uint32_t)strtoul(optarg, NULL, 10);
    else if (option == 't')
        set->rtol = strtod(optarg, NULL);
    else if (option == 'p' && bench->own == 'p')
        set->precond = optarg;
    else if (option == 'w' && bench->own == 'w')
        set->warm = true;
    else
        return false;
    return set->steps >= 2 && set->rtol > 0;
}

int sequence_main(int argc, char **argv, const struct sequence_bench *bench)
{
    static const struct option options[] = {{"device", required_argument, NULL, 'd'},
                                            {"steps", required_argument, NULL, 's'},
                                            {"rtol", required_argument, NULL, 't'},
                                            {"precond", required_argument, NULL, 'p'},
                                            {"warm", no_argument, NULL, 'w'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct sequence_settings set = bench->defaults;
    bool good = true;
    for (int o; good && (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'h') {
            fputs(bench->help, stdout);
            return 0;
        }
        good = take(bench, o, &set);
    }
    if (!good || optind >= argc) {
        fputs(bench->help, stderr);
        return 1;
    }
    puts(bench->head);
    for (int i = optind; i < argc; i++)
        for (int way = 0; way < 2; way++)
            good = bench->measure(&set, argv[i], way) && good;
    return good ? 0 : 4;
}
