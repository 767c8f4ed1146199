#include "device/choice.h"

#include <stdlib.h>
#include <strings.h>

const char *device_by_environment(void)
{
    const char *name = getenv(DEVICE_VARIABLE);
    return name && name[0] ? name : NULL;
}

const char *device_choice(const char *given)
{
    static const char *const words[] = {"auto", "host", "gpu"};
    const char *name = given && given[0] ? given : device_by_environment();
    if (!name)
        return words[0];
    for (int i = 0; i < 3; i++)
        if (!strcasecmp(name, words[i]))
            return words[i];
    return name;
}
