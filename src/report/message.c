#include "report/message.h"

#include <stdarg.h>
#include <stdio.h>

vks_status fail(struct message *m, vks_status status, const char *format, ...)
{
    if (m && !m->text[0]) {
        va_list args;
        va_start(args, format);
        vsnprintf(m->text, sizeof m->text, format, args);
        va_end(args);
    }
    return status;
}

vks_status fail_memory(struct message *m, const char *what, unsigned long long bytes)
{
    return fail(m, VKS_OUT_OF_MEMORY, "out of host memory: %llu bytes for %s", bytes, what);
}
