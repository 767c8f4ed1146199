/* One table describes the options of a subcommand. The input of getopt_long, the checks of the values and
 * --help are derived from it. */
#ifndef VKS_COMMAND_SHARED_OPTIONS_H
#define VKS_COMMAND_SHARED_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type of the settings member that holds the value. */
enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char *, not empty */
    OPTION_REAL,   /* double, low <= value <= high, or of_word for `word` */
    OPTION_COUNT,  /* uint32_t, low <= value <= high */
    OPTION_BYTES,  /* uint64_t, at least 1; K, M, G and T stand for powers of 1024 */
    OPTION_CHOICE, /* int, the index of the word in `choices`, which ends with NULL */
};

struct option_line {
    char letter;          /* 0: none */
    const char *name;     /* long, without dashes */
    const char *argument; /* name of the value in the help; NULL for a flag */
    const char *help;     /* ends with the default; lines are separated by \n */
    enum option_kind kind;
    size_t offset;
    double low, high;
    const char *range; /* of a real or a count, in words: "above 0, at most 1" */
    const char *const *choices;
    const char *word; /* NULL: none */
    double of_word;
};

#define FLAG(type, member) .kind = OPTION_FLAG, .offset = offsetof(type, member)
#define TEXT(type, member) .kind = OPTION_TEXT, .offset = offsetof(type, member)
#define BYTES(type, member) .kind = OPTION_BYTES, .offset = offsetof(type, member)
#define REAL(type, member, least, most, words) \
    .kind = OPTION_REAL, .offset = offsetof(type, member), .low = (least), .high = (most), .range = (words)
#define COUNT(type, member, least, most, words) \
    .kind = OPTION_COUNT, .offset = offsetof(type, member), .low = (least), .high = (most), .range = (words)
#define CHOICE(type, member, words) \
    .kind = OPTION_CHOICE, .offset = offsetof(type, member), .choices = (words)

enum { MOST_OPTIONS = 32, MOST_OPERANDS = 2 };

struct manual {
    const char *name;                    /* "solve" */
    const char *about;                   /* paragraphs */
    const char *operands[MOST_OPERANDS]; /* required, except those in brackets at the end: "[FILE]" */
    bool repeats; /* the last operand may be followed by more of its kind: argv[optind] .. argv[argc - 1] are
                     all operands */
    const struct option_line *options;
    int count;
    const char *after; /* exit codes, examples */
};

enum parsed { PARSED, PARSED_HELP, PARSED_WRONG };

/* Fills in settings and operands (argv's own strings; NULL for one in brackets that is not given).
 * PARSED_HELP: the help has been printed. PARSED_WRONG: an error message has been printed. If an option is
 * repeated, the last one counts. */
enum parsed options_parse(const struct manual *m, int argc, char **argv, void *settings,
                          const char *operands[MOST_OPERANDS]);

/* Prints "vksolve solve: ..." and how to get help, and returns EXIT_USAGE. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int wrong_usage(const struct manual *m, const char *format, ...);

/* A whole number without a sign or any other character. */
bool parse_count(const char *text, double low, double high, uint32_t *value);
/* A decimal number and nothing else. */
bool parse_real(const char *text, double low, double high, double *value);

#endif
