/* Preconditioners as text, as the command reads them (clients/command/shared/preconds.h). */
#ifndef VKS_SOLVERS_PRECOND_TEXT_H
#define VKS_SOLVERS_PRECOND_TEXT_H

#include "solvers/precond_options.h"

enum { LONGEST_PRECOND = 255 }; /* that the command reads */

/* Has room for all that it reads. Only weights become longer than they were written. */
struct precond_text {
    char text[2 * LONGEST_PRECOND + 2];
};

/* Adds to the text, which is cut where it is full. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void precond_text_add(struct precond_text *t, const char *format, ...);

/* The one way of writing o: what is zero is left out, and NUMBER and /f32 stand at the end. */
struct precond_text precond_write(const vks_precond_options *o);

#endif
