/* Preconditioners as text, in the form that the command reads (clients/command/shared/preconds.h). */
#ifndef VKS_SOLVERS_PRECOND_TEXT_H
#define VKS_SOLVERS_PRECOND_TEXT_H

#include "solvers/precond_options.h"

enum { LONGEST_PRECOND = 255 }; /* characters that the command reads */

/* Large enough for any text that the command reads. Only weights can be written longer than read. */
struct precond_text {
    char text[2 * LONGEST_PRECOND + 2];
};

/* Appends to the text; truncates if it is full. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void precond_text_add(struct precond_text *t, const char *format, ...);

/* Writes o in its one canonical form: zero options are omitted, and NUMBER and /f32 come last. */
struct precond_text precond_write(const vks_precond_options *o);

#endif
