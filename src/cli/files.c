#include "cli/files.h"
#include "market/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_is_stream(const char *path)
{
    return path && !strcmp(path, "-");
}

vks_status file_check(struct message *m, const char *path)
{
    struct stat info;
    if (!path || file_is_stream(path))
        return VKS_OK;
    if (!stat(path, &info) && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        if (access(path, W_OK)) /* to open a pipe here would end it for its reader */
            return fail(m, VKS_FILE, "%s: cannot be written: %s", path, strerror(errno));
        return VKS_OK;
    }
    struct output o;
    vks_status status = output_open(m, path, &o);
    if (!status)
        output_close(NULL, &o, VKS_FILE); /* as if it had failed: nothing remains */
    return status;
}

vks_status file_write(struct message *m, const char *path, const char *text)
{
    struct output o;
    vks_status status = output_open(m, path, &o);
    if (status)
        return status;
    return output_close(m, &o, output_write(m, &o, text, strlen(text)));
}

vks_status file_write_json(struct message *m, const char *path, struct json *j)
{
    size_t length = j->length;
    char *text = json_take(j);
    vks_status status = text ? file_write(m, path, text) : fail_memory(m, path, length);
    free(text);
    return status;
}

vks_status file_write_history(struct message *m, const char *path, double initial, const double *history,
                              uint32_t count)
{
    enum { ROOM = 1 << 16, LINE = 48 };
    char text[ROOM];
    struct output o;
    vks_status status = output_open(m, path, &o);
    if (status)
        return status;
    size_t used = (size_t)snprintf(text, ROOM, "iteration,residual\n0,%.17g\n", initial);
    for (uint32_t k = 0; k < count && !status; k++) {
        used += (size_t)snprintf(text + used, ROOM - used, "%u,%.17g\n", k + 1, history[k]);
        if (used > ROOM - LINE) {
            status = output_write(m, &o, text, used);
            used = 0;
        }
    }
    if (!status)
        status = output_write(m, &o, text, used);
    return output_close(m, &o, status);
}
