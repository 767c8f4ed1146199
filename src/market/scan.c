#include "market/scan.h"

#include <string.h>

struct shown show_word(const char *word)
{
    struct shown s = {{0}};
    size_t most = sizeof s.text - 4, i = 0;
    for (; i < most && !ends_word(word[i]); i++)
        s.text[i] = word[i] > ' ' && word[i] < 127 ? word[i] : '?';
    if (!ends_word(word[i]))
        memcpy(s.text + i, "...", 3);
    return s;
}
