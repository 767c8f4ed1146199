/* Preconditioners as a user writes them, without blanks:
 *
 *     NAME[(KEY=VALUE,...)][/NUMBER][/f32]
 *
 * NAME is a kind, or auto. KEY is an option that the kind takes (solvers/precond_options.h), and NUMBER the
 * value of the first of them that is a whole number: block-jacobi/3 is block-jacobi(block-size=3). /f32 is
 * vks_precond_options.in_f32. The VALUE of inner is a preconditioner again. */
#ifndef VKS_COMMAND_SHARED_PRECONDS_H
#define VKS_COMMAND_SHARED_PRECONDS_H

#include "solvers/precond_text.h"

/* [0] is the preconditioner that the user named. [k + 1] is nested in [k], which points to it, so a copy
 * would point to the original. */
struct precond_words {
    vks_precond_options options[VKS_LARGEST_NESTING];
    uint32_t count;
};

/* VKS_INVALID_ARGUMENT: the message says what was expected. Its next lines are the text and a caret under the
 * place, unless the text is longer than LONGEST_PRECOND. */
vks_status preconds_read(struct message *m, const char *text, struct precond_words *out);

#define PRECOND_OPTION_LINE_(NAME, member, key, words, type, largest, value, text) \
    "\n  " key "=" value ": " text
#define PRECONDS_HELP                                                                   \
    "\noptions follow the name: NAME(KEY=VALUE,...), without blanks. NAME/N sets the\n" \
    "first numeric option (block-jacobi/3). NAME/f32 works in f32. Quote parentheses\n" \
    "in a shell." PRECOND_OPTIONS(PRECOND_OPTION_LINE_)

#endif
