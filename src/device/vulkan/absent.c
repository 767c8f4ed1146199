/* Possible reasons for a missing GPU: environment variables of the loader, and file permissions. */
#include "device/vulkan/instance.h"

#include <errno.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct reasons {
    char *text;
    size_t room;
};

__attribute__((format(printf, 2, 3))) static void add(struct reasons *r, const char *format, ...)
{
    size_t used = strlen(r->text);
    va_list values;
    va_start(values, format);
    vsnprintf(r->text + used, r->room - used, format, values);
    va_end(values);
}

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

/* Checks the files that the variable names, separated by colons. */
static void read_files(struct reasons *r, const char *name, const char *files)
{
    char path[512];
    bool all = true;
    for (const char *at = files; *at;) {
        size_t length = strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s", (int)length, at);
        if (path[0] && access(path, R_OK)) {
            add(r, "; %s names %s, which cannot be read: %s", name, path, strerror(errno));
            all = false;
        }
        at += length + (at[length] == ':');
    }
    if (all)
        add(r, "; %s allows only the drivers of %s", name, files);
}

static void read_variables(struct reasons *r)
{
    static const char *const files[] = {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}; /* the first set one counts */
    static const char *const filters[] = {"VK_LOADER_DRIVERS_SELECT", "VK_LOADER_DRIVERS_DISABLE"};
    for (int i = 0; i < 2; i++)
        if (variable(files[i])) {
            read_files(r, files[i], variable(files[i]));
            break;
        }
    for (int i = 0; i < 2; i++)
        if (variable(filters[i]))
            add(r, "; %s is %s", filters[i], variable(filters[i]));
}

/* Drivers omit GPUs whose files this user may not open. */
static void read_rights(struct reasons *r)
{
    glob_t found = {0};
    if (!glob("/dev/dri/renderD*", 0, NULL, &found))
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (access(found.gl_pathv[i], R_OK | W_OK) && errno == EACCES)
                add(r, "; this user may not open %s, whose group is often render or video",
                    found.gl_pathv[i]);
    globfree(&found);
}

void vulkan_why_absent(char *text, size_t room)
{
    struct reasons r = {text, room};
    read_variables(&r);
    read_rights(&r);
}
