/* A body of elasticity for tests of the command, and numbers from its JSON. */
#ifndef VKS_TESTS_CLI_BODY_H
#define VKS_TESTS_CLI_BODY_H

#include "cli.h"

/* Two levels: 648 rows. */
static inline void make_body(void)
{
    expect("$VKSOLVE generate elasticity3d 6 -o $FOLDER/A.mtx --coordinates $FOLDER/x.mtx", 0, "648 x 648");
}

/* The number after "key": in a JSON file of the folder. */
static inline double number_in(const char *name, const char *key)
{
    char *text = read_text(name), quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    char *at = text ? strstr(text, quoted) : NULL;
    cr_assert(at, "no %s in %s", quoted, name);
    double v = strtod(at + strlen(quoted), NULL);
    free(text);
    return v;
}

#endif
