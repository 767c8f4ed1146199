#include "report/message.h"

#include <stdarg.h>
#include <stdio.h>

void tell(struct message *m, const char *format, ...)
{
    if (!m || m->text[0])
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(m->text, sizeof m->text, format, args);
    va_end(args);
}
