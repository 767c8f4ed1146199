/* Colours for output on a terminal. A file, a pipe and NO_COLOR (no-color.org) get plain text. */
#ifndef VKS_COMMAND_SOLVE_COLOUR_H
#define VKS_COMMAND_SOLVE_COLOUR_H

#include <stdio.h>

enum colour { COLOUR_NONE, COLOUR_GOOD, COLOUR_BAD, COLOUR_WARNING };

/* The sequence that begins the colour; COLOUR_NONE ends it. "" if there are no colours. */
const char *colour(FILE *to, enum colour c);

#endif
