/* Preconditioners as a user writes them, without blanks:
 *
 *     NAME[(KEY=VALUE,...)][/NUMBER][/f32]
 *
 * NAME is that of the kind, or auto. KEY is an option that the kind takes (solvers/precond_options.h), and
 * NUMBER the value of the first of them that is a whole number: block-jacobi/3 is block-jacobi(block-size=3).
 * /f32 is vks_precond_options.in_f32. The VALUE of a preconditioner inside is written like this again. */
#ifndef VKS_CLI_PRECONDS_H
#define VKS_CLI_PRECONDS_H

#include "solvers/precond_options.h"

/* [0] is what was asked for, and [k + 1] stands inside [k]; it is not to be copied. */
struct precond_words {
    vks_precond_options options[VKS_LARGEST_NESTING];
    uint32_t count;
};

enum { LONGEST_PRECOND = 255 };

/* VKS_INVALID_ARGUMENT: the message says what was expected, and below it has the text, and below that a caret
 * under the place. */
vks_status preconds_read(struct message *m, const char *text, struct precond_words *out);

struct precond_text {
    char
        text[2 * LONGEST_PRECOND + 2]; /* has room for what preconds_read takes: only weights become longer */
};

/* The one way of writing o: what is zero is left out, and NUMBER and /f32 stand at the end. */
struct precond_text preconds_write(const vks_precond_options *o);

#define PRECOND_OPTION_LINE_(NAME, member, key, type, largest, value, text) "\n  " key "=" value ": " text
#define PRECONDS_HELP                                                                    \
    "\noptions stand behind the name, NAME(KEY=VALUE,...), without blanks; /NUMBER is\n" \
    "the first of them that is a number, as in block-jacobi/3; then /f32 for one\n"      \
    "that works in f32" PRECOND_OPTIONS(PRECOND_OPTION_LINE_)

#endif
