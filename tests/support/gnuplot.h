/* Setup of the suites on pictures. */
#ifndef VKS_TESTS_GNUPLOT_H
#define VKS_TESTS_GNUPLOT_H

#include "cli.h"

static inline void begin_pictures(void)
{
    make_folder();
    unsetenv("VKSOLVE_GNUPLOT");
    unsetenv("VKSOLVE_GNUPLOT_SECONDS");
}

/* A replacement for gnuplot, which reports its version and then runs the given lines of sh. */
static inline void pretend(const char *lines)
{
    char text[1024], path[256];
    snprintf(text, sizeof text, "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\n%s\n", lines);
    write_text("gnuplot", text);
    cr_assert_eq(setenv("VKSOLVE_GNUPLOT", in_folder("gnuplot", path), 1), 0);
    cr_assert_eq(system("chmod +x \"$VKSOLVE_GNUPLOT\""), 0);
}

#endif
