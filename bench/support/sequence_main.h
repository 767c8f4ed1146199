/* The main program of a benchmark of sequences: its options, and two rows for each sequence. */
#ifndef VKS_BENCH_SUPPORT_SEQUENCE_MAIN_H
#define VKS_BENCH_SUPPORT_SEQUENCE_MAIN_H

#include <stdbool.h>
#include <stdint.h>

struct sequence_settings {
    const char *device; /* NULL: auto */
    uint32_t steps;     /* 2 or more */
    double rtol;
    const char *precond; /* for "p" as own */
    bool warm;           /* for "w" as own */
};

struct sequence_bench {
    const char *help, *head; /* head: the names of the columns */
    char own;                /* the benchmark's own option: 'p', --precond, or 'w', --warm */
    struct sequence_settings defaults;
    /* Measures a sequence (sequence.h) in one of two ways, 0 or 1, and prints its rows. Returns false after
     * reporting a failure. */
    bool (*measure)(const struct sequence_settings *set, const char *what, int way);
};

/* Returns the exit code: 1 for wrong usage; 4 after a failure. */
int sequence_main(int argc, char **argv, const struct sequence_bench *bench);

#endif
