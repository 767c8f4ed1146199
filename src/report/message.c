#include "report/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void set_message(struct message *m, const char *format, ...)
{
    if (!m || m->text[0])
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(m->text, sizeof m->text, format, args);
    va_end(args);
}

vks_status fail_file(struct message *m, const char *name, const char *what)
{
    int error = errno;
    vks_status status = error == ENOMEM ? VKS_OUT_OF_MEMORY : VKS_FILE;
    if (m && !m->text[0] && status == VKS_FILE)
        m->error = error;
    return fail(m, status, "%s: cannot be %s: %s", name, what, strerror(error));
}
