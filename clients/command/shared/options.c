#include "command/shared/options.h"
#include "command/shared/exit_code.h"
#include "command/shared/suggest.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int wrong_usage(const struct manual *m, const char *format, ...)
{
    va_list args;
    fprintf(stderr, "vksolve %s: ", m->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\ntry vksolve %s --help\n", m->name);
    return EXIT_USAGE;
}

bool parse_real(const char *text, double low, double high, double *value)
{
    char *end;
    bool decimal =
        !text[strspn(text, "0123456789.+-eE")]; /* strtod also accepts infinities and hexadecimal */
    *value = strtod(text, &end);
    return decimal && *text && !*end && *value >= low && *value <= high;
}

bool parse_count(const char *text, double low, double high, uint32_t *value)
{
    bool digits = *text && !text[strspn(text, "0123456789")];
    errno = 0;
    unsigned long long number = strtoull(text, NULL, 10);
    *value = (uint32_t)number;
    return digits && !errno && (double)number >= low && (double)number <= high;
}

static bool parse_bytes(const char *text, uint64_t *bytes)
{
    static const char suffixes[] = "KMGT";
    size_t digits = strspn(text, "0123456789.");
    char *end;
    double value = strtod(text, &end);
    if (digits == 0 || end != text + digits)
        return false;
    const char *suffix = *end ? strchr(suffixes, toupper((unsigned char)*end)) : NULL;
    if (suffix) {
        value *= ldexp(1, 10 * (int)(suffix - suffixes + 1));
        end++;
    }
    bool whole = !*end || (suffix && (!strcmp(end, "B") || !strcmp(end, "iB")));
    if (!whole || !(value >= 1 && value <= 0x1p62))
        return false;
    *bytes = (uint64_t)value;
    return true;
}

static bool parse_choice(const char *text, const char *const *choices, int *choice)
{
    for (*choice = 0; choices[*choice]; ++*choice)
        if (!strcmp(choices[*choice], text))
            return true;
    return false;
}

/* Describes the values that an option takes. */
static void print_wanted(const struct option_line *o)
{
    if (o->kind == OPTION_REAL)
        fprintf(stderr, "a number %s", o->range);
    else if (o->kind == OPTION_COUNT)
        fprintf(stderr, "a whole number %s", o->range);
    else if (o->kind == OPTION_BYTES)
        fprintf(stderr, "a size such as 512M or 4G");
    else if (o->kind == OPTION_TEXT)
        fprintf(stderr, "a text that is not empty");
    for (int i = 0; o->kind == OPTION_CHOICE && o->choices[i]; i++)
        fprintf(stderr, "%s%s", i == 0 ? "" : o->choices[i + 1] ? ", " : " or ", o->choices[i]);
}

static bool store(const struct option_line *o, const char *text, void *settings)
{
    void *at = (char *)settings + o->offset;
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)at = true;
        return true;
    case OPTION_TEXT:
        *(const char **)at = text;
        return *text != 0;
    case OPTION_REAL:
        if (o->word && !strcmp(o->word, text)) {
            *(double *)at = o->of_word;
            return true;
        }
        return parse_real(text, o->low, o->high, at);
    case OPTION_COUNT:
        return parse_count(text, o->low, o->high, at);
    case OPTION_BYTES:
        return parse_bytes(text, at);
    default:
        return parse_choice(text, o->choices, at);
    }
}

static void print_option(char letter, const char *name, const char *argument, const char *help)
{
    enum { COLUMN = 27 };
    char head[128];
    int width = snprintf(head, sizeof head, "  %c%c%c --%s%s%s", letter ? '-' : ' ', letter ? letter : ' ',
                         letter ? ',' : ' ', name, argument ? " " : "", argument ? argument : "");
    fputs(head, stdout);
    if (width >= COLUMN) {
        putchar('\n');
        width = 0;
    }
    for (const char *line = help; *line;) {
        int length = (int)strcspn(line, "\n");
        printf("%*s%.*s\n", COLUMN - width, "", length, line);
        line += length + (line[length] == '\n');
        width = 0;
    }
}

