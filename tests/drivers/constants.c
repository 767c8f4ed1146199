/* Values of specialisation constants, by name. A name that is missing here belongs to a flag. */
#include "pipelines.h"

#include <string.h>

enum { MOST_VALUES = 4 };

static const struct {
    const char *name;
    const char *beside; /* only in kernels that also have this constant; NULL: in all */
    uint32_t count, values[MOST_VALUES];
} known[] = {
    {"lanes", NULL, 3, {8, 1, 32}}, {"form", NULL, 3, {1, 0, 3}}, /* FORM_... and PRODUCT_... */
    {"turn", NULL, 3, {1, 0, 2}},   {"size", NULL, 3, {3, 1, 8}}, /* of a block */
    {"high", NULL, 2, {3, 6}},      {"inner", NULL, 2, {3, 6}},    {"wide", "high", 2, {3, 6}},
    {"elements", NULL, 2, {9, 36}}, {"columns", NULL, 2, {6, 32}}, {"few", NULL, 2, {0, 8}},
    {"spread", NULL, 2, {0, 2}},    {"k", NULL, 2, {3, 7}},        {"j", NULL, 2, {0, 1}},
    {"squads", NULL, 2, {1, 8}},
};

static bool has_constant(const struct kernel *k, const char *name)
{
    for (uint32_t i = 0; i < k->constants; i++)
        if (!strcmp(k->constant[i], name))
            return true;
    return false;
}

uint32_t constant_values(const struct kernel *k, uint32_t constant, const uint32_t **values)
{
    static const uint32_t flag[] = {1, 0};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, k->constant[constant]) &&
            (!known[i].beside || has_constant(k, known[i].beside))) {
            *values = known[i].values;
            return known[i].count;
        }
    *values = flag;
    return 2;
}
