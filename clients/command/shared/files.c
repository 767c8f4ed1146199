#include "command/shared/files.h"
#include "command/shared/interrupt.h"
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
        if (access(path, W_OK)) /* opening a pipe here would close it for its reader */
            return fail_file(m, path, "written");
        return VKS_OK;
    }
    struct output o;
    TRY(output_open(m, path, &o));
    if (o.beside)
        interrupt_removes(o.beside);  /* the actual write most likely uses the same name */
    output_close(NULL, &o, VKS_FILE); /* closed as after a failure, so no file is left behind */
    return VKS_OK;
}

/* Finds the folder of a path that has no links, for a file that does not exist yet. Returns the file's name
 * in that folder; NULL on failure. */
static const char *find_folder(const char *path, struct stat *folder)
{
    char text[4096];
    const char *slash = path ? strrchr(path, '/') : NULL;
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    if (!path || length + 2 > sizeof text)
        return NULL;
    memcpy(text, path, length);
    memcpy(text + length, ".", 2);
    return stat(text, folder) ? NULL : path + length;
}

/* Whether two paths of files that do not exist yet name the same file. */
static bool will_be_same(const char *a, const char *b)
{
    struct stat a_folder, b_folder;
    char *a_target = output_target(a), *b_target = output_target(b);
    const char *a_name = find_folder(a_target, &a_folder), *b_name = find_folder(b_target, &b_folder);
    bool same = a_name && b_name && !strcmp(a_name, b_name) && a_folder.st_dev == b_folder.st_dev &&
                a_folder.st_ino == b_folder.st_ino;
    free(a_target);
    free(b_target);
    return same;
}

bool file_is_same(const char *input, const char *output)
{
    struct stat a, b;
    if (!input || !output || file_is_stream(output))
        return false;
    bool a_exists = !(file_is_stream(input) ? fstat(STDIN_FILENO, &a) : stat(input, &a));
    bool b_exists = !stat(output, &b);
    if (a_exists && b_exists)
        return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    return !a_exists && !b_exists && will_be_same(input, output);
}

vks_status file_write(struct message *m, const char *path, const char *text)
{
    struct output o;
    TRY(output_open(m, path, &o));
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

vks_status file_write_history(struct message *m, const char *path, const double *history, uint32_t count,
                              uint32_t step, uint32_t last)
{
    enum { ROOM = 1 << 16, LINE = 48 };
    char text[ROOM];
    struct output o;
    vks_status status = output_open(m, path, &o);
    if (status)
        return status;
    size_t used = (size_t)snprintf(text, ROOM, "iteration,residual\n");
    for (uint32_t k = 0; k < count && !status; k++) {
        used += (size_t)snprintf(text + used, ROOM - used, "%u,%.17g\n", step * k < last ? step * k : last,
                                 history[k]);
        if (used > ROOM - LINE) {
            status = output_write(m, &o, text, used);
            used = 0;
        }
    }
    IF_OK(status, output_write(m, &o, text, used));
    return output_close(m, &o, status);
}