static void print_help(const struct manual *m)
{
    printf("usage: vksolve %s", m->name);
    for (int i = 0; i < MOST_OPERANDS && m->operands[i]; i++)
        printf(" %s", m->operands[i]);
    printf("%s [options]\n\n%s\n\noptions:\n", m->repeats ? " ..." : "", m->about);
    for (int i = 0; i < m->count; i++)
        print_option(m->options[i].letter, m->options[i].name, m->options[i].argument, m->options[i].help);
    print_option('h', "help", NULL, "print this");
    printf("\n%s", m->after);
}

/* Prints the error of getopt_long in clearer words. `c` is its result. */
static void refuse_option(const struct manual *m, int c, char **argv)
{
    const char *word = argv[optind - 1];
    if (c == ':') {
        wrong_usage(m, "%s needs a value", word);
    } else if (strncmp(word, "--", 2)) {
        wrong_usage(m, "unknown option -%c", optopt);
    } else if (optopt) {
        wrong_usage(m, "%.*s takes no value, but %s gives one", (int)strcspn(word, "="), word, word);
    } else {
        int fits = 0;
        size_t length = strcspn(word + 2, "=");
        struct suggestion meant = {0};
        for (int i = 0; i < m->count; i++) {
            fits += !strncmp(m->options[i].name, word + 2, length);
            suggest(&meant, word + 2, length, m->options[i].name);
        }
        if (fits)
            wrong_usage(m, "%s is ambiguous", word);
        else if (meant.name)
            wrong_usage(m, "unknown option %s; did you mean --%s?", word, meant.name);
        else
            wrong_usage(m, "unknown option %s", word);
    }
}

static enum parsed read_options(const struct manual *m, int argc, char **argv, void *settings)
{
    enum { HELP = 1000, FIRST };
    assert(m->count <= MOST_OPTIONS);
    struct option options[MOST_OPTIONS + 2] = {{"help", no_argument, NULL, HELP}};
    char letters[2 * MOST_OPTIONS + 4] = ":h", *end = letters + 2;
    for (int i = 0; i < m->count; i++) {
        const struct option_line *o = &m->options[i];
        options[i + 1] =
            (struct option){o->name, o->argument ? required_argument : no_argument, NULL, FIRST + i};
        if (o->letter)
            *end++ = o->letter;
        if (o->letter && o->argument)
            *end++ = ':';
    }
    *end = 0;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, letters, options, NULL)) != -1;) {
        if (c == 'h' || c == HELP) {
            print_help(m);
            return PARSED_HELP;
        }
        int i = c >= FIRST ? c - FIRST : 0;
        while (c < FIRST && i < m->count && m->options[i].letter != c)
            i++;
        if (c == '?' || c == ':') {
            refuse_option(m, c, argv);
            return PARSED_WRONG;
        }
        if (!store(&m->options[i], optarg, settings)) {
            fprintf(stderr, "vksolve %s: --%s '%s': must be ", m->name, m->options[i].name, optarg);
            print_wanted(&m->options[i]);
            fprintf(stderr, "\ntry vksolve %s --help\n", m->name);
            return PARSED_WRONG;
        }
    }
    return PARSED;
}

/* Checks the operands after those that have names. */
static enum parsed check_more(const struct manual *m, int argc, char **argv, int first)
{
    for (int i = first; i < argc; i++)
        if (!argv[i][0]) {
            wrong_usage(m, "%s is empty", m->operands[0]);
            return PARSED_WRONG;
        }
    return PARSED;
}

enum parsed options_parse(const struct manual *m, int argc, char **argv, void *settings,
                          const char *operands[MOST_OPERANDS])
{
    enum parsed parsed = read_options(m, argc, argv, settings);
    int given = 0;
    for (; parsed == PARSED && given < MOST_OPERANDS && m->operands[given]; given++) {
        operands[given] = argv[optind + given];
        if (!operands[given] && m->operands[given][0] == '[')
            return parsed;
        if (!operands[given] || !operands[given][0]) {
            wrong_usage(m, operands[given] ? "%s is empty" : "%s is missing", m->operands[given]);
            return PARSED_WRONG;
        }
    }
    if (parsed == PARSED && m->repeats)
        return check_more(m, argc, argv, optind + given);
    if (parsed == PARSED && optind + given < argc) {
        wrong_usage(m, "unexpected argument '%s'", argv[optind + given]);
        return PARSED_WRONG;
    }
    return parsed;
}
