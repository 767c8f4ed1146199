#include "command/solve/colour.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_colours(FILE *to)
{
    const char *terminal = getenv("TERM"), *unwanted = getenv("NO_COLOR");
    return !(unwanted && *unwanted) && terminal && strcmp(terminal, "dumb") && isatty(fileno(to));
}

const char *colour(FILE *to, enum colour c)
{
    static const char *const sequences[] = {[COLOUR_NONE] = "\033[0m",
                                            [COLOUR_GOOD] = "\033[1;32m",
                                            [COLOUR_BAD] = "\033[1;31m",
                                            [COLOUR_WARNING] = "\033[33m"};
    return has_colours(to) ? sequences[c] : "";
}
