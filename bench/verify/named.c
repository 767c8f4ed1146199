#include "verify/named.h"
#include "command/models/problem.h"
#include "files/files.h"

#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void paths_free(struct paths *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->path[i]);
    free(p->path);
    *p = (struct paths){0};
}

static vks_status add(struct message *m, const char *path, struct paths *p)
{
    char **more = realloc(p->path, (p->count + 1) * sizeof *more);
    if (more)
        p->path = more;
    char *copy = more ? strdup(path) : NULL;
    if (!copy)
        return fail_memory(m, "paths", sizeof *more + strlen(path));
    p->path[p->count++] = copy;
    return VKS_OK;
}

/* The matches of a pattern in the folder, in alphabetical order. */
static vks_status find(struct message *m, const char *folder, const char *pattern, struct paths *p)
{
    char text[4096];
    glob_t found;
    vks_status s = VKS_OK;
    if (strlen(folder) + strlen(pattern) + 2 > sizeof text)
        return fail(m, VKS_FILE, "%.200s...: the path is too long", folder);
    strcat(strcat(strcpy(text, folder), "/"), pattern);
    int code = glob(text, 0, NULL, &found);
    if (code == GLOB_NOMATCH)
        return VKS_OK;
    if (code)
        return fail(m, VKS_FILE, "%s: cannot be read", folder);
    for (size_t i = 0; i < found.gl_pathc && !s; i++)
        s = add(m, found.gl_pathv[i], p);
    globfree(&found);
    return s;
}

vks_status paths_of(struct message *m, const char *what, struct paths *p)
{
    static const char *const patterns[] = {"*.mtx", "*.mtx.gz", "*/*.mtx", "*/*.mtx.gz"};
    struct stat about;
    *p = (struct paths){0};
    vks_status s = VKS_OK;
    if (stat(what, &about) || !S_ISDIR(about.st_mode))
        s = add(m, what, p);
    else
        for (int i = 0; i < 4 && !s; i++)
            s = find(m, what, patterns[i], p);
    if (s)
        paths_free(p);
    return s;
}

void short_name(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path, *end = strstr(from, ".mtx");
    size_t length = end ? (size_t)(end - from) : strlen(from);
    length = length < size ? length : size - 1;
    memcpy(name, from, length);
    name[length] = 0;
}

double next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)(int64_t)(z ^ (z >> 31)) * 0x1p-63;
}

static vks_status check_order(struct message *m, const char *what, uint32_t rows, uint32_t cols,
                              uint32_t most)
{
    if (rows != cols)
        return fail(m, VKS_LIMIT, "%s is %" PRIu32 " x %" PRIu32 ", not square", what, rows, cols);
    if (rows == 0 || rows > most)
        return fail(m, VKS_LIMIT, "%s has %" PRIu32 " rows; here they are 1 to %" PRIu32, what, rows, most);
    return VKS_OK;
}

vks_status square_load(struct message *m, const char *what, uint32_t most, struct host_csr *a)
{
    *a = (struct host_csr){0};
    vks_status s;
    if (problem_is_model(what)) {
        s = problem_load(m, what, a);
        if (!s && (s = check_order(m, what, a->rows, a->cols, most)))
            host_csr_free(a);
        return s;
    }
    struct market file = {0};
    s = files_read_matrix(m, what, &file);
    if (!s)
        s = check_order(m, what, file.entries.rows, file.entries.cols, most);
    if (!s)
        s = host_csr_assemble(m, &file.entries, a);
    market_free(&file);
    return s;
}
