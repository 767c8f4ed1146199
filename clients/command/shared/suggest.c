#include "command/shared/suggest.h"

#include <string.h>

enum { LONGEST = 31 };

static size_t least(size_t a, size_t b, size_t c)
{
    size_t smaller = a < b ? a : b;
    return smaller < c ? smaller : c;
}

static size_t distance_of(const char *a, size_t length, const char *b)
{
    size_t other = strlen(b), row[LONGEST + 1];
    if (length > LONGEST || other > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= other; j++)
        row[j] = j;
    for (size_t i = 1; i <= length; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= other; j++) {
            size_t above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, corner + (a[i - 1] != b[j - 1]));
            corner = above;
        }
    }
    return row[other];
}

void suggest(struct suggestion *s, const char *word, size_t length, const char *name)
{
    size_t distance = distance_of(word, length, name), allowed = strlen(name) / 4;
    if (distance <= (allowed ? allowed : 1) && (!s->name || distance < s->distance))
        *s = (struct suggestion){name, distance};
}
